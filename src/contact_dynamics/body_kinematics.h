// Pose, velocity, inverse mass and gyroscopic torque of a body at one instant.
#pragma once

#include "model/body_store.h"

namespace rigor::contact_dynamics {

struct BodyKinematics {
    Vec3d x;
    Quatd q; ///< principal axes to world
    Vec3d v, w;
    Vec3d inv_mass;          ///< per axis; zero on locked axes and for bodies with infinite mass
    Sym3d inv_inertia;       ///< world axes; zero likewise
    Vec3d gyroscopic_torque; ///< w x L
};

BodyKinematics kinematics_of(const BodyStore& bodies, std::uint32_t body, const BodyMotion& motion);

inline bool responds_to_impulses(const BodyKinematics& body) {
    return max_component(body.inv_mass) + body.inv_inertia.trace() > 0;
}

inline Vec3d velocity_at(const BodyKinematics& body, const Vec3d& point) {
    return body.v + cross(body.w, point - body.x);
}

} // namespace rigor::contact_dynamics
