// Angular velocity from angular momentum, with and without locked axes.
#pragma once

#include "dynamics/symplectic_rotation.h"
#include "model/body_store.h"

namespace rigor {

/// A body without locked rotation axes: w = R I⁻¹ Rᵀ L.
class FreeTurning {
  public:
    explicit FreeTurning(const BodyInertia& inertia) : inertia_(inertia) {}

    Vec3d operator()(const Quatd& q, const Vec3d& l) const {
        return rotate(q, multiply(inertia_.inv_moments, inverse_rotate(q, l)));
    }
    /// The orientation after dt by the symplectic rule.
    Quatd turned(const Quatd& q, const Vec3d& l, double dt) const {
        return symplectic_rotation(inertia_, q, l, dt);
    }

  private:
    const BodyInertia& inertia_;
};

/// A body with locked rotation about some world axes.
///
/// The locks apply the torque along the locked axes that keeps w there at zero; along the free ones
/// L changes by the applied torque alone. So only the free components of L are kept, and w follows
/// from the free block of the world inertia:
///
///     w_f = (I_ff)⁻¹ L_f ,   w_locked = 0 .
///
/// Energy is conserved, as locks do no work.
class LockedTurning {
  public:
    LockedTurning(const Vec3d& moments, std::uint8_t lock) : moments_(moments), lock_(lock) {}

    Vec3d operator()(const Quatd& q, const Vec3d& l) const;
    Quatd turned(const Quatd& q, const Vec3d& l, double dt) const;

  private:
    const Vec3d& moments_;
    std::uint8_t lock_;
};

inline constexpr std::uint8_t kRotationLocks = lock_rx | lock_ry | lock_rz;

/// v with the components of locked directions set to zero. `first` is the bit of x.
inline Vec3d without_locked(const Vec3d& v, std::uint8_t lock, std::uint8_t first) {
    return {(lock & first) != 0 ? 0 : v.x, (lock & (first << 1)) != 0 ? 0 : v.y,
            (lock & (first << 2)) != 0 ? 0 : v.z};
}

Vec3d velocity(const BodyStore& bodies, std::uint32_t i);
Vec3d angular_velocity(const BodyStore& bodies, std::uint32_t i);

/// Sets the momenta of the body for these velocities; locked components are dropped.
void set_velocity(BodyStore& bodies, std::uint32_t i, const Vec3d& v);
void set_angular_velocity(BodyStore& bodies, std::uint32_t i, const Vec3d& w);

} // namespace rigor
