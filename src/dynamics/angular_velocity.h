// From momentum to velocity, with and without locked axes.
#pragma once

#include "model/body_store.h"
#include "rigor/rotation.h"

namespace rigor {

/// w = R I⁻¹ Rᵀ L, for a body free to turn about every axis.
struct FreeTurning {
    const Sym3d& inv_inertia; // body axes

    Vec3d operator()(const Quatd& q, const Vec3d& l) const {
        return rotate(q, inv_inertia * inverse_rotate(q, l));
    }
};

/// The angular velocity of a body that may not turn about some world axes.
///
/// The locks supply whatever torque along the locked axes keeps w there at zero; along the
/// free ones L changes by the applied torque alone. So only the free components of L are
/// kept, and w follows from the free block of the world inertia:
///
///     w_f = (I_ff)⁻¹ L_f ,   w_locked = 0 .
///
/// Energy is conserved, as locks do no work.
class LockedTurning {
  public:
    LockedTurning(const Sym3d& inertia, std::uint8_t lock) : inertia_(inertia), lock_(lock) {}

    Vec3d operator()(const Quatd& q, const Vec3d& l) const;

  private:
    const Sym3d& inertia_; // body axes
    std::uint8_t lock_;
};

inline constexpr std::uint8_t kRotationLocks = lock_rx | lock_ry | lock_rz;
inline constexpr std::uint8_t kTranslationLocks = lock_tx | lock_ty | lock_tz;

/// v with the components of locked directions set to zero. `first` is the bit of x.
inline Vec3d without_locked(const Vec3d& v, std::uint8_t lock, std::uint8_t first) {
    return {(lock & first) != 0 ? 0 : v.x, (lock & (first << 1)) != 0 ? 0 : v.y,
            (lock & (first << 2)) != 0 ? 0 : v.z};
}

Vec3d velocity(const BodyStore& bodies, std::uint32_t i);
Vec3d angular_velocity(const BodyStore& bodies, std::uint32_t i);

/// The momenta a body of these traits has at given velocities; locked components are dropped.
void set_velocity(BodyStore& bodies, std::uint32_t i, const Vec3d& v);
void set_angular_velocity(BodyStore& bodies, std::uint32_t i, const Vec3d& w);

} // namespace rigor
