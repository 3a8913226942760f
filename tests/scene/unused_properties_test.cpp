#include "scene/unused_properties.h"

#include <gtest/gtest.h>

#include "rigor/simulation.h"

namespace rigor {
namespace {

std::vector<std::string> warnings_of(const std::string& material, const char* method) {
    const std::string text = R"({"rigor": 1, "method": ")" + std::string(method) +
                             R"(", "materials": {"m": {)" + material +
                             R"(}}, "bodies": [{"name": "b", "shapes": [
                             {"type": "sphere", "radius": 1, "material": "m"}]}]})";
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
    EXPECT_EQ(warnings_of(R"("friction": 0, "surface_velocity": [1, 0, 0])", "kavan2003").size(),
              1u);
    EXPECT_TRUE(warnings_of(R"("friction": 0.3)", "penalty").empty());
    for (const char* method : {"penalty", "faithful"})
        EXPECT_TRUE(
            warnings_of(R"("static_friction": 0.5, "kinetic_friction": 0.3)", method).empty());
    EXPECT_EQ(warnings_of(R"("static_friction": 0.5, "kinetic_friction": 0.3)", "kenwright").size(),
              1u);
}

// The default counts, too: a scene that says nothing of friction expects it to act.
TEST(UnusedProperties, FrictionUnderMethodsWithoutIt) {
    for (const char* method : {"baber2006", "kavan2003", "galoppo2007"})
        for (const char* material : {R"("friction": 0.3)", R"("friction": 0.5)", "",
                                     R"("static_friction": 0.2, "kinetic_friction": 0)"}) {
            const auto warnings = warnings_of(material, method);
            ASSERT_EQ(warnings.size(), 1u) << method << " " << material;
            EXPECT_EQ(warnings[0].find("friction is not used by"), 0u) << warnings[0];
        }
    EXPECT_TRUE(warnings_of(R"("friction": 0)", "kavan2003").empty());
    for (const char* method : {"fast", "faithful", "baber2011", "kenwright", "penalty"})
        EXPECT_TRUE(warnings_of(R"("friction": 0.3)", method).empty()) << method;
}

} // namespace
} // namespace rigor
