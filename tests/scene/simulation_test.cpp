// Scenes in motion: the scene's loads and drivers act on the world made from it.

#include "rigor/simulation.h"

#include "test_support.h"

namespace rigor {
namespace {

Simulation simulate(const std::string& text) {
    return Simulation::make(parse_scene(text, "test.json").value()).value();
}

std::string scene(const std::string& rest) {
    return R"({ "rigor": 1, "name": "test", "method": "free", "gravity": [0, 0, 0], "bodies": [
      { "name": "box", "type": "dynamic", "mass": 2,
        "shapes": [ { "type": "box", "size": [1, 1, 1] } ] } ], )" +
           rest + "}";
}

Vec3d velocity_after(Simulation& simulation, int steps, double dt) {
    for (int i = 0; i < steps; ++i) simulation.step(dt);
    return simulation.world().state(simulation.body(0)).velocity;
}

// F t / m, whatever the step: a load that begins or ends within a step acts for its share of it.
TEST(Simulation, ALoadActsFromItsBeginningToItsEnd) {
    for (const double dt : {0.01, 0.07, 0.5}) {
        Simulation s = simulate(scene(
            R"("forces": [ { "body": "box", "force": [4, 0, 0], "from": 0.25, "to": 1.5 } ])"));
        const Vec3d v = velocity_after(s, static_cast<int>(std::ceil(2 / dt)), dt);
        EXPECT_NEAR(v.x, 4 * 1.25 / 2, 1e-12) << dt;
    }
}

// A torque that is a number is the same at every speed, with no redline: T i / r moves the mass and
// the spin of the wheels, m + 4 I / r^2.
TEST(Simulation, AnEngineOfConstantTorqueNeedsNoRedline) {
    Simulation s = simulate(R"({ "rigor": 1, "name": "test", "bodies": [ { "type": "static",
        "shapes": [ { "type": "plane", "normal": [0, 0, 1], "offset": 0, "friction": 1 } ] } ],
      "generate": [ { "pattern": "vehicle", "driven": [2, 3], "engine": { "torque": 100, "gears": [3] },
        "wheels": [[1.3, 0.78], [1.3, -0.78], [-1.3, 0.78], [-1.3, -0.78]],
        "wheel": { "mass": 18, "orientation": { "axis": [1, 0, 0], "angle_deg": 90 }, "shapes": [
          { "type": "cylinder", "radius": 0.34, "height": 0.22, "friction": 1 } ] },
        "body": { "mass": 1200, "shapes": [ { "type": "box", "size": [4, 1.7, 0.5] } ] },
        "drive": [ { "t": 0, "throttle": 1 } ] } ] })");
    const auto speed_after = [&](int steps) {
        for (int i = 0; i < steps; ++i) s.step(1.0 / 60);
        return s.world().state(s.body(1)).velocity.x;
    };
    const double start = speed_after(120), end = speed_after(240);
    const double expected = 100 * 3 / 0.34 / (1200 + 4 * 18 + 4 * 0.5 * 18);
    EXPECT_NEAR((end - start) / 4, expected, 0.02 * expected);
}

TEST(Simulation, AnAccelerationActsOnAnyMassAlike) {
    Simulation s = simulate(scene(R"("forces": [ { "body": "box", "acceleration": [0, 3, 0] } ])"));
    EXPECT_NEAR(velocity_after(s, 10, 0.1).y, 3, 1e-12);
}

// A force at a corner turns the box too: its torque is arm times force, and the arm turns with
// the body.
TEST(Simulation, AForceAtAPointOfTheBodyTurnsIt) {
    Simulation s = simulate(scene(
        R"("forces": [ { "body": "box", "force": [0, 1, 0], "point": [0.5, 0, 0], "to": 0.001 } ])"));
    s.step(0.001);
    const BodyState state = s.world().state(s.body(0));
    EXPECT_NEAR(state.velocity.y, 0.001 / 2, 1e-15);
    EXPECT_NEAR(state.angular_velocity.z, 0.5 * 0.001 / (2.0 / 6), 1e-15);
}

TEST(Simulation, ATorqueTurnsWithoutMoving) {
    Simulation s = simulate(scene(R"("forces": [ { "body": "box", "torque": [0, 0, 1] } ])"));
    EXPECT_EQ(velocity_after(s, 10, 0.1), Vec3d{});
    EXPECT_NEAR(s.world().state(s.body(0)).angular_velocity.z, 1 / (2.0 / 6), 1e-12);
}

// Keyframes are met at their times, between them the way is straight and the turn even, and
// with `loop` it starts again.
TEST(Simulation, AKeyframedBodyIsWhereItsKeyframesSay) {
    for (const bool loop : {false, true}) {
        Simulation s = simulate(std::string(R"({ "rigor": 1, "name": "lift", "bodies": [
          { "name": "lift", "type": "kinematic", "shapes": [ { "type": "box", "size": [1, 1, 1] } ],
            "driver": { "keyframes": [ [0, [0, 0, 0.5], [1, 0, 0, 0]],
                                       [1, [0, 0, 2], { "axis": [0, 0, 1], "angle_deg": 90 }],
                                       [2, [0, 0, 0], [1, 0, 0, 0]] ], "loop": )") +
                                (loop ? "true" : "false") + "} } ] }");
        const BodyId id = s.body(0);
        EXPECT_EQ(s.world().pose(id).p, (Vec3d{0, 0, 0.5}));
        for (int i = 0; i < 50; ++i) s.step(0.01);
        EXPECT_NEAR(s.world().pose(id).p.z, 1.25, 1e-12);
        EXPECT_NEAR(to_rotation_vector(s.world().pose(id).q).z, 1.5707963267948966 / 2, 1e-12);
        EXPECT_NEAR(s.world().state(id).velocity.z, 1.5, 1e-9);
        for (int i = 0; i < 50; ++i) s.step(0.01);
        EXPECT_NEAR(s.world().pose(id).p.z, 2, 1e-12);
        for (int i = 0; i < 150; ++i) s.step(0.01);
        EXPECT_NEAR(s.world().pose(id).p.z, loop ? 1.25 : 0, 1e-9);
    }
}

TEST(Simulation, WhatCannotBeBuiltIsNamed) {
    Scene flat = parse_scene(scene("\"about\": \"\""), "test.json").value();
    flat.bodies[0].def.shapes[0].geometry =
        HullDef{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 1e-15}}};
    const Result<Simulation> made = Simulation::make(flat);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().where.rfind("body \"box\", shapes[0]", 0), 0u) << made.error().where;
}

TEST(Simulation, SettingsOfTheSceneReachTheWorld) {
    const Simulation s =
        simulate(scene(R"("settings": { "integrator": "rk4", "substeps": 3 }, "time_step": 0.02)"));
    EXPECT_EQ(s.world().settings().integrator, Integrator::rk4);
    EXPECT_EQ(s.world().settings().substeps, 3);
    EXPECT_EQ(s.scene().time_step, 0.02);
    EXPECT_EQ(s.method(), "free");
    EXPECT_TRUE(s.warnings().empty());
}

} // namespace
} // namespace rigor
