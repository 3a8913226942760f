// Reports of the steps of `faithful` and of the methods from the literature, and quarantine of
// bodies with non-finite states.

#include <cmath>
#include <limits>

#include "rigor/rotation.h"
#include "support/worlds.h"
#include "test_support.h"

namespace rigor::test {
namespace {

class EventStep : public testing::TestWithParam<Method> {
  protected:
    BodyId add(const ShapeGeometry& geometry, const Vec3d& at,
               BodyType type = BodyType::dynamic_body, bool sensor = false) {
        BodyDef def = body(geometry, at, type);
        def.shapes[0].sensor = sensor;
        return world.add_body(def).value();
    }

    World world{settings_of(GetParam())};
};

INSTANTIATE_TEST_SUITE_P(All, EventStep,
                         testing::Values(Method::faithful, Method::baber2006, Method::kavan2003,
                                         Method::baber2011, Method::kenwright, Method::galoppo2007,
                                         Method::penalty),
                         method_name);

TEST_P(EventStep, AForceThatIsNotFiniteStopsItsBodyAlone) {
    const BodyId pushed = add(SphereDef{0.5}, {0, 0, 5});
    const BodyId other = add(SphereDef{0.5}, {3, 0, 5});
    for (int i = 0; i < 2; ++i)
        world.apply_force(pushed, {std::numeric_limits<double>::max(), 0, 0});
    const StepReport& report = world.step(kStep);
    ASSERT_EQ(report.quarantined, std::vector{pushed});
    EXPECT_TRUE(world.is_quarantined(pushed));
    EXPECT_EQ(world.pose(pushed).p, (Vec3d{0, 0, 5}));
    EXPECT_LT(world.pose(other).p.z, 5);
    world.step(kStep);
    EXPECT_TRUE(world.step(kStep).quarantined.empty());
    EXPECT_TRUE(std::isfinite(world.ledger().remainder));
}

TEST_P(EventStep, ContactsBeginAndEndOnce) {
    add(BoxDef{{10, 10, 2}}, {0, 0, -1}, BodyType::static_body);
    const BodyId ball = add(SphereDef{0.5}, {0, 0, 0.52});
    std::size_t begun = 0, ended = 0;
    const auto run = [&](double seconds) {
        for (double t = 0; t < seconds; t += kStep) {
            world.step(kStep);
            begun += world.events().begun.size();
            ended += world.events().ended.size();
        }
    };
    run(0.5);
    if (GetParam() == Method::faithful) {
        EXPECT_EQ(begun, 1u); // others let it hop
        EXPECT_EQ(ended, 0u);
    }
    EXPECT_LE(ended, begun);
    world.set_pose(ball, {{0, 0, 5}, {}});
    run(0.1);
    EXPECT_EQ(begun, ended);
}

TEST_P(EventStep, ASensorFeelsWhoComesAndGoes) {
    const BodyId gate = add(BoxDef{{1, 1, 1}}, {0, 0, 0}, BodyType::static_body, true);
    const BodyId ball = add(SphereDef{0.1}, {0, 0, 1});
    std::vector<SensorEvent> entered, left;
    for (double t = 0; t < 1; t += kStep) {
        world.step(kStep);
        const Events& events = world.events();
        entered.insert(entered.end(), events.entered.begin(), events.entered.end());
        left.insert(left.end(), events.left.begin(), events.left.end());
    }
    ASSERT_EQ(entered.size(), 1u);
    EXPECT_EQ(entered[0].sensor.body, gate);
    EXPECT_EQ(entered[0].visitor.body, ball);
    EXPECT_EQ(left, entered);
    EXPECT_LT(world.pose(ball).p.z, -1);
}

/// A box at rest on a plane that is tilted by atan(0.4), friction 0.5.
struct OnSlope {
    World world;
    BodyId box;

    OnSlope() : world(settings()) {
        const double along = 1 / std::sqrt(1 + 0.4 * 0.4);
        const Vec3d normal{-0.4 * along, 0, along};
        BodyDef ground;
        ground.type = BodyType::static_body;
        ground.shapes = {rough(PlaneDef{normal, 0})};
        world.add_body(ground).value();
        BodyDef body;
        body.position = normal * 0.5;
        body.orientation = from_rotation_vector(Vec3d{0, -std::atan(0.4), 0});
        body.shapes = {rough(BoxDef{{1, 1, 1}})};
        box = world.add_body(body).value();
        run_steps(world, 10);
    }
    static WorldSettings settings() {
        WorldSettings settings;
        settings.method = Method::faithful;
        return settings;
    }
    static ShapeDef rough(const ShapeGeometry& geometry) {
        ShapeDef shape;
        shape.geometry = geometry;
        shape.material.static_friction = shape.material.kinetic_friction = 0.5;
        return shape;
    }
    double speed_after(int steps) {
        run_steps(world, steps);
        return length(world.state(box).velocity);
    }
};

TEST(StillIslands, MoveAsSoonAsAnythingIsDifferent) {
    EXPECT_EQ(OnSlope().speed_after(10), 0);
    OnSlope smoother;
    Material material = OnSlope::rough(SphereDef{1}).material;
    material.static_friction = material.kinetic_friction = 0.2;
    smoother.world.set_material(smoother.world.shapes(smoother.box)[0], material);
    EXPECT_GT(smoother.speed_after(10), 0.01);
    OnSlope pushed;
    pushed.world.apply_force(pushed.box, {-20000, 0, 0});
    EXPECT_GT(pushed.speed_after(1), 0.01);
    OnSlope lighter;
    WorldSettings settings = lighter.world.settings();
    settings.gravity = {9.81, 0, 0};
    lighter.world.set_settings(settings);
    EXPECT_GT(lighter.speed_after(10), 0.01);
}

TEST(StillIslands, AreTheSameAfterASnapshot) {
    OnSlope first, second;
    const Snapshot snapshot = first.world.snapshot();
    first.speed_after(5);
    second.world.restore(snapshot);
    second.speed_after(5);
    EXPECT_EQ(first.world.state_hash(), second.world.state_hash());
    EXPECT_EQ(first.world.contacts().size(), 4u);
    EXPECT_EQ(second.world.contacts().size(), 4u);
}

} // namespace
} // namespace rigor::test
