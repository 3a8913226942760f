// The forms of a rotation agree with each other, come back through each other, and behave at
// the places where each form is weak: no turn, half a turn, gimbal lock.
#include "math/trig.h"
#include "test_support.h"

namespace rigor::test {
namespace {

// Zero when a and b are the same rotation, of either sign.
template <class S>
S difference(const Quat<S>& a, const Quat<S>& b) {
    return std::min(length(a + -b), length(a + b));
}

template <class S>
S difference(const Mat3<S>& a, const Mat3<S>& b) {
    const Mat3<S> d = a - b;
    return max_component(max(max(abs(d.cx), abs(d.cy)), abs(d.cz)));
}

template <class S>
Mat3<S> about_x(S angle) {
    const SinCos<S> a = sin_cos(angle);
    return Mat3<S>::from_rows({1, 0, 0}, {0, a.cos, -a.sin}, {0, a.sin, a.cos});
}

template <class S>
Mat3<S> about_z(S angle) {
    const SinCos<S> a = sin_cos(angle);
    return Mat3<S>::from_rows({a.cos, -a.sin, 0}, {a.sin, a.cos, 0}, {0, 0, 1});
}

// Random ones, and those that are special to some form.
template <class S>
std::vector<Quat<S>> rotations() {
    Random random(6);
    const S half = std::sqrt(S(0.5));
    std::vector<Quat<S>> all = {{1, 0, 0, 0},
                                {-1, 0, 0, 0},
                                {0, 1, 0, 0},
                                {0, 0, 1, 0},
                                {0, 0, 0, 1},
                                {0, -1, 0, 0},
                                {half, half, 0, 0},
                                {half, 0, half, 0},
                                {half, 0, 0, -half},
                                {0, half, half, 0},
                                {0, half, 0, half},
                                {0, 0, half, -half},
                                {S(0.5), S(0.5), S(0.5), S(0.5)}};
    for (int i = 0; i < 300; ++i) all.push_back(random.rotation<S>());
    for (const double size : {1e-3, 1e-8, 1e-20})
        for (int i = 0; i < 10; ++i) {
            const Vec3<S> v = random.vec<S>(-size, size);
            all.push_back(normalize(Quat<S>::from_parts(S(1), v)));
            all.push_back(
                normalize(Quat<S>::from_parts(static_cast<S>(size), random.direction<S>())));
            all.push_back(normalize(Quat<S>{S(1), v.x, v.y, S(1)})); // theta nearly 0
            all.push_back(normalize(Quat<S>{v.x, S(1), S(1), v.y})); // theta nearly pi
        }
    return all;
}

template <class S>
class Rotation : public testing::Test {
  protected:
    Random random{7};
};
TYPED_TEST_SUITE(Rotation, Scalars);

TYPED_TEST(Rotation, ComesBackThroughEveryForm) {
    using S = TypeParam;
    const S tolerance = round_off(S(1)) / 2;
    for (const Quat<S>& q : rotations<S>()) {
        SCOPED_TRACE(message(q));
        EXPECT_LE(difference(from_matrix(to_matrix(q)), q), tolerance);
        EXPECT_LE(difference(from_rotation_vector(to_rotation_vector(q)), q), tolerance);
        EXPECT_LE(difference(from_euler_zxz(to_euler_zxz(q)), q), tolerance);
        EXPECT_GE(from_matrix(to_matrix(q)).w, S(0));
        EXPECT_LE(length(to_rotation_vector(q)), kPi<S> + round_off(S(1)));
        EXPECT_GE(to_euler_zxz(q).theta, S(0));
        EXPECT_LE(to_euler_zxz(q).theta, kPi<S>);
    }
}

TYPED_TEST(Rotation, MatrixAndQuaternionTurnAlikeAndComposeAlike) {
    using S = TypeParam;
    for (const Quat<S>& q : rotations<S>()) {
        const Vec3<S> v = this->random.template vec<S>();
        const Quat<S> p = this->random.template rotation<S>();
        EXPECT_LE(length(to_matrix(q) * v - rotate(q, v)), round_off(S(2)));
        EXPECT_LE(difference(to_matrix(p * q), to_matrix(p) * to_matrix(q)), round_off(S(1)));
        EXPECT_NEAR(determinant(to_matrix(q)), S(1), round_off(S(1)));
    }
}

TYPED_TEST(Rotation, AboutAnAxisLeavesTheAxisAndTurnsTheRestByTheAngle) {
    using S = TypeParam;
    for (int i = 0; i < 200; ++i) {
        const Vec3<S> axis = this->random.template direction<S>(), side = perpendicular(axis);
        const S angle = static_cast<S>(this->random.uniform(-10, 10));
        const Quat<S> q = from_axis_angle(axis, angle);
        EXPECT_LE(length(rotate(q, axis) - axis), round_off(S(1)));
        const Vec3<S> turned = side * cos(angle) + cross(axis, side) * sin(angle);
        EXPECT_LE(length(rotate(q, side) - turned), round_off(S(2)));
        EXPECT_LE(difference(from_rotation_vector(axis * angle), q), round_off(S(10)));
    }
}

// Below 1e-16 the cosine is 1 and only the vector part tells the turn: it must keep every
// digit, down to the smallest numbers there are.
TYPED_TEST(Rotation, OfATinyVectorKeepsItsDigits) {
    using S = TypeParam;
    const Vec3<S> direction{S(0.75), S(-0.5), S(0.25)};
    for (S size = S(1e-2); size > std::numeric_limits<S>::min() * 100; size /= 10) {
        const Vec3<S> v = direction * size;
        const Vec3<S> back = to_rotation_vector(from_rotation_vector(v));
        EXPECT_LE(length((back - v) * (S(1) / size)), round_off(S(1)) / 4) << size;
    }
    EXPECT_EQ(from_rotation_vector(Vec3<S>{}), Quat<S>::identity());
    EXPECT_EQ(to_rotation_vector(Quat<S>::identity()), Vec3<S>{});
    // Any finite vector is a rotation.
    const S huge = std::numeric_limits<S>::max();
    EXPECT_NEAR(length(from_rotation_vector(Vec3<S>{huge, huge, huge})), S(1), round_off(S(1)));
}

// The series for small turns and the general way meet without a step.
TEST(RotationVector, IsSmoothWhereTheSeriesEnds) {
    const Vec3d axis = normalize(Vec3d{1, 2, -2});
    const double edge = 2 * std::sqrt(0.6);
    for (int i = -50; i <= 50; ++i) {
        const double angle = edge + i * 1e-15;
        EXPECT_LE(difference(from_rotation_vector(axis * angle), from_axis_angle(axis, angle)),
                  1e-15);
    }
}

TYPED_TEST(Rotation, OfEulerAnglesIsTheProductOfThreeTurns) {
    using S = TypeParam;
    for (int i = 0; i < 200; ++i) {
        const Vec3<S> a = this->random.template vec<S>(-3, 3);
        const Mat3<S> product = about_z(a.x) * about_x(a.y) * about_z(a.z);
        EXPECT_LE(difference(to_matrix(from_euler_zxz(EulerZxz<S>{a.x, a.y, a.z})), product),
                  round_off(S(2)));
    }
}

// The matrix printed in [Baber 2006] from Euler angles is the transpose of R, and its entry
// (1,3) must read sin psi sin theta: with both mistakes mended it is ours.
TYPED_TEST(Rotation, OfEulerAnglesIsTheMatrixOfBaberTransposedAndMended) {
    using S = TypeParam;
    for (int i = 0; i < 50; ++i) {
        const Vec3<S> a = this->random.template vec<S>(-3, 3);
        const auto [sf, cf] = sin_cos(a.x);
        const auto [st, ct] = sin_cos(a.y);
        const auto [sp, cp] = sin_cos(a.z);
        const Mat3<S> printed = Mat3<S>::from_rows(
            {cp * cf - ct * sf * sp, cp * sf + ct * cf * sp, sp * st},
            {-sp * cf - ct * sf * cp, -sp * sf + ct * cf * cp, cp * st}, {st * sf, -st * cf, ct});
        const Mat3<S> r = to_matrix(from_euler_zxz(EulerZxz<S>{a.x, a.y, a.z}));
        EXPECT_LE(difference(r, transpose(printed)), round_off(S(2)));
    }
}

// At theta = 0 only phi + psi has a meaning, at theta = pi only phi - psi.
TYPED_TEST(Rotation, EulerAnglesInGimbalLockPutTheWholeTurnIntoPhi) {
    using S = TypeParam;
    for (const S phi : {S(0), S(0.3), S(-2), S(3)}) {
        for (const S psi : {S(0), S(0.1), S(-1.1)}) {
            const EulerZxz<S> flat = to_euler_zxz(from_euler_zxz(EulerZxz<S>{phi, S(0), psi}));
            EXPECT_EQ(flat.theta, S(0));
            EXPECT_EQ(flat.psi, S(0));
            EXPECT_NEAR(sin((flat.phi - phi - psi) / 2), S(0), round_off(S(1)));
            const EulerZxz<S> over = to_euler_zxz(from_euler_zxz(EulerZxz<S>{phi, kPi<S>, psi}));
            EXPECT_EQ(over.theta, kPi<S>);
            EXPECT_EQ(over.psi, S(0));
            EXPECT_NEAR(sin((over.phi - phi + psi) / 2), S(0), round_off(S(1)));
        }
    }
}

TYPED_TEST(Rotation, BetweenTwoDirectionsIsTheShortestThatTakesOneToTheOther) {
    using S = TypeParam;
    const auto check = [](const Vec3<S>& a, const Vec3<S>& b) {
        SCOPED_TRACE(message(a, " to ", b));
        const Quat<S> q = rotation_between(a, b);
        EXPECT_NEAR(length(q), S(1), round_off(S(1)) / 2);
        EXPECT_LE(length(rotate(q, a) - b), round_off(S(1)) * 2);
        // Shortest: the axis is perpendicular to both.
        EXPECT_NEAR(dot(q.vec(), a), S(0), round_off(S(1)));
        EXPECT_GE(q.w, S(0));
    };
    for (int i = 0; i < 300; ++i) {
        const Vec3<S> a = this->random.template direction<S>();
        check(a, this->random.template direction<S>());
        check(a, a);
        check(a, -a);
        for (const double off : {1e-1, 1e-3, 1e-5, 1e-7, 1e-9, 1e-12, 1e-15}) {
            check(a, normalize(-a + this->random.template vec<S>(-off, off)));
            check(a, normalize(a + this->random.template vec<S>(-off, off)));
        }
    }
    check({1, 0, 0}, {-1, 0, 0});
    check({0, 1, 0}, {0, -1, 0});
    check({0, 0, 1}, {0, 0, -1});
}

// q(t + h) - q(t - h) over 2h differs from the derivative by h² terms: a quarter for half h.
TEST(RotationRate, MatchesFiniteDifferencesToSecondOrder) {
    Random random(8);
    for (int i = 0; i < 20; ++i) {
        const Quatd q = random.rotation();
        const Vec3d w = random.vec(-2, 2);
        const auto error = [&](double h) {
            const Quatd after = from_rotation_vector(w * h) * q,
                        before = from_rotation_vector(w * -h) * q;
            return length((after + -before) * (0.5 / h) + -derivative(q, w));
        };
        const double order = std::log2(error(1e-2) / error(5e-3));
        EXPECT_NEAR(order, 2, 0.01);
    }
}

TYPED_TEST(Rotation, DriftOfAQuaternionIsSquaredAway) {
    using S = TypeParam;
    for (const Quat<S>& q : rotations<S>()) {
        const S drift = S(1e-3);
        const Quat<S> once = correct_drift(q * (S(1) + drift));
        EXPECT_NEAR(length(once), S(1), S(1.6) * drift * drift + round_off(S(1)));
        const Quat<S> thrice = correct_drift(correct_drift(once));
        EXPECT_NEAR(length(thrice), S(1), round_off(S(1)) / 4);
        EXPECT_LE(difference(thrice, q), round_off(S(1)));
    }
}

TYPED_TEST(Rotation, DriftOfAMatrixIsTakenOutToTheNearestRotation) {
    using S = TypeParam;
    for (const Quat<S>& q : rotations<S>()) {
        const Mat3<S> r = to_matrix(q);
        for (const double size : {0.0, 1e-6, 1e-3, 0.1}) {
            SCOPED_TRACE(message(q, " drift ", size));
            const Mat3<S> drift{this->random.template vec<S>(-size, size),
                                this->random.template vec<S>(-size, size),
                                this->random.template vec<S>(-size, size)};
            const Mat3<S> drifted = r + drift, x = correct_drift(drifted);
            EXPECT_LE(difference(transpose(x) * x, Mat3<S>{}), round_off(S(1)) / 2);
            EXPECT_GT(determinant(x), S(0));
            EXPECT_LE(difference(x, r), static_cast<S>(2 * size) + round_off(S(1)));
            // Nearest means that xᵀ drifted is symmetric: no small turn brings it closer.
            const Mat3<S> stretch = transpose(x) * drifted;
            EXPECT_LE(difference(stretch, transpose(stretch)), round_off(S(2)));
        }
        EXPECT_LE(difference(correct_drift(r * S(1.5)), r), round_off(S(1)));
    }
}

// Input so bad that it is no rotation's neighbor: a reflection, a flat matrix, nothing.
TYPED_TEST(Rotation, DriftCorrectionAlwaysReturnsARotation) {
    using S = TypeParam;
    const auto check = [](const Mat3<S>& bad) {
        const Mat3<S> x = correct_drift(bad);
        EXPECT_LE(difference(transpose(x) * x, Mat3<S>{}), round_off(S(1)));
        EXPECT_NEAR(determinant(x), S(1), round_off(S(1)));
    };
    for (int i = 0; i < 100; ++i) {
        const Mat3<S> r = to_matrix(this->random.template rotation<S>());
        const Vec3<S> a = this->random.template direction<S>();
        check(r * S(-1));
        check(r * Mat3<S>::diagonal({1, 1, S(-0.05)}));
        check(r * Mat3<S>::diagonal({1, 1, 0}));
        check(outer(a, r * a));
        check(r * S(1e6));
        check(r * S(1e-6));
        check(Mat3<S>{this->random.template vec<S>(), this->random.template vec<S>(),
                      this->random.template vec<S>()});
        // The mirrored direction is the one given up: the other two stay.
        EXPECT_LE(difference(correct_drift(r * Mat3<S>::diagonal({1, 1, S(-0.05)})), r),
                  round_off(S(4)));
    }
    check(Mat3<S>::zero());
}

TYPED_TEST(Rotation, SlerpStartsAndEndsExactlyAndTurnsAtConstantSpeed) {
    using S = TypeParam;
    for (int i = 0; i < 100; ++i) {
        const Quat<S> a = this->random.template rotation<S>();
        Quat<S> b = this->random.template rotation<S>();
        EXPECT_EQ(slerp(a, b, S(0)), a);
        EXPECT_EQ(slerp(a, b, S(1)), dot(a, b) < S(0) ? -b : b);
        const Vec3<S> whole = to_rotation_vector(b * conjugate(a));
        for (const S t : {S(0.1), S(0.25), S(0.5), S(0.9)}) {
            const Quat<S> q = slerp(a, b, t);
            EXPECT_NEAR(length(q), S(1), round_off(S(1)));
            EXPECT_LE(difference(q, from_rotation_vector(whole * t) * a), round_off(S(2)));
        }
    }
}

TYPED_TEST(Rotation, SlerpBetweenNeighborsKeepsItsDigits) {
    using S = TypeParam;
    const Quat<S> a = this->random.template rotation<S>();
    EXPECT_EQ(slerp(a, a, S(0.3)), a);
    for (const double size : {1e-2, 1e-4, 1e-6}) {
        const Vec3<S> turn = this->random.template vec<S>(-size, size);
        const Quat<S> b = from_rotation_vector(turn) * a;
        EXPECT_LE(difference(slerp(a, b, S(0.25)), from_rotation_vector(turn * S(0.25)) * a),
                  round_off(S(1)));
    }
}

} // namespace
} // namespace rigor::test
