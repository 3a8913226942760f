// Events, contact views and hooks; and what materials do beyond friction and restitution.

#include <cmath>

#include "fast_settings.h"
#include "rigor/rotation.h"
#include "rigor/world.h"
#include "test_support.h"

namespace rigor::test {
namespace {

constexpr double kG = 9.81;

class Contacts : public testing::Test {
  protected:
    BodyId add(const BodyDef& def) { return world.add_body(def).value(); }
    BodyId floor(const Material& material = {}) {
        BodyDef slab = body(BoxDef{{100, 100, 2}}, {0, 0, -1}, BodyType::static_body);
        slab.shapes[0].material = material;
        return add(slab);
    }
    /// Steps, and calls see(events) after each.
    template <class See>
    void run(double seconds, const See& see) {
        for (int i = 0; i < step_count(seconds); ++i) {
            world.step(kStep);
            see(world.events());
        }
    }
    void run(double seconds) {
        run(seconds, [](const Events&) {});
    }

    World world{fast_settings()};
};

TEST_F(Contacts, ADroppedBallBeginsHitsAndEnds) {
    const BodyId ground = floor();
    BodyDef ball = body(SphereDef{0.5}, {0, 0, 2.5});
    ball.shapes[0].material.restitution = 0.8;
    const BodyId id = add(ball);
    const double mass = world.mass_properties(id).mass;
    int begun = 0, ended = 0;
    std::vector<ContactHit> hits;
    run(1.2, [&](const Events& events) {
        for (const ContactPairEvent& change : events.begun) {
            ++begun;
            EXPECT_EQ(change.a.body, ground);
            EXPECT_EQ(change.b.body, id);
        }
        ended += static_cast<int>(events.ended.size());
        hits.insert(hits.end(), events.hits.begin(), events.hits.end());
    });
    EXPECT_EQ(begun, 1);
    EXPECT_EQ(ended, 1);
    ASSERT_EQ(hits.size(), 1u);
    // It falls two meters, and is thrown back with 0.8 of its speed.
    const double speed = std::sqrt(2 * kG * 2);
    EXPECT_NEAR(hits[0].speed, speed, 0.05);
    EXPECT_NEAR(hits[0].impulse, 1.8 * mass * speed, 0.03 * mass * speed);
    EXPECT_NEAR(hits[0].normal.z, 1, 1e-6);
    EXPECT_NEAR(hits[0].point.z, 0, 0.1);
}

TEST_F(Contacts, ARestingBoxTouchesOnceAndCarriesItsWeight) {
    const BodyId ground = floor();
    const BodyId box = add(body(BoxDef{{1, 1, 1}}, {0, 0, 0.5}));
    int begun = 0, ended = 0, hits = 0;
    run(5, [&](const Events& events) {
        begun += static_cast<int>(events.begun.size());
        ended += static_cast<int>(events.ended.size());
        hits += static_cast<int>(events.hits.size());
    });
    EXPECT_EQ(begun, 1);
    EXPECT_EQ(ended + hits, 0);
    const std::vector<ContactView> contacts = world.contacts(box);
    ASSERT_EQ(contacts.size(), 1u);
    EXPECT_EQ(contacts[0].a.body, ground);
    ASSERT_EQ(contacts[0].count, 4);
    double sum = 0;
    for (const ContactPointView& point : contacts[0].points) {
        EXPECT_NEAR(point.impulse, 1000 * kG * kStep / 4, 1); // evenly
        sum += point.impulse;
    }
    EXPECT_NEAR(sum, 1000 * kG * kStep, 0.1);
}

TEST_F(Contacts, FrictionOnASlopeIsTheWeightAlongIt) {
    const double angle = 0.2;
    BodyDef slope = body(BoxDef{{50, 50, 2}}, {0, 0, 0}, BodyType::static_body);
    slope.orientation = from_axis_angle(Vec3d{0, 1, 0}, angle); // down along +x
    add(slope);
    BodyDef box = body(BoxDef{{1, 1, 1}}, rotate(slope.orientation, Vec3d{0, 0, 1.5}));
    box.orientation = slope.orientation;
    const BodyId id = add(box);
    run(2);
    const ContactView contact = world.contacts(id).at(0);
    EXPECT_NEAR(length(contact.friction), 1000 * kG * std::sin(angle) * kStep, 0.5);
    EXPECT_LT(contact.friction.x, 0); // uphill, on the box
}

TEST_F(Contacts, SensorsSeeWhatPassesAndStopNothing) {
    BodyDef gate = body(BoxDef{{1, 4, 4}}, {0, 0, 0}, BodyType::static_body);
    gate.shapes[0].sensor = true;
    const BodyId sensor = add(gate);
    BodyDef ball = body(SphereDef{0.2}, {-3, 0, 0});
    ball.velocity = {4, 0, 0};
    ball.gravity_scale = 0;
    const BodyId id = add(ball);
    double entered = 0, left = 0;
    run(2, [&](const Events& events) {
        for (const SensorEvent& change : events.entered) {
            EXPECT_EQ(change.sensor.body, sensor);
            EXPECT_EQ(change.visitor.body, id);
            entered = world.state(id).position.x;
        }
        if (!events.left.empty()) left = world.state(id).position.x;
    });
    EXPECT_NEAR(entered, -0.7, 0.15);
    EXPECT_NEAR(left, 0.7, 0.15);
    EXPECT_DOUBLE_EQ(world.state(id).velocity.x, 4);
}

TEST_F(Contacts, SensorsSeeSleepersStaticsAndWhoIsRemoved) {
    WorldSettings settings = world.settings();
    settings.may_sleep = true;
    world.set_settings(settings);
    const BodyId ground = floor();
    const BodyId box = add(body(BoxDef{{1, 1, 1}}, {0, 0, 0.5}));
    run(2);
    ASSERT_FALSE(world.is_awake(box));
    BodyDef probe = body(BoxDef{{1, 1, 3}}, {0, 0, 0.5}, BodyType::kinematic_body);
    probe.shapes[0].sensor = true;
    const BodyId sensor = add(probe);
    world.step(kStep);
    EXPECT_EQ(world.events().entered.size(), 2u); // the floor and the sleeper
    EXPECT_FALSE(world.is_awake(box));
    world.remove_body(box);
    world.step(kStep);
    ASSERT_EQ(world.events().left.size(), 1u);
    EXPECT_EQ(world.events().left[0].sensor.body, sensor);
    EXPECT_EQ(world.events().left[0].visitor.body, box);
    world.set_velocity(sensor, {0, 0, 60});
    run(0.2);
    (void)ground;
}

TEST_F(Contacts, RemovingABodyEndsItsTouch) {
    floor();
    const BodyId box = add(body(BoxDef{{1, 1, 1}}, {0, 0, 0.5}));
    run(0.5);
    world.remove_body(box);
    world.step(kStep);
    ASSERT_EQ(world.events().ended.size(), 1u);
    EXPECT_EQ(world.events().ended[0].b.body, box);
}

TEST_F(Contacts, SleepAndWakeAndBreakAreTold) {
    WorldSettings settings = world.settings();
    settings.may_sleep = true;
    world.set_settings(settings);
    floor();
    const BodyId box = add(body(BoxDef{{1, 1, 1}}, {0, 0, 0.5}));
    std::vector<BodyId> slept, woken;
    std::size_t moved = 0;
    const auto see = [&](const Events& events) {
        slept.insert(slept.end(), events.slept.begin(), events.slept.end());
        woken.insert(woken.end(), events.woken.begin(), events.woken.end());
        moved += events.moved.size();
    };
    run(2, see);
    EXPECT_EQ(slept, std::vector{box});
    EXPECT_LT(moved, 60u);
    world.apply_impulse_at(box, {10, 0, 0}, {0, 0, 0.5});
    run(kStep, see);
    EXPECT_EQ(woken, std::vector{box});
}

TEST_F(Contacts, AFilterLetsThemThrough) {
    const BodyId ground = floor();
    const BodyId falls = add(body(SphereDef{0.5}, {0, 0, 1})),
                 stays = add(body(SphereDef{0.5}, {5, 0, 1}));
    ContactHooks hooks;
    hooks.filter = [&](const ContactSide& a, const ContactSide& b) {
        return !(a.body == ground && b.body == falls);
    };
    world.set_contact_hooks(hooks);
    run(1);
    EXPECT_LT(world.state(falls).position.z, -2);
    EXPECT_NEAR(world.state(stays).position.z, 0.5, 0.01);
}

TEST_F(Contacts, AOneWayPlatformIsPassedFromBelow) {
    const BodyId platform = add(body(BoxDef{{4, 4, 0.2}}, {0, 0, 2}, BodyType::static_body));
    BodyDef ball = body(SphereDef{0.3}, {0, 0, 1});
    ball.velocity = {0, 0, 8};
    const BodyId id = add(ball);
    ContactHooks hooks;
    hooks.modify = [&](const ContactView& contact, ContactChoice& choice) {
        // The normal points from the platform to the ball: only what comes from above is held.
        if (contact.a.body == platform)
            choice.enabled = contact.normal.z > 0.5 && contact.points[0].separation > -0.05;
    };
    world.set_contact_hooks(hooks);
    double highest = 0;
    run(3, [&](const Events&) { highest = std::max(highest, world.state(id).position.z); });
    EXPECT_GT(highest, 3.5);
    EXPECT_NEAR(world.state(id).position.z, 2.4, 0.01); // and lies on it
}

TEST_F(Contacts, AConveyorTakesItsLoadAlong) {
    Material belt;
    belt.surface_velocity = {0, 2, 0};
    floor(belt);
    const BodyId box = add(body(BoxDef{{1, 1, 1}}, {0, 0, 0.5}));
    run(0.2); // still sliding: mu g t
    EXPECT_NEAR(world.state(box).velocity.y, 0.5 * kG * 0.2, 0.02);
    run(2);
    EXPECT_NEAR(world.state(box).velocity.y, 2, 1e-3);
    EXPECT_NEAR(world.state(box).velocity.x, 0, 1e-4);
}

TEST_F(Contacts, RollingResistanceStopsABall) {
    // The torque of a load off by a length d: v' = -(5/7) g d / r.
    Material rough;
    rough.rolling_resistance = 0.01;
    floor(rough);
    BodyDef ball = body(SphereDef{0.5}, {0, 0, 0.5});
    ball.velocity = {2, 0, 0};
    ball.angular_velocity = {0, 4, 0};
    const BodyId id = add(ball);
    run(1);
    EXPECT_NEAR(world.state(id).velocity.x, 2 - 5.0 / 7 * kG * 0.01 / 0.5, 0.01);
    run(15);
    EXPECT_LT(length(world.state(id).velocity), 1e-3);
}

TEST_F(Contacts, TorsionalFrictionStopsASpinningBall) {
    // A point has no lever of its own: mu_t N against (2/5) m r² w' .
    Material rough;
    rough.torsional_friction = 0.02;
    floor(rough);
    BodyDef ball = body(SphereDef{0.5}, {0, 0, 0.5});
    ball.angular_velocity = {0, 0, 3};
    const BodyId id = add(ball);
    run(0.5);
    EXPECT_NEAR(world.state(id).angular_velocity.z, 3 - 0.02 * kG / (0.4 * 0.25) * 0.5, 0.03);
}

TEST_F(Contacts, FrictionOfRestIsMoreThanOfMotion) {
    Material slippery;
    slippery.static_friction = 0.8;
    slippery.kinetic_friction = 0.2;
    floor(slippery);
    BodyDef resting = body(BoxDef{{1, 1, 1}}, {0, 0, 0.5});
    resting.shapes[0].material = slippery;
    BodyDef sliding = resting;
    sliding.position = {0, 10, 0.5};
    sliding.velocity = {3, 0, 0};
    const BodyId rests = add(resting), slides = add(sliding);
    for (int i = 0; i < 60; ++i) {
        world.apply_force(rests, {0.5 * 1000 * kG, 0, 0}); // less than 0.8, more than 0.2
        world.step(kStep);
    }
    EXPECT_LT(length(world.state(rests).velocity), 1e-3);
    EXPECT_NEAR(world.state(slides).velocity.x, 3 - 0.2 * kG, 0.02);
}

} // namespace
} // namespace rigor::test
