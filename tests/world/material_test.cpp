// What World does with materials out of range: refused wherever a material is handed in.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "rigor/world.h"
#include "support/bad_materials.h"

namespace rigor {
namespace {

TEST(MaterialArguments, EveryEntryRefusesTheSameOnesByName) {
    for (const auto& [property, material] : test::bad_materials()) {
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
