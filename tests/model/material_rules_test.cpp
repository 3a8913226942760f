// The range of every property of a material.

#include "model/material_rules.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/bad_materials.h"

namespace rigor {
namespace {

constexpr double kNan = std::nan("");

TEST(MaterialRules, EveryPropertyHasARange) {
    for (const auto& [property, material] : test::bad_materials()) {
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
