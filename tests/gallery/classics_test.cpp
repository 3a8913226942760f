// Toys and puzzles of mechanics.
#include <cmath>

#include "gallery/gallery_scene.h"

namespace rigor::test {
namespace {

TEST(Gallery, NewtonsCradle) {
    GalleryScene show("newtons_cradle");
    const double height = show.place("ball 1").z;
    double highest = 0, others = 0;
    for (int i = 0; i < 360; ++i) {
        show.run(1.0 / 240, 1.0 / 240);
        if (show.place("ball 5").z < highest) continue;
        highest = show.place("ball 5").z;
        others = std::max({show.speed("ball 2"), show.speed("ball 3"), show.speed("ball 4")});
    }
    EXPECT_NEAR(highest, height, 1e-4);
    EXPECT_LT(others, 1e-3) << "while the last is up, those between hang still";
}

TEST(Gallery, Dominoes) {
    GalleryScene show("dominoes");
    show.run(8);
    for (const std::string& domino : show.dynamic("domino"))
        EXPECT_GT(show.turned(domino), 45) << domino << " stands";
}

// Contacts that come to stick by turns, and dominoes that hop on the floor by 1e-9 m/s.
TEST(Gallery, DominoesAreFollowedFromEventToEvent) {
    GalleryScene show("dominoes", {{"method", "faithful"}});
    show.run(0.3);
    EXPECT_EQ(show.fixed_steps(), 0);
    EXPECT_GT(show.turned("domino 1"), 15);
}

TEST(Gallery, Arch) {
    GalleryScene show("arch");
    show.run(2, 0.1);
    EXPECT_LT(show.drift(), 1e-6);
    GalleryScene slippery("arch", {{"materials.stone.friction", "0.2"}, {"method", "fast"}});
    slippery.run(2);
    EXPECT_GT(slippery.drift(), 0.5);
}

TEST(Gallery, CardHouse) {
    expect_to_stand("card_house", 1, 1e-6, 0.1);
}

TEST(Gallery, Galperin) {
    GalleryScene hundred("galperin");
    hundred.run(10);
    EXPECT_EQ(hundred.impacts(), 31);
    GalleryScene more("galperin", {{"bodies[2].mass", "10000"}});
    more.run(10);
    EXPECT_EQ(more.impacts(), 314);
}

} // namespace
} // namespace rigor::test
