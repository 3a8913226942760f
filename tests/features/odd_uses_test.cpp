// Features together, and in uses that no scene of the gallery has.
#include <cmath>

#include "rigor/simulation.h"
#include "test_support.h"

namespace rigor::test {
namespace {

Simulation simulation_of(const std::string& sections) {
    Result<Scene> scene = parse_scene("{ \"rigor\": 1, " + sections + " }", "scene.json");
    if (!scene) throw std::logic_error(to_string(scene.error()));
    Result<Simulation> made = Simulation::make(std::move(*scene));
    if (!made) throw std::logic_error(to_string(made.error()));
    return std::move(*made);
}

const std::string kFloor =
    R"({ "name": "floor", "type": "static", "shapes": [ { "type": "plane", "normal": [0, 0, 1] } ] })";

/// Steps, and sees that every step is finished, every body stays finite and none is quarantined.
std::size_t run(Simulation& simulation, int steps) {
    std::size_t breaks = 0;
    for (int i = 0; i < steps; ++i) {
        const StepReport report = simulation.step(1.0 / 60);
        EXPECT_TRUE(report.finished && report.quarantined.empty());
        breaks += simulation.fractures().size();
        for (const FractureEvent& event : simulation.fractures()) EXPECT_EQ(event.failure, "");
    }
    for (const BodyId id : simulation.bodies()) {
        const BodyState state = simulation.world().state(id);
        EXPECT_TRUE(is_finite(state.position) && is_finite(state.velocity));
    }
    return breaks;
}

double mass_of(const World& world) {
    double sum = 0;
    for (const BodyId id : world.bodies())
        if (world.type(id) == BodyType::dynamic_body) sum += world.mass_properties(id).mass;
    return sum;
}

std::string car(const std::string& wheels, double mass, const std::string& more = "") {
    return R"("bodies": [)" + kFloor + R"(], "generate": [ { "pattern": "vehicle", "name": "car",
        "wheels": )" +
           wheels + R"(, "driven": [0], "drive_force": )" + std::to_string(mass / 4) +
           R"(, "drive": [ { "t": 0.5, "throttle": 1 } ], "wheel": { "mass": )" +
           std::to_string(mass / 50) + R"(, "orientation": { "axis": [1, 0, 0], "angle_deg": 90 },
           "shapes": [ { "type": "cylinder", "radius": 0.3, "height": 0.2 } ] },
        "body": { "mass": )" +
           std::to_string(mass) + R"(, "shapes": [ { "type": "box", "size": [3, 1.5, 0.4] } ] })" +
           more + " } ]";
}

// A tricycle, a row of eight, and cars as light as a toy and as heavy as a ship drive off.
TEST(OddUses, VehiclesOfAnyMassAndWheelCountDrive) {
    const std::string four = "[[1.2, 0.8], [1.2, -0.8], [-1.2, 0.8], [-1.2, -0.8]]";
    const std::string three = "[[1.2, 0], [-1.2, 0.8], [-1.2, -0.8]]";
    const std::string eight =
        "[[1.8, 0.8], [1.8, -0.8], [0.6, 0.8], [0.6, -0.8], [-0.6, 0.8], [-0.6, -0.8], [-1.8, "
        "0.8], "
        "[-1.8, -0.8]]";
    for (const auto& [wheels, mass] :
         {std::pair{four, 0.5}, {four, 1e6}, {three, 500.0}, {eight, 9000.0}})
        for (const char* rays : {"", R"(, "ray_cast": true)"}) {
            SCOPED_TRACE(message(mass, " kg ", wheels.size(), rays));
            Simulation simulation = simulation_of(car(wheels, mass, rays));
            run(simulation, 150);
            const BodyState chassis = simulation.world().state(simulation.body(1));
            EXPECT_NEAR(chassis.position.z, 0.5, 0.1);
            EXPECT_GT(chassis.velocity.x, 0.3);
        }
}

// On one wheel it falls over, and goes on lying there.
TEST(OddUses, AVehicleOfOneWheelFallsOver) {
    Simulation simulation = simulation_of(car("[[0, 0.1]]", 100));
    run(simulation, 180);
    EXPECT_LT(simulation.world().state(simulation.body(1)).position.z, 0.5);
}

