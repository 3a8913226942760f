// Bodies driven from outside, and forces of the user.
#include <cmath>

#include "gallery/gallery_scene.h"
#include "rigor/rotation.h"

namespace rigor::test {
namespace {

// The script of the red weapon fences against the rule of the blue one.
TEST(Gallery, Fencing) {
    GalleryScene show("fencing");
    EXPECT_TRUE(show.simulation().warnings().empty());
    int blows = 0;
    for (int i = 0; i < 60 * 30; ++i) {
        show.run(1.0 / 60);
        blows += !show.simulation().drivers().events().empty();
        ASSERT_LT(show.penetration(), 1e-6);
    }
    EXPECT_GT(blows, 0);
    const DuelState& state = show.simulation().duel()->state();
    EXPECT_GT(state.score[0] + state.score[1], 0);
}

// Between the first two keyframes the board turns at 150 degrees in 2 s about x. The ball reaches
// the dynamic one after about a second; then it lags behind, and is back within the next seconds.
TEST(Gallery, SlerpKeyframes) {
    GalleryScene show("slerp_keyframes");
    const double rate = 150.0 / 180 * 3.14159265358979323846 / 2;
    show.run(0.5);
    EXPECT_NEAR(show.state("kinematic board").angular_velocity.x, rate, 1e-9);
    EXPECT_NEAR(to_rotation_vector(show.state("kinematic board").orientation).x, rate / 2, 1e-9);
    EXPECT_NEAR(show.place("kinematic board").z, 1.325, 1e-9);
    EXPECT_NEAR(show.turned("dynamic board"), 37.5, 1e-2);
    double farthest = 0;
    for (int i = 0; i < 90; ++i) {
        show.run(1.0 / 60);
        const Vec3d apart = show.place("dynamic board") - show.place("kinematic board");
        farthest = std::max(farthest, length(apart - Vec3d{2.4, 0, 0}));
    }
    EXPECT_GT(farthest, 0.05) << "the ball has hit it";
    show.run(3);
    const Vec3d apart = show.place("dynamic board") - show.place("kinematic board");
    EXPECT_LT(length(apart - Vec3d{2.4, 0, 0}), 1e-3);
}

TEST(Gallery, UserForces) {
    GalleryScene show("user_forces");
    show.run(2);
    EXPECT_LT(show.moved("hovering"), 1e-9);
    EXPECT_NEAR(show.state("turned").angular_velocity.z, 0.2 * 2 / (0.5 * 3 * 0.16), 1e-9);
    EXPECT_LT(show.moved("turned"), 1e-12);
    EXPECT_NEAR(show.state("accelerated").velocity.y, 1, 1e-9);
    EXPECT_NEAR(show.moved("accelerated"), 0.5 * 0.5 * 4, 1e-9);
    EXPECT_NEAR(show.state("pushed at the rim").velocity.y, 0.2 * 0.5 / 2, 1e-9);
    EXPECT_GT(show.state("pushed at the rim").angular_velocity.z, 0.1);
}

} // namespace
} // namespace rigor::test
