// Certificates of small scenes that are in no gallery.

#include "run_checker.h"

namespace rigor::app {
namespace {

void expect_all_laws(const std::string& name, const std::string& bodies, double time,
                     const std::string& more = "") {
    const std::string material =
        R"("materials": {"m": {"friction": 0.4, "restitution": 0, "density": 1000}})";
    const std::string text = R"({"rigor": 1, "name": "small", "method": "faithful", )" + material +
                             more + R"(, "bodies": [)" + bodies + "]}";
    const Result<std::string> file = certify(parse_scene(text, name), name, time);
    ASSERT_TRUE(file) << file.error().message;
    const CheckOutcome outcome = run_checker(*file);
    EXPECT_NE(outcome.output.find("all laws hold"), std::string::npos) << outcome.output;
}

// The upper ball rolls down and lets go: their gap grows with the cube of time, and the bound of
// what may be in between needs many looks.
TEST(CertifiedScene, ABallRollsOffAnother) {
    expect_all_laws("ball_on_ball", R"(
        {"name": "ground", "type": "static",
         "shapes": [{"type": "plane", "normal": [0, 0, 1], "offset": 0, "material": "m"}]},
        {"name": "a", "position": [0, 0, 0.3],
         "shapes": [{"type": "sphere", "radius": 0.3, "material": "m"}]},
        {"name": "b", "position": [0.05, 0, 0.9],
         "shapes": [{"type": "sphere", "radius": 0.3, "material": "m"}]})",
                    1.2);
}

// Without gravity a gate that has come to rest at its limit has no forces but rounding.
TEST(CertifiedScene, AGateIsHitAndStopsAtItsLimit) {
    expect_all_laws("gate", R"(
        {"name": "gate", "position": [0.5, 0, 1],
         "shapes": [{"type": "box", "size": [1, 0.1, 0.8], "material": "m"}]},
        {"name": "ball", "position": [0.8, -1, 1], "velocity": [0, 3, 0],
         "shapes": [{"type": "sphere", "radius": 0.15, "material": "m"}]})",
                    1, R"(, "gravity": [0, 0, 0], "joints": [{"type": "hinge", "a": "gate",
        "anchor": [0, 0, 1], "axis": [0, 0, 1], "limits": [-0.3, 0.3]}])");
}

} // namespace
} // namespace rigor::app
