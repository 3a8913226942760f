// Scenes that show an effect: reversal, leverage, wrong mass properties, an avalanche.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "gallery/gallery_scene.h"

namespace rigor::test {
namespace {

// Spun against its preferred direction it reverses within 5 s and keeps its energy; spun the other
// way it goes on.
TEST(Gallery, Rattleback) {
    GalleryScene against("rattleback");
    against.run(6);
    EXPECT_GT(against.state("rattleback").angular_velocity.z, 1.9);
    EXPECT_LT(against.moved("rattleback"), 0.05);
    GalleryScene along("rattleback", {{"bodies[1].angular_velocity[2]", "2"}});
    along.run(6);
    EXPECT_NEAR(along.state("rattleback").angular_velocity.z, 2, 0.01);
}

double highest(GalleryScene& show, const std::string& body, double seconds) {
    double z = 0;
    for (double t = 0; t < seconds; t += 0.1) {
        show.run(0.1);
        z = std::max(z, show.place(body).z);
    }
    return z;
}

// The heavy block throws the light one up. The plank lies on the wedge and not in it.
TEST(Gallery, SeeSawOnWedge) {
    GalleryScene show("see_saw_on_wedge");
    EXPECT_GT(highest(show, "light", 2), 1.2);
    EXPECT_LT(show.penetration(), 5e-3);
    EXPECT_LT(std::abs(show.place("plank").y), 0.1);
}

TEST(Gallery, WrongCenter) {
    GalleryScene show("wrong_center");
    show.run(3);
    const Vec3d up{0, 0, 1};
    EXPECT_GT(dot(show.axis("right"), up), 0.9999);
    EXPECT_LT(dot(show.axis("center outside"), up), 0.8);
    const double right = show.state("right").angular_velocity.z;
    EXPECT_GT(std::abs(show.state("inertia of a giant").angular_velocity.z - right), 0.1);
}

// The air lifts what is light, turns it anticlockwise, and leaves the rock where it is.
TEST(Gallery, Tornado) {
    GalleryScene show("tornado");
    show.run(3);
    int lifted = 0;
    double around = 0;
    for (const std::string& name : show.dynamic()) {
        const Vec3d p = show.place(name), v = show.state(name).velocity;
        lifted += p.z > 2;
        if (p.z > 2) around += (p.x * v.y - p.y * v.x > 0) ? 1 : -1;
        ASSERT_GT(p.z, 0) << name;
        ASSERT_LT(length(v), 60) << name;
    }
    EXPECT_GE(lifted, 5);
    EXPECT_GT(around, 0.5 * lifted);
    EXPECT_LT(show.moved("rock"), 0.1);
    const std::vector<double> depths = show.world().penetrations();
    EXPECT_LE(std::count_if(depths.begin(), depths.end(), [](double d) { return d > 0.03; }), 2)
        << "crates of 120 kg stood in the boards, 50 mm deep";
}

// A third of the stones comes down, or all of them with RIGOR_LONG_TESTS.
TEST(Gallery, Avalanche) {
    EXPECT_EQ(GalleryScene("avalanche").dynamic("stone").size(), 10'000u);
    const int count = std::getenv("RIGOR_LONG_TESTS") ? 10'000 : 3'500;
    GalleryScene show("avalanche", {{"generate[0].count", std::to_string(count)}});
    show.run(2.5);
    double mean = 0;
    for (const std::string& stone : show.dynamic("stone")) {
        const Vec3d p = show.place(stone), from = show.start().at(stone).position;
        mean += (p.x - from.x) / count;
        ASSERT_GT(p.z, 0) << stone;
        ASSERT_GT(p.z, -p.x * 0.57735) << stone << " is below the slope";
    }
    EXPECT_GT(mean, 3);
}

} // namespace
} // namespace rigor::test
