// A body at one moment: where it is, how it moves, and what an impulse would do to it.
#pragma once

#include "model/body_store.h"

namespace rigor::contact_dynamics {

struct BodyMoment {
    Vec3d x;
    Quatd q; ///< principal axes to world
    Vec3d v, w;
    Vec3d inv_mass;    ///< by axis: zero where locked, or where nothing moves the body
    Sym3d inv_inertia; ///< world axes; likewise
    Vec3d precession;  ///< w x L: the torque that turning takes without turning faster
};

BodyMoment moment_of(const BodyStore& bodies, std::uint32_t body, const BodyMotion& motion);

inline bool can_move(const BodyMoment& body) {
    return max_component(body.inv_mass) + body.inv_inertia.trace() > 0;
}

inline Vec3d velocity_at(const BodyMoment& body, const Vec3d& point) {
    return body.v + cross(body.w, point - body.x);
}

} // namespace rigor::contact_dynamics
