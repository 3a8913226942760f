// The end of sticking: friction holds up to its limit, and not beyond.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "rigor/joint.h"
#include "support/worlds.h"
#include "test_support.h"

namespace rigor::test {
namespace {

constexpr double kG = 9.81, kAngularFrequency = 2 * std::numbers::pi;

/// A block of 1 kg on a belt, held by a spring of 1 Hz that is slack at 0.
struct BlockOnBelt {
    World world{settings_of(Method::faithful)};
    BodyId block;

    BlockOnBelt(double belt_speed, bool belt_first) {
        Material material{.static_friction = 0.6, .kinetic_friction = 0.4};
        BodyDef box = body(BoxDef{{0.4, 0.4, 0.05}}, {0, 0, 0.025});
        box.shapes[0].material = material;
        box.mass = 1;
        BodyDef belt = ground();
        material.surface_velocity = {belt_speed, 0, 0};
        belt.shapes[0].material = material;
        if (belt_first) world.add_body(belt).value();
        block = world.add_body(box).value();
        if (!belt_first) world.add_body(belt).value();
        const Vec3d anchor{0, 0, 0.025}, wall{-10, 0, 0.025};
        world
            .add_joint({.a = block,
                        .anchor = anchor,
                        .kind = DistanceJoint{.anchor_b = wall},
                        .spring = SpringDef{1, 0}})
            .value();
    }
};

// Whether friction still holds is asked twice at its limit, by solvers with different rounding.
// Where the second said yes, the block stuck to the end of the step: 0.0014 m too far.
TEST(BreakAway, ABlockOnABeltSticksNoFartherThanItsLimit) {
    const double limit = 0.6 * kG / (kAngularFrequency * kAngularFrequency);
    for (const double speed : {0.13, 0.157, 0.2, 0.31})
        for (const bool belt_first : {true, false}) {
            SCOPED_TRACE(message("belt at ", speed, " m/s, belt first ", belt_first));
            BlockOnBelt scene(speed, belt_first);
            double farthest = 0;
            for (double t = 0; t < 1.2 * limit / speed; t += kStep) {
                scene.world.step(kStep);
                const BodyState now = scene.world.state(scene.block);
                const bool sticks = std::abs(now.velocity.x - speed) < 1e-9;
                if (sticks) farthest = std::max(farthest, now.position.x);
            }
            EXPECT_LE(farthest, limit * (1 + 1e-8));
            EXPECT_GT(farthest, limit - 2 * speed * kStep);
        }
}

} // namespace
} // namespace rigor::test
