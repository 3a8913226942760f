// [Kenwright, figure 3]: its test cases.
#include <cmath>

#include "gallery/gallery_scene.h"

namespace rigor::test {
namespace {

TEST(Gallery, Resting) {
    GalleryScene show("resting");
    show.run(3);
    EXPECT_LT(show.drift(), 1.1e-3); // by which they were let down
    EXPECT_LT(show.fastest(), 1e-9);
    EXPECT_LT(show.penetration(), 1e-9);
}

// Cone and plate once hopped about, each corner damped as if it carried all.
TEST(Gallery, RestingOnSprings) {
    GalleryScene show("resting", {{"method", "penalty"}});
    const double before = show.world().energy().total();
    for (int i = 0; i < 20; ++i) {
        show.run(0.1);
        ASSERT_LE(show.world().energy().total(), before) << show.world().time() << " s";
    }
    EXPECT_LT(show.drift(), 2.1e-3); // let down by 1 mm, and 1 mm deep
    EXPECT_LT(show.fastest(), 1e-6);
}

TEST(Gallery, Stack) {
    expect_to_stand("stack", 5, 1e-9);
}

// The heavy load falls on one end of the plank, which goes down and lifts the other.
TEST(Gallery, SeeSaw) {
    GalleryScene show("see_saw");
    show.run(3);
    EXPECT_GT(show.turned("plank", {1, 0, 0}), 10);
    EXPECT_LT(show.world().joint_state(show.joint("pin")).error, 5e-3);
    EXPECT_LT(show.drift("heap"), 0.02) << "the heap beside it is not touched";
}

TEST(Gallery, Tower) {
    GalleryScene show("tower");
    show.run(10);
    EXPECT_LT(show.fastest(), 1e-3);
    EXPECT_LT(show.penetration(), 0.025); // under 40 m of it the lowest soft contacts give way
    for (const std::string& box : show.dynamic())
        EXPECT_LT(std::hypot(show.place(box).x, show.place(box).y), 0.02) << box;
}

// Bricks before the ball are thrown over; at the ends of the wall all stand as they stood.
TEST(Gallery, Wall) {
    GalleryScene show("wall");
    show.run(4);
    EXPECT_GT(show.place("ball").y, 0.5) << "the ball is through";
    EXPECT_LT(show.speed("ball"), 12) << "and lost half of its speed";
    int fallen = 0;
    for (const std::string& brick : show.dynamic("wall")) fallen += show.moved(brick) > 0.5;
    EXPECT_GT(fallen, 10);
    EXPECT_LT(fallen, 110);
    EXPECT_LT(show.moved("wall[0]"), 0.2);
}

TEST(Gallery, Slopes) {
    GalleryScene show("slopes");
    show.run(0.5); // they fall some millimeters at first
    const Vec3d landed = show.place("stays");
    show.run(1.5);
    EXPECT_LT(length(show.place("stays") - landed), 1e-6);
    const double a = 9.81 * (0.573576 - 0.5 * 0.819152); // g (sin 35° - 0.5 cos 35°)
    EXPECT_NEAR(show.speed("slides"), a * 2, 0.02 * a * 2);
}

// s = g sin 15° t^2 / 2 / (1 + I / m r^2): the box slides, the others roll.
TEST(Gallery, RollingRace) {
    GalleryScene show("rolling_race");
    show.run(2);
    const double slide = 9.81 * 0.2588190451025207 * 2;
    EXPECT_NEAR(show.moved("sliding box"), slide, 1e-6);
    EXPECT_NEAR(show.moved("ball"), slide / (1 + 2.0 / 5), 1e-6);
    EXPECT_NEAR(show.moved("disc"), slide / (1 + 1.0 / 2), 1e-6);
    EXPECT_NEAR(show.moved("shell"), slide / (1 + 2.0 / 3), 1e-6);
    EXPECT_NEAR(show.moved("hoop"), slide / 2, 1e-6);
}

TEST(Gallery, Pyramid) {
    GalleryScene show("pyramid");
    show.run(5);
    EXPECT_LT(show.drift(), 0.2); // most of it is the sag of soft contacts
    EXPECT_LT(show.fastest(), 0.05);
}

} // namespace
} // namespace rigor::test
