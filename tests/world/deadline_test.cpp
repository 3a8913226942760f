// A budget of time may run out at any place inside a step. Wherever it does, the state is valid and
// the world goes on with the next step.

#include "base/deadline.h"

#include "rigor/world.h"
#include "support/worlds.h"
#include "test_support.h"

namespace rigor::test {
namespace {

/// A heap of all kinds of contacts and joints.
World heap(Method method) {
    World world(settings_of(method));
    add_ground(world, 0.5);
    Random random(7);
    const auto add = [&](const ShapeGeometry& geometry, const Vec3d& position) {
        BodyDef def = with_material(body(geometry, position), 0.4, 0.2);
        def.orientation = random.rotation<double>();
        if (method == Method::fast || method == Method::faithful) {
            def.shapes[0].material.rolling_resistance = 0.01;
            def.shapes[0].material.torsional_friction = 0.02;
        }
        return world.add_body(def).value();
    };
    add(SphereDef{0.4}, {0, 0, 0.45});
    add(BoxDef{{1, 0.6, 0.4}}, {0.2, 0.1, 1.5});
    add(CylinderDef{0.3, 0.8}, {-0.4, 0.2, 1.0});
    const BodyId upper = add(CapsuleDef{0.2, 0.8}, {1.5, 0, 1.2});
    const BodyId lower = add(BoxDef{{0.6, 0.4, 0.3}}, {1.5, 0, 0.5});
    HingeJoint hinge{.axis = {0, 1, 0}};
    hinge.limits = Range{-0.3, 0.3};
    world.add_joint({.a = upper, .b = lower, .anchor = {1.5, 0, 0.8}, .kind = hinge}).value();
    return world;
}

/// A ball between two walls that leave it less room than it needs: `faithful` cannot follow its
/// events and falls back to fixed substeps.
World squeezed_ball() {
    World world(settings_of(Method::faithful));
    add_ground(world, 0.5);
    for (const double x : {-1.0, 1.0})
        world.add_body(body(BoxDef{{1.1, 1, 1}}, {x, 0, 0.5}, BodyType::static_body)).value();
    world.add_body(body(SphereDef{0.5}, {0, 0, 0.5})).value();
    return world;
}

bool is_valid(const World& world, BodyId id) {
    const BodyState s = world.state(id);
    const Vec3d sum = s.position + s.velocity + s.angular_velocity;
    return std::isfinite(sum.x + sum.y + sum.z) &&
           std::abs(dot(s.orientation, s.orientation) - 1) < 1e-6;
}

class Deadline : public testing::TestWithParam<Method> {};

void visit_all_moments(World world, int moments) {
    for (int moment = 0; moment < moments; ++moment) {
        const Snapshot start = world.snapshot();
        bool reached = true;
        // Each of the first questions, then fewer and fewer of them.
        for (int questions = 1; reached; questions += 1 + questions / 50) {
            SCOPED_TRACE(message("after question ", questions, " of moment ", moment));
            world.restore(start);
            {
                const DeadlineAfterQuestions deadline(questions);
                world.step(kStep);
                reached = deadline.was_reached();
            }
            for (const BodyId id : world.bodies()) ASSERT_TRUE(is_valid(world, id));
        }
        world.restore(start);
        run_steps(world, 9);
    }
}

TEST_P(Deadline, MayPassAnywhereInAStep) {
    visit_all_moments(heap(GetParam()), 3);
}

TEST(DeadlineOfFixedSubsteps, MayPassAnywhere) {
    visit_all_moments(squeezed_ball(), 1);
}

INSTANTIATE_TEST_SUITE_P(OfEveryMethod, Deadline,
                         testing::Values(Method::fast, Method::faithful, Method::baber2006,
                                         Method::kavan2003, Method::baber2011, Method::kenwright,
                                         Method::galoppo2007, Method::penalty),
                         method_name);

} // namespace
} // namespace rigor::test
