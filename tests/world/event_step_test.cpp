// What the steps of `faithful` and of the documents tell, and what they do with bodies that are
// nowhere.

#include <cmath>
#include <limits>

#include "rigor/world.h"
#include "test_support.h"

namespace rigor::test {
namespace {

constexpr double kStep = 1.0 / 60;

class EventStep : public testing::TestWithParam<Method> {
  protected:
    EventStep() : world(settings()) {}

    static WorldSettings settings() {
        WorldSettings settings;
        settings.method = GetParam();
        return settings;
    }
    BodyId add(const ShapeGeometry& geometry, const Vec3d& at,
               BodyType type = BodyType::dynamic_body, bool sensor = false) {
        BodyDef body;
        body.type = type;
        body.position = at;
        ShapeDef shape;
        shape.geometry = geometry;
        shape.sensor = sensor;
        shape.material.restitution = 0;
        body.shapes = {shape};
        return world.add_body(body).value();
    }

    World world;
};

std::string method_name(const testing::TestParamInfo<Method>& method) {
    return std::string(name(method.param));
}

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
    std::vector<SensorChange> entered, left;
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

} // namespace
} // namespace rigor::test
