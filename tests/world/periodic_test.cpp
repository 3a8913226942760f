// Periodic boundaries: bodies collide across the sides of the cell as they would inside.

#include <cmath>

#include "rigor/rotation.h"
#include "support/worlds.h"
#include "test_support.h"

namespace rigor::test {
namespace {

constexpr double kDt = 1.0 / 120;

class Periodic : public testing::TestWithParam<Method> {
  protected:
    static World make(bool repeats = true) {
        WorldSettings settings = settings_of(GetParam());
        settings.gravity = {};
        if (repeats) settings.periodic = PeriodicBox{{-5, -5, -5}, {5, 5, 5}};
        return World(settings);
    }
    static BodyDef body(const ShapeGeometry& geometry, const Vec3d& at,
                        const Vec3d& velocity = {}) {
        BodyDef def = test::body(geometry, at);
        def.velocity = velocity;
        def.shapes[0].material.restitution = 0.5;
        return def;
    }
    static Vec3d inside(Vec3d p) {
        for (int axis = 0; axis < 3; ++axis) p[axis] -= 10 * std::floor((p[axis] + 5) / 10);
        return p;
    }
    /// As fast makes it in single precision, and the others in double.
    static double tolerance() { return GetParam() == Method::fast ? 2e-4 : 1e-9; }
};

INSTANTIATE_TEST_SUITE_P(All, Periodic,
                         testing::Values(Method::fast, Method::faithful, Method::baber2006,
                                         Method::kavan2003, Method::baber2011, Method::kenwright,
                                         Method::galoppo2007, Method::penalty),
                         method_name);

TEST_P(Periodic, WhatLeavesOnOneSideComesInOnTheOther) {
    World world = make();
    const BodyId ball = world.add_body(body(SphereDef{0.5}, {4, 0, 0}, {3, -7, 0})).value();
    run_steps(world, 120, kDt);
    EXPECT_LT(length(world.state(ball).position - Vec3d{-3, 3, 0}), 1e-5);
}

// Two boxes and a ball that turn and meet at a corner of the cell, and the same in its middle
// without a cell.
TEST_P(Periodic, BodiesMeetAcrossSidesAsTheyDoInside) {
    const Vec3d moved{5, 5, 5};
    World across = make(), plain = make(false);
    std::vector<BodyId> ids_across, ids_plain;
    const auto add = [&](BodyDef def) {
        ids_plain.push_back(plain.add_body(def).value());
        def.position = inside(def.position + moved);
        ids_across.push_back(across.add_body(def).value());
    };
    BodyDef box = body(BoxDef{{1, 0.6, 0.8}}, {-0.8, 0.1, 0.05}, {1, 0, 0});
    box.angular_velocity = {0.3, 0.2, 0.5};
    add(box);
    add(body(BoxDef{{0.9, 0.9, 0.9}}, {0.7, 0, 0}, {-0.5, 0, 0.1}));
    add(body(SphereDef{0.3}, {0.1, 1.2, 0}, {0, -1, 0}));
    for (int i = 0; i < 90; ++i) {
        across.step(kDt);
        plain.step(kDt);
    }
    EXPECT_GT(length(plain.state(ids_plain[0]).velocity - Vec3d{1, 0, 0}), 0.1); // they did meet
    for (std::size_t i = 0; i < ids_plain.size(); ++i) {
        const BodyState a = across.state(ids_across[i]), b = plain.state(ids_plain[i]);
        EXPECT_LT(length(a.position - inside(b.position + moved)), tolerance()) << i;
        EXPECT_LT(length(a.velocity - b.velocity), 10 * tolerance()) << i;
        EXPECT_LT(length(a.angular_velocity - b.angular_velocity), 100 * tolerance()) << i;
    }
}

TEST_P(Periodic, WhatIsTooFastForTheCellIsStoppedAndNothingHangs) {
    World world = make();
    const BodyId fast = world.add_body(body(SphereDef{0.5}, {0, 0, 0}, {2e4, 0, 0})).value();
    const BodyId far_too_fast =
        world.add_body(body(SphereDef{0.5}, {0, 3, 0}, {0, 0, 1e9})).value();
    const StepReport& report = world.step(kDt);
    if (GetParam() == Method::fast) return; // it goes through everything, as anywhere else
    EXPECT_EQ(report.quarantined, std::vector{far_too_fast});
    EXPECT_LT(length(world.state(fast).position - inside({2e4 * kDt, 0, 0})), 1e-6);
}

TEST_P(Periodic, PenetrationsAreSeenAcrossSides) {
    World world = make();
    world.add_body(body(SphereDef{0.5}, {4.9, 4.9, 0})).value();
    world.add_body(body(SphereDef{0.5}, {-4.5, -4.9, 0})).value();
    const std::vector<double> depths = world.penetrations();
    ASSERT_EQ(depths.size(), 1u);
    EXPECT_NEAR(depths[0], 1 - std::hypot(0.6, 0.2), 1e-12);
}

TEST_P(Periodic, JoinedBodiesCrossTogether) {
    World world = make();
    const BodyId a = world.add_body(body(SphereDef{0.4}, {4, 0, 0}, {3, 0, 0})).value();
    const BodyId b = world.add_body(body(SphereDef{0.4}, {3, 0, 0}, {3, 0, 0})).value();
    world.add_joint({.a = a, .b = b, .anchor = {-0.5, 0, 0}, .kind = BallJoint{}}).value();
    run_steps(world, 120, kDt);
    EXPECT_LT(length(world.state(a).position - Vec3d{-3, 0, 0}), 1e-4);
    EXPECT_LT(length(world.state(b).position - Vec3d{-4, 0, 0}), 1e-4);
}

TEST_P(Periodic, AFloorLargerThanTheCellIsThereOnce) {
    WorldSettings settings = make().settings();
    settings.gravity = {0, 0, -1};
    World world(settings);
    BodyDef floor = body(BoxDef{{40, 40, 2}}, {0, 0, -4});
    floor.type = BodyType::static_body;
    world.add_body(floor).value();
    const BodyId ball = world.add_body(body(SphereDef{0.5}, {4.9, 4.9, -2.45})).value();
    run_steps(world, 240, kDt);
    const BodyState s = world.state(ball);
    EXPECT_NEAR(s.position.x, 4.9, 1e-3); // no copy of it is hit twice
    EXPECT_NEAR(s.position.z, -2.5, 0.02);
}

TEST(PeriodicSettings, WhatDoesNotFitIsRefusedInASentence) {
    WorldSettings settings;
    settings.method = Method::free;
    settings.periodic = PeriodicBox{{0, 0, 0}, {1, 0, 1}};
    EXPECT_THROW(World{settings}, UsageError);
    settings.periodic = PeriodicBox{{0, 0, 0}, {4, 4, 4}};
    World world(settings);
    BodyDef def = body(SphereDef{1.1});
    def.name = "big";
    const Result<BodyId> big = world.add_body(def);
    ASSERT_FALSE(big);
    EXPECT_EQ(to_string(big.error()), "is larger than half of the periodic cell");
    def.shapes[0].geometry = SphereDef{0.9};
    ASSERT_TRUE(world.add_body(def));
    settings.periodic = PeriodicBox{{0, 0, 0}, {3, 4, 4}};
    EXPECT_THROW(world.set_settings(settings), UsageError);
    EXPECT_EQ(world.settings().periodic->hi.x, 4);
}

} // namespace
} // namespace rigor::test
