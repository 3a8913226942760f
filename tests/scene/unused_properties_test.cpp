// Warnings about properties of materials and joints that a method does not use.

#include "scene/unused_properties.h"

#include <gtest/gtest.h>

#include "rigor/simulation.h"

namespace rigor {
namespace {

/// Of a ball of the material, and another one that may rub against it.
std::vector<std::string> warnings_of(const std::string& material, const char* method,
                                     const char* other_friction = "0") {
    const std::string text = R"({"rigor": 1, "method": ")" + std::string(method) +
                             R"(", "materials": {"m": {)" + material +
                             R"(}}, "bodies": [{"name": "b", "shapes": [
                             {"type": "sphere", "radius": 1, "material": "m"}]},
                             {"name": "other", "shapes": [
                             {"type": "sphere", "radius": 1, "friction": )" +
                             other_friction + "}]}]}";
    return unused_properties(parse_scene(text, "scene.json").value(), *method_named(method));
}

TEST(UnusedProperties, AreNamedOncePerProperty) {
    const auto warnings = warnings_of(R"("rolling_resistance": 0.1)", "baber2011");
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_EQ(warnings[0],
              "rolling_resistance is not used by baber2011 (used by fast, faithful): ignored on 1 "
              "body");
    for (const char* method : {"fast", "faithful"}) {
        EXPECT_TRUE(warnings_of(R"("rolling_resistance": 0.1)", method).empty());
        EXPECT_TRUE(warnings_of(R"("torsional_friction": 0.1)", method).empty());
        EXPECT_TRUE(warnings_of(R"("surface_velocity": [1, 0, 0])", method).empty());
        EXPECT_TRUE(
            warnings_of(R"("anisotropy": {"axis": [1, 0, 0], "ratio": 2})", method).empty());
    }
    EXPECT_TRUE(warnings_of(R"("restitution": 0.1)", "faithful").empty());
    EXPECT_EQ(warnings_of(R"("anisotropy": {"axis": [1, 0, 0], "ratio": 2})", "penalty")[0],
              "anisotropy is not used by penalty (used by fast, faithful, baber2011, kenwright): "
              "ignored on 1 body");
    EXPECT_EQ(warnings_of(R"("surface_velocity": [1, 0, 0])", "kavan2003").size(), 1u);
    EXPECT_TRUE(warnings_of(R"("friction": 0.3)", "kavan2003").empty()) << "it rubs on nothing";
    EXPECT_EQ(warnings_of("", "kavan2003", "0.5")[0],
              "friction is not used by kavan2003 (used by fast, faithful, baber2011, kenwright, "
              "penalty): ignored on 2 bodies")
        << "the default, too";
    EXPECT_TRUE(warnings_of(R"("friction": 0.3)", "penalty", "0.5").empty());
    for (const char* method : {"penalty", "faithful"})
        EXPECT_TRUE(
            warnings_of(R"("static_friction": 0.5, "kinetic_friction": 0.3)", method).empty());
    EXPECT_EQ(warnings_of(R"("static_friction": 0.5, "kinetic_friction": 0.3)", "kenwright").size(),
              1u);
}

TEST(UnusedProperties, ThoseOfContactsAreNamedWhereNothingTouches) {
    EXPECT_TRUE(warnings_of("", "free", "0.5").empty()) << "nobody chose this friction";
    EXPECT_EQ(warnings_of(R"("friction": 0.3)", "free").size(), 1u);
    EXPECT_EQ(warnings_of(R"("restitution": 0.3)", "free").size(), 1u);
}

TEST(UnusedProperties, FastBodiesNeedADetectionThatFollowsThem) {
    const auto warnings = [](const char* method, const char* detection) {
        const std::string text =
            R"({"rigor": 1, "settings": {"detection": ")" + std::string(detection) +
            R"("}, "bodies": [{"continuous": true, "shapes": [{"type": "sphere", "radius": 1}]}]})";
        return unused_properties(parse_scene(text, "scene.json").value(), *method_named(method));
    };
    EXPECT_EQ(warnings("kenwright", "static").size(), 1u);
    EXPECT_EQ(warnings("kenwright", "bisection").size(), 1u); // it looks at ends of intervals only
    EXPECT_TRUE(warnings("kenwright", "advancement").empty());
    EXPECT_TRUE(warnings("fast", "static").empty());
}

} // namespace
} // namespace rigor
