// Manifolds that are built anew keep the impulses of their points; those that are not, follow.

#include "fast/contact_recycling.h"

#include "rigor/rotation.h"
#include "test_support.h"

namespace rigor::fast {
namespace {

Feature feature(std::uint32_t index) {
    return Feature(FeatureKind::vertex, index);
}

/// Four points at the corners of a square of 1 m, 1 cm deep, with impulses 1 to 4.
ContactManifold square() {
    ContactManifold manifold;
    manifold.normal = {0, 0, 1};
    manifold.count = 4;
    for (std::uint32_t i = 0; i < 4; ++i) {
        ManifoldPoint& point = manifold.points[i];
        point.anchor_a = {i % 2 == 0 ? -0.5f : 0.5f, i < 2 ? -0.5f : 0.5f, 1};
        point.initial_separation = point.separation = -0.01f;
        point.feature_a = feature(i);
        point.feature_b = feature(10 + i);
        point.impulse = static_cast<float>(i + 1);
    }
    manifold.friction = {1, 2, 0};
    manifold.twist = 3;
    manifold.rolling = {4, 5, 0};
    return manifold;
}

ContactManifold without_impulses(ContactManifold manifold) {
    for (ManifoldPoint& point : manifold.points) point.impulse = 0;
    manifold.friction = manifold.rolling = {};
    manifold.twist = 0;
    return manifold;
}

TEST(MatchImpulses, FollowsFeaturesWhereverThePointsAre) {
    const ContactManifold before = square();
    ContactManifold now = without_impulses(before);
    std::swap(now.points[0], now.points[3]);
    for (ManifoldPoint& point : now.points) point.anchor_a += Vec3f{5, 5, 5};
    match_impulses(before, 1e-3f, now);
    EXPECT_EQ(now.points[0].impulse, 4);
    EXPECT_EQ(now.points[1].impulse, 2);
    EXPECT_EQ(now.points[2].impulse, 3);
    EXPECT_EQ(now.points[3].impulse, 1);
    EXPECT_EQ(now.friction, before.friction);
    EXPECT_EQ(now.twist, before.twist);
    EXPECT_EQ(now.rolling, before.rolling);
}

TEST(MatchImpulses, FallsBackToTheDistanceOfPointsWithOtherFeatures) {
    const ContactManifold before = square();
    ContactManifold now = without_impulses(before);
    for (std::uint32_t i = 0; i < 4; ++i) now.points[i].feature_a = feature(20 + i);
    now.points[2].anchor_a += Vec3f{0.04f, 0, 0};
    now.points[3].anchor_a += Vec3f{0.06f, 0, 0};
    match_impulses(before, 0.05f, now);
    EXPECT_EQ(now.points[0].impulse, 1);
    EXPECT_EQ(now.points[1].impulse, 2);
    EXPECT_EQ(now.points[2].impulse, 3);
    EXPECT_EQ(now.points[3].impulse, 0) << "too far";
}

// The distance is measured on the body: anchors turn with it.
TEST(MatchImpulses, TurnsOldAnchorsWithTheBody) {
    const ContactManifold before = square();
    const Quatf turn = from_axis_angle(Vec3f{0, 0, 1}, 1.5707963f);
    ContactManifold now = without_impulses(before);
    now.rotation_a = turn;
    for (std::uint32_t i = 0; i < 4; ++i) {
        now.points[i].feature_a = feature(20 + i);
        now.points[i].anchor_a = rotate(turn, before.points[i].anchor_a);
    }
    match_impulses(before, 0.01f, now);
    for (std::uint32_t i = 0; i < 4; ++i)
        EXPECT_EQ(now.points[i].impulse, before.points[i].impulse);
}

TEST(MatchImpulses, GivesEachImpulseOnce) {
    const ContactManifold before = square();
    ContactManifold now = without_impulses(before);
    for (ManifoldPoint& point : now.points) {
        point = now.points[0];
        point.feature_a = feature(20);
    }
    match_impulses(before, 0.1f, now);
    float sum = 0;
    for (const ManifoldPoint& point : now.points) sum += point.impulse;
    EXPECT_EQ(sum, 1);
}

PairPlacement placement(const Vec3f& center_b) {
    PairPlacement at{};
    at.pose = {center_b, {}};
    at.center_b = center_b;
    at.max_approach = 0.001f;
    return at;
}

TEST(BuildManifold, IsUndoneByLocalManifold) {
    PairPlacement at = placement({0.1f, 0.2f, 1});
    at.rotation_a = from_axis_angle(normalize(Vec3f{1, 2, 3}), 0.7f);
    at.center_a = {0.3f, -0.1f, 0.2f};
    Manifold<float> local;
    local.normal = normalize(Vec3f{1, 0, 1});
    local.count = 2;
    local.points[0] = {{0.5f, 0, 0.5f}, -0.01f, feature(1), feature(2)};
    local.points[1] = {{0.5f, 1, 0.5f}, 0.02f, feature(3), feature(4)};
    ContactManifold manifold;
    build_manifold(local, at, manifold);
    EXPECT_NEAR(length(manifold.normal - rotate(at.rotation_a, local.normal)), 0, 1e-6f);
    const Manifold<float> back = local_manifold(manifold, at);
    EXPECT_NEAR(length(back.normal - local.normal), 0, 1e-6f);
    ASSERT_EQ(back.count, 2);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_NEAR(length(back.points[i].point_a - local.points[i].point_a), 0, 1e-6f);
        EXPECT_EQ(back.points[i].separation, local.points[i].separation);
        EXPECT_EQ(back.points[i].feature_a, local.points[i].feature_a);
        EXPECT_EQ(back.points[i].feature_b, local.points[i].feature_b);
    }
}

class Recycle : public testing::Test {
  protected:
    Recycle() {
        ContactManifold manifold = square();
        manifold.center_offset = {0, 0, -2};
        pair.contacts = store.manifolds.add(manifold);
        store_placement(pair, placement({0, 0, 2}), 0.02f);
    }
    bool recycles(const PairPlacement& at) { return recycle(store, pair, at, 0.5f, 0.5f, 1); }
    const ContactManifold& manifold() { return store.manifolds[pair.contacts.manifold()]; }

