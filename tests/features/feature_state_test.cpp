// What vehicles, drivers, duels and fractures remember is in hash, snapshot and recording.
#include "rigor/recording.h"
#include "rigor/simulation.h"
#include "test_support.h"

namespace rigor::test {
namespace {

Simulation simulation_of(const std::string& scene, const SimulationOptions& options = {}) {
    return Simulation::make(
               load_scene(std::filesystem::path(RIGOR_SOURCE_DIR) / "scenes" / scene).value(),
               options)
        .value();
}

void run(Simulation& simulation, int steps) {
    for (int i = 0; i < steps; ++i) simulation.step(1.0 / 60);
}

TEST(FeatureState, APedalIsInTheHash) {
    Simulation car = simulation_of("vehicle_course.json");
    run(car, 30);
    const SimulationSnapshot before = car.snapshot();
    const std::uint64_t hash = car.state_hash(), of_world = car.world().state_hash();
    car.set_vehicle_input(0, {.throttle = 0.25, .steer = 0.5});
    EXPECT_EQ(car.world().state_hash(), of_world);
    EXPECT_NE(car.state_hash(), hash);
    run(car, 20);
    car.restore(before);
    EXPECT_EQ(car.state_hash(), hash);
    EXPECT_TRUE(car.is_driven_by_scene(0));
}

TEST(FeatureState, WhatCanStillBreakIsInTheHash) {
    Simulation a = simulation_of("breaking_plate.json");
    Simulation b = simulation_of("breaking_plate.json");
    EXPECT_EQ(a.state_hash(), b.state_hash());
    Scene scene =
        load_scene(std::filesystem::path(RIGOR_SOURCE_DIR) / "scenes/breaking_plate.json").value();
    for (SceneBody& body : scene.bodies)
        if (body.fracture) body.fracture->seed += 1;
    const Simulation other = Simulation::make(std::move(scene)).value();
    EXPECT_EQ(other.world().state_hash(), a.world().state_hash());
    EXPECT_NE(other.state_hash(), a.state_hash());
}

/// Steps until something breaks.
int steps_to_break(Simulation& simulation) {
    for (int i = 1; i <= 300; ++i) {
        simulation.step(1.0 / 60);
        if (!simulation.fractures().empty()) return i;
    }
    return -1;
}

// A snapshot right after the first break, when pieces are born and others are about to break.
TEST(FeatureState, ASnapshotInTheMiddleOfABreakGoesOnTheSame) {
    Simulation wall = simulation_of("fracture_wall.json");
    ASSERT_GT(steps_to_break(wall), 0);
    const SimulationSnapshot middle = wall.snapshot();
    const std::uint64_t at_break = wall.state_hash();
    run(wall, 20);
    const std::uint64_t end = wall.state_hash();
    const std::size_t bodies = wall.world().body_count();
    wall.restore(middle);
    EXPECT_EQ(wall.state_hash(), at_break);
    run(wall, 20);
    EXPECT_EQ(wall.state_hash(), end);
    EXPECT_EQ(wall.world().body_count(), bodies);
}

// Features act through the public functions of the world, which are recorded.
TEST(FeatureState, RecordingsReplayWithoutTheFeatures) {
    for (const char* scene : {"vehicle_course.json", "fencing.json", "fracture_wall.json"}) {
        SCOPED_TRACE(scene);
        Simulation simulation = simulation_of(scene, {.record = true, .has_input = true});
        run(simulation, 45);
        const ReplayReport report = replay(simulation.world().recording());
        EXPECT_TRUE(report.identical()) << report.difference->what;
        EXPECT_EQ(report.steps, 45u);
    }
}

} // namespace
} // namespace rigor::test
