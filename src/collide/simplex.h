// Simplex of up to four points of the Minkowski difference, and its point nearest to the origin.
//
// As in the signed volumes method [Montanari 2017], a vertex, edge or face is chosen by where the
// origin projects, and a degenerate simplex is treated by its boundary. Of all candidates the
// nearest wins, so that a wrong sign by rounding costs only rounding.
#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include "collide/core_pair.h"

namespace rigor {

template <class S>
struct Simplex {
    std::array<DifferencePoint<S>, 4> points;
    std::array<S, 4> weights{}; ///< of the nearest point, which is the sum of weight times w
    int count = 0;

    void add(const DifferencePoint<S>& point) { points[static_cast<std::size_t>(count++)] = point; }
};

/// The vertex, edge, face or interior of a simplex that is nearest to the origin.
template <class S>
struct NearestPart {
    Vec3<S> v; ///< the nearest point; zero inside
    S distance_squared = std::numeric_limits<S>::infinity();
    std::array<std::uint8_t, 4> index{}; ///< of its points, ascending
    std::array<S, 4> weight{};           ///< barycentric weights of v
    int count = 0;                       ///< 4 only when the origin is inside
};

template <class S>
NearestPart<S> nearest_part(const Simplex<S>& simplex);

/// Keeps only the points of a feature.
template <class S>
void keep(Simplex<S>& simplex, const NearestPart<S>& part);

/// The weighted sum of the points of A, in A's frame.
template <class S>
Vec3<S> point_on_a(const Simplex<S>& simplex) {
    Vec3<S> sum;
    for (std::size_t i = 0; i < static_cast<std::size_t>(simplex.count); ++i) {
        sum += simplex.points[i].a * simplex.weights[i];
    }
    return sum;
}

/// The weighted sum of the points of B, in B's frame.
template <class S>
Vec3<S> local_point_on_b(const Simplex<S>& simplex) {
    Vec3<S> sum;
    for (std::size_t i = 0; i < static_cast<std::size_t>(simplex.count); ++i) {
        sum += simplex.points[i].local_b * simplex.weights[i];
    }
    return sum;
}

} // namespace rigor
