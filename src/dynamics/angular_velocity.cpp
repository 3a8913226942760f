#include "dynamics/angular_velocity.h"

#include "rigor/rotation.h"

namespace rigor {

Vec3d LockedTurning::operator()(const Quatd& q, const Vec3d& l) const {
    Sym3d world = rotate(to_matrix(q), Sym3d::diagonal(moments_));
    // A locked axis gets 1 on the diagonal and 0 elsewhere: the inverse then contains the inverse
    // of the free block.
    if ((lock_ & lock_rx) != 0) world.xx = 1, world.xy = 0, world.xz = 0;
    if ((lock_ & lock_ry) != 0) world.yy = 1, world.xy = 0, world.yz = 0;
    if ((lock_ & lock_rz) != 0) world.zz = 1, world.xz = 0, world.yz = 0;
    return inverse(world) * without_locked(l, lock_, lock_rx);
}

Quatd LockedTurning::turned(const Quatd& q, const Vec3d& l, double dt) const {
    return normalize(from_rotation_vector((*this)(q, l) * dt) * q);
}

Vec3d velocity(const BodyStore& bodies, std::uint32_t i) {
    return bodies.motion[i].p * bodies.inertia[i].inv_mass;
}

Vec3d angular_velocity(const BodyStore& bodies, std::uint32_t i) {
    const BodyMotion& m = bodies.motion[i];
    const BodyTraits& traits = bodies.traits[i];
    if ((traits.lock & kRotationLocks) != 0) {
        return LockedTurning(traits.moments, traits.lock)(m.q, m.l);
    }
    return FreeTurning(bodies.inertia[i])(m.q, m.l);
}

void set_velocity(BodyStore& bodies, std::uint32_t i, const Vec3d& v) {
    const BodyTraits& traits = bodies.traits[i];
    bodies.motion[i].p = without_locked(v, traits.lock, lock_tx) * traits.mass;
}

void set_angular_velocity(BodyStore& bodies, std::uint32_t i, const Vec3d& w) {
    BodyMotion& m = bodies.motion[i];
    const BodyTraits& traits = bodies.traits[i];
    const Vec3d free_w = without_locked(w, traits.lock, lock_rx);
    const Vec3d l = rotate(m.q, multiply(traits.moments, inverse_rotate(m.q, free_w)));
    m.l = without_locked(l, traits.lock, lock_rx);
}

} // namespace rigor
