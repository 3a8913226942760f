#include "dynamics/integrate.h"

#include <bit>
#include <cmath>

#include "dynamics/angular_velocity.h"
#include "dynamics/energy.h"
#include "dynamics/rotation_lanes.h"
#include "dynamics/steppers.h"
#include "math/trig.h"

namespace rigor {
namespace {

// A body whose energy overflows is as invalid as one whose position does.
bool is_finite(const BodyMotion& m, const BodyInertia& inertia, const BodyTraits& traits) {
    return rigor::is_finite(m.x) && rigor::is_finite(m.q) && rigor::is_finite(m.p) &&
           rigor::is_finite(m.l) && std::isfinite(kinetic_energy(m, inertia, traits));
}

// The same for the fast path, which may send a body to the general path needlessly, but must not
// miss one: x - x is zero for every finite number and NaN otherwise, and so it is for a sum.
bool is_surely_finite(const Vec3d& x, const Vec3d& p, const Vec3d& l) {
    const double sum = ((x.x + x.y) + x.z) + (dot(p, p) + dot(l, l));
    return sum - sum == 0;
}

// The integrator is a template argument so that the loop over bodies contains only one of them.
template <Integrator kIntegrator>
Travel step_free(BodyMotion& m, const BodyInertia& inertia, const BodyTraits& traits,
                 const Wrench& total, double dt) {
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

// Kick, rotate, kick about the one free axis: w is constant between the kicks, so this is as exact
// as the free body.
Travel step_single_axis(BodyMotion& m, double inv_mass, const LockedTurning& turning,
                        const Wrench& total, double dt) {
    m.p += total.force * (dt / 2);
    m.l += total.torque * (dt / 2);
    const Travel travel{m.p * (inv_mass * dt), turning(m.q, m.l) * dt};
    m.x += travel.shift;
    m.q = normalize(from_rotation_vector(travel.rotation) * m.q);
    m.p += total.force * (dt / 2);
    m.l += total.torque * (dt / 2);
    return travel;
}

// With two free axes the rotation has no closed form: `exact` is then Runge-Kutta.
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

// Stores the new state of a body, unless it is not finite: then the body is quarantined, that is it
// keeps its pose, is stopped, and becomes immobile.
bool accept(BodyStore& bodies, std::size_t i, const BodyMotion& m, IntegrationTally& tally) {
    const BodyTraits& traits = bodies.traits[i];
    if (is_finite(m, bodies.inertia[i], traits)) {
        bodies.motion[i] = m;
        ++tally.moved;
        return true;
    }
    BodyMotion& old = bodies.motion[i];
    if (traits.type == BodyType::dynamic_body) {
        tally.lost += kinetic_energy(old, bodies.inertia[i], traits);
    }
    old.p = old.l = {};
    bodies.mobility[i] = Mobility::immobile;
    tally.quarantined.push_back(static_cast<std::uint32_t>(i));
    return false;
}

template <Integrator kIntegrator>
void move(BodyStore& bodies, std::size_t i, const Vec3d& gravity, const Wrench& applied, double dt,
          IntegrationTally& tally) {
    const BodyInertia& inertia = bodies.inertia[i];
    const Vec3d weight = gravity * inertia.weight;
    const Wrench total{weight + applied.force, applied.torque};
    BodyMotion m = bodies.motion[i];
    Travel travel;
    double damped = 0;
    if (bodies.mobility[i] == Mobility::plain) {
        travel = step_free<kIntegrator>(m, inertia, bodies.traits[i], total, dt);
    } else {
        move_carefully<kIntegrator>(m, inertia, bodies.traits[i], total, dt, travel, damped);
    }
    if (!accept(bodies, i, m, tally)) return;
    tally.gravity += dot(weight, travel.shift);
    tally.forces += dot(applied.force, travel.shift) + dot(applied.torque, travel.rotation);
    tally.damping += damped;
}

template <Integrator kIntegrator>
void integrate_block(BodyStore& bodies, const Vec3d& gravity, double dt, std::size_t begin,
                     std::size_t end, IntegrationTally& tally) {
    const bool has_wrenches = !bodies.wrenches.empty();
    for (std::size_t i = begin; i < end; ++i) {
        if (bodies.mobility[i] < Mobility::plain) continue;
        move<kIntegrator>(bodies, i, gravity, has_wrenches ? bodies.wrenches[i] : Wrench{}, dt,
                          tally);
    }
}

// The symplectic step of a world without wrenches, the loop for very many bodies: the rotations
// four at a time, except for bodies with locks or damping, with a large rotation, or about to be
// quarantined (a small rotation of a finite body is always finite).
void integrate_in_lanes(BodyStore& bodies, const Vec3d& gravity, double dt, std::size_t begin,
                        std::size_t end, IntegrationTally& tally) {
    RotationLanes lanes;
    for (std::size_t i = begin; i < end; ++i) {
        if (bodies.mobility[i] < Mobility::plain) continue;
        BodyMotion& m = bodies.motion[i];
        const BodyInertia& inertia = bodies.inertia[i];
        const Vec3d weight = gravity * inertia.weight;
        const Vec3d p = m.p + weight * dt;
        const Vec3d shift = p * (inertia.inv_mass * dt);
        const Vec3d x = m.x + shift;
        if (bodies.mobility[i] != Mobility::plain || !is_surely_finite(x, p, m.l) ||
            !lanes.add(static_cast<std::uint32_t>(i), m, inertia, dt)) {
            move<Integrator::symplectic>(bodies, i, gravity, {}, dt, tally);
            continue;
        }
        m.x = x;
        m.p = p;
        ++tally.moved;
        tally.gravity += dot(weight, shift);
        if (lanes.is_full()) lanes.rotate_all(bodies.motion, dt);
    }
    lanes.rotate_all(bodies.motion, dt);
}

} // namespace

void add_work(Ledger& ledger, const IntegrationTally& tally) {
    ledger.gravity += tally.gravity;
    ledger.forces += tally.forces;
    ledger.damping += tally.damping;
    ledger.edits -= tally.lost;
}

std::vector<IntegrationTally> sum_blocks(std::span<const IntegrationTally> bodies,
                                         std::size_t block) {
    std::vector<IntegrationTally> sums((bodies.size() + block - 1) / block);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const IntegrationTally& tally = bodies[i];
        IntegrationTally& sum = sums[i / block];
        sum.gravity += tally.gravity;
        sum.forces += tally.forces;
        sum.damping += tally.damping;
        sum.lost += tally.lost;
        sum.moved += tally.moved;
        sum.quarantined.insert(sum.quarantined.end(), tally.quarantined.begin(),
                               tally.quarantined.end());
    }
    return sums;
}

void integrate_bodies(BodyStore& bodies, const Vec3d& gravity, Integrator integrator, double dt,
                      std::size_t begin, std::size_t end, IntegrationTally& tally) {
    switch (integrator) {
        case Integrator::euler:
            return integrate_block<Integrator::euler>(bodies, gravity, dt, begin, end, tally);
        case Integrator::symplectic:
            if (bodies.wrenches.empty()) {
                return integrate_in_lanes(bodies, gravity, dt, begin, end, tally);
            }
            return integrate_block<Integrator::symplectic>(bodies, gravity, dt, begin, end, tally);
        case Integrator::rk4:
            return integrate_block<Integrator::rk4>(bodies, gravity, dt, begin, end, tally);
        case Integrator::exact:
            return integrate_block<Integrator::exact>(bodies, gravity, dt, begin, end, tally);
    }
}

} // namespace rigor
