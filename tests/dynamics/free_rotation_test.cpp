// The free rotation of a rigid body, against closed forms, published digits and a slow oracle.

#include "dynamics/free_rotation.h"

#include <fstream>

#include "dynamics/angular_velocity.h"
#include "dynamics/steppers.h"
#include "test_support.h"

namespace rigor {
namespace {

BodyInertia inertia_of(const Vec3d& moments) {
    return {1, {1 / moments.x, 1 / moments.y, 1 / moments.z}, 0, 0};
}

Vec3d body_omega(const Vec3d& moments, const Quatd& q, const Vec3d& l) {
    return multiply(inertia_of(moments).inv_moments, inverse_rotate(q, l));
}

double energy(const Vec3d& moments, const Quatd& q, const Vec3d& l) {
    return 0.5 * dot(inverse_rotate(q, l), body_omega(moments, q, l));
}

// Up to sign: q and -q are the same orientation.
double distance(const Quatd& a, const Quatd& b) {
    const Quatd d = a + b * (dot(a, b) < 0 ? 1.0 : -1.0);
    return length(d);
}

// Classical Runge-Kutta in many small steps.
Quatd integrate_slowly(const Vec3d& moments, Quatd q, const Vec3d& l, double t, int steps) {
    const BodyInertia inertia = inertia_of(moments);
    BodyMotion m{{}, q, {}, l};
    for (int i = 0; i < steps; ++i) {
        step_rk4(
            m, 1, FreeTurning(inertia), [](double, const BodyMotion&) { return Wrench{}; },
            t / steps);
    }
    return m.q;
}

// The box of the asymmetric top: 0.1 x 0.4 x 0.9 m, 10 kg.
Vec3d box_moments() {
    return Vec3d{0.16 + 0.81, 0.01 + 0.81, 0.01 + 0.16} * (10.0 / 12);
}

Vec3d box_momentum() {
    return multiply(box_moments(), Vec3d{0.1, 5, 0.1});
}

TEST(FreeRotation, AsymmetricTopOfValidationRow2InOneStep) {
    const Vec3d l = box_momentum();
    const Quatd q = rotate_freely(box_moments(), {}, l, 10);
    const Vec3d w = body_omega(box_moments(), q, l);
    EXPECT_NEAR(w.x, 2.755840405147, 1e-12);
    EXPECT_NEAR(w.y, -3.735963519216, 1e-12);
    EXPECT_NEAR(w.z, -3.161809003468, 1e-12);
    EXPECT_LT(distance(q, {0.225164563414, -0.619927562499, -0.277029150687, 0.698745723640}),
              1e-12);
}

TEST(FreeRotation, AsymmetricTopAgainstTwentyTwoDigits) {
    RIGOR_NEEDS_DATA();
    std::ifstream file(test::data_dir() / "reference" / "rotation_and_pendulum.txt");
    const Vec3d l = box_momentum();
    int found = 0;
    for (std::string line; std::getline(file, line);) {
        double t, w[3], q[4];
        if (std::sscanf(line.c_str(), "box t=%lf %lf %lf %lf %lf %lf %lf %lf", &t, w, w + 1, w + 2,
                        q, q + 1, q + 2, q + 3) != 8) {
            continue;
        }
        ++found;
        SCOPED_TRACE(line);
        const Quatd got = rotate_freely(box_moments(), {}, l, t);
        EXPECT_LT(length(body_omega(box_moments(), got, l) - Vec3d{w[0], w[1], w[2]}), 1e-12);
        EXPECT_LT(distance(got, {q[0], q[1], q[2], q[3]}), 1e-12);
    }
    EXPECT_GE(found, 10);
}

// Rounding is amplified by every flip; 8e-11 is what perfect steps would still lose.
TEST(FreeRotation, AsymmetricTopSteppedAtSixtyHertz) {
    const Vec3d l = box_momentum();
    Quatd q;
    for (int i = 0; i < 600; ++i) q = rotate_freely(box_moments(), q, l, 1.0 / 60);
    EXPECT_LT(length(body_omega(box_moments(), q, l) -
                     Vec3d{2.755840405147, -3.735963519216, -3.161809003468}),
              1e-9);
}

double first_sign_change(const Vec3d& moments, const Vec3d& l, int axis, double from, double step) {
    const auto w = [&](double t) {
        return body_omega(moments, rotate_freely(moments, {}, l, t), l)[axis];
    };
    double lo = from, hi = from + step;
    while (w(lo) * w(hi) > 0) lo = hi, hi += step;
    for (int i = 0; i < 60; ++i) {
        const double mid = 0.5 * (lo + hi);
        (w(lo) * w(mid) > 0 ? lo : hi) = mid;
    }
    return lo;
}

TEST(FreeRotation, TheBoxFlipsWhenTheEllipticPeriodSays) {
    double t = first_sign_change(box_moments(), box_momentum(), 1, 0, 0.1);
    EXPECT_NEAR(t, 1.165960046, 1e-9);
    for (int flip = 1; flip <= 5; ++flip) {
        const double next = first_sign_change(box_moments(), box_momentum(), 1, t + 0.1, 0.1);
        EXPECT_NEAR(next - t, 3.028422079008, 1e-11);
        t = next;
    }
}

TEST(FreeRotation, IntermediateAxisOfValidationRow3) {
    const Vec3d moments{1, 2, 3};
    const Vec3d l{0.01, 2, 0.03};
    const double first = first_sign_change(moments, l, 1, 0, 1);
    const double second = first_sign_change(moments, l, 1, first + 1, 1);
    EXPECT_NEAR(second - first, 19.552867099, 1e-9);
}

TEST(FreeRotation, StableSpinOfValidationRow4KeepsItsEnergyForAThousandSeconds) {
    const Vec3d moments{1, 2, 3};
    const Vec3d l{0.01 * 1, 0, 3};
    Quatd q;
    const double before = energy(moments, q, l);
    for (int i = 0; i < 60000; ++i) {
        q = rotate_freely(moments, q, l, 1.0 / 60);
        const Vec3d w = body_omega(moments, q, l);
        ASSERT_LT(std::hypot(w.x, w.y), 0.02 * w.z);
    }
    EXPECT_NEAR(energy(moments, q, l), before, 1e-11 * before);
}

Vec3d random_moments(test::Random& random) {
    // The moments of three perpendicular dumbbells: always those of a solid.
    const Vec3d s{random.unit() + 0.1, random.unit() + 0.1, random.unit() + 0.1};
    return {s.y + s.z, s.x + s.z, s.x + s.y};
}

TEST(FreeRotation, AgreesWithRungeKuttaForAnyBodyAndSpin) {
    test::Random random(1);
    for (int i = 0; i < 200; ++i) {
        const Vec3d moments = random_moments(random);
        const Quatd q = random.rotation();
        const Vec3d l = random.vec(-3, 3);
        const double t = random.uniform(-2, 2);
        SCOPED_TRACE(test::message("case ", i, ", t = ", t));
        EXPECT_LT(
            distance(rotate_freely(moments, q, l, t), integrate_slowly(moments, q, l, t, 4000)),
            1e-9);
    }
}

// Energy and the body's own view of |L| are kept, and going on is the same as going at once.
TEST(FreeRotation, KeepsEnergyAndComposes) {
    test::Random random(2);
    for (int i = 0; i < 500; ++i) {
        const Vec3d moments = random_moments(random);
        const Quatd q = random.rotation();
        const Vec3d l = random.direction() * random.uniform(0.1, 10);
        const double t1 = random.uniform(-5, 5), t2 = random.uniform(-5, 5);
        SCOPED_TRACE(test::message("case ", i, " moments ", moments, " l ", l));
        const Quatd both = rotate_freely(moments, q, l, t1 + t2);
        const Quatd one = rotate_freely(moments, q, l, t1);
        EXPECT_NEAR(energy(moments, both, l), energy(moments, q, l), 1e-13 * energy(moments, q, l));
        EXPECT_NEAR(length(both), 1, 1e-15);
        EXPECT_LT(distance(rotate_freely(moments, one, l, t2), both), 1e-10);
        EXPECT_LT(distance(rotate_freely(moments, one, l, -t1), q), 1e-10);
    }
}

// A symmetric top turns about L at |L|/I1 while it spins about its own axis: the textbook case,
// where the elliptic functions become sines.
TEST(FreeRotation, SymmetricTopsPrecessSteadily) {
    test::Random random(3);
    for (const bool is_flat : {true, false}) {
        const Vec3d moments = is_flat ? Vec3d{1, 1, 1.7} : Vec3d{0.4, 1, 1};
        const int axis = is_flat ? 2 : 0;
        for (int i = 0; i < 100; ++i) {
            const Quatd q = random.rotation();
            const Vec3d l = random.vec(-4, 4);
            const double t = random.uniform(0, 20);
            const double spin = inverse_rotate(q, l)[axis] * (1 / moments[axis] - 1);
            Vec3d own;
            own[axis] = spin * t;
            const Quatd expected = from_rotation_vector(l * t) * q * from_rotation_vector(own);
            EXPECT_LT(distance(rotate_freely(moments, q, l, t), expected), 1e-12);
        }
    }
}

TEST(FreeRotation, ASphereAndASpinAboutAPrincipalAxisTurnSteadily) {
    test::Random random(4);
    for (int i = 0; i < 50; ++i) {
        const Quatd q = random.rotation();
        const Vec3d l = random.vec(-4, 4);
        EXPECT_LT(distance(rotate_freely({2, 2, 2}, q, l, 3), from_rotation_vector(l * 1.5) * q),
                  1e-14);
    }
    const Vec3d moments{1, 2, 3};
    for (int axis = 0; axis < 3; ++axis) {
        Vec3d l;
        l[axis] = -5;
        EXPECT_LT(distance(rotate_freely(moments, {}, l, 7),
                           from_rotation_vector(l * (7 / moments[axis]))),
                  1e-14);
    }
    EXPECT_EQ(rotate_freely(moments, {0, 1, 0, 0}, {}, 5), (Quatd{0, 1, 0, 0}));
}

// Nearly symmetric bodies, nearly principal spins, and motion on the separatrix itself, where
// the period is infinite: places where formulas divide by zero.
TEST(FreeRotation, DegenerateCasesAreContinuous) {
    const Vec3d ls[] = {{1, 1e-9, 1e-9}, {1e-9, 1, 1e-9}, {1e-9, 1e-9, 1}, {1e-160, 1, 0},
                        {0, 1, 1e-160},  {1, 1, 0},       {0, 1, 1},       {1, 0, 1},
                        {1e-8, 1, 0},    {0, 1, 1e-8},    {1, 1, 1},       {-1, 1e-5, 0}};
    const Vec3d all_moments[] = {{1, 2, 3},
                                 {1, 1, 2},
                                 {1, 2, 2},
                                 {1, 1 + 1e-12, 2},
                                 {1, 2 - 1e-12, 2},
                                 {1, 1, 1 + 1e-15},
                                 {1, 1 + 1e-9, 1 + 2e-9},
                                 {1e-9, 1, 1},
                                 {1, 2, 2.999999999}};
    for (const Vec3d& moments : all_moments) {
        for (const Vec3d& l : ls) {
            SCOPED_TRACE(test::message("moments ", moments, " l ", l));

            const Quatd q = rotate_freely(moments, {}, l, 0.5);
            if (moments.x < 1e-6) {
                EXPECT_TRUE(is_finite(q));
                continue;
            }
            EXPECT_LT(distance(q, integrate_slowly(moments, {}, l, 0.5, 2000)), 1e-11);
        }
    }
    // On the separatrix: L² = 2 E I2 with I = (1, 2, 3) means l1² = l3²/3.
    const Vec3d moments{1, 2, 3};
    const Vec3d l{std::sqrt(1.0 / 3), 0.3, 1};
    EXPECT_LT(
        distance(rotate_freely(moments, {}, l, 3), integrate_slowly(moments, {}, l, 3, 20000)),
        1e-9);
}

// However fast the spin or long the step, there is an answer, and soon. What is left of the
// phase after 1e25 turns means nothing, but it is an orientation; beyond all numbers it is not.
TEST(FreeRotation, AnAbsurdlyLongStepEnds) {
    for (const double exponent : {10.0, 14.0, 15.0, 16.0, 25.0, 60.0, 150.0}) {
        const Quatd q = rotate_freely({1, 2, 3}, {}, {1.9, 1.8, 0.31}, std::pow(10, exponent));
        EXPECT_NEAR(length(q), 1, 1e-12) << exponent;
    }
    EXPECT_FALSE(is_finite(rotate_freely({1, 2, 3}, {}, {1e200, 1e200, 1e200}, 1e200)));
}

TEST(FreeRotation, TinyAndHugeMomentaAreJustAnotherUnitOfTime) {
    const Vec3d moments{1, 2, 3};
    const Vec3d l{0.4, 0.5, 0.6};
    const Quatd expected = rotate_freely(moments, {}, l, 2);
    for (const double scale : {1e-100, 1e-10, 1e10, 1e100}) {
        EXPECT_LT(distance(rotate_freely(moments, {}, l * scale, 2 / scale), expected), 1e-13);
    }
}

} // namespace
} // namespace rigor
