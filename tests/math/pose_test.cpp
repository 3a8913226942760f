// Quaternions and poses: a group that turns and moves points.
#include "test_support.h"

namespace rigor::test {
namespace {

template <class S>
S distance(const Vec3<S>& a, const Vec3<S>& b) {
    return length(a - b);
}

template <class S>
class Poses : public testing::Test {
  protected:
    Random random{4};
};
TYPED_TEST_SUITE(Poses, Scalars);

TYPED_TEST(Poses, QuaternionTurnsLikeItsSandwichProduct) {
    using S = TypeParam;
    for (int i = 0; i < 200; ++i) {
        const Quat<S> q = this->random.template rotation<S>();
        const Vec3<S> v = this->random.template vec<S>();
        const Quat<S> sandwich = q * Quat<S>::from_parts(S(0), v) * conjugate(q);
        EXPECT_LE(distance(rotate(q, v), sandwich.vec()), round_off(S(2)));
        EXPECT_NEAR(length(rotate(q, v)), length(v), round_off(S(2)));
        EXPECT_LE(distance(inverse_rotate(q, rotate(q, v)), v), round_off(S(2)));
        EXPECT_LE(distance(rotate(-q, v), rotate(q, v)), round_off(S(1)));
    }
}

TYPED_TEST(Poses, ProductMeansFirstTheRightThenTheLeft) {
    using S = TypeParam;
    for (int i = 0; i < 200; ++i) {
        const Quat<S> a = this->random.template rotation<S>(),
                      b = this->random.template rotation<S>();
        const Pose<S> p = this->random.template pose<S>(), r = this->random.template pose<S>();
        const Vec3<S> v = this->random.template vec<S>();
        EXPECT_LE(distance(rotate(a * b, v), rotate(a, rotate(b, v))), round_off(S(2)));
        EXPECT_LE(distance(transform(p * r, v), transform(p, transform(r, v))), round_off(S(4)));
    }
}

TYPED_TEST(Poses, InverseTakesEveryPointBack) {
    using S = TypeParam;
    for (int i = 0; i < 200; ++i) {
        const Pose<S> p = this->random.template pose<S>();
        const Vec3<S> v = this->random.template vec<S>();
        EXPECT_LE(distance(inverse_transform(p, transform(p, v)), v), round_off(S(3)));
        EXPECT_LE(distance(transform(inverse(p), transform(p, v)), v), round_off(S(3)));
        const Pose<S> nothing = inverse(p) * p;
        EXPECT_LE(length(nothing.p), round_off(S(2)));
        EXPECT_LE(length(nothing.q.vec()), round_off(S(1)));
    }
}

TYPED_TEST(Poses, NormalizedQuaternionIsAUnitAndZeroIsNoRotation) {
    using S = TypeParam;
    const Quat<S> q = normalize(Quat<S>{S(1), S(-2), S(3), S(-4)});
    EXPECT_NEAR(length(q), S(1), round_off(S(1)));
    EXPECT_NEAR(q.y, S(3) / std::sqrt(S(30)), round_off(S(1)));
    EXPECT_EQ(normalize(Quat<S>{S(0), S(0), S(0), S(0)}), Quat<S>::identity());
}

// One meter between two bodies is one meter, also a thousand kilometers from the origin:
// the difference is taken in double before it becomes a float, whose own spacing out there
// would be 6 cm.
TYPED_TEST(Poses, RelativePoseKeepsItsResolutionFarFromTheOrigin) {
    using S = TypeParam;
    for (int i = 0; i < 100; ++i) {
        const Posed a = this->random.pose(), b = this->random.pose();
        const Vec3d far{1e6, -1e6, 1e6};
        const Pose<S> near_pose = relative_pose<S>(a, b);
        const Pose<S> far_pose = relative_pose<S>({a.p + far, a.q}, {b.p + far, b.q});
        // The spacing of doubles at 1e6 is 1.2e-10.
        EXPECT_LE(distance(far_pose.p, near_pose.p), S(1e-9) + round_off(S(1)));
        EXPECT_EQ(far_pose.q, near_pose.q);
        const Vec3<S> local = this->random.template vec<S>();
        const Vec3d seen = inverse_transform(a, transform(b, cast<double>(local)));
        EXPECT_LE(distance(transform(near_pose, local), cast<S>(seen)), round_off(S(4)));
    }
}

TYPED_TEST(Poses, FinitenessIsSeenInEveryPart) {
    using S = TypeParam;
    const S nan = std::numeric_limits<S>::quiet_NaN();
    EXPECT_TRUE(is_finite(Pose<S>{}));
    EXPECT_FALSE(is_finite(Pose<S>{{S(0), nan, S(0)}, {}}));
    EXPECT_FALSE(is_finite(Pose<S>{{}, {S(1), S(0), S(0), nan}}));
    EXPECT_FALSE(is_finite(Pose<S>{{}, {nan, S(0), S(0), S(0)}}));
}

} // namespace
} // namespace rigor::test