TEST(OddUses, AChassisAndAWheelMayBreak) {
    const std::string fragile =
        R"(, "position": [0, 0, 3], "travel": [-0.2, 0.2], "clearance": 0.02)";
    std::string text = car("[[1.2, 0.8], [1.2, -0.8], [-1.2, 0.8], [-1.2, -0.8]]", 500, fragile);
    const std::string fracture = R"("fracture": { "pieces": 5, "force": 200 }, )";
    for (const char* part : {"\"wheel\": { ", "\"body\": { "}) {
        std::string broken = text;
        broken.insert(broken.find(part) + std::string(part).size(), fracture);
        Simulation simulation = simulation_of(broken);
        const double mass = mass_of(simulation.world());
        EXPECT_GT(run(simulation, 90), 0u) << part;
        EXPECT_NEAR(mass_of(simulation.world()), mass, 1e-9 * mass);
    }
}

// A turned compound of turned parts: the pieces fill the place that it had.
TEST(OddUses, ATurnedCompoundBreaksWhereItIs) {
    Simulation simulation = simulation_of(R"("gravity": [0, 0, 0], "bodies": [
        { "name": "hammer", "position": [1, 2, 3], "orientation": { "axis": [1, 2, 3], "angle": 1 },
          "angular_velocity": [1, 0, 2], "fracture": { "pieces": 9, "impulse": 0.1 },
          "shapes": [ { "type": "compound", "position": [0.1, 0, 0], "orientation": { "axis": [0, 1, 0], "angle": 0.7 },
            "shapes": [ { "type": "box", "size": [0.2, 0.2, 1.2] },
                        { "type": "cylinder", "radius": 0.2, "height": 0.8, "position": [0, 0, 0.6], "density": 7800,
                          "orientation": { "axis": [0, 1, 0], "angle": 1.5707963 } } ] } ] },
        { "name": "ball", "position": [1, 2, 6], "velocity": [0, 0, -20], "shapes": [ { "type": "sphere", "radius": 0.3 } ] } ])");
    const World& world = simulation.world();
    const BodyId hammer = simulation.body(0);
    for (int i = 0; i < 60 && simulation.fractures().empty(); ++i) {
        const Bounds whole = world.bounds(hammer);
        simulation.step(1.0 / 60);
        if (simulation.fractures().empty()) continue;
        for (const BodyId piece : simulation.fractures()[0].pieces) {
            const Bounds part = world.bounds(piece);
            EXPECT_GT(part.lo.x, whole.lo.x - 0.6);
            EXPECT_LT(part.hi.z, whole.hi.z + 0.6);
        }
        EXPECT_GE(simulation.fractures()[0].pieces.size(), 8u);
    }
    EXPECT_FALSE(world.is_valid(hammer));
    run(simulation, 60);
}

// Two plates on hinges that break in the same step, joined to each other and to the world.
TEST(OddUses, WhatHangsOnJointsBreaksAndTheyAreTold) {
    Simulation simulation = simulation_of(R"("bodies": [)" + kFloor + R"(,
        { "name": "a", "position": [0, 0, 2], "fracture": { "pieces": 6, "impulse": 5 }, "shapes": [ { "type": "box", "size": [1, 1, 0.1] } ] },
        { "name": "b", "position": [1.1, 0, 2], "fracture": { "pieces": 6, "impulse": 5 }, "shapes": [ { "type": "box", "size": [1, 1, 0.1] } ] },
        { "name": "shot", "position": [0.55, 0, 3], "velocity": [0, 0, -30], "shapes": [ { "type": "sphere", "radius": 0.3, "density": 7000 } ] } ],
        "joints": [ { "type": "hinge", "a": "a", "anchor": [-0.5, 0, 2], "axis": [0, 1, 0] },
                    { "type": "ball", "a": "a", "b": "b", "anchor": [0.55, 0, 2] },
                    { "type": "fixed", "a": "b" } ],
        "forces": [ { "body": "a", "force": [0, 0, 1] } ])");
    std::size_t joints = 0;
    for (int i = 0; i < 60; ++i) {
        run(simulation, 1);
        for (const FractureEvent& event : simulation.fractures()) joints += event.joints.size();
    }
    EXPECT_EQ(joints, 3u) << "each joint is told once";
    EXPECT_EQ(simulation.world().joint_count(), 0u);
}

