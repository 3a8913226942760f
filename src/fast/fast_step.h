// The fast pipeline: one step of many bodies.
#pragma once

#include "base/bit_set.h"
#include "base/profile.h"
#include "dynamics/integrate.h"
#include "fast/block_plan.h"
#include "fast/coloring.h"
#include "fast/contact_kernels.h"
#include "fast/contact_rows.h"
#include "fast/gears.h"
#include "fast/groups.h"
#include "fast/joint_kernels.h"
#include "fast/joint_rows.h"
#include "fast/narrowphase.h"
#include "fast/sleep.h"
#include "fast/sweep.h"
#include "fast/touch_changes.h"
#include "rigor/settings.h"

namespace rigor::fast {

/// What outlives a step beside the state: part of snapshots and of the hash.
struct Memory {
    PairStore pairs;
    std::vector<JointMemory> joints; ///< by slot
    Sleep sleep;

    std::size_t memory_bytes() const {
        return pairs.memory_bytes() + joints.capacity() * sizeof(JointMemory) +
               sleep.memory_bytes();
    }
};

void add_to_hash(Hasher& hasher, const Memory& memory);

/// Blocks of every width; only one of them is in use.
template <template <int> class Block>
struct BlocksOfAnyWidth {
    std::vector<Block<1>> one;
    std::vector<Block<4>> four;
    std::vector<Block<8>> eight;

    template <int W>
    std::vector<Block<W>>& of() {
        if constexpr (W == 1)
            return one;
        else if constexpr (W == 4)
            return four;
        else
            return eight;
    }
};

struct StepOutcome {
    int moved = 0;
    int contacts = 0;                        ///< points
    double deepest = 0;                      ///< penetration at the beginning of the step, m
    std::vector<std::uint32_t> quarantined;  ///< slots
    std::vector<std::uint32_t> broken;       ///< slots of joints that held more than they can
    std::vector<std::uint32_t> woken, slept; ///< slots of bodies
    Events events;                           ///< of contacts and sensors
    int stopped = 0;                         ///< bodies that would have passed through something

    /// As new, but with its room.
    void reset();
};

/// What is made anew in every step, kept only for its room; and what follows from the state.
struct Scratch {
    StepOutcome outcome;
    NearShapes shapes;
    std::vector<ProxyPair> found;
    std::vector<IntegrationTally> tallies; ///< of free bodies
    BodyRows bodies;
    std::vector<BodyRow> ended; ///< rows as they were at the end of the last substep
    Coloring coloring;
    std::vector<std::uint32_t> colors; ///< of each contact, or of each joint

    std::vector<std::uint32_t> busy; ///< slots of pairs
    std::vector<ContactRow> contacts;
    std::vector<ContactResult> results; ///< of each contact
    std::vector<PairRows> pairs;        ///< that touched, or are near
    BitSet near_ground;                 ///< bodies near something that does not answer
    BlockPlan contact_plan;
    BlocksOfAnyWidth<ContactBlock> contact_blocks;
    BlocksOfAnyWidth<PointBlock> contact_points;
    std::vector<std::uint32_t> first_points; ///< of each block

    std::vector<JointTask> joints;
    std::vector<std::uint64_t> joint_shapes; ///< keys of the different ones
    BlockPlan joint_plan;
    BlocksOfAnyWidth<JointBlock> joint_blocks;
    std::vector<GearRow> gears;
    Groups groups;                         ///< rows that are joined
    std::vector<std::uint8_t> group_sizes; ///< of the roots, up to a few
};

struct StepContext {
    WorldState& state;
    ShapeProxies& proxies; ///< refreshed
    ThreadTeam& team;
    Profile& profile;
    int substeps = 4;
    int lanes = 0; ///< 1, 4 or 8; 0: the widest this machine has
    Integrator integrator = Integrator::exact;
    bool may_sleep = true;
    double hit_speed = 1;
    const ContactHooks* hooks = nullptr;
};

/// Moves the world on by dt.
///
///     pairs       which shapes have come near each other
///     contacts    where they touch
///     wake        islands that something awake has come to touch
///     prepare     bodies, manifolds and joints to rows, sorted into colors
///     solve       substeps: forces, warm start, solve, move, relax; then bounce
///     finish      impulses and bodies back into the state
///     free        bodies that touch nothing move freely, in double, as if there were no contacts
///     sweep       bodies that went far are followed, so that they pass through nothing
///     sleep       islands that have been still for a while
/// What came of it is in scratch.outcome.
void step(const StepContext& context, Memory& memory, Scratch& scratch, double dt);

} // namespace rigor::fast
