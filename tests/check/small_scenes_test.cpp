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

// Its last bounces are of 1e-9 m/s, the difference of velocities that are much larger.
TEST(CertifiedScene, ABallBouncesInAGroove) {
    const auto side = [](const std::string& name, const std::string& normal) {
        return R"({"name": ")" + name + R"(", "type": "static",
         "shapes": [{"type": "plane", "normal": )" +
               normal + R"(, "offset": 0, "friction": 0.5, "restitution": 0.3}]},)";
    };
    expect_all_laws("groove", side("left", "[0.6, 0, 0.8]") + side("right", "[-0.6, 0, 0.8]") + R"(
        {"name": "b", "position": [0, 0, 0.6], "velocity": [1, 0.5, 0],
         "shapes": [{"type": "sphere", "radius": 0.2, "friction": 0.5, "restitution": 0.3}]})",
                    1.5);
}

struct Slip {
    std::string name, shape, motion;
    double height;
};

/// A body that is thrown onto the ground, or slides on it: its slips begin, turn and end.
class CertifiedSlip : public testing::TestWithParam<Slip> {};

// Where a slip is slow, its direction changes at a rate that is inverse to it.
TEST_P(CertifiedSlip, ObeysAllLaws) {
    const std::string surface = R"("friction": 0.5, "restitution": 0.3)";
    std::ostringstream bodies;
    bodies << R"({"name": "floor", "type": "static",
                  "shapes": [{"type": "plane", "normal": [0, 0, 1], "offset": 0, )"
           << surface << R"(}]}, {"name": "b", "position": [0, 0, )" << GetParam().height << "], "
           << GetParam().motion << R"(, "shapes": [{)" << GetParam().shape << ", " << surface
           << "}]}";
    expect_all_laws("slip_" + GetParam().name, bodies.str(), 1.2);
}

INSTANTIATE_TEST_SUITE_P(
    Bodies, CertifiedSlip,
    testing::Values(Slip{"spinning_box", R"("type": "box", "size": [0.3, 0.2, 0.1])",
                         R"("velocity": [2, 0, 0], "angular_velocity": [0, 0, 10])", 0.05},
                    Slip{"thrown_box", R"("type": "box", "size": [0.3, 0.2, 0.1])",
                         R"("velocity": [2, 1, 0], "angular_velocity": [3, 7, 1])", 0.8},
                    Slip{"cylinder", R"("type": "cylinder", "radius": 0.1, "height": 0.3)",
                         R"("velocity": [1, 0, 0], "angular_velocity": [1, 4, 2],
                "orientation": {"axis": [1, 0, 0], "angle_deg": 30})",
                         0.5},
                    Slip{"cone", R"("type": "cone", "radius": 0.1, "height": 0.3)",
                         R"("angular_velocity": [1, 4, 2])", 0.5},
                    Slip{"capsule", R"("type": "capsule", "radius": 0.1, "length": 0.3)",
                         R"("angular_velocity": [1, 4, 2])", 0.5}),
    [](const auto& run) { return run.param.name; });

} // namespace
} // namespace rigor::app
