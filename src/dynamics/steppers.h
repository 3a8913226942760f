// One step of free motion, by each integrator.
//
// All take a body's state (x, q, P, L), the map from L to w (FreeTurning or LockedTurning), and the
// wrench that acts on it as a function of time within the step and state. All return the
// displacement and rotation of the body by the integrator's own rule, from which the work of a
// constant wrench follows:
//
//     work = F·shift + τ·rotation .
#pragma once

#include "dynamics/angular_velocity.h"
#include "dynamics/free_rotation.h"
#include "model/body_store.h"
#include "rigor/rotation.h"

namespace rigor {

struct Travel {
    Vec3d shift;    ///< of the center of mass
    Vec3d rotation; ///< the integral of w over the step
};

/// Explicit Euler: everything from the state at the start. First order; a spinning or oscillating
/// body gains energy.
template <class Turning, class WrenchAt>
Travel step_euler(BodyMotion& m, double inv_mass, const Turning& turning, const WrenchAt& wrench,
                  double dt) {
    const Wrench f = wrench(0.0, m);
    const Vec3d w = turning(m.q, m.l);
    const Vec3d shift = m.p * (inv_mass * dt);
    m.x += shift;
    m.q = normalize(m.q + derivative(m.q, w) * dt);
    m.p += f.force * dt;
    m.l += f.torque * dt;
    return {shift, w * dt};
}

/// Momentum first, then position with the new momentum; the rotation by splitting
/// (symplectic_rotation.h). First order under forces, second in free rotation; symplectic, so that
/// energy errors stay bounded. rotation_lanes.h rotates four bodies at a time.
template <class Turning, class WrenchAt>
Travel step_symplectic(BodyMotion& m, double inv_mass, const Turning& turning,
                       const WrenchAt& wrench, double dt) {
    const Wrench f = wrench(0.0, m);
    m.p += f.force * dt;
    m.l += f.torque * dt;
    const Travel travel{m.p * (inv_mass * dt), turning(m.q, m.l) * dt};
    m.x += travel.shift;
    m.q = turning.turned(m.q, m.l, dt);
    return travel;
}

/// The classical fourth-order Runge-Kutta method on all 13 numbers [Baber 2006, 3.3].
template <class Turning, class WrenchAt>
Travel step_rk4(BodyMotion& m, double inv_mass, const Turning& turning, const WrenchAt& wrench,
                double dt) {
    struct Slope {
        Vec3d v, w;
        Quatd q;
        Wrench f;
    };
    const auto slope = [&](double t, const BodyMotion& at) {
        const Vec3d w = turning(normalize(at.q), at.l);
        return Slope{at.p * inv_mass, w, derivative(at.q, w), wrench(t, at)};
    };
    const auto ahead = [&](const Slope& s, double h) {
        return BodyMotion{m.x + s.v * h, m.q + s.q * h, m.p + s.f.force * h, m.l + s.f.torque * h};
    };
    const Slope k1 = slope(0, m);
    const Slope k2 = slope(dt / 2, ahead(k1, dt / 2));
    const Slope k3 = slope(dt / 2, ahead(k2, dt / 2));
    const Slope k4 = slope(dt, ahead(k3, dt));

    const double h = dt / 6;
    const Vec3d shift = (k1.v + (k2.v + k3.v) * 2.0 + k4.v) * h;
    m.x += shift;
    m.q = normalize(m.q + (k1.q + (k2.q + k3.q) * 2.0 + k4.q) * h);
    m.p += (k1.f.force + (k2.f.force + k3.f.force) * 2.0 + k4.f.force) * h;
    m.l += (k1.f.torque + (k2.f.torque + k3.f.torque) * 2.0 + k4.f.torque) * h;
    return {shift, (k1.w + (k2.w + k3.w) * 2.0 + k4.w) * h};
}

/// Kick, drift, kick: half the impulse, free motion in closed form, the other half. Exact without
/// torque and under a constant force (it gives x + v t + F t²/2m); second order otherwise,
/// symmetric in time, and it conserves |L| and E between the kicks.
template <class WrenchAt>
Travel step_exact(BodyMotion& m, const BodyInertia& inertia, const Vec3d& moments,
                  const WrenchAt& wrench, double dt) {
    const FreeTurning turning(inertia);
    const Wrench before = wrench(0.0, m);
    Vec3d turn = turning(m.q, m.l);
    m.p += before.force * (dt / 2);
    m.l += before.torque * (dt / 2);
    turn += turning(m.q, m.l);

    const Vec3d shift = m.p * (inertia.inv_mass * dt);
    m.x += shift;
    m.q = rotate_freely(moments, m.q, m.l, dt);

    const Wrench after = wrench(dt, m);
    turn += turning(m.q, m.l);
    m.p += after.force * (dt / 2);
    m.l += after.torque * (dt / 2);
    turn += turning(m.q, m.l);
    return {shift, turn * (dt / 4)};
}

} // namespace rigor