    PairStore store;
    ContactPair pair;
};

TEST_F(Recycle, FollowsTheSeparationsOfBodiesThatHardlyMove) {
    ASSERT_TRUE(recycles(placement({0.004f, 0, 2.005f})));
    for (const ManifoldPoint& point : manifold().used()) {
        EXPECT_NEAR(point.separation, -0.005f, 1e-6f);
        EXPECT_EQ(point.initial_separation, -0.01f);
    }
    EXPECT_EQ(manifold().points[3].impulse, 4);
}

TEST_F(Recycle, RefusesBodiesThatMovedOrTurnedOrMayLeaveTheMargin) {
    EXPECT_FALSE(recycles(placement({0, 0, 2.03f})));
    PairPlacement turned = placement({0, 0, 2});
    turned.rotation_a = turned.rotation_b = from_axis_angle(Vec3f{0, 0, 1}, 0.2f);
    EXPECT_FALSE(recycles(turned));
    PairPlacement fast = placement({0, 0, 2});
    fast.max_approach = 0.03f;
    EXPECT_FALSE(recycles(fast));
    pair.recyclable = false;
    EXPECT_FALSE(recycles(placement({0, 0, 2})));
}

// A turn counted with the distance of the origins where the body that turned was A: a box that lay
// on a floor listed after it was never recycled. On an unbounded plane a turn counts for nothing.
TEST_F(Recycle, SeesTheSameMotionFromBothSides) {
    const auto seen_from_floor = [](float angle) { // a body of radius 0.5 turns over an origin
        PairPlacement at = placement({10, 0, 2});
        at.pose.q = at.rotation_b = from_axis_angle(Vec3f{0, 0, 1}, angle);
        return at;
    };
    const auto seen_from_body = [&](float angle) {
        PairPlacement at = seen_from_floor(angle);
        at.pose = inverse(at.pose);
        std::swap(at.rotation_a, at.rotation_b);
        return at;
    };
    for (const float radius_of_floor : {0.0f, 20.0f})
        for (const float angle : {0.01f, 0.05f}) {
            SCOPED_TRACE(::testing::Message() << radius_of_floor << " " << angle);
            const bool expected = radius_of_floor == 0 || angle * 0.5f < 0.02f;
            store_placement(pair, seen_from_floor(0), 0.1f);
            EXPECT_EQ(recycle(store, pair, seen_from_floor(angle), radius_of_floor, 0.5f, 1),
                      expected);
            store_placement(pair, seen_from_body(0), 0.1f);
            EXPECT_EQ(recycle(store, pair, seen_from_body(angle), 0.5f, radius_of_floor, 1),
                      expected);
        }
}

TEST(StillSeparated, HoldsUntilTheGapMayBeClosed) {
    ContactPair pair;
    pair.gap = 0.5f;
    pair.pose = {{0, 0, 3}, {}};
    EXPECT_TRUE(still_separated(pair, placement({0, 0, 2.7f}), 1, 1, 0.1f));
    EXPECT_FALSE(still_separated(pair, placement({0, 0, 2.5f}), 1, 1, 0.1f));
    EXPECT_FALSE(still_separated(pair, placement({0, 0, 2.7f}), 0, 0, 0.1f))
        << "no bounding radius";
}

} // namespace
} // namespace rigor::fast
