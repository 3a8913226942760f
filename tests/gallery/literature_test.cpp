// What the sources show of their methods: failures, remedies, impacts.
#include <cmath>
#include <utility>

#include "gallery/gallery_scene.h"

namespace rigor::test {
namespace {

// Each step lets a body that was stopped fall for its length: at most g dt / 2 = 0.049 m/s, for
// ever; less where an impulse throws it back a little.
TEST(Gallery, Sinking) {
    GalleryScene show("sinking");
    show.run(2);
    for (int second = 0; second < 3; ++second) {
        const double before = show.place("ball").z;
        show.run(1);
        EXPECT_GT(before - show.place("ball").z, 0.01);
        EXPECT_LT(before - show.place("ball").z, 0.05);
    }
    EXPECT_LT(show.place("ball").z, 0.35);
}

TEST(Gallery, Jitter) {
    GalleryScene show("jitter");
    show.run(3);
    double fastest = 0, deepest = 0;
    for (int i = 0; i < 100; ++i) {
        show.run(0.01);
        fastest = std::max(fastest, show.fastest());
        deepest = std::max(deepest, show.penetration());
    }
    EXPECT_GT(fastest, 0.05) << "it never comes to rest";
    EXPECT_LT(deepest, 0.01) << "by which it is pushed out";
}

TEST(Gallery, RestingForces) {
    GalleryScene show("resting_forces");
    show.run(4);
    const Vec3d box = show.place("box"), ball = show.place("ball");
    for (int i = 0; i < 60; ++i) {
        show.run(1.0 / 60);
        EXPECT_LT(length(show.place("box") - box), 1e-3) << "of the vibration that is left";
        EXPECT_LT(length(show.place("ball") - ball), 1e-3);
        EXPECT_LT(show.penetration(), 5e-3);
    }
}

// Without friction no force is horizontal, whatever the inertia: centers of mass go up and down
// only. With restitution below 1 energy falls, also with an inertia that no such pyramid has.
TEST(Gallery, FloorWrongInertia) {
    GalleryScene show("floor_wrong_inertia");
    const double before = show.world().energy().total();
    const auto center = [&](const std::string& name) { return show.place(name); };
    const Vec3d right = center("right"), corner = center("about a corner"),
                rod = center("of a rod");
    show.run(2);
    for (const auto& [name, start] :
         {std::pair{"right", right}, {"about a corner", corner}, {"of a rod", rod}}) {
        EXPECT_NEAR(center(name).x, start.x, 1e-9) << name;
        EXPECT_NEAR(center(name).y, start.y, 1e-9) << name;
        EXPECT_GT(center(name).z, 0) << name;
    }
    EXPECT_LT(show.world().energy().total(), before);
    for (const std::string wrong : {"about a corner", "of a rod"})
        EXPECT_GT(length(show.axis(wrong) - show.axis("right")), 0.1) << wrong;
}

// A convex body has its center of mass in it, and so above the floor.
TEST(Gallery, FloorWrongCenter) {
    GalleryScene show("floor_wrong_center");
    const double before = show.world().energy().total();
    show.run(6);
    EXPECT_NEAR(show.place("right").z, 0.2, 5e-3) << "on its base";
    EXPECT_NEAR(show.place("outside").z, -0.32, 0.01) << "on a side, below the floor";
    EXPECT_LT(show.fastest(), 0.05);
    EXPECT_LT(show.world().energy().total(), before);
}

// Impulses on what separates pull it back: it never gets out of the floor. Without them it bounces.
TEST(Gallery, SeparatingImpulses) {
    const auto highest_after_impact = [](const char* separating) {
        GalleryScene show("separating_impulses", {{"settings.separating_impulses", separating}});
        double highest = 0;
        while (show.world().time() < 1.2) {
            show.run(0.01);
            if (show.impacts() > 1) highest = std::max(highest, show.place("ball").z - 0.4);
        }
        return highest;
    };
    EXPECT_LT(highest_after_impact("true"), 1e-9) << "the ball sticks in the floor";
    EXPECT_NEAR(highest_after_impact("false"), 0.25, 0.05) << "e² h";
}

TEST(Gallery, Pawns) {
    GalleryScene show("pawns");
    show.run(4);
    EXPECT_LT(show.turned("pawn 1"), 1);
    for (const std::string pawn : {"pawn 3", "pawn 4", "pawn 5"})
        EXPECT_LT(std::abs(show.axis(pawn).z), 0.4) << pawn << " lies";
    EXPECT_LT(show.penetration(), 5e-3);
}

TEST(Gallery, BallOffSlope) {
    GalleryScene show("ball_off_slope");
    const double before = show.world().energy().total();
    show.run(5);
    const BodyState ball = show.state("ball");
    EXPECT_GT(ball.position.x, 0);
    EXPECT_NEAR(ball.position.z, 0.25, 0.02);
    EXPECT_NEAR(ball.angular_velocity.y * 0.25, ball.velocity.x, 0.02 * ball.velocity.x) << "rolls";
    EXPECT_LT(show.world().energy().total(), before);
}

TEST(Gallery, HingedChain) {
    GalleryScene show("hinged_chain");
    const double before = show.world().energy().total();
    show.run(6);
    EXPECT_NEAR(show.world().energy().total(), before, 1e-6 * before);
    for (const JointId joint : show.world().joints())
        EXPECT_LT(show.world().joint_state(joint).error, 1e-9);
    EXPECT_GT(show.drift(), 1);
}

// It lies on one of its faces, a little deep in the floor.
TEST(Gallery, RectangleOnSprings) {
    GalleryScene show("rectangle_on_springs");
    show.run(3);
    EXPECT_LT(show.fastest(), 1e-6);
    EXPECT_GT(show.penetration(), 1e-4);
    EXPECT_LT(show.penetration(), 5e-3);
    EXPECT_GT(std::abs(show.axis("rectangle").z), 0.9999);
}

TEST(Gallery, Tunneling) {
    GalleryScene show("tunneling");
    show.run(0.1);
    EXPECT_NEAR(show.state("ball").velocity.x, -150, 1e-9);
    GalleryScene blind("tunneling", {{"settings.detection", "static"}});
    blind.run(0.1);
    EXPECT_NEAR(blind.state("ball").velocity.x, 300, 1e-9);
    EXPECT_GT(blind.place("ball").x, 0) << "on the other side of the plate";
}

// The impulse of the example, at a hundredth of its speeds, on a mass of 1.
TEST(Gallery, FrictionalImpact) {
    GalleryScene show("frictional_impact");
    while (show.impacts() == 0 && show.world().time() < 0.2) show.run(1.0 / 240);
    ASSERT_EQ(show.impacts(), 1);
    const Vec3d impulse = show.state("body").velocity - show.start().at("body").velocity;
    EXPECT_LT(length(impulse - Vec3d{-0.1509702, 0.2563525, 0.6081154}), 2e-7) << impulse;
}

TEST(Gallery, ContactClasses) {
    GalleryScene show("contact_classes");
    show.run(0.25);
    EXPECT_NEAR(show.state("colliding").velocity.z, -2 - 9.81 * 0.25, 1e-9);
    EXPECT_LT(show.speed("resting"), 1e-3);
    EXPECT_NEAR(show.state("separating").velocity.z, 3 - 9.81 * 0.25, 1e-9);
    show.run(0.05);
    EXPECT_GT(show.state("colliding").velocity.z, 0);
    EXPECT_LT(show.moved("resting"), 1e-3);
}

// At the top of their first bounce, at sqrt(2 h / g) (1 + e), they are at h e^2.
TEST(Gallery, BouncingBalls) {
    GalleryScene show("bouncing_balls");
    const double fall = std::sqrt(2 * 2 / 9.81);
    double now = 0;
    for (const double e : {0.3, 0.5, 0.7, 0.9, 1.0}) {
        const double until = fall * (1 + e);
        show.run(until - now, until - now);
        now = until;
        const std::string name = "e = " + std::to_string(e).substr(0, e < 1 ? 3 : 1);
        EXPECT_NEAR(show.place(name).z - 0.4, 2 * e * e, 1e-9) << name;
    }
    show.run(4 - now, 4 - now);
    for (const std::string still : {"e = 0", "e = 0.3", "e = 0.5", "e = 0.7"})
        EXPECT_LT(show.speed(still), 1e-15) << still;
    EXPECT_GT(show.speed("e = 0.9"), 0.1);
}

} // namespace
} // namespace rigor::test
