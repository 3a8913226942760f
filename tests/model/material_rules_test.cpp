#include "model/material_rules.h"

#include <gtest/gtest.h>

#include <cmath>

namespace rigor {
namespace {

constexpr double kNan = std::nan("");

TEST(MaterialRules, EveryPropertyHasARange) {
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
        const Result<void> checked = check_material(material);
        ASSERT_FALSE(checked) << property;
        EXPECT_EQ(checked.error().where, property);
    }
    EXPECT_TRUE(check_material({}));
}

TEST(MaterialRules, PairsHaveTheSameRanges) {
    EXPECT_TRUE(check_material_pair({}));
    EXPECT_TRUE(check_material_pair({.static_friction = 0.4, .kinetic_friction = 0.3}));
    EXPECT_FALSE(check_material_pair({.static_friction = 0.2, .kinetic_friction = 0.3}));
    EXPECT_FALSE(check_material_pair({.restitution = 1.5}));
    EXPECT_FALSE(check_material_pair({.kinetic_friction = kNan}));
}

} // namespace
} // namespace rigor
