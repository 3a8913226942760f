// Vehicles of a scene file: wheels that are not what a wheel should be.

#include "scene_test_support.h"

namespace rigor::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string car(const std::string& shape, const std::string& wheel_keys = "",
                const std::string& keys = "") {
    return R"({ "rigor": 1, "generate": [ { "pattern": "vehicle", "name": "car", )" + keys +
           R"("wheels": [[1, 0.5], [-1, 0.5]], "driven": [0], "drive_force": 1,
      "wheel": { "orientation": { "axis": [1, 0, 0], "angle_deg": 90 }, )" +
           wheel_keys + R"("shapes": [ )" + shape + R"( ] },
      "body": { "shapes": [ { "type": "box", "size": [3, 1, 0.5] } ] } } ] })";
}

const std::string kRound = R"({ "type": "cylinder", "radius": 0.4, "height": 0.2 })";

TEST(VehicleScene, RoundWheelsAreNotWarnedOf) {
    for (const std::string& shape :
         {kRound, std::string(R"({ "type": "sphere", "radius": 0.4 })"),
          std::string(R"({ "type": "cone", "radius": 0.4, "height": 0.2 })"),
          std::string(R"({ "type": "capsule", "radius": 0.4, "length": 0.2 })")})
        EXPECT_THAT(parsed(car(shape)).warnings, IsEmpty()) << shape;
}

TEST(VehicleScene, WheelsThatAreNotRoundAre) {
    EXPECT_THAT(
        parsed(car(R"({ "type": "box", "size": [0.8, 0.8, 0.2] })")).warnings,
        ElementsAre("generate[0].wheel: is not round about its axle, which is along y: its "
                    "rim is 0.4 to 0.565685 m away, and its tire is that of a round wheel"));
    // Its axle along x.
    EXPECT_EQ(parsed(car(R"({ "type": "cylinder", "radius": 0.4, "height": 0.2,
                 "orientation": { "axis": [0, 1, 0], "angle_deg": 90 } })"))
                  .warnings.size(),
              1u);
}

TEST(VehicleScene, WheelsThatAreNoBodiesHaveNoVelocity) {
    const std::string moving = R"("velocity": [1, 0, 0], "mask": 3, )";
    EXPECT_THAT(parsed(car(kRound, moving)).warnings, IsEmpty());
    EXPECT_THAT(
        parsed(car(kRound, moving, R"("ray_cast": true, )")).warnings,
        ElementsAre(
            "generate[0].wheel: velocity does not apply with ray_cast, where wheels are no bodies",
            "generate[0].wheel: mask does not apply with ray_cast, where wheels are no bodies"));
}

TEST(VehicleScene, WheelsAreDynamic) {
    EXPECT_THAT(refusal(car(kRound, R"("type": "static", )")),
                testing::HasSubstr("generate[0].wheel is a wheel and must be dynamic"));
}

} // namespace
} // namespace rigor::test
