// What World does with materials out of range: refused wherever a material is handed in.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "rigor/world.h"

namespace rigor {
namespace {

constexpr double kNan = std::nan("");

TEST(MaterialArguments, EveryEntryRefusesTheSameOnesByName) {
    const std::pair<const char*, Material> bad[] = {
        {"static_friction", {.static_friction = -1}},
        {"static_friction", {.static_friction = kNan}},
        {"kinetic_friction", {.kinetic_friction = kNan}},
        {"kinetic_friction", {.static_friction = 0.1, .kinetic_friction = 0.9}},
        {"restitution", {.restitution = 2}},
        {"restitution", {.restitution = -0.1}},
        {"restitution", {.restitution = kNan}},
        {"rolling_resistance", {.rolling_resistance = -1}},
        {"torsional_friction", {.torsional_friction = kNan}},
        {"surface_velocity", {.surface_velocity = {kNan, 0, 0}}},
        {"anisotropy_ratio", {.anisotropy_ratio = 0}},
    };
    for (const auto& [property, material] : bad) {
        World world;
        BodyDef def;
        def.shapes = {{SphereDef{0.5}}};
        const BodyId good = *world.add_body(def);
        def.shapes[0].material = material;
        const Result<BodyId> added = world.add_body(def);
        ASSERT_FALSE(added) << property;
        EXPECT_EQ(added.error().where, std::string("shapes[0].material.") + property);
        EXPECT_THROW(world.set_material(world.shapes(good)[0], material), UsageError) << property;
    }
}

} // namespace
} // namespace rigor