// The body breaks in the fourth step, while it reaches across the sides of the cell. `faithful` is
// followed until its pieces begin to jostle, where each step has hundreds of events.
TEST(OddUses, BreaksAcrossTheSidesOfAPeriodicCell) {
    const std::pair<const char*, int> cases[] = {{"fast", 40}, {"faithful", 6}};
    for (const auto& [method, steps] : cases) {
        Simulation simulation = simulation_of(
            R"("method": ")" + std::string(method) +
            R"(", "gravity": [0, 0, 0], "periodic": [[0, 0, 0], [4, 4, 4]], "bodies": [
            { "name": "plate", "position": [0.1, 2, 2], "fracture": { "pieces": 8, "impulse": 1 }, "shapes": [ { "type": "box", "size": [1.6, 0.4, 0.4] } ] },
            { "name": "shot", "position": [3.8, 2, 3], "velocity": [0, 0, -10], "shapes": [ { "type": "sphere", "radius": 0.2, "density": 4000 } ] } ])");
        const double mass = mass_of(simulation.world());
        const Vec3d momentum = simulation.world().momentum().linear;
        EXPECT_GT(run(simulation, steps), 0u) << method;
        EXPECT_NEAR(mass_of(simulation.world()), mass, 1e-9 * mass);
        // `fast` adds impulses in float: each of some hundred rounds by 6e-8.
        EXPECT_LT(length(simulation.world().momentum().linear - momentum), 2e-6 * length(momentum));
    }
}

// A driver is not told of a force as of a blow, and keeps its body on its way against wind and
// load.
TEST(OddUses, AForceOnADrivenBodyIsNoBlow) {
    const std::string driven = R"("gravity": [0, 0, -9.81], "bodies": [
        { "name": "hand", "mass": 2, "driver": { "keyframes": [[0, [0, 0, 1]], [1, [1, 0, 1]]] },
          "shapes": [ { "type": "sphere", "radius": 0.1 } ] } ])";
    for (const char* load : {R"(, "forces": [ { "body": "hand", "force": [0, 5, 0] } ])",
                             R"(, "wind": { "velocity": [0, 10, 0] })"}) {
        SCOPED_TRACE(load);
        Simulation simulation = simulation_of(driven + load);
        for (int i = 0; i < 60; ++i) {
            simulation.step(1.0 / 60);
            EXPECT_TRUE(simulation.drivers().events().empty());
        }
        EXPECT_LT(length(simulation.world().state(simulation.body(0)).position - Vec3d{1, 0, 1}),
                  1e-2);
    }
}

// Driven bodies that meet: two hands of infinite mass pass through each other, two of finite mass
// lose control, and all come to where their keyframes end.
TEST(OddUses, KeyframesThatCollide) {
    for (const char* type : {"kinematic", "dynamic"})
        for (const char* method : {"fast", "faithful", "galoppo2007", "kavan2003"}) {
            SCOPED_TRACE(message(type, " ", method));
            const auto hand = [&](const char* name, double from) {
                return R"({ "name": ")" + std::string(name) + R"(", "type": ")" + type +
                       R"(", "driver": { "grip": 50, "keyframes": [[0, [)" + std::to_string(from) +
                       R"(, 0, 0]], [0.5, [)" + std::to_string(-from) + R"(, 0.45, 0]]] },
                       "shapes": [ { "type": "sphere", "radius": 0.3, "density": 10 } ] })";
            };
            Simulation simulation =
                simulation_of(R"("gravity": [0, 0, 0], "method": ")" + std::string(method) +
                              R"(", "bodies": [)" + hand("a", -1) + ", " + hand("b", 1) + "]");
            run(simulation, 120);
            const double x = simulation.world().state(simulation.body(0)).position.x;
            if (std::string(type) == "kinematic") {
                EXPECT_NEAR(x, 1, 1e-9);
            }
        }
}

TEST(OddUses, PiecesAreBlownAway) {
    Simulation simulation = simulation_of(R"("bodies": [)" + kFloor + R"(,
        { "name": "pot", "position": [0, 0, 2], "fracture": { "pieces": 12, "impulse": 0.5 },
          "shapes": [ { "type": "sphere", "radius": 0.3, "density": 20 } ] } ],
        "wind": { "velocity": [15, 0, 0] })");
    EXPECT_GT(run(simulation, 120), 0u);
    for (const BodyId id : simulation.bodies())
        if (simulation.world().type(id) == BodyType::dynamic_body) {
            EXPECT_GT(simulation.world().state(id).position.x, 2);
        }
}

} // namespace
} // namespace rigor::test
