// Where a shape that moves without turning first meets another one.
//
// The time of impact of translation alone (time_of_impact.h), driven to rounding: at the end the
// moving shape is brought on until only rounding is left between it and a plane that is proved to
// keep the two apart. So `t` is on the near side, and normal and point are those of the contact.
#pragma once

#include <optional>

#include "collide/distance_types.h"
#include "geometry/shape.h"

namespace rigor {

/// All in the target's frame.
template <class S>
struct CastHit {
    S t{};                    ///< the moving shape has gone t times the displacement
    Vec3<S> point;            ///< on the target
    Vec3<S> normal;           ///< unit, from the target toward the moving shape
    ShapePart part_a, part_b; ///< of the moving shape and of the target
    /// They touch or overlap before anything moves: t is 0, and the normal the way out.
    bool initial_overlap = false;
};

/// The first contact with 0 <= t <= max_t, or nothing. A shape that starts within rounding of the
/// target, but apart, and does not come nearer, does not hit it. max_t may be infinite; casts
/// against a plane then end after ten thousand times the distance of the two frames.
template <class S>
std::optional<CastHit<S>> shape_cast(const Shape<S>& moving, const Shape<S>& target,
                                     const Pose<S>& moving_in_target, const Vec3<S>& displacement,
                                     S max_t);

} // namespace rigor
