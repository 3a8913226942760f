// Gears: one constraint row over a degree of freedom of each of two joints, and so over up to four
// bodies. They are few, and solved one by one, after the joints in the forward iteration and before
// them in the backward one.
#pragma once

#include "fast/joint_constraints.h"

namespace rigor::fast {

struct GearConstraint {
    /// The Jacobian of one body: rate = sum of linear·v + angular·w.
    struct BodyRow {
        SolverBodyIndex body;
        Vec3f linear, angular;
    };

    std::uint32_t joint = 0;       ///< slot of the gear
    JointBlock<1> driving, driven; ///< the joints it couples: only their coordinates are used
    std::vector<BodyRow> rows;     ///< now; each body once
    float ratio = 1, offset = 0;   ///< driven = ratio * driving + offset
    float mass = 0, impulse = 0;   ///< effective mass
    std::vector<BodyRow> given;    ///< impulses of this substep
    float work = 0;                ///< in this step, J
    float bias_rate = 0, mass_scale = 1, impulse_scale = 0; ///< softness
};

GearConstraint make_gear(std::uint32_t slot, const JointConstraint& driving,
                         const JointConstraint& driven, const WorldState& state,
                         const SolverBodies& bodies, std::vector<JointMemory>& memory, float h);

/// Force and torque on the second body of the driving joint, at its anchor.
struct GearLoad {
    Vec3f force, torque;
};
GearLoad load_of(const GearConstraint& gear, const WorldState& state, float h);

// As those of joint_kernels.h.
void update_rows(GearConstraint& gear, const SolverBodies& bodies, float moved_for);
void warm_start(GearConstraint& gear, SolverBodies& bodies);
void solve(GearConstraint& gear, SolverBodies& bodies, bool use_bias);
void accumulate_work(GearConstraint& gear, const SolverBodies& bodies,
                     const SolverBody* end_of_last);

} // namespace rigor::fast
