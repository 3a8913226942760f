// What is asked about the distance of two solids, and what is answered.
#pragma once

#include <array>
#include <cstdint>

#include "rigor/vec.h"

namespace rigor {

/// Which part of a shape is meant: the child of a compound, and the triangle of a mesh or height
/// field; 0 where there is but one.
struct ShapePart {
    std::uint32_t child = 0;
    std::uint32_t triangle = 0;

    friend constexpr bool operator==(const ShapePart&, const ShapePart&) = default;
};

/// How far two solids are apart. Points and normal are in A's frame.
///
/// With the points p_a and p_b and the normal n, p_b - p_a = distance n: also where the solids
/// overlap; there p_a is the point of A deepest in B, p_b that of B deepest in A, and moving B
/// by -distance along n parts them.
template <class S>
struct Distance {
    S distance{}; ///< negative when they overlap
    Vec3<S> point_a, point_b;
    Vec3<S> normal; ///< unit, from A to B
    ShapePart part_a, part_b;
    int iterations = 0;    ///< support points asked for; 0 for closed forms
    bool converged = true; ///< upper and lower bound have met; else `distance` is the safe one
};

/// What one query leaves for the next about the same two shapes: a few of their points, each in
/// its own frame, and the nearest parts. Any motion between is fine; after a small one the answer
/// comes in one or two iterations. Start from an empty one.
template <class S>
struct DistanceCache {
    std::array<Vec3<S>, 4> points_a, points_b;
    int count = 0;
    ShapePart part_a, part_b;
    bool known = false; ///< whether the parts mean something
};

} // namespace rigor
