// Energy, momentum, the energy ledger, and the report of a step.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "rigor/ids.h"
#include "rigor/vec.h"

namespace rigor {

/// Energy of the dynamic bodies, in joules. Potential energy is zero at the origin.
struct Energy {
    double kinetic = 0;
    double potential = 0;

    double total() const { return kinetic + potential; }
};

/// Momentum of the dynamic bodies; angular momentum is about the world's origin.
struct Momentum {
    Vec3d linear;
    Vec3d angular;
};

/// Energy ledger: the work that changed the kinetic energy since the world was created, in joules:
///
///     kinetic now = gravity + forces + contact_normal + contact_friction + impact
///                 + joints + damping + edits + remainder
///
/// Work is measured along the actual path of the bodies, so `remainder` is the energy that the
/// numerical method gained or lost by its own error.
struct Ledger {
    double gravity = 0;
    double forces = 0;
    double contact_normal = 0;
    double contact_friction = 0;
    double impact = 0;
    double joints = 0;
    double damping = 0;
    double edits = 0; ///< by the caller: bodies added or removed, velocities set, impulses
    double remainder = 0;

    bool operator==(const Ledger&) const = default;
};

/// The ledger of an island: bodies that have interacted, through contacts or joints, since island
/// ledgers were switched on. `edits` starts with their kinetic energy at that time.
struct IslandLedger {
    std::vector<BodyId> bodies; ///< dynamic ones, in the order of their slots
    Ledger ledger;
};

struct StageTime {
    std::string_view name;
    double seconds = 0;
};

/// Statistics and problems of one step.
struct StepReport {
    std::uint64_t step = 0; ///< number of the step, from 1
    double time = 0;        ///< of the world, after the step
    int moved = 0;          ///< bodies that were integrated
    int contacts = 0;       ///< contact points, speculative ones included
    double penetration = 0; ///< the deepest of them at the beginning of the step, m

    /// Bodies that would have become non-finite in this step. Each was restored to its pose before
    /// the step, stopped and disabled; the rest of the world was stepped.
    std::vector<BodyId> quarantined;

    /// Shapes in crowds: each lies deep in more than 16 others, as when thousands of bodies are
    /// created at one position. The step left pairs of theirs unresolved: of the pairs within a
    /// crowd it knew only the 16 deepest of each shape. The others follow as these separate.
    int crowded_count = 0;

    /// Joints that exceeded break_force or break_torque, and were removed.
    std::vector<JointId> broken;

    /// Contact problems that did not converge; under `fast`, among the islands that the Newton
    /// solver handles.
    int unsolved_count = 0;

    // Of the event-driven methods.
    int event_count = 0, impact_count = 0;
    int impulse_count = 0;   ///< single impulses in all impacts
    int ambiguous_count = 0; ///< impacts whose outcome depends on the order of contacts
    double residual = 0;     ///< largest residual of the contact problems that converged
    int fixed_steps = 0;     ///< fixed substeps of a fallback step (ContactLaws)
    /// False when the step exceeded its budget (ContactLaws) and ended early, at `time`.
    bool finished = true;
    /// WorldSettings::max_memory_mb is used up: later steps do not begin.
    bool over_memory = false;

    std::vector<StageTime> stages;
};

} // namespace rigor
