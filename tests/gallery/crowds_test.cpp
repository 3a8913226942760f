// Many bodies, and bodies on landscapes.
#include <cmath>

#include "gallery/gallery_scene.h"

namespace rigor::test {
namespace {

TEST(Gallery, Pile4000) {
    GalleryScene show("pile_4000");
    show.run(1.5);
    ASSERT_EQ(show.dynamic().size(), 4000u);
    for (const std::string& thing : show.dynamic())
        ASSERT_GT(show.place(thing).z, 0) << thing << " went through the floor";
    EXPECT_LT(show.world().energy().total(), 0.4 * 17.5e6) << "most of it has come down";
}

/// 5/3 when velocities are spread as Maxwell says, more when a few have all of the energy.
double fourth_moment(const GalleryScene& show) {
    const std::vector<std::string> all = show.dynamic();
    double second = 0, fourth = 0;
    for (const std::string& ball : all) {
        const double v2 = length_squared(show.state(ball).velocity);
        second += v2, fourth += v2 * v2;
    }
    return fourth * static_cast<double>(all.size()) / (second * second);
}

TEST(Gallery, Gas) {
    GalleryScene show("gas");
    const double energy = show.world().energy().kinetic;
    EXPECT_GT(fourth_moment(show), 50) << "four of them have it all";
    show.run(5);
    EXPECT_GT(show.impacts(), 1000);
    double spread = 0;
    constexpr int kLooks = 50;
    for (int i = 0; i < kLooks; ++i) show.run(0.1), spread += fourth_moment(show) / kLooks;
    EXPECT_NEAR(spread, 5.0 / 3, 0.05);
    EXPECT_NEAR(show.world().energy().kinetic, energy, 1e-12 * energy);
    EXPECT_LT(length(show.world().momentum().linear), 1e-11) << "kg m/s; none at the start";
    for (const std::string& ball : show.dynamic()) {
        const Vec3d p = show.place(ball);
        EXPECT_LE(std::max(std::abs(p.x), std::abs(p.y)), 2.1) << ball;
        EXPECT_TRUE(p.z >= 0 && p.z <= 4.2) << ball;
    }
}

TEST(Gallery, TowerOfBlocks) {
    GalleryScene show("tower_of_blocks");
    show.run(5);
    EXPECT_LT(show.drift(), 0.08);
    EXPECT_LT(show.fastest(), 0.01);
}

TEST(Gallery, Bowling) {
    GalleryScene show("bowling");
    show.run(4);
    int fallen = 0;
    for (const std::string& pin : show.dynamic("pin")) fallen += show.turned(pin) > 45;
    EXPECT_GE(fallen, 5);
    EXPECT_GT(show.place("ball").x, 6);
}

TEST(Gallery, Hills) {
    GalleryScene show("hills");
    show.run(20);
    EXPECT_LT(show.fastest(), 1e-3);
    for (const std::string& body : show.dynamic()) {
        const Vec3d p = show.place(body);
        EXPECT_LT(std::max(std::abs(p.x), std::abs(p.y)), 6) << body;
        EXPECT_GT(p.z, -1) << body;
    }
}

TEST(Gallery, MarbleRun) {
    GalleryScene show("marble_run");
    show.run(3);
    for (const std::string& marble : show.dynamic())
        EXPECT_LT(std::hypot(show.place(marble).x, show.place(marble).y), 1.5)
            << marble << " is in the trough";
    show.run(12);
    for (const std::string& marble : show.dynamic())
        EXPECT_LT(show.place(marble).z, 0.2) << marble << " has left it at its end";
}

} // namespace
} // namespace rigor::test
