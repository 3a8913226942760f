#include "contact_dynamics/body_kinematics.h"

#include "dynamics/angular_velocity.h"
#include "rigor/rotation.h"

namespace rigor::contact_dynamics {
namespace {

/// The inverse of the free block of the world inertia, zero elsewhere.
Sym3d free_inverse(Sym3d inertia, std::uint8_t lock) {
    const bool x = (lock & lock_rx) != 0, y = (lock & lock_ry) != 0, z = (lock & lock_rz) != 0;
    if (x) inertia.xx = 1, inertia.xy = 0, inertia.xz = 0;
    if (y) inertia.yy = 1, inertia.xy = 0, inertia.yz = 0;
    if (z) inertia.zz = 1, inertia.xz = 0, inertia.yz = 0;
    Sym3d inverted = inverse(inertia);
    if (x) inverted.xx = 0;
    if (y) inverted.yy = 0;
    if (z) inverted.zz = 0;
    return inverted;
}

} // namespace

BodyKinematics kinematics_of(const BodyStore& bodies, std::uint32_t body,
                             const BodyMotion& motion) {
    const BodyInertia& inertia = bodies.inertia[body];
    const BodyTraits& traits = bodies.traits[body];
    BodyKinematics now{motion.x, motion.q, motion.p * inertia.inv_mass, {}, {}, {}, {}};
    const std::uint8_t turns = traits.lock & kRotationLocks;
    now.w = turns != 0 ? LockedTurning(traits.moments, traits.lock)(motion.q, motion.l)
                       : FreeTurning(inertia)(motion.q, motion.l);
    if (!is_dynamic(bodies, body) || bodies.mobility[body] == Mobility::immobile) return now;

    const double m = inertia.inv_mass;
    now.inv_mass = without_locked({m, m, m}, traits.lock, lock_tx);
    const Mat3d axes = to_matrix(motion.q);
    if (turns == 0) {
        now.inv_inertia = rotate(axes, Sym3d::diagonal(inertia.inv_moments));
        now.gyroscopic_torque = cross(now.w, motion.l);
        return now;
    }
    const Sym3d world = rotate(axes, Sym3d::diagonal(traits.moments));
    now.inv_inertia = free_inverse(world, traits.lock);
    now.gyroscopic_torque = without_locked(cross(now.w, world * now.w), traits.lock, lock_rx);
    return now;
}

} // namespace rigor::contact_dynamics
