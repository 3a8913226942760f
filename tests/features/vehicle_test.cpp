// Vehicles: their closed forms, where they drive, and what they refuse.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "features/test_car.h"
#include "rigor/simulation.h"
#include "test_support.h"

namespace rigor::test {
namespace {

constexpr double kPi = 3.14159265358979323846;

/// A gearless engine that stops at a wheel speed of 150 rad/s.
EngineDef strong_engine(double torque) {
    EngineDef engine = constant_engine(torque);
    engine.redline_rpm = 150 * 30 / kPi;
    return engine;
}

CarOptions four_wheel_drive(double torque, bool rays = false) {
    CarOptions options{.rays = rays, .front_driven = true};
    options.change = [torque](VehicleDef& def) { def.engine = strong_engine(torque); };
    return options;
}

// Of its formula, by hand: C = 10 N, N = 1000, mu = 0.5; psi = C s/(3 mu) per load.
TEST(BrushTire, HasTheForceOfItsFormula) {
    TireDef tire{.longitudinal_stiffness = 10, .lateral_stiffness = 10};
    EXPECT_NEAR(brush_tire_force(tire, -1e-6, 0, 0.5, 1000).x, 0.01, 1e-6) << "stiffness at 0";
    const double s = 0.03, psi = 10 * s / 1.5;
    const double expected = 500 * (3 * psi - 3 * psi * psi + psi * psi * psi);
    EXPECT_NEAR(brush_tire_force(tire, 0, s, 0.5, 1000).y, -expected, 1e-9);
    EXPECT_NEAR(brush_tire_force(tire, 2, 0, 0.5, 1000).x, -500, 1e-9) << "all of it slides";
    const TireForce both = brush_tire_force(tire, -0.6, 0.8, 0.5, 1000);
    EXPECT_NEAR(both.x, 300, 1e-9);
    EXPECT_NEAR(both.y, -400, 1e-9);
}

// Friction opposes the slip, and never exceeds mu N, whatever the stiffnesses.
TEST(BrushTire, NeverDrivesAndStaysInTheFrictionCircle) {
    const TireDef tire{.longitudinal_stiffness = 30, .lateral_stiffness = 8};
    for (double sx = -1; sx <= 1; sx += 0.0625)
        for (double sy = -1; sy <= 1; sy += 0.0625) {
            const TireForce f = brush_tire_force(tire, sx, sy, 0.9, 1000);
            EXPECT_LE(std::hypot(f.x, f.y), 900 * (1 + 1e-12)) << sx << " " << sy;
            EXPECT_LE(f.x * sx + f.y * sy, 0) << sx << " " << sy;
        }
}

class BothVariants : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Vehicle, BothVariants, testing::Bool(),
                         [](const auto& rays) { return rays.param ? "Rays" : "Bodies"; });

TEST_P(BothVariants, StandsAsItWasBuilt) {
    Car car({.rays = GetParam()});
    car.run(3, {});
    EXPECT_NEAR(car.body().position.z, 0.55, 2e-3);
    EXPECT_LT(length(car.body().velocity), 1e-4);
    double load = 0;
    for (std::size_t i = 0; i < 4; ++i) load += car.wheel_state(i).load;
    EXPECT_NEAR(load, car.total_mass() * kGravity, 1e-3 * load);
}

TEST_P(BothVariants, AcceleratesAsTheEngineSays) {
    Car car(four_wheel_drive(800, GetParam()));
    car.run(1, {});
    car.run(1, {.throttle = 1});
    const double v = car.speed();
    car.run(1, {.throttle = 1});
    const double expected = 800 / 0.3 / (car.total_mass() + 4 * car.wheel_inertia() / (0.3 * 0.3));
    EXPECT_NEAR(car.speed() - v, expected, 0.01 * expected);
}

// All wheels spin: whatever the loads, the sum of friction is mu m g.
TEST_P(BothVariants, AcceleratesNoFasterThanFriction) {
    Car car(four_wheel_drive(8000, GetParam()));
    car.run(1, {});
    car.run(0.5, {.throttle = 1});
    const double v = car.speed();
    car.run(1, {.throttle = 1});
    EXPECT_NEAR(car.speed() - v, 0.8 * kGravity, 0.01 * 0.8 * kGravity);
}

TEST_P(BothVariants, BrakesOverTheDistanceOfFriction) {
    Car car({.rays = GetParam()});
    car.set_speed(25);
    car.run(1, {});
    const double v = car.speed(), from = car.body().position.x;
    car.run(5, {.brake = 1});
    const double expected = v * v / (2 * 0.8 * kGravity);
    EXPECT_NEAR(car.body().position.x - from, expected, 0.02 * expected);
    EXPECT_LT(std::abs(car.speed()), 1e-3);
}

TEST_P(BothVariants, StandsOnASlopeWithItsBrakes) {
    Car car({.slope = 0.3, .rays = GetParam()});
    car.run(3, {.brake = 1});
    const Vec3d from = car.body().position;
    car.run(10, {.brake = 1});
    EXPECT_LT(length(car.body().position - from), 1e-5);
    car.run(1, {});
    EXPECT_LT(car.speed(), -1) << "without them it rolls";
}

// The hand brake holds the rear wheels alone; on a slope that is too steep for them it slides.
TEST_P(BothVariants, HandBrakeHoldsWhatTwoWheelsCan) {
    Car holds({.slope = 0.2, .rays = GetParam()});
    holds.run(3, {.hand_brake = true});
    const Vec3d from = holds.body().position;
    holds.run(5, {.hand_brake = true});
    EXPECT_LT(length(holds.body().position - from), 1e-4);
    Car slides({.friction = 0.4, .slope = 0.3, .rays = GetParam()});
    slides.run(3, {.hand_brake = true});
    EXPECT_LT(slides.speed(), -0.5);
}

TEST_P(BothVariants, ReversesAndSteers) {
    Car car(four_wheel_drive(1000, GetParam()));
    car.run(0.5, {});
    car.run(2, {.throttle = 0.5, .steer = 1, .gear = -1});
    EXPECT_LT(car.speed(), -1);
    EXPECT_LT(car.body().angular_velocity.z, -0.1) << "to the left and back turns clockwise";
    EXPECT_NEAR(car.vehicle().state().steer, 0.5, 1e-12);
    EXPECT_GT(car.wheel_state(0).steer, car.wheel_state(1).steer) << "the inner wheel turns more";
}

TEST_P(BothVariants, TakesThrottleAndBrakesWithoutPushingTheWorld) {
    // Without a ground that could push, momentum stays what it is.
    CarOptions options = four_wheel_drive(500, GetParam());
    options.lift = 50;
    Car car(options);
    car.run(1, {.throttle = 1});
    EXPECT_NEAR(car.momentum({1, 0, 0}), 0, 1e-2 * car.total_mass());
    EXPECT_GT(car.wheel_state(0).spin, 50);
}

TEST_P(BothVariants, PushesWhatItStandsOn) {
    // A heavy plate on ice: all momentum that the car gains, the plate loses.
    CarOptions options = four_wheel_drive(800, GetParam());
    BodyId plate;
    options.lift = 0.2;
    options.build = [&](World& world) {
        BodyDef ice{.type = BodyType::static_body, .shapes = {{PlaneDef{{0, 0, 1}, 0}}}};
        ice.shapes[0].material.static_friction = ice.shapes[0].material.kinetic_friction = 0;
        world.add_body(ice).value();
        BodyDef def{.position = {0, 0, 0.1}, .shapes = {{BoxDef{{20, 6, 0.2}}}}, .mass = 4000};
        plate = world.add_body(def).value();
    };
    Car car(options);
    car.run(1, {});
    car.run(1, {.throttle = 1});
    const double gained = car.momentum({1, 0, 0});
    EXPECT_GT(gained, 1000);
    EXPECT_NEAR(4000 * car.world().state(plate).velocity.x, -gained, 0.02 * gained);
}

TEST_P(BothVariants, HalfTheStepHalvesTheError) {
    const auto error = [&](double dt) {
        CarOptions options = four_wheel_drive(800, GetParam());
        options.dt = dt;
        Car car(options);
        car.run(1, {});
        car.run(2, {.throttle = 1});
        car.run(3, {.brake = 0.3, .steer = 0.3});
        return car.body().position;
    };
    const Vec3d a = error(1.0 / 60), b = error(1.0 / 120), c = error(1.0 / 240);
    EXPECT_LT(length(b - c), 0.7 * length(a - b));
}

TEST_P(BothVariants, ACopyGoesOnAsTheOriginal) {
    Car car(four_wheel_drive(2000, GetParam()));
    car.run(1, {.throttle = 1, .steer = 0.3});
    const Snapshot world = car.world().snapshot();
    const Vehicle copy = car.vehicle();
    car.run(1, {.throttle = 1, .steer = -0.5});
    const std::uint64_t hash = car.world().state_hash();
    car.world().restore(world);
    car.vehicle() = copy;
    car.run(1, {.throttle = 1, .steer = -0.5});
    EXPECT_EQ(car.world().state_hash(), hash);
}

// Tires, engine and suspension work by their own forces, and nothing is left: 0.3 % of their work
// was, since their forces counted where impulses of joints and contacts displaced the bodies.
TEST_P(BothVariants, AllItsWorkIsAccounted) {
    Car car(four_wheel_drive(800, GetParam()));
    car.run(1, {});
    car.run(2, {.throttle = 1});
    car.run(1, {.throttle = 0.3, .steer = 0.1});
    const Ledger ledger = car.world().ledger();
    const double moved = std::abs(ledger.forces) + std::abs(ledger.joints);
    EXPECT_GT(moved, 1e4);
    EXPECT_LT(std::abs(ledger.remainder), 5e-4 * moved);
}

TEST_P(BothVariants, SleepsWhenParked) {
    Car car({.rays = GetParam()});
    WorldSettings settings = car.world().settings();
    settings.may_sleep = true;
    car.world().set_settings(settings);
    car.run(10, {.hand_brake = true});
    EXPECT_EQ(car.world().awake_count(), 0u);
    EXPECT_NEAR(car.body().position.z, 0.55, 2e-3);
}

TEST(Vehicle, ShiftsUpAndDown) {
    CarOptions options{.friction = 1.2};
    options.change = [](VehicleDef& def) {
        def.engine = EngineDef{.torque = {{1000, 200}, {4000, 250}, {6000, 200}},
                               .redline_rpm = 6000,
                               .gears = {3.5, 2, 1.4, 1},
                               .reverse = 3.5,
                               .final_drive = 4};
    };
    Car car(options);
    car.run(0.5, {});
    int highest = 0;
    for (int i = 0; i < 30; ++i) {
        car.run(0.5, {.throttle = 1});
        EXPECT_GE(car.vehicle().state().gear, highest) << "it does not hunt";
        highest = std::max(highest, car.vehicle().state().gear);
        EXPECT_LT(car.vehicle().state().rpm, 6100);
    }
    EXPECT_EQ(highest, 4);
    car.run(8, {.brake = 0.5});
    EXPECT_EQ(car.vehicle().state().gear, 1);
    EXPECT_DOUBLE_EQ(car.vehicle().state().rpm, 900);
}

TEST(Vehicle, LandsAfterAJump) {
    Car car({.lift = 1.5});
    car.set_speed(15);
    car.run(5, {});
    EXPECT_NEAR(car.body().position.z, 0.55, 5e-3);
    EXPECT_GT(rotate(car.body().orientation, Vec3d{0, 0, 1}).z, 0.999);
    EXPECT_GT(car.speed(), 10);
}

// A tall car on tires that hold: it rolls over where a low one drives round.
TEST(Vehicle, RollsOverWhenItIsTall) {
    const auto upright = [](double height) {
        Car car({.friction = 1.2, .height = height});
        car.set_speed(18);
        car.run(0.2, {});
        car.run(4, {.steer = 0.5});
        return rotate(car.body().orientation, Vec3d{0, 0, 1}).z;
    };
    EXPECT_GT(upright(0.45), 0.95);
    EXPECT_LT(upright(1.6), 0.3);
}

TEST(Vehicle, DrivesOverRampsMeshesAndHeightFields) {
    for (const bool rays : {false, true}) {
        CarOptions options = four_wheel_drive(1500, rays);
        options.lift = 0.3;
        options.build = [](World& world) {
            HeightFieldDef hills{
                .size_x = 120, .size_y = 20, .columns = 121, .rows = 21, .heights = {}};
            for (int row = 0; row < 21; ++row)
                for (int column = 0; column < 121; ++column)
                    hills.heights.push_back(
                        column < 60 ? 0 : 0.15 * (1 - std::cos(0.4 * (column - 60))));
            BodyDef ground{.type = BodyType::static_body, .shapes = {{hills}}};
            ground.shapes[0].material.static_friction = 0.8;
            ground.shapes[0].material.kinetic_friction = 0.8;
            world.add_body(ground).value();
            BodyDef ramp{.type = BodyType::static_body,
                         .position = {8, 0, -0.05},
                         .orientation = from_axis_angle(Vec3d{0, -1, 0}, 0.1),
                         .shapes = {{BoxDef{{6, 8, 0.5}}}}};
            world.add_body(ramp).value();
        };
        Car car(options);
        car.run(1, {});
        car.run(9, {.throttle = 0.35});
        EXPECT_GT(car.body().position.x, 30) << rays;
        EXPECT_GT(rotate(car.body().orientation, Vec3d{0, 0, 1}).z, 0.9) << rays;
        EXPECT_LT(std::abs(car.body().position.y), 1) << rays;
    }
}

TEST(Vehicle, GoesOnWithoutWhatWasRemoved) {
    Car car(four_wheel_drive(500));
    car.run(1, {.throttle = 1});
    car.world().remove_body(car.wheel(0));
    car.run(1, {.throttle = 1, .steer = 0.2});
    car.world().remove_joint(car.vehicle().def().wheels[3].joint);
    car.run(1, {.brake = 1});
    car.world().remove_body(car.chassis());
    car.run(1, {.throttle = 1});
    EXPECT_EQ(car.world().body_count(), 4u) << "the ground and three wheels";
}

// The same laws under the event-driven method, whose contacts and joints are exact.
TEST(Vehicle, DrivesUnderFaithful) {
    for (const bool rays : {false, true}) {
        CarOptions options = four_wheel_drive(800, rays);
        options.method = Method::faithful;
        Car car(options);
        car.run(0.5, {.throttle = 1});
        const double v = car.speed();
        car.run(0.5, {.throttle = 1});
        const double expected =
            0.5 * 800 / 0.3 / (car.total_mass() + 4 * car.wheel_inertia() / (0.3 * 0.3));
        EXPECT_NEAR(car.speed() - v, expected, 0.01 * expected) << rays;
        car.run(2, {.brake = 1});
        EXPECT_LT(std::abs(car.speed()), 0.02) << rays;
    }
}

TEST(Vehicle, IsRefusedByMethodsThatReportNoContacts) {
    EXPECT_THROW(Car({.method = Method::baber2011}), UsageError);
    Car rays({.method = Method::baber2011, .rays = true});
    rays.run(0.5, {});
    EXPECT_NEAR(rays.body().position.z, 0.55, 1e-3);
}

TEST(Vehicle, RefusesWhatCannotBe) {
    Car car({});
    const auto refusal = [&](const std::function<void(VehicleDef&)>& change) {
        VehicleDef def = car.vehicle().def();
        change(def);
        const Result<Vehicle> made = Vehicle::make(car.world(), def);
        return made.ok() ? std::string() : to_string(made.error());
    };
    EXPECT_EQ(refusal([](VehicleDef&) {}), "");
    EXPECT_EQ(refusal([](VehicleDef& d) { d.wheels[2] = d.wheels[1]; }),
              "wheels[2]: is wheels[1] again");
    EXPECT_EQ(refusal([](VehicleDef& d) { d.wheels.clear(); }),
              "wheels: must have at least one wheel");
    EXPECT_EQ(refusal([](VehicleDef& d) { d.wheels[0].joint = {}; }),
              "wheels[0].joint: must be a wheel joint between the chassis and the wheel");
    EXPECT_EQ(refusal([](VehicleDef& d) { d.tire.friction = -1; }),
              "tire.friction: must be at least 0 and at most 1e+300, got -1");
    EXPECT_EQ(refusal([](VehicleDef& d) { d.engine = EngineDef{}; }),
              "engine.torque: must have at least one point");
    EXPECT_EQ(refusal([](VehicleDef& d) {
                  d.engine = constant_engine(1);
                  d.engine->gears = {1, 2};
              }),
              "engine.gears: must be positive and descending");
    EXPECT_THROW(car.vehicle().set_input({.throttle = 1.5}), UsageError);
    EXPECT_THROW(car.vehicle().set_input({.gear = 2}), UsageError);
    EXPECT_THROW(car.vehicle().set_input({.steer = std::nan("")}), UsageError);
}

/// The sideways acceleration at which the inner wheels of a tall car carry nothing. Gravity is
/// tilted slowly, as in a circle that gets tighter, and two loads before tell when it comes.
double lift_acceleration(Car& car) {
    const double level[2] = {0.1, 0.03};
    double at[2]{}, load[2]{}, a = 0;
    car.run(1, {.brake = 1});
    for (int k = 0; k < 2; ++k) {
        do {
            a += 0.25 / 60;
            WorldSettings settings = car.world().settings();
            settings.gravity.y = -a;
            car.world().set_settings(settings);
            car.step();
            load[k] = (car.wheel_state(0).load + car.wheel_state(2).load) /
                      (0.5 * car.total_mass() * kGravity);
        } while (load[k] > level[k] && a < 10);
        at[k] = a;
    }
    return at[1] + (at[1] - at[0]) * load[1] / (load[0] - load[1]);
}

// When the inner wheels carry nothing, the outer ones carry N = m g/2 each. A tire gives by k on
// each edge, as a car at rest tells, and leans onto its outer edge; validation/vehicle.cpp derives
//
//     a = g (track/2 + offset - h lean)/h ,   offset = b/2 min(1, k b lean/N) .
TEST(Vehicle, RollsOverOnTheOuterEdgesOfItsTires) {
    for (const double width : {0.01, 0.1, 0.2, 0.3}) {
        CarOptions options{.friction = 1.2, .height = 1.5, .width = width};
        options.change = [](VehicleDef& def) { def.suspension = {5, 0.4}; };
        Car car(options);
        car.run(1, {.brake = 1});
        const double w = 2 * kPi * 5, h = car.center_height(), m = car.total_mass();
        const double springs = 2 * kGravity * m / options.mass / (w * w);
        const double sunk = 4 * (options.radius - car.world().state(car.wheel(0)).position.z);
        double lean = (springs + sunk / 2) / (options.track - width / 2); // sunk is N/k
        if (width * lean > sunk) lean = (springs + sunk) / options.track;
        const double offset = width / 2 * std::min(1.0, width * lean / sunk);
        const double expected = kGravity * (options.track / 2 + offset - h * lean) / h;
        EXPECT_NEAR(lift_acceleration(car) / expected, 1, 0.02) << width;
    }
}

std::string warnings_of_rays(double frequency, double damping, double time_step) {
    const std::string text =
        R"({ "rigor": 1, "time_step": )" + std::to_string(time_step) +
        R"(, "bodies": [ { "type": "static", "shapes": [ { "type": "plane", "normal": [0, 0, 1] } ] } ],
        "generate": [ { "pattern": "vehicle", "name": "car", "ray_cast": true, "wheels": [[1, 0.5], [1, -0.5], [-1, 0.5], [-1, -0.5]],
          "suspension": { "frequency_hz": )" +
        std::to_string(frequency) + R"(, "damping_ratio": )" + std::to_string(damping) + R"( },
          "wheel": { "shapes": [ { "type": "sphere", "radius": 0.3 } ] },
          "body": { "shapes": [ { "type": "box", "size": [2, 1, 0.4] } ] } } ] })";
    const Simulation made = Simulation::make(parse_scene(text, "scene.json").value()).value();
    std::string all;
    for (const std::string& warning : made.warnings()) all += warning;
    return all;
}

TEST(Vehicle, RaysThatSoftenTheSuspensionSaySo) {
    EXPECT_EQ(warnings_of_rays(5, 0.3, 1.0 / 60), "");
    EXPECT_EQ(warnings_of_rays(12, 0.3, 1.0 / 240), "");
    EXPECT_EQ(warnings_of_rays(12, 0.3, 0.02),
              "vehicle \"car\": suspension.frequency_hz 12 is lowered to 4.77465 by ray_cast at a "
              "time_step of 0.02 s; a smaller step or wheel bodies keep it");
    EXPECT_THAT(warnings_of_rays(4, 3, 0.02), testing::HasSubstr("suspension.damping_ratio 3 is"));
}

} // namespace
} // namespace rigor::test
