// Input and result of distance queries.
#pragma once

#include <array>
#include <cstdint>

#include "rigor/vec.h"

namespace rigor {

/// A part of a shape: the child of a compound, and the triangle of a mesh or height field; 0 where
/// there is only one.
struct ShapePart {
    std::uint32_t child = 0;
    std::uint32_t triangle = 0;

    friend constexpr bool operator==(const ShapePart&, const ShapePart&) = default;
};

/// Signed distance of two solids. Points and normal are in A's frame.
///
/// With the points p_a and p_b and the normal n, p_b - p_a = distance n, also where the solids
/// overlap: there p_a is the point of A deepest in B, p_b that of B deepest in A, and moving B by
/// -distance along n separates them (minimum translation).
template <class S>
struct Distance {
    S distance{}; ///< negative: penetration
    Vec3<S> point_a, point_b;
    Vec3<S> normal; ///< unit, from A to B
    ShapePart part_a, part_b;
    int iterations = 0;    ///< support points evaluated; 0 for closed forms
    bool converged = true; ///< upper and lower bound agree; else `distance` is the conservative one
};

/// Cache of a query for the next one about the same two shapes: a few of their points, each in its
/// own frame, and the nearest parts. Any motion in between is allowed; after a small one the result
/// takes one or two iterations. Initially empty.
template <class S>
struct DistanceCache {
    std::array<Vec3<S>, 4> points_a, points_b;
    int count = 0;
    ShapePart part_a, part_b;
    bool known = false; ///< whether the parts are set
};

} // namespace rigor
