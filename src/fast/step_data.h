// Data of a step: what persists between steps, what is rebuilt in each step, and its outcome.
#pragma once

#include "base/bit_set.h"
#include "base/disjoint_sets.h"
#include "base/profile.h"
#include "base/thread_team.h"
#include "broadphase/pair_finder.h"
#include "dynamics/integrate.h"
#include "fast/block_plan.h"
#include "fast/collision_shape_cache.h"
#include "fast/coloring.h"
#include "fast/contact_events.h"
#include "fast/demanding_islands.h"
#include "fast/facet_contacts.h"
#include "fast/fresh_contacts.h"
#include "fast/gear_constraints.h"
#include "fast/joint_constraints.h"
#include "fast/joint_systems.h"
#include "fast/sleep_state.h"
#include "fast/solver_parts.h"
#include "fast/track_constraints.h"
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
    int moved = 0;                           ///< bodies
    int contacts = 0;                        ///< points
    double max_penetration = 0;              ///< at the beginning of the step, m
    std::vector<std::uint32_t> quarantined;  ///< slots of bodies
    std::vector<std::uint32_t> broken;       ///< slots of joints with more load than they can bear
    std::vector<std::uint32_t> woken, slept; ///< slots of bodies
    Events events;                           ///< of contacts and sensors
    int crowded = 0;                         ///< shapes in crowds (broadphase/crowd.h)
    int stopped = 0;                         ///< bodies stopped by continuous collision
    int substeps = 0;                        ///< made, fewer than wanted past a deadline

    /// As new, but keeps its memory.
    void reset();
};

/// The solver bodies as a step began, for parts that begin it anew.
struct StepStart {
    std::vector<SolverBody> bodies;
    std::vector<SolverMass> mass;
    std::vector<float> damping_work;
    std::vector<double> force_work;
    std::vector<GyroscopicGroup> turning;

    void resize(const SolverBodies& like);
    void store(const SolverPart& part, const SolverBodies& from);
    void restore(const SolverPart& part, SolverBodies& to) const;
};

/// Work on one body in a step, J.
struct BodyWork {
    std::uint32_t body = 0; ///< slot
    double gravity = 0, forces = 0, damping = 0;
};

enum class BodyFate : std::uint8_t { not_dynamic, moved, not_finite };

/// What the stage "finalize bodies" found of a solver body.
struct FinalizedBody {
    BodyWork work;
    BodyFate fate = BodyFate::not_dynamic;
};

/// Made anew in every step, and reused to avoid allocation; or derived from the state.
struct Scratch {
    StepOutcome outcome;
    CollisionShapeCache shapes;
    std::vector<ProxyPair> found_pairs;    ///< by the broadphase
    std::vector<IntegrationTally> tallies; ///< of free bodies
    SolverBodies bodies;
    std::vector<SolverBody> end_of_substep; ///< the solver bodies at the end of the last one
    std::vector<SolverBody> ahead;          ///< displacements at the end of this one
    Coloring coloring;
    std::vector<std::uint32_t> colors; ///< of each contact, or of each joint

    std::vector<PoolSlot<ContactPair>> active_pairs;
    std::vector<ContactConstraint> contacts;
    std::vector<PairConstraints> pairs; ///< that touch or touched
    BitSet near_immovable;              ///< bodies near one that does not respond to impulses
    BitSet deep;                        ///< bodies that are deep in a surface that is immovable
    DemandingIslands demanding;         ///< of which no contact is swept over
    BlockPlan contact_plan;
    std::size_t swept_colors = 0; ///< of contacts; those of demanding islands follow
    BlocksOfAnyWidth<ContactBlock> contact_blocks;
    BlocksOfAnyWidth<PointBlock> contact_points;
    BlocksOfAnyWidth<SurfaceBlock> surface_blocks; ///< one for each block, if `has_surfaces`
    bool has_surfaces = false; ///< whether a contact has rolling resistance or a grain
    bool has_overlaps = false; ///< whether a pair parts
    std::vector<std::uint32_t> first_points; ///< of each block
    FacetContacts facets;
    FreshContacts fresh;

    std::vector<JointConstraint> joints;
    std::vector<std::uint64_t> joint_layouts; ///< keys of the different ones
    BlockPlan joint_plan;
    BlocksOfAnyWidth<JointBlock> joint_blocks;
    std::vector<GearedJoints> gear_joints; ///< by part and group
    std::vector<GearConstraint> gears;     ///< of these
    std::vector<JointConstraint> track_joints;
    std::vector<TrackConstraint> tracks;                 ///< of these
    DisjointSets joint_groups;                           ///< solver bodies that joints connect
    std::vector<std::uint8_t> group_sizes, group_joints; ///< of the roots, up to a few
    std::vector<std::array<float, 2>> spring_rates;      ///< by solver body: squared, and of decay
    std::vector<float> squared_frequencies;              ///< of solver bodies under their joints
    SolverParts parts;
    JointSystems systems;
    BlocksOfAnyWidth<Column> system_rows;   ///< right-hand sides and solutions
    BlocksOfAnyWidth<Column> system_errors; ///< of bundles, while they are made to fit
    StepStart start;
    std::vector<FinalizedBody> finalized; ///< by solver body
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

/// What the stages of one step share.
struct StepData {
    WorldState& state;
    const StepContext& context;
    Memory& memory;
    Scratch& scratch;
    StepOutcome& outcome; ///< scratch.outcome
    double dt;
    float h; ///< of a substep

    /// The solver body of a body, made if it has none yet. The world and bodies that sleep are
    /// static.
    SolverBodyIndex solver_body(std::uint32_t body) const {
        if (body == UINT32_MAX || memory.sleep.is_asleep(body)) return kStaticSolverBody;
        return scratch.bodies.find_or_add(state, body, static_cast<double>(h));
    }
    /// The velocity that gravity alone gains in a step is no approach.
    float restitution_threshold() const {
        return 2 * static_cast<float>(length(state.gravity) * dt);
    }
};

} // namespace rigor::fast
