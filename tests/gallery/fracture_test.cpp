// Scenes of bodies that break.
#include "gallery/gallery_scene.h"

namespace rigor::test {
namespace {

double dynamic_mass(const World& world) {
    double mass = 0;
    for (const BodyId id : world.bodies())
        if (world.type(id) == BodyType::dynamic_body) mass += world.mass_properties(id).mass;
    return mass;
}

void expect_above_floor(const World& world) {
    for (const BodyId id : world.bodies())
        if (world.type(id) == BodyType::dynamic_body) {
            ASSERT_GT(world.state(id).position.z, 0) << world.name(id);
        }
}

TEST(Gallery, FractureWall) {
    GalleryScene show("fracture_wall");
    ASSERT_EQ(show.dynamic("wall").size(), 200u);
    const double mass = dynamic_mass(show.world()), energy = show.world().energy().total();
    show.run(2);
    std::size_t broken = 0;
    for (const std::string& brick : show.dynamic("wall"))
        broken += !show.world().is_valid(show.id(brick));
    EXPECT_GE(broken, 4u) << "those in the way of the ball";
    EXPECT_LE(broken, 150u) << "the others are pushed aside";
    EXPECT_EQ(show.world().body_count(), 202 + 7 * broken) << "8 pieces for each";
    EXPECT_NEAR(dynamic_mass(show.world()), mass, 1e-9 * mass);
    EXPECT_LT(show.world().energy().total(), energy);
    EXPECT_GT(show.place("ball").y, 2) << "it went through";
    EXPECT_LT(show.penetration(), 0.02) << "pieces under bricks stayed in each other by 31 mm";
    expect_above_floor(show.world());
}

TEST(Gallery, BreakingPlate) {
    GalleryScene show("breaking_plate");
    const double mass = dynamic_mass(show.world());
    show.run(0.5);
    EXPECT_TRUE(show.world().is_valid(show.id("plate"))) << "it carries its own weight";
    show.run(2);
    EXPECT_FALSE(show.world().is_valid(show.id("plate")));
    EXPECT_GE(show.world().body_count(), 60u);
    EXPECT_NEAR(dynamic_mass(show.world()), mass, 1e-9 * mass);
    EXPECT_LT(show.place("ball").z, 0.5) << "it fell through";
    EXPECT_LT(show.penetration(), 0.025) << "pieces stayed in each other by 42 mm";
    expect_above_floor(show.world());
}

} // namespace
} // namespace rigor::test
