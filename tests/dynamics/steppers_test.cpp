// Each integrator, by its order of accuracy and by what it keeps.

#include "dynamics/steppers.h"

#include "dynamics/angular_velocity.h"
#include "dynamics/integrate.h"
#include "math/trig.h"
#include "rigor/settings.h"
#include "test_support.h"

namespace rigor {
namespace {

const Vec3d kMoments{1, 2, 3};
const BodyInertia kInertia{0.5, {1, 0.5, 1.0 / 3}, 0, 1};

BodyMotion start() {
    return {{0.3, -0.2, 1}, normalize(Quatd{1, 0.3, -0.2, 0.5}), {1, 2, -0.5}, {0.7, 1.5, -1.1}};
}

template <class WrenchAt>
void step(Integrator integrator, BodyMotion& m, const WrenchAt& wrench, double dt) {
    const FreeTurning turning(kInertia);
    switch (integrator) {
        case Integrator::euler:
            step_euler(m, 0.5, turning, wrench, dt);
            break;
        case Integrator::symplectic:
            step_symplectic(m, 0.5, turning, wrench, dt);
            break;
        case Integrator::rk4:
            step_rk4(m, 0.5, turning, wrench, dt);
            break;
        case Integrator::exact:
            step_exact(m, kInertia, kMoments, wrench, dt);
            break;
    }
}

// A spring from a point of the body to a fixed point: force and torque depend on where the
// body is and how it is turned.
Wrench spring(double, const BodyMotion& m) {
    const Vec3d arm = rotate(m.q, Vec3d{0.4, -0.3, 0.2});
    const Vec3d force = (Vec3d{0, 0, 2} - (m.x + arm)) * 5.0;
    return {force, cross(arm, force)};
}

double distance(const BodyMotion& a, const BodyMotion& b) {
    const double dq = std::min(length(a.q + b.q * -1.0), length(a.q + b.q));
    return length(a.x - b.x) + length(a.p - b.p) + length(a.l - b.l) + dq;
}

template <class WrenchAt>
BodyMotion run(Integrator integrator, const WrenchAt& wrench, int steps) {
    BodyMotion m = start();
    for (int i = 0; i < steps; ++i) step(integrator, m, wrench, 1.0 / steps);
    return m;
}

// The order p from errors at h, h/2 and h/4: each halving divides the error by 2^p.
template <class WrenchAt>
double measured_order(Integrator integrator, const WrenchAt& wrench, int steps) {
    const BodyMotion reference = run(Integrator::rk4, wrench, 20000);
    const double coarse = distance(run(integrator, wrench, steps), reference);
    const double fine = distance(run(integrator, wrench, 4 * steps), reference);
    return std::log2(coarse / fine) / 2;
}

TEST(Steppers, OrderUnderAForceThatDependsOnTheState) {
    EXPECT_NEAR(measured_order(Integrator::euler, spring, 2000), 1, 0.05);
    EXPECT_NEAR(measured_order(Integrator::symplectic, spring, 2000), 1, 0.05);
    EXPECT_NEAR(measured_order(Integrator::exact, spring, 200), 2, 0.05);
    EXPECT_NEAR(measured_order(Integrator::rk4, spring, 40), 4, 0.1);
}

TEST(Steppers, OrderOfFreeRotation) {
    const auto nothing = [](double, const BodyMotion&) { return Wrench{}; };
    EXPECT_NEAR(measured_order(Integrator::euler, nothing, 2000), 1, 0.05);
    EXPECT_NEAR(measured_order(Integrator::symplectic, nothing, 200), 2, 0.05);
    EXPECT_NEAR(measured_order(Integrator::rk4, nothing, 40), 4, 0.1);
    EXPECT_LT(distance(run(Integrator::exact, nothing, 1), run(Integrator::exact, nothing, 1000)),
              1e-12);
}

// Nothing turns the body, so nothing touches the bits of its angular momentum.
TEST(Steppers, WithoutTorqueAngularMomentumKeepsItsBits) {
    const auto nothing = [](double, const BodyMotion&) { return Wrench{}; };
    for (const Integrator integrator :
         {Integrator::euler, Integrator::symplectic, Integrator::rk4, Integrator::exact}) {
        const BodyMotion m = run(integrator, nothing, 100);
        EXPECT_EQ(m.l, start().l) << name(integrator);
        EXPECT_EQ(m.p, start().p) << name(integrator);
    }
}

// x + v t + g t²/2: exact is the closed form, and Runge-Kutta integrates a parabola exactly.
// The two Euler methods err by g t dt/2, one to each side.
TEST(Steppers, FreeFall) {
    const Vec3d g{0, 0, -9.81};
    const auto weight = [&](double, const BodyMotion&) { return Wrench{g * 2.0, {}}; };
    const Vec3d expected = start().x + start().p * 0.5 + g * 0.5;
    const int steps = 60;
    const Vec3d lag = g * (0.5 / steps);
    EXPECT_LT(length(run(Integrator::exact, weight, steps).x - expected), 1e-14);
    EXPECT_LT(length(run(Integrator::rk4, weight, steps).x - expected), 1e-14);
    EXPECT_LT(length(run(Integrator::euler, weight, steps).x - (expected - lag)), 1e-13);
    EXPECT_LT(length(run(Integrator::symplectic, weight, steps).x - (expected + lag)), 1e-13);
}

// Kick, rotate, kick is symmetric: running it backwards retraces the path.
TEST(Steppers, ExactIsReversible) {
    BodyMotion m = start();
    for (int i = 0; i < 100; ++i) step(Integrator::exact, m, spring, 0.01);
    for (int i = 0; i < 100; ++i) step(Integrator::exact, m, spring, -0.01);
    EXPECT_LT(distance(m, start()), 1e-11);
}

// The work an integrator reports is what the kinetic energy changed by: to rounding for the
// exact one, whatever the torque; to its own order for the others.
TEST(Steppers, WorkOfAConstantWrenchIsTheChangeOfKineticEnergy) {
    const Wrench constant{{1, -2, 3}, {0.5, 0.2, -0.7}};
    const auto wrench = [&](double, const BodyMotion&) { return constant; };
    const FreeTurning turning(kInertia);
    const auto kinetic = [&](const BodyMotion& m) {
        return 0.5 * (dot(m.p, m.p) * 0.5 + dot(m.l, turning(m.q, m.l)));
    };
    BodyMotion m = start(), r = start();
    double work = 0, work_rk4 = 0;
    for (int i = 0; i < 100; ++i) {
        const Travel t = step_exact(m, kInertia, kMoments, wrench, 0.02);
        work += dot(constant.force, t.shift) + dot(constant.torque, t.rotation);
        const Travel s = step_rk4(r, 0.5, turning, wrench, 0.02);
        work_rk4 += dot(constant.force, s.shift) + dot(constant.torque, s.rotation);
    }
    EXPECT_NEAR(kinetic(m) - kinetic(start()), work, 1e-12 * kinetic(m));
    EXPECT_NEAR(kinetic(r) - kinetic(start()), work_rk4, 1e-6 * kinetic(r));
}

// Splitting is symplectic: the energy of the rotation swings about its true value, within
// (w dt)² or so, but an hour later it swings as it did in the first minute. The stable spin of
// the check stable_spin never tumbles.
TEST(Steppers, SymplecticRotationKeepsTheEnergyWithinBounds) {
    const auto nothing = [](double, const BodyMotion&) { return Wrench{}; };
    const FreeTurning turning(kInertia);
    const auto energy = [&](const BodyMotion& m) { return 0.5 * dot(m.l, turning(m.q, m.l)); };
    for (const Vec3d& l : {Vec3d{0.01, 0, 3}, Vec3d{0.01, 2, 0.03}, Vec3d{1, 2, 3}}) {
        BodyMotion m{{}, {}, {}, l};
        const double start = energy(m);
        double early = 0, late = 0;
        for (int i = 0; i < 200000; ++i) {
            step(Integrator::symplectic, m, nothing, 1.0 / 60);
            double& worst = i < 100000 ? early : late;
            worst = std::max(worst, std::abs(energy(m) / start - 1));
        }
        EXPECT_LT(early, 1e-3);
        EXPECT_LT(late, 1.01 * early + 1e-12);
        EXPECT_EQ(m.l, l);
    }
}

// For a ball, and for a body with an axis of symmetry, splitting is no approximation.
TEST(Steppers, SymplecticRotationIsExactForSymmetricBodies) {
    test::Random random(12);
    const auto nothing = [](double, const BodyMotion&) { return Wrench{}; };
    for (const Vec3d& moments :
         {Vec3d{2, 2, 2}, Vec3d{1, 1, 1.7}, Vec3d{0.4, 1, 1}, Vec3d{1, 0.4, 1}}) {
        const int middle = moments.x == 1 || moments.x == 2 ? 0 : 1;
        const BodyInertia inertia{1, {1 / moments.x, 1 / moments.y, 1 / moments.z}, 0, middle};
        BodyMotion m{{}, random.rotation(), {}, random.vec(-2, 2)};
        const Quatd expected = rotate_freely(moments, m.q, m.l, 1);
        for (int i = 0; i < 10; ++i) step_symplectic(m, 1, FreeTurning(inertia), nothing, 0.1);
        EXPECT_NEAR(std::abs(dot(m.q, expected)), 1, 1e-14);
    }
}

// Four at a time or one at a time, the same bits: a world with an array of zero wrenches takes
// the way through step_symplectic, one without takes the lanes. Some bodies spin too fast for
// the lanes, some orders of moments differ, and their number is no multiple of four.
TEST(Steppers, LanesGiveTheBitsOfScalars) {
    test::Random random(13);
    BodyStore in_lanes;
    for (int i = 0; i < 103; ++i) {
        const std::uint32_t k = in_lanes.add().index;
        const Vec3d moments = random.vec(1, 2);
        const Vec3d inv{1 / moments.x, 1 / moments.y, 1 / moments.z};
        in_lanes.motion[k] = {random.vec(), random.rotation(), random.vec(),
                              random.vec(-5, 5) * (i % 7 == 0 ? 100.0 : 1.0)};
        in_lanes.inertia[k] = {1 / random.uniform(1, 2), inv, random.unit(), random.integer(0, 2)};
        in_lanes.mobility[k] = Mobility::plain;
    }
    BodyStore one_by_one = in_lanes;
    one_by_one.wrenches.resize(one_by_one.slot_count());
    IntegrationTally tally_lanes, tally_scalar;
    for (int step = 0; step < 20; ++step) {
        integrate_bodies(in_lanes, {1, 2, -9.81}, Integrator::symplectic, 1.0 / 60, 0, 103,
                         tally_lanes);
        integrate_bodies(one_by_one, {1, 2, -9.81}, Integrator::symplectic, 1.0 / 60, 0, 103,
                         tally_scalar);
    }
    for (std::size_t i = 0; i < 103; ++i) {
        EXPECT_EQ(in_lanes.motion[i].x, one_by_one.motion[i].x);
        EXPECT_EQ(in_lanes.motion[i].q, one_by_one.motion[i].q);
        EXPECT_EQ(in_lanes.motion[i].p, one_by_one.motion[i].p);
        EXPECT_EQ(in_lanes.motion[i].l, one_by_one.motion[i].l);
    }
    EXPECT_EQ(tally_lanes.moved, tally_scalar.moved);
    EXPECT_NEAR(tally_lanes.gravity, tally_scalar.gravity, 1e-9);
}

// One free axis left: a physical pendulum's worth of closed form.
TEST(LockedTurning, OneFreeAxisTurnsAtLOverI) {
    test::Random random(5);
    for (int i = 0; i < 50; ++i) {
        const Vec3d moments{1, 2, 2.5};
        const Quatd q = random.rotation();
        const Vec3d l = random.vec();
        const Vec3d w = LockedTurning(moments, lock_rx | lock_rz)(q, l);
        const Sym3d world = rotate(to_matrix(q), Sym3d::diagonal(moments));
        EXPECT_NEAR(w.y, l.y / world.yy, 1e-14);
        EXPECT_EQ(w.x, 0);
        EXPECT_EQ(w.z, 0);
    }
}

// With one lock the free components of I w are L; the lock carries the rest.
TEST(LockedTurning, FreeComponentsOfTheMomentumAreKept) {
    test::Random random(6);
    for (int i = 0; i < 50; ++i) {
        const Vec3d moments{1, 2, 2.5};
        const Quatd q = random.rotation();
        const Vec3d l = random.vec();
        const Vec3d w = LockedTurning(moments, lock_rz)(q, l);
        const Vec3d iw = rotate(to_matrix(q), Sym3d::diagonal(moments)) * w;
        EXPECT_EQ(w.z, 0);
        EXPECT_NEAR(iw.x, l.x, 1e-14);
        EXPECT_NEAR(iw.y, l.y, 1e-14);
    }
    const Vec3d none = LockedTurning(kMoments, kRotationLocks)({}, {1, 2, 3});
    EXPECT_EQ(none, Vec3d{});
}

} // namespace
} // namespace rigor
