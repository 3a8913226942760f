// Joints and motors.
#include <cmath>

#include "gallery/gallery_scene.h"

namespace rigor::test {
namespace {

double worst_joint(GalleryScene& show) {
    double worst = 0;
    for (const JointId joint : show.world().joints())
        worst = std::max(worst, show.world().joint_state(joint).error);
    return worst;
}

TEST(Gallery, Ragdolls) {
    GalleryScene show("ragdolls");
    const std::size_t joints = show.world().joint_count();
    show.run(8);
    EXPECT_EQ(show.world().joint_count(), joints);
    EXPECT_LT(worst_joint(show), 0.01);
    EXPECT_LT(show.fastest(), 0.3);
    for (const std::string doll : {"A", "B"}) {
        const double fallen =
            show.start().at(doll + " hips").position.z - show.place(doll + " hips").z;
        EXPECT_GT(fallen, 0.6) << doll;
    }
    for (const std::string& part : show.dynamic()) EXPECT_GT(show.place(part).z, 0) << part;
}

TEST(Gallery, Bridge) {
    GalleryScene show("bridge");
    show.run(8);
    EXPECT_LT(worst_joint(show), 0.02);
    for (const std::string& plank : show.dynamic("plank")) EXPECT_GT(show.place(plank).z, 0.9);
    for (const std::string& ball : show.dynamic("ball"))
        EXPECT_GT(show.place(ball).z, 1.2) << ball << " is on the bridge";
}

TEST(Gallery, GearTrain) {
    GalleryScene show("gear_train");
    show.run(2);
    const double first = show.state("gear 1").angular_velocity.y;
    EXPECT_NEAR(std::abs(first), 2, 0.02);
    EXPECT_NEAR(show.state("gear 2").angular_velocity.y, -2 * first, 0.02);
    EXPECT_NEAR(show.state("gear 3").angular_velocity.y, 4.0 / 3 * first, 0.02);
}

TEST(Gallery, SliderCrank) {
    GalleryScene show("slider_crank");
    for (int i = 0; i < 40; ++i) {
        show.run(0.1);
        const Vec3d crank = show.axis("crank", {1, 0, 0});
        const double x = 0.5 * crank.x + std::sqrt(1.5 * 1.5 - 0.25 * crank.z * crank.z);
        ASSERT_NEAR(show.place("piston").x, x, 5e-3) << "after " << show.world().time() << " s";
    }
    EXPECT_NEAR(std::abs(show.world().joint_state(show.joint("axle")).coordinate), 12, 0.5);
}

TEST(Gallery, VehicleCourse) {
    GalleryScene show("vehicle_course");
    double highest = 0;
    for (int i = 0; i < 200; ++i) {
        show.run(0.1);
        if (show.place("car[0]").x < 45) highest = std::max(highest, show.place("car[0]").z);
    }
    EXPECT_GT(highest, 1) << "it went over the ramp";
    EXPECT_GT(show.moved("box[0]"), 0.3);
    EXPECT_GT(show.place("car[0]").x, 90);
    EXPECT_GT(show.axis("car[0]").z, 0.9) << "it is on its wheels";
    const Vec3d parked = show.place("car[0]");
    show.run(2);
    EXPECT_LT(length(show.place("car[0]") - parked), 1e-3) << "the hand brake holds";
}

// For v / (mu g) = 0.161 s the belt slips under a parcel; then both go at 1 m/s.
TEST(Gallery, Conveyor) {
    GalleryScene show("conveyor");
    show.run(2);
    const double slip = 1 / (2 * 9.81 * std::sqrt(0.8 * 0.5));
    for (const std::string& parcel : show.dynamic())
        EXPECT_NEAR(show.moved(parcel), 2 - slip, 0.02) << parcel;
    show.run(6);
    for (const std::string& parcel : show.dynamic()) {
        EXPECT_GT(show.place(parcel).x, 3) << parcel;
        EXPECT_LT(show.place(parcel).z, 1) << parcel << " is in the bin";
    }
}

} // namespace
} // namespace rigor::test
