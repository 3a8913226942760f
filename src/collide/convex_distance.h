// Distance of two convex cores with balls around them, by closed form, GJK or EPA.
//
// The balls shift the distance by their radii, separated or overlapping (see geometry/convex.h). So
// as long as only the balls overlap GJK gives the exact depth.
#pragma once

#include <limits>
#include <optional>

#include "collide/core.h"
#include "collide/distance_types.h"

namespace rigor {

/// Nothing for pairs without a closed form, or when the direction is undetermined. Closed forms: a
/// point against anything but hulls, two segments, and a segment against a box.
template <class S>
std::optional<Distance<S>> closed_form_distance(const Core<S>& a, const Core<S>& b,
                                                const Pose<S>& b_in_a);

/// By GJK, and EPA where the cores overlap. May stop when the solids are farther apart than `far`,
/// with a lower bound of the distance beyond it.
template <class S>
Distance<S> iterated_distance(const Core<S>& a, const Core<S>& b, const Pose<S>& b_in_a,
                              DistanceCache<S>* cache = nullptr,
                              S far = std::numeric_limits<S>::infinity());

/// The closed form where there is one.
template <class S>
Distance<S> convex_distance(const Core<S>& a, const Core<S>& b, const Pose<S>& b_in_a,
                            DistanceCache<S>* cache = nullptr,
                            S far = std::numeric_limits<S>::infinity());

/// The same result with A and B swapped; `a_in_b` is the pose of A in B's frame.
template <class S>
Distance<S> mirror(const Distance<S>& d, const Pose<S>& a_in_b) {
    return {d.distance,
            transform(a_in_b, d.point_b),
            transform(a_in_b, d.point_a),
            -rotate(a_in_b.q, d.normal),
            d.part_b,
            d.part_a,
            d.iterations,
            d.converged};
}

} // namespace rigor
