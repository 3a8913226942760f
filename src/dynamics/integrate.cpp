#include "dynamics/integrate.h"

#include <bit>

#include "dynamics/angular_velocity.h"
#include "dynamics/energy.h"
#include "dynamics/steppers.h"
#include "math/trig.h"

namespace rigor {
namespace {

// x - x is zero for every finite number and NaN for the rest; a sum that overflows counts as
// non-finite too, as nothing good comes of such a state. Added in pairs: a chain of thirteen
// additions would be the longest thing in the loop.
bool is_finite(const BodyMotion& m) {
    const double xq = ((m.x.x + m.x.y) + (m.x.z + m.q.w)) + ((m.q.x + m.q.y) + m.q.z);
    const double pl = ((m.p.x + m.p.y) + (m.p.z + m.l.x)) + (m.l.y + m.l.z);
    const double sum = xq + pl;
    return sum - sum == 0;
}

// The integrator is a template argument so that the loop over bodies holds one of them only.
template <Integrator kIntegrator>
[[gnu::always_inline]] inline Travel step_free(BodyMotion& m, const BodyInertia& inertia,
                                               const BodyTraits& traits, const Wrench& total,
                                               double dt) {
    const auto wrench = [&total](double, const BodyMotion&) -> const Wrench& { return total; };
    const FreeTurning turning(inertia);
    if constexpr (kIntegrator == Integrator::euler) {
        return step_euler(m, inertia.inv_mass, turning, wrench, dt);
    } else if constexpr (kIntegrator == Integrator::symplectic) {
        return step_symplectic(m, inertia.inv_mass, turning, wrench, dt);
    } else if constexpr (kIntegrator == Integrator::rk4) {
        return step_rk4(m, inertia.inv_mass, turning, wrench, dt);
    } else {
        return step_exact(m, inertia, traits.moments, wrench, dt);
    }
}

int free_axes(std::uint8_t lock) {
    return 3 - std::popcount(static_cast<unsigned>(lock & kRotationLocks));
}

// Kick, turn, kick about the one axis that is left: w is constant between the kicks, so this
// is as exact as the free body.
Travel step_single_axis(BodyMotion& m, double inv_mass, const LockedTurning& turning,
                        const Wrench& total, double dt) {
    m.p += total.force * (dt / 2);
    m.l += total.torque * (dt / 2);
    const Travel travel{m.p * (inv_mass * dt), turning(m.q, m.l) * dt};
    m.x += travel.shift;
    m.q = normalize(from_rotation_vector(travel.turn) * m.q);
    m.p += total.force * (dt / 2);
    m.l += total.torque * (dt / 2);
    return travel;
}

// With two axes left the rotation has no closed form: `exact` is then Runge-Kutta.
template <Integrator kIntegrator>
Travel step_locked(BodyMotion& m, const BodyInertia& inertia, const BodyTraits& traits,
                   const Wrench& total, double dt) {
    const auto wrench = [&total](double, const BodyMotion&) -> const Wrench& { return total; };
    const LockedTurning turning(traits.moments, traits.lock);
    if constexpr (kIntegrator == Integrator::euler) {
        return step_euler(m, inertia.inv_mass, turning, wrench, dt);
    } else if constexpr (kIntegrator == Integrator::symplectic) {
        return step_symplectic(m, inertia.inv_mass, turning, wrench, dt);
    } else if (kIntegrator == Integrator::rk4 || free_axes(traits.lock) == 2) {
        return step_rk4(m, inertia.inv_mass, turning, wrench, dt);
    } else {
        return step_single_axis(m, inertia.inv_mass, turning, total, dt);
    }
}

void damp(BodyMotion& m, const BodyTraits& traits, double dt) {
    m.p *= exp(-traits.linear_damping * dt);
    m.l *= exp(-traits.angular_damping * dt);
}

// Half the damping before the step and half after it: second order together.
template <Integrator kIntegrator>
void move_carefully(BodyMotion& m, const BodyInertia& inertia, const BodyTraits& traits,
                    Wrench total, double dt, Travel& travel, double& damped) {
    const bool has_damping = traits.linear_damping != 0 || traits.angular_damping != 0;
    const bool is_locked = (traits.lock & kRotationLocks) != 0;
    const auto kinetic = [&] { return kinetic_energy(m, inertia, traits); };

    total.force = without_locked(total.force, traits.lock, lock_tx);
    total.torque = without_locked(total.torque, traits.lock, lock_rx);
    if (has_damping) {
        damped -= kinetic();
        damp(m, traits, dt / 2);
        damped += kinetic();
    }
    travel = is_locked ? step_locked<kIntegrator>(m, inertia, traits, total, dt)
                       : step_free<kIntegrator>(m, inertia, traits, total, dt);
    if (has_damping) {
        damped -= kinetic();
        damp(m, traits, dt / 2);
        damped += kinetic();
    }
}

// Without wrenches, which is most worlds, all about torque folds away.
template <Integrator kIntegrator, bool kHasWrenches>
void integrate_block(BodyStore& bodies, const Vec3d& gravity, double dt, std::size_t begin,
                     std::size_t end, IntegrationTally& tally) {
    for (std::size_t i = begin; i < end; ++i) {
        const Mobility mobility = bodies.mobility[i];
        if (mobility < Mobility::plain) continue;

        const BodyInertia& inertia = bodies.inertia[i];
        const Wrench applied = kHasWrenches ? bodies.wrenches[i] : Wrench{};
        const Vec3d weight = gravity * inertia.weight;
        const Wrench total{weight + applied.force, applied.torque};

        BodyMotion m = bodies.motion[i];
        Travel travel;
        double damped = 0;
        if (mobility == Mobility::plain) {
            travel = step_free<kIntegrator>(m, inertia, bodies.traits[i], total, dt);
        } else {
            move_carefully<kIntegrator>(m, inertia, bodies.traits[i], total, dt, travel, damped);
        }

        if (!is_finite(m)) {
            BodyMotion& old = bodies.motion[i];
            tally.lost += kinetic_energy(old, inertia, bodies.traits[i]);
            old.p = old.l = {};
            bodies.mobility[i] = Mobility::still;
            tally.quarantined.push_back(static_cast<std::uint32_t>(i));
            continue;
        }
        bodies.motion[i] = m;
        ++tally.moved;
        tally.gravity += dot(weight, travel.shift);
        tally.damping += damped;
        if (kHasWrenches) {
            tally.forces += dot(applied.force, travel.shift) + dot(applied.torque, travel.turn);
        }
    }
}

template <Integrator kIntegrator>
void integrate_with(BodyStore& bodies, const Vec3d& gravity, double dt, std::size_t begin,
                    std::size_t end, IntegrationTally& tally) {
    if (bodies.wrenches.empty()) {
        integrate_block<kIntegrator, false>(bodies, gravity, dt, begin, end, tally);
    } else {
        integrate_block<kIntegrator, true>(bodies, gravity, dt, begin, end, tally);
    }
}

} // namespace

void integrate_bodies(BodyStore& bodies, const Vec3d& gravity, Integrator integrator, double dt,
                      std::size_t begin, std::size_t end, IntegrationTally& tally) {
    switch (integrator) {
        case Integrator::euler:
            return integrate_with<Integrator::euler>(bodies, gravity, dt, begin, end, tally);
        case Integrator::symplectic:
            return integrate_with<Integrator::symplectic>(bodies, gravity, dt, begin, end, tally);
        case Integrator::rk4:
            return integrate_with<Integrator::rk4>(bodies, gravity, dt, begin, end, tally);
        case Integrator::exact:
            return integrate_with<Integrator::exact>(bodies, gravity, dt, begin, end, tally);
    }
}

} // namespace rigor
