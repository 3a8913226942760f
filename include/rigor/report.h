// Energy, momentum, the energy ledger, and the report of a step.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "rigor/ids.h"
#include "rigor/vec.h"

namespace rigor {

/// Of the dynamic bodies, in joules. Potential energy is zero at the origin.
struct Energy {
    double kinetic = 0;
    double potential = 0;

    double total() const { return kinetic + potential; }
};

/// Of the dynamic bodies; angular momentum is about the world's origin.
struct Momentum {
    Vec3d linear;
    Vec3d angular;
};

/// Where the kinetic energy came from and where it went, in joules, since the world was made:
///
///     kinetic now = gravity + forces + contact_normal + contact_friction + impact
///                 + joints + damping + edits + remainder
///
/// Work is measured along the path the bodies really took, so `remainder` is the energy the
/// numerical method made up (or lost) on its own.
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

/// The ledger of an island: bodies that acted on each other, through contacts or joints, at any
/// time since ledgers of islands are kept. `edits` begins with the kinetic energy they had then.
struct IslandLedger {
    std::vector<BodyId> bodies; ///< dynamic ones, in the order of their slots
    Ledger ledger;
};

struct StageTime {
    std::string_view name;
    double seconds = 0;
};

/// What one step did, and what went wrong in it.
struct StepReport {
    std::uint64_t step = 0; ///< number of the step, from 1
    double time = 0;        ///< of the world, after the step
    int moved = 0;          ///< bodies that were integrated
    int contacts = 0;       ///< points of contact, those about to touch included
    double penetration = 0; ///< the deepest of them at the beginning of the step, m

    /// Bodies that would have become non-finite in this step. Each was put back to where it
    /// was before the step, stopped and disabled; the rest of the world went on.
    std::vector<BodyId> quarantined;

    /// Joints that had to hold more than they can. They are gone.
    std::vector<JointId> broken;

    /// Contact problems that did not converge; under `fast`, of those islands that are solved to
    /// convergence.
    int unsolved_count = 0;

    // Of event-driven methods.
    int event_count = 0, impact_count = 0;
    int impulse_count = 0;   ///< single impulses that the impacts took
    int ambiguous_count = 0; ///< impacts whose outcome depends on the order of contacts
    double residual = 0;     ///< the worst of those that did
    int fixed_steps = 0;     ///< substeps made instead of following events (ContactLaws)
    /// False: the step ran out of its budget (ContactLaws) and ended early, at `time`.
    bool finished = true;
    /// WorldSettings::max_memory_mb is used up: later steps do not begin.
    bool over_memory = false;

    std::vector<StageTime> stages;
};

} // namespace rigor
