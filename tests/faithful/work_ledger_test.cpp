// The ledger of `faithful` and of the methods from the literature: work is computed from impulses
// and velocities and not from energies, so that an error of the engine shows in the remainder.
#include <gtest/gtest.h>

#include <cmath>

#include "contact_dynamics/contact_problem.h"
#include "contact_dynamics/resolve_event.h"
#include "dynamics/energy.h"
#include "faithful/faithful_step.h"
#include "faithful/moreau_step.h"
#include "rigor/rotation.h"
#include "step_fixture.h"
#include "support/worlds.h"
#include "test_support.h"

namespace rigor::faithful {
namespace {

using test::kStep;
using test::run;

double sum(const WorkLedger& w) {
    return w.gravity + w.forces + w.contact_normal + w.contact_friction + w.impact + w.joints +
           w.damping;
}

// Islands: work of impulses, against the change of energy.

/// A bar that falls, with a joint at its left end and a contact at its right one.
struct HingedBar : StepFixture {
    HingedBar() {
        state.gravity = {0, 0, -9.81};
        ground = add_ground();
        bar = add(BoxDef{{1, 0.1, 0.1}}, {0, 0, 0.05});
        set_velocity(state.bodies, bar.body, {0, 0, -1});
        set_angular_velocity(state.bodies, bar.body, {0, 2, 0});
        island.find_or_add_body(ground.body, state);
        island.find_or_add_body(bar.body, state);
    }

    /// The velocity of the left end is zero: the row of a ball joint there, along z.
    ConstraintRow joint_row() const {
        ConstraintRow row;
        const Vec3d arm{-0.5, 0, 0}, z{0, 0, 1};
        row.all_sides[0] = {0, {}, {}};
        row.all_sides[1] = {1, z, cross(arm, z)};
        return row;
    }
    ConstraintRow contact_row() const {
        ConstraintRow row = joint_row();
        const Vec3d arm{0.5, 0, -0.05}, z{0, 0, 1};
        row.all_sides[1] = {1, z, cross(arm, z)};
        return row;
    }

