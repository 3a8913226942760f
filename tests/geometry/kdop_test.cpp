// k-DOPs of solids in motion: nothing leaves them, more directions are tighter, and overlaps agree
// with brute force.

#include "geometry/kdop.h"

#include "geometry/mesh_samples.h"
#include "sample_shapes.h"

namespace rigor::test {
namespace {

template <class S>
struct SweptKdop : testing::Test {};
TYPED_TEST_SUITE(SweptKdop, Scalars);

template <class S, int K>
void expect_inside(const Shape<S>& shape, const Motion<S>& motion) {
    const Kdop<S, K> k = swept_kdop<S, K>(shape, motion);
    for (int i = 0; i <= 60; ++i) {
        const Pose<S> now = pose_at(motion, S(i) / S(60));
        for (std::size_t d = 0; d < k.kCount; ++d) {
            const Vec3<S> direction = kdop_direction<S, K>(d);
            const Vec3<S> local = inverse_rotate(now.q, direction);
            const S low = dot(transform(now, support(shape, -local)), direction);
            const S high = dot(transform(now, support(shape, local)), direction);
            ASSERT_GE(low, k.extents[d].lo) << "direction " << d << " at " << i;
            ASSERT_LE(high, k.extents[d].hi) << "direction " << d << " at " << i;
        }
    }
}

TYPED_TEST(SweptKdop, HoldsTheSolidAtAllTimes) {
    using S = TypeParam;
    Random random(41);
    for (const auto& [name, shape] : convex_samples<S>()) {
        for (const double angle : {0.0, 1e-5, 0.2, 1.0, 3.0, 20.0}) {
            SCOPED_TRACE(message(name, ", angle ", angle));
            expect_inside<S, 6>(shape, random_motion<S>(random, 2, angle));
            expect_inside<S, 14>(shape, random_motion<S>(random, 2, angle));
            expect_inside<S, 18>(shape, random_motion<S>(random, 2, angle));
            expect_inside<S, 26>(shape, random_motion<S>(random, 2, angle));
        }
    }
}

// k = 6 is a box: no larger than swept_bounds, which knows the radius alone.
TYPED_TEST(SweptKdop, BoxIsNoLargerThanThatFromTheRadius) {
    using S = TypeParam;
    Random random(43);
    for (const auto& [name, shape] : convex_samples<S>()) {
        SCOPED_TRACE(name);
        for (const double angle : {0.0, 0.3, 2.0}) {
            const Motion<S> motion = random_motion<S>(random, 1, angle);
            const Kdop<S, 6> k = swept_kdop<S, 6>(shape, motion);
            const Aabb<S> box = swept_bounds(shape, motion);
            for (std::size_t i = 0; i < 3; ++i) {
                const int axis = static_cast<int>(i);
                EXPECT_GE(k.extents[i].lo, box.lo[axis] - round_off(S(20)));
                EXPECT_LE(k.extents[i].hi, box.hi[axis] + round_off(S(20)));
            }
        }
    }
}

// The directions are units, all different, and none is the negative of another.
TEST(Kdop, DirectionsAreDifferentUnits) {
    for (std::size_t i = 0; i < 13; ++i) {
        EXPECT_NEAR(length(kKdopDirections<double>[i]), 1, 1e-15);
        for (std::size_t j = 0; j < i; ++j)
            EXPECT_LT(std::abs(dot(kKdopDirections<double>[i], kKdopDirections<double>[j])), 0.99);
    }
}

// An octahedron is its own 14-DOP, which is less than half of its box.
TEST(Kdop, FitsAnOctahedronWhereABoxDoesNot) {
    const Shape<double> octahedron =
        make_shape(
            define(HullDef{{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}}}))
            .value();
    const auto at = [](const Vec3d& p) { return Motion<double>{{p, {}}, {}, {}, {}}; };
    const Vec3d beside{0.9, 0.9, 0.9};
    const auto boxes = overlap(swept_kdop<double, 6>(octahedron, at({})),
                               swept_kdop<double, 6>(octahedron, at(beside)));
    const auto kdops = overlap(swept_kdop<double, 14>(octahedron, at({})),
                               swept_kdop<double, 14>(octahedron, at(beside)));
    EXPECT_TRUE(boxes);
    EXPECT_FALSE(kdops); // the gap is 2.7/√3 - 2/√3
}

// What spins about its long axis stays within its thickness, unlike its bounding sphere.
TEST(Kdop, SpinningRodStaysThin) {
    const Shape<double> rod{Capsule<double>{0.05, 2}};
    const Motion<double> spin{{}, {}, {}, {0, 0, 30}};
    const Kdop<double, 14> k = swept_kdop<double, 14>(rod, spin);
    EXPECT_LT(k.extents[0].hi, 0.051);
    EXPECT_GT(swept_bounds(rod, spin).hi.x, 0.1);
}

TEST(Kdop, EmptyOneOverlapsNothingAndPlanesEverything) {
    const Kdop<double, 18> empty;
    const Kdop<double, 18> point = join(empty, Vec3d{1, 2, 3});
    EXPECT_FALSE(overlap(empty, point));
    EXPECT_TRUE(contains(point, Vec3d{1, 2, 3}));
    EXPECT_FALSE(contains(point, Vec3d{1, 2, 3.1}));
    const Shape<double> plane{Plane<double>{{0, 0, 1}, 0}};
    EXPECT_TRUE(overlap(swept_kdop<double, 18>(plane, {}), point));
}

} // namespace
} // namespace rigor::test
