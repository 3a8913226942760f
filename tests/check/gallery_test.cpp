// Certificates of runs of the gallery: all laws hold, or the run cannot be certified and says so.

#include "run_checker.h"

namespace rigor::app {
namespace {

struct GalleryRun {
    std::string scene;
    double time;
};

class CertifiedRun : public testing::TestWithParam<GalleryRun> {};

TEST_P(CertifiedRun, ObeysAllLaws) {
    const Result<std::string> file = certify(GetParam().scene, GetParam().time);
    ASSERT_TRUE(file) << file.error().message;
    const CheckOutcome outcome = run_checker(*file);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
    EXPECT_NE(outcome.output.find("all laws hold"), std::string::npos) << outcome.output;
}

// Impacts, rolling, diamonds, an arch, a top, a cradle and rag dolls among them; a box lets go of
// an edge, where its force must end at zero.
INSTANTIATE_TEST_SUITE_P(
    Gallery, CertifiedRun,
    testing::Values(GalleryRun{"bouncing_balls", 2}, GalleryRun{"frictional_impact", 1},
                    GalleryRun{"newtons_cradle", 1}, GalleryRun{"flat_stick", 1},
                    GalleryRun{"galperin", 1}, GalleryRun{"rolling_race", 1},
                    GalleryRun{"diamond_2", 1}, GalleryRun{"arch", 0.5},
                    GalleryRun{"spinning_top", 0.2}, GalleryRun{"double_pendulum", 0.3},
                    GalleryRun{"slider_crank", 0.5}, GalleryRun{"ragdolls", 0.4},
                    GalleryRun{"card_house", 0.2}, GalleryRun{"overhang_four", 1},
                    GalleryRun{"box_off_table", 2}, GalleryRun{"rattleback", 0.5}),
    [](const auto& run) { return run.param.scene; });

TEST(Refusal, NamesWhatCertificatesCannotExpress) {
    const std::pair<const char*, const char*> kRefused[] = {
        {"gas", "periodic boundaries"},      {"fracture_wall", "fracture"},
        {"conveyor", "surface_velocity"},    {"gear_train", "gear"},
        {"vehicle_course", "vehicles"},      {"decomposed_cups", "decomposed meshes"},
        {"avalanche", "rolling_resistance"}, {"thrown_shapes", "rounded hulls"},
        {"roller_coaster", "track"},         {"slerp_keyframes", "drivers of dynamic bodies"}};
    for (const auto& [scene, what] : kRefused) {
        const Result<std::string> file = certify(scene, 0.1);
        ASSERT_FALSE(file) << scene;
        EXPECT_NE(file.error().message.find(what), std::string::npos) << file.error().message;
    }
    const Result<std::string> other = certify("flat_stick", 0.1, "baber2006");
    ASSERT_FALSE(other);
    EXPECT_NE(other.error().message.find("baber2006"), std::string::npos);
}

// What is recorded changes nothing about the run.
TEST(Certificate, LeavesTheRunAsItIs) {
    for (const bool records : {false, true}) {
        static std::uint64_t hash = 0;
        Result<Scene> scene =
            load_scene(RIGOR_SOURCE_DIR "/scenes/newtons_cradle.json", {{{"method", "faithful"}}});
        ASSERT_TRUE(scene);
        Result<Simulation> simulation = Simulation::make(std::move(*scene));
        ASSERT_TRUE(simulation);
        simulation->world().keep_motion_records(records);
        for (int i = 0; i < 60; ++i) simulation->step(1.0 / 60);
        EXPECT_EQ(simulation->world().motion_records().empty(), !records);
        if (records) {
            EXPECT_EQ(simulation->world().state_hash(), hash);
        }
        hash = simulation->world().state_hash();
    }
}

} // namespace
} // namespace rigor::app
