// Shape cast: first hit of a translating shape on another one.
//
// The time of impact of a pure translation (time_of_impact.h), refined to rounding: at the end the
// moving shape advances until only rounding is left between it and a plane that is proved to
// separate the two. So `t` is on the near side, and normal and point are those of the contact.
#pragma once

#include <optional>

#include "collide/distance_types.h"
#include "geometry/shape.h"

namespace rigor {

/// All in the target's frame.
template <class S>
struct CastHit {
    S t{};                    ///< the moving shape has advanced by t times the displacement
    Vec3<S> point;            ///< on the target
    Vec3<S> normal;           ///< unit, from the target toward the moving shape
    ShapePart part_a, part_b; ///< of the moving shape and of the target
    /// They touch or overlap at the start: t is 0, and the normal is the separating direction.
    bool initial_overlap = false;
};

/// The first contact with 0 <= t <= max_t, or nothing. A shape that starts within rounding of the
/// target, but separated, and does not approach, does not hit it. max_t may be infinite; casts
/// against a plane then end after ten thousand times the distance of the two frames.
template <class S>
std::optional<CastHit<S>> shape_cast(const Shape<S>& moving, const Shape<S>& target,
                                     const Pose<S>& moving_in_target, const Vec3<S>& displacement,
                                     S max_t);

} // namespace rigor
