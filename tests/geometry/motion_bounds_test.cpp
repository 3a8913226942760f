// Bounds of solids in motion: nothing leaves them, and for small steps they are close.

#include "geometry/motion_bounds.h"

#include "sample_shapes.h"

namespace rigor::test {
namespace {

template <class S>
class MovingSolid : public testing::Test {};
TYPED_TEST_SUITE(MovingSolid, Scalars);

// For any angle, full turns included.
TYPED_TEST(MovingSolid, NeverLeavesItsSweptBounds) {
    using S = TypeParam;
    Random random(73);
    for (const auto& [name, shape] : convex_samples<S>()) {
        for (const double angle : {0.0, 1e-5, 0.1, 1.0, 3.0, 6.5, 20.0}) {
            SCOPED_TRACE(message(name, ", angle ", angle));
            const Motion<S> motion = random_motion<S>(random, 2, angle);
            const Aabb<S> box = swept_bounds(shape, motion);
            for (int i = 0; i <= 100; ++i) {
                const Aabb<S> now = bounds(shape, pose_at(motion, S(i) / S(100)));
                ASSERT_TRUE(contains(box, now)) << i;
            }
        }
    }
}

// A body turning by a few degrees in a step: the swept box is at most a few percent longer than
// the box of all the positions.
TYPED_TEST(MovingSolid, SmallMotionsAreBoundedClosely) {
    using S = TypeParam;
    Random random(79);
    double worst = 0;
    for (const auto& [name, shape] : convex_samples<S>()) {
        for (int k = 0; k < 10; ++k) {
            Motion<S> motion = random_motion<S>(random, 0.1, 0.1);
            motion.local_center = {};
            Aabb<S> exact;
            for (int i = 0; i <= 50; ++i) {
                exact = join(exact, bounds(shape, pose_at(motion, S(i) / S(50))));
            }
            const Aabb<S> box = swept_bounds(shape, motion);
            for (int axis = 0; axis < 3; ++axis) {
                const S ratio = (box.hi - box.lo)[axis] / (exact.hi - exact.lo)[axis];
                worst = std::max(worst, static_cast<double>(ratio));
            }
        }
    }
    EXPECT_LT(worst, 1.02); // 2 r a²/8 = 0.0025 r on a width of up to 2 r, less for thin solids
}

// A thin rod that swings through the x axis: its tip reaches farther in the middle of the swing
// than at either end, by R (1 - cos(a/2)) = R a²/8 - ..., all that the bound allows.
TYPED_TEST(MovingSolid, RodSwingingThroughAnAxisReachesItsBounds) {
    using S = TypeParam;
    const Capsule<S> rod{S(1e-4), S(1)};
    const S half = S(0.1);
    const Quat<S> to_x = from_axis_angle<S>({0, 1, 0}, S(std::acos(-1.0) / 2));
    const Quat<S> back = from_axis_angle<S>({0, 0, 1}, -half);
    const Motion<S> motion{{{}, back * to_x}, {}, {}, {0, 0, 2 * half}};
    const S reach = swept_bounds(rod, motion).hi.x;
    EXPECT_GE(reach, S(1.0001));
    EXPECT_LE(reach, S(1.00011));
}

// However far it turns, the solid stays in the sphere around its center.
TYPED_TEST(MovingSolid, ManyTurnsCostNoMoreThanTheSphere) {
    using S = TypeParam;
    const Box<S> box{{S(0.5), S(0.3), S(0.7)}, S(0)};
    const Motion<S> motion{{}, {}, {S(1), 0, 0}, {0, 0, S(100)}};
    const S r = bounding_radius(box, Vec3<S>{});
    const Aabb<S> swept = swept_bounds(box, motion);
    const Aabb<S> sphere = expand(Aabb<S>{{-r, -r, -r}, {S(1) + r, r, r}}, S(1e-5));
    EXPECT_TRUE(contains(sphere, swept));
}

TYPED_TEST(MovingSolid, WithoutTurningTheBoundsAreExact) {
    using S = TypeParam;
    const Capsule<S> capsule{S(0.25), S(0.5)};
    const Motion<S> motion{{}, {}, {S(3), S(-1), 0}, {}};
    const Aabb<S> box = swept_bounds(capsule, motion);
    const S tiny = round_off(S(16));
    EXPECT_NEAR(box.lo.x, S(-0.25), tiny);
    EXPECT_NEAR(box.hi.x, S(3.25), tiny);
    EXPECT_NEAR(box.lo.y, S(-1.25), tiny);
    EXPECT_NEAR(box.hi.y, S(0.25), tiny);
}

// A plane that only slides is bounded on one side; one that turns is not.
TYPED_TEST(MovingSolid, PlaneHasNoBoundsOnceItTurns) {
    using S = TypeParam;
    const Plane<S> plane{{0, 0, 1}, S(2)};
    EXPECT_EQ(swept_bounds(plane, Motion<S>{{}, {}, {0, 0, S(1)}, {}}).hi.z, S(3));
    EXPECT_EQ(swept_bounds(plane, Motion<S>{{}, {}, {}, {S(0.1), 0, 0}}).hi.z, Aabb<S>::kInfinity);
}

// No point of the solid is faster than the bound, and for a ball rolling off its center the
// fastest point is exactly as fast.
TYPED_TEST(MovingSolid, SurfaceSpeedIsBounded) {
    using S = TypeParam;
    Random random(83);
    for (const auto& [name, shape] : convex_samples<S>()) {
        SCOPED_TRACE(name);
        const Vec3<S> v = random.template vec<S>(), w = random.template vec<S>(-5, 5);
        const S bound = surface_speed_bound(v, w, bounding_radius(shape, Vec3<S>{}));
        for (int i = 0; i < 200; ++i) {
            const Vec3<S> p = closest_point(shape, random.template vec<S>(-2, 2)).point;
            EXPECT_LE(length(v + cross(w, p)), bound * (S(1) + round_off(S(1))));
        }
    }
    EXPECT_EQ(surface_speed_bound<S>({S(2), 0, 0}, {0, S(3), 0}, S(0.5)), S(3.5));
}

} // namespace
} // namespace rigor::test
