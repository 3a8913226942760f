// Blocked motion: singular configurations of loops of joints, and such as only look like one.

#include <gtest/gtest.h>

#include <cmath>

#include "rigor/rotation.h"
#include "support/worlds.h"
#include "test_support.h"

namespace rigor::test {
namespace {

enum class Link { ball, hinge };

JointKind joint_of(Link link, const Vec3d& axis) {
    if (link == Link::ball) return BallJoint{};
    return HingeJoint{normalize(cross(axis, Vec3d{0.1, 0.2, 1}))};
}

/// Links of equal length along an axis, between two anchors as far apart as they are long.
struct StraightChain {
    World world{settings_of(Method::faithful)};
    std::vector<BodyId> links;

    StraightChain(int count, Link link, double length, const Vec3d& direction) {
        const Vec3d axis = normalize(direction), start{0.1, -0.3, 2};
        const auto along = [&](double x) { return start + axis * (x * length); };
        const auto join = [&](BodyId a, BodyId b, double x) {
            world.add_joint({.a = a, .b = b, .anchor = along(x), .kind = joint_of(link, axis)})
                .value();
        };
        for (int i = 0; i < count; ++i) {
            BodyDef def = body(BoxDef{{length, 0.1 * length, 0.2 * length}}, along(i + 0.5));
            def.mask = 0;
            def.orientation = from_rotation_vector(cross(Vec3d{1, 0, 0}, axis));
            links.push_back(world.add_body(def).value());
            join(i == 0 ? BodyId{} : links[links.size() - 2], links.back(), i);
        }
        join(links.back(), BodyId{}, count);
    }
};

// Rigid links cannot sag: every displacement would make the chain longer. Before, a step took
// seconds and ended in fixed substeps.
TEST(BlockedMotion, AStraightChainBetweenAnchorsStays) {
    for (const Link link : {Link::ball, Link::hinge})
        for (const int count : {2, 3, 5})
            for (const Vec3d& axis : {Vec3d{1, 0, 0}, Vec3d{1, 0.3, -0.2}}) {
                SCOPED_TRACE(message("hinges ", link == Link::hinge, ", links ", count));
                StraightChain chain(count, link, 0.37, axis);
                std::vector<Vec3d> start;
                for (const BodyId id : chain.links) start.push_back(chain.world.state(id).position);
                for (int i = 0; i < 30; ++i) ASSERT_EQ(chain.world.step(1.0 / 60).fixed_steps, 0);
                for (std::size_t i = 0; i < start.size(); ++i)
                    EXPECT_LT(length(chain.world.state(chain.links[i]).position - start[i]), 1e-12);
            }
}

// What hangs from a blocked chain swings as from a fixed pivot.
TEST(BlockedMotion, APendulumSwingsFromAStraightChain) {
    StraightChain chain(2, Link::hinge, 1, {1, 0, 0});
    World& world = chain.world;
    World fixed(settings_of(Method::faithful));
    const Vec3d pivot = world.state(chain.links[1]).position - Vec3d{0.5, 0, 0};
    BodyDef bob = body(BoxDef{{1, 0.1, 0.1}}, pivot + Vec3d{0.5, 0, 0});
    bob.mask = 0;
    const BodyId hung = world.add_body(bob).value(), other = fixed.add_body(bob).value();
    const HingeJoint hinge{{0, 1, 0}};
    world.add_joint({.a = chain.links[1], .b = hung, .anchor = pivot, .kind = hinge}).value();
    fixed.add_joint({.b = other, .anchor = pivot, .kind = hinge}).value();
    for (int i = 0; i < 30; ++i) {
        ASSERT_EQ(world.step(1.0 / 60).fixed_steps, 0);
        fixed.step(1.0 / 60);
    }
    EXPECT_LT(length(world.state(hung).position - fixed.state(other).position), 1e-9);
    EXPECT_GT(length(world.state(hung).velocity), 0.5);
}

/// Two links of 1 m between ball joints that are closer than 2 m by `slack`; gravity is aslant.
World slack_chain(double slack, BodyId& first) {
    WorldSettings settings = settings_of(Method::faithful);
    settings.gravity = {0, 3, -9};
    World world(settings);
    const double half = 1 - slack / 2, sag = std::sqrt(1 - half * half);
    const double angle = std::atan2(sag, half);
    const auto add = [&](double x, double side) {
        BodyDef def = body(BoxDef{{1, 0.1, 0.1}}, {x, 0, -sag / 2});
        def.mask = 0;
        def.orientation = from_axis_angle(Vec3d{0, 1, 0}, side * angle);
        return world.add_body(def).value();
    };
    first = add(half / 2, 1);
    const BodyId second = add(1.5 * half, -1);
    const auto join = [&](BodyId a, BodyId b, const Vec3d& anchor) {
        world.add_joint({.a = a, .b = b, .anchor = anchor, .kind = BallJoint{}}).value();
    };
    join(first, {}, {0, 0, 0});
    join(first, second, {half, 0, -sag});
    join(second, {}, {2 * half, 0, 0});
    return world;
}

// With slack the middle moves on a small circle: nothing is blocked.
TEST(BlockedMotion, AChainWithSlackSwings) {
    for (const double slack : {1e-3, 1e-6}) {
        BodyId first;
        World world = slack_chain(slack, first);
        const Energy start = world.energy();
        double fastest = 0;
        for (int i = 0; i < 20; ++i) {
            ASSERT_EQ(world.step(1.0 / 60).fixed_steps, 0);
            fastest = std::max(fastest, length(world.state(first).velocity));
        }
        EXPECT_GT(fastest, 0.5 * std::sqrt(std::sqrt(slack)));
        EXPECT_NEAR(world.energy().kinetic + world.energy().potential,
                    start.kinetic + start.potential, 1e-9);
    }
}

// At the flat position of a parallelogram two motions cross: it is singular, and free to move.
TEST(BlockedMotion, AFlatParallelogramMoves) {
    World world(settings_of(Method::faithful));
    const auto add = [&](double x, double size) {
        BodyDef def = body(BoxDef{{size, 0.1, 0.1}}, {x, 0, 0});
        def.mask = 0;
        return world.add_body(def).value();
    };
    const BodyId left = add(0.5, 1), coupler = add(2, 2), right = add(2.5, 1);
    const auto join = [&](BodyId a, BodyId b, double x) {
        world.add_joint({.a = a, .b = b, .anchor = {x, 0, 0}, .kind = HingeJoint{{0, 1, 0}}})
            .value();
    };
    join(left, {}, 0);
    join(left, coupler, 1);
    join(coupler, right, 3);
    join(right, {}, 2);
    const Energy start = world.energy();
    for (int i = 0; i < 20; ++i) world.step(1.0 / 60);
    EXPECT_GT(length(world.state(coupler).velocity), 1);
    EXPECT_NEAR(world.energy().kinetic + world.energy().potential, start.kinetic + start.potential,
                1e-9 * world.energy().kinetic);
}

} // namespace
} // namespace rigor::test
