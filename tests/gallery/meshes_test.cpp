// Bodies that are concave meshes: linked rings, gears, threads, heaps.
#include <cmath>

#include "gallery/gallery_scene.h"

namespace rigor::test {
namespace {

constexpr double kPi = 3.14159265358979323846;

/// The deepest overlap at the ends of `count` parts of so many seconds.
double deepest(GalleryScene& show, int count, double seconds) {
    double most = 0;
    for (int i = 0; i < count; ++i) {
        show.run(seconds);
        most = std::max(most, show.penetration());
    }
    return most;
}

/// By how much a body has turned about an axis of the world, in all its turns; asked for often
/// enough, it is right.
class TurnCounter {
  public:
    TurnCounter(const GalleryScene& show, std::string body, const Vec3d& own, const Vec3d& about)
        : show_(show), body_(std::move(body)), own_(own), about_(about), last_(direction()) {}

    double update() {
        const Vec3d now = direction();
        angle_ += std::atan2(dot(about_, cross(last_, now)), dot(last_, now));
        last_ = now;
        return angle_;
    }

  private:
    Vec3d direction() const { return show_.axis(body_, own_); }

    const GalleryScene& show_;
    std::string body_;
    Vec3d own_, about_, last_;
    double angle_ = 0;
};

// Rings that came apart would fall for 10 s.
TEST(Gallery, ChainOfRings) {
    GalleryScene show("chain_of_rings");
    EXPECT_LT(deepest(show, 10, 1), 1e-3);
    std::string above = "hook";
    for (int i = 1; i <= 10; ++i) {
        const std::string ring = i < 10 ? "ring " + std::to_string(i) : "load";
        const double apart = length(show.place(ring) - show.place(above));
        EXPECT_NEAR(apart, 0.6, 0.01) << ring << " hangs in " << above;
        above = ring;
    }
}

// Twelve teeth each, so one turn makes one turn, to the backlash of 0.01 m at a radius of 0.6 m. A
// tooth is 0.157 m thick.
TEST(Gallery, SpurGears) {
    GalleryScene show("spur_gears");
    TurnCounter driver(show, "driver", {1, 0, 0}, {0, 1, 0}),
        driven(show, "driven", {1, 0, 0}, {0, 1, 0});
    double most = 0;
    while (std::abs(driver.update()) < 10 * 2 * kPi && show.world().time() < 40) {
        show.run(0.25);
        most = std::max(most, show.penetration());
        ASSERT_NEAR(driver.update(), -driven.update(), 0.02) << "after " << show.world().time();
    }
    EXPECT_GT(std::abs(driver.update()), 10 * 2 * kPi - 0.1);
    EXPECT_LT(most, 0.01 * 0.157);
}

// A quarter turn of the wheel for each turn of the crank, and rest in between: the locking disc
// leaves it 0.01 m at a radius of 0.7 m.
TEST(Gallery, GenevaDrive) {
    GalleryScene show("geneva_drive");
    TurnCounter crank(show, "crank", {1, 0, 0}, {0, 1, 0}),
        wheel(show, "wheel", {1, 0, 0}, {0, 1, 0});
    double turned = 0, moved = 0;
    for (int turn = 1; turn <= 3; ++turn) {
        while (turned < turn * 2 * kPi && show.world().time() < 20) {
            show.run(0.1);
            turned = std::abs(crank.update());
            moved = std::abs(wheel.update());
        }
        EXPECT_NEAR(moved, turn * kPi / 2, 0.04) << "after turn " << turn;
        EXPECT_LT(show.penetration(), 1e-3);
    }
    EXPECT_NEAR(turned, 6 * kPi, 0.3);
}

// The pitch is 0.25 m, and the head is 0.25 m over the nut.
TEST(Gallery, BoltAndNut) {
    GalleryScene show("bolt_and_nut");
    TurnCounter bolt(show, "bolt", {1, 0, 0}, {0, 0, 1});
    const double start = show.place("bolt").z;
    double turned = 0;
    for (int i = 0; i < 10; ++i) {
        show.run(0.1);
        turned = bolt.update();
        const double down = start - show.place("bolt").z;
        ASSERT_NEAR(-turned * 0.25 / (2 * kPi), down, 0.025) << "after " << show.world().time();
        ASSERT_LT(show.penetration(), 3e-3);
    }
    EXPECT_LT(turned, -1) << "it turns in";
}

// A band that is free lies flat on the floor, 0.04 m high.
TEST(Gallery, PuzzleRing) {
    GalleryScene show("puzzle_ring");
    show.run(4);
    for (const std::string& band : show.dynamic()) {
        EXPECT_GT(show.place(band).z, 0.1) << band;
        EXPECT_LT(length(show.place(band) - show.place("band 1")), 0.5) << band;
    }
    EXPECT_LT(show.penetration(), 1e-3);
    EXPECT_LT(show.fastest(), 0.1);
}

TEST(Gallery, BlobsInAPit) {
    GalleryScene show("blobs_in_a_pit");
    show.run(3);
    for (const std::string& blob : show.dynamic()) {
        const Vec3d at = show.place(blob);
        EXPECT_GT(at.z, std::hypot(at.x, at.y)) << blob << " is in the pit, not in its wall";
        EXPECT_LT(at.z, 1) << blob;
    }
    EXPECT_LT(show.fastest(), 0.2);
    EXPECT_LT(show.penetration(), 2e-3) << "1 % of a blob";
}

TEST(Gallery, SelfRighting) {
    GalleryScene show("self_righting");
    EXPECT_LT(show.axis("egg").z, -0.9) << "it begins upside down";
    show.run(15);
    EXPECT_GT(show.axis("egg").z, 0.9);
    EXPECT_LT(show.penetration(), 1e-6);
}

} // namespace
} // namespace rigor::test