    AddedBody ground, bar;
    Island island;
};

TEST(ImpulseWork, OfImpulsesThatActTogetherIsTheChangeOfEnergy) {
    HingedBar f;
    const std::vector<RowImpulse> impulses{{f.joint_row(), 3, &WorkLedger::joints},
                                           {f.contact_row(), 7, &WorkLedger::impact}};
    const double before = kinetic_energy(f.state, f.island);
    record_work(apply_impulses(f.state, impulses, f.island), f.island);
    const double change = kinetic_energy(f.state, f.island) - before;
    EXPECT_GT(std::abs(f.island.work.joints), 0.1);
    EXPECT_GT(std::abs(f.island.work.impact), 0.1);
    EXPECT_NEAR(sum(f.island.work), change, 1e-12 * (1 + std::abs(change)));
}

// The impulses that the ledger is told of, and those that the bodies get: one of a joint that
// pushes, or of a contact that gives more than it takes, is missing in the sum.
TEST(ImpulseWork, DisagreesWhereBodiesGetOtherImpulses) {
    for (const std::size_t which : {0, 1}) {
        HingedBar f;
        const std::vector<RowImpulse> told{{f.joint_row(), 3, &WorkLedger::joints},
                                           {f.contact_row(), 7, &WorkLedger::impact}};
        std::vector<RowImpulse> given = told;
        given[which].impulse *= 1.001;
        const std::vector<BodyKinematics> before = kinematics_of(f.state, f.island);
        const double kinetic = kinetic_energy(f.state, f.island);
        contact_dynamics::apply(f.island, f.state, given);
        const auto work = work_of(told, before, kinematics_of(f.state, f.island));
        const double change = kinetic_energy(f.state, f.island) - kinetic;
        EXPECT_GT(std::abs(change - sum(work[0]) - sum(work[1])), 1e-4) << which;
    }
}

TEST(DisplacementWork, OfASmallTurnIsTheChangeOfEnergy) {
    StepFixture f;
    f.state.gravity = {0, 0, -9.81};
    const AddedBody box = f.add(BoxDef{{1, 0.6, 0.2}}, {0, 0, 3});
    set_angular_velocity(f.state.bodies, box.body, {3, 2, 1});
    Island island;
    island.find_or_add_body(box.body, f.state);
    const std::vector<BodyMotion> before = island.motion;
    const auto energy = [&] {
        return kinetic_energy(f.state, island) +
               f.state.bodies.inertia[box.body].weight * 9.81 * island.motion[0].x.z;
    };
    const double start = energy();
    const auto error_of = [&](double size) {
        island.motion[0].x = before[0].x + Vec3d{0.2, 0.1, 0.3} * size;
        island.motion[0].q =
            normalize(from_rotation_vector(Vec3d{1, -2, 0.5} * size) * before[0].q);
        const double change = energy() - start;
        EXPECT_GT(std::abs(change), 10 * size);
        return std::abs(displacement_work(f.state, before, island)[0] - change);
    };
    // Third order: halving the turn divides the error by eight.
    EXPECT_NEAR(error_of(1e-2) / error_of(5e-3), 8, 0.3);
}

// Steps: what is left of the energy of all bodies.

struct SteppedBodies : StepFixture {
    /// Change of the kinetic energy of all bodies in a step that no work explains.
    double remainder_of_step(double dt = kStep) {
        const double before = kinetic();
        const StepOutcome outcome = step(context, nullptr, dt);
        return kinetic() - before - work_in(outcome);
    }
    double kinetic() const {
        double total = 0;
        for (std::uint32_t body = 0; body < state.bodies.slot_count(); ++body)
            if (is_dynamic(state.bodies, body))
                total +=
                    rigor::kinetic_energy(state.bodies.motion[body], state.bodies.inertia[body],
                                          state.bodies.traits[body]);
        return total;
    }
    static double work_in(const StepOutcome& outcome) {
        double total = 0;
        for (const WorkLedger& work : outcome.work.by_body) total += sum(work);
        return total;
    }
};

TEST(WorkLedger, AnInitialOverlapIsWorkOfContacts) {
    SteppedBodies f;
    f.state.gravity = {0, 0, -9.81};
    f.add_ground();
    const AddedBody box = f.add(BoxDef{{1, 1, 1}}, {0, 0, 0.49});
    const double before = f.kinetic();
    const StepOutcome outcome = step(f.context, nullptr, kStep);
    const double weight = f.state.bodies.inertia[box.body].weight * 9.81;
    EXPECT_NEAR(outcome.work.by_body[box.body].contact_normal, weight * 0.01, 1e-7 * weight);
    EXPECT_NEAR(outcome.work.by_body[box.body].gravity, -weight * 0.01, 1e-7 * weight);
    EXPECT_NEAR(f.kinetic() - before, SteppedBodies::work_in(outcome), 1e-9);
}

// A body that somebody turned between two steps has another energy for its angular momentum.
TEST(WorkLedger, SeesABodyThatWasTurnedByHand) {
    SteppedBodies f;
    const AddedBody box = f.add(BoxDef{{1, 0.6, 0.2}}, {0, 0, 3});
    set_angular_velocity(f.state.bodies, box.body, {3, 2, 1});
    const double start = f.kinetic();
    double work = SteppedBodies::work_in(step(f.context, nullptr, kStep));
    EXPECT_NEAR(f.kinetic() - start - work, 0, 1e-12 * start);
    BodyMotion& m = f.state.bodies.motion[box.body];
    m.q = normalize(from_rotation_vector(Vec3d{0, 0.01, 0}) * m.q);
    work += SteppedBodies::work_in(step(f.context, nullptr, kStep));
    EXPECT_GT(std::abs(f.kinetic() - start - work), 1e-4 * start);
}

/// Bricks that fall on each other, one of them under a force, in fixed substeps.
struct FallingBricks : SteppedBodies {
    FallingBricks() {
        state.gravity = {0, 0, -9.81};
        add_ground();
        for (int i = 0; i < 5; ++i) {
            const AddedBody brick = add(BoxDef{{1, 1, 0.1}}, {0.03 * i, 0.02 * i, 0.3 + 0.4 * i});
            state.bodies.motion[brick.body].q = from_rotation_vector(Vec3d{0.3 * i, 0.3, 0.1 * i});
            if (i == 2) state.bodies.wrenches.resize(state.bodies.slot_count());
            if (i == 2) state.bodies.wrenches[brick.body].force = {300, 0, -200};
        }
        state.bodies.wrenches.resize(state.bodies.slot_count());
    }
    double remainder_of(int steps) {
        const double before = kinetic();
        double work = 0;
        for (int i = 0; i < steps; ++i) work += work_in(moreau_step(context, kStep));
        return kinetic() - before - work;
    }
};

// Bodies move by the velocity at the end of a substep, and are hit before they have got it: bricks
// that landed had 25 J that nothing had given them.
TEST(WorkLedger, FixedSubstepsOfAHeapLeaveNothing) {
    FallingBricks bricks;
    EXPECT_LT(std::abs(bricks.remainder_of(24)), 1e-7);
    EXPECT_GT(bricks.kinetic(), 1);
}

TEST(WorkLedger, OfFixedSubstepsSeesABodyThatWasPushedByHand) {
    FallingBricks bricks;
    const double start = bricks.kinetic();
    const double work = SteppedBodies::work_in(moreau_step(bricks.context, kStep));
    bricks.state.bodies.motion[2].p.z -= 10;
    EXPECT_GT(bricks.kinetic() - start - work, 0.1);
}

// Worlds.

/// A lift: a box on a kinematic plate. The contact works on the box, though nothing slides.
TEST(WorkLedger, AKinematicBodyWorksThroughItsContacts) {
    World world(test::settings_of(Method::faithful));
    BodyDef plate = test::body(BoxDef{{2, 2, 0.1}}, {0, 0, -0.05}, BodyType::kinematic_body);
    plate.velocity = {0.1, 0, 0.5};
    world.add_body(plate).value();
    BodyDef box = test::body(BoxDef{{0.5, 0.5, 0.5}}, {0, 0, 0.25});
    box.mass = 2;
    box.velocity = plate.velocity;
    world.add_body(box).value();
    run(world, 1);
    const Ledger ledger = world.ledger();
    EXPECT_NEAR(ledger.contact_normal, 2 * 9.81 * 0.5, 1e-9);
    EXPECT_NEAR(ledger.gravity, -2 * 9.81 * 0.5, 1e-9);
    EXPECT_NEAR(ledger.remainder, 0, 1e-10);
}

} // namespace
} // namespace rigor::faithful
