// State of a step of a method of the literature: what its stages hand on to each other.
//
// These methods know no islands that move by themselves. All bodies and joints of the world form
// one Island, and go through the step together.
#pragma once

#include "base/hash.h"
#include "contact_dynamics/step_context.h"
#include "literature/penalty_forces.h"

namespace rigor::literature {

/// State that a method keeps from step to step.
struct MethodMemory {
    std::vector<FrictionSpring> springs;
    std::vector<std::uint32_t> placed; ///< slots of bodies that were added or moved since the step
};

void add_to_hash(Hasher& hasher, const MethodMemory& memory);

/// What a contact gave b while the step went on, in world axes.
struct ContactImpulse {
    ShapePair shapes;
    std::uint64_t features = 0;
    Vec3d point, normal;
    Vec3d impulse; ///< on the second, world axes
};

struct MethodState {
    /// Takes all bodies and enforced joints of the world, in the order of their slots.
    explicit MethodState(const WorldState& state, std::span<const double> joint_angles = {});

    double duration = 0;             ///< s: of the whole step
    Island island;                   ///< its contacts are the resting ones
    std::vector<Contact> contacts;   ///< all, resting or not
    ContactSprings springs;          ///< of the resting contacts, by the rule `penalty`
    std::vector<WorkLedger> work;    ///< by index of the body in the island
    std::vector<double> reach;       ///< likewise: how far the pairs allow its center to move, m
    std::vector<Vec3d> pair_centers; ///< likewise: its center when the pairs were found
    std::vector<double> pair_reach;  ///< likewise: its reach then
    std::vector<ShapePair> blocked;  ///< pairs whose collision ended the last interval
    std::vector<ContactImpulse> impulses; ///< of the step so far, in order of time
    /// By index of the joint in the island: its impulse on b so far, about its anchor.
    std::vector<SpatialVector> joint_loads;
    StepOutcome outcome;
};

/// Lists two bodies, given by their indices in the island, as interacting, unless one of them has
/// infinite mass.
void record_interaction(const WorldState& state, std::uint32_t a, std::uint32_t b,
                        MethodState& step);

/// Ends a step.
///
/// Reads    the motion, the work and the joints of the island.
/// Writes   the motion of the bodies in the world; their work and interactions in the outcome.
/// Order    bodies, then joints, as in the island.
void write_back(MethodState& step, WorldState& state);

} // namespace rigor::literature
