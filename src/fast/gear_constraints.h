// Gears: one constraint row over a degree of freedom of each of two joints, and so over up to four
// bodies.
//
// A gear of joints that are solved directly is a row of their system (gear_rows.h). Others, soft
// ones among them, are solved one by one: after the joints in the forward iteration and before them
// in the backward one.
#pragma once

#include "fast/joint_constraints.h"

namespace rigor::fast {

/// A gear in this step, with the joints it couples.
struct GearedJoints {
    std::uint32_t joint = 0; ///< slot of the gear
    JointConstraint driving, driven;
    bool is_soft = false;   ///< whether it has a spring
    bool is_direct = false; ///< whether it is a row of a system

    /// A body that responds to impulses; null if there is none.
    SolverBodyIndex responding_body() const;
};

struct GearConstraint {
    /// The Jacobian of one body: rate = sum of linear·v + angular·w.
    struct BodyRow {
        SolverBodyIndex body;
        Vec3f linear, angular;
    };

    std::uint32_t joint = 0;       ///< slot of the gear
    JointBlock<1> driving, driven; ///< the joints it couples: only their coordinates are used
    std::vector<BodyRow> rows;     ///< now; each body once
    float ratio = 1;               ///< driven = ratio * driving + offset
    float error = 0;               ///< now, of the coordinate that is driven
    double driving_at = 0, driven_at = 0; ///< coordinates now, whole turns included
    float mass = 0, impulse = 0;          ///< effective mass
    std::vector<BodyRow> given;           ///< impulses of this substep
    float work = 0;                       ///< in this step, J
    float bias_rate = 0, mass_scale = 1, impulse_scale = 0; ///< softness

    // Of a row of a system.
    bool is_direct = false;
    float first_half_share = 1;          ///< as JointBlock::first_half_share
    float second_half = 0;               ///< as JointBlock::Row::second_half
    double compliance = 0;               ///< rate that an impulse gives way by; 0 if not redundant
    double residual = 0;                 ///< rate that it should lose, then the impulse for that
    double pushed_rate = 0;              ///< by a unit impulse elsewhere in the system
    std::vector<float> coupled, carried; ///< see factor_gear()
    std::vector<double> factors;         ///< its row of L, and the inverse of its pivot
};

/// Once it is known which bodies only smooth joints act on.
GearConstraint make_gear(const GearedJoints& geared, const WorldState& state,
                         const SolverBodies& bodies, std::vector<JointMemory>& memory, float h);

/// The impulse for the next step, and force and torque on the second body of the driving joint, at
/// its anchor; and how far its joints went. `h` is the length of its substeps.
void store_impulses(const GearConstraint& gear, const WorldState& state,
                    std::vector<JointMemory>& memories, float h);

// As those of joint_kernels.h.
void update_rows(GearConstraint& gear, const SolverBodies& bodies, float moved_for);
void warm_start(GearConstraint& gear, SolverBodies& bodies);
void warm_start_second_half(GearConstraint& gear, SolverBodies& bodies);
/// Of one that is no row of a system.
void solve(GearConstraint& gear, SolverBodies& bodies, bool use_bias);
void accumulate_work(GearConstraint& gear, const SolverBodies& bodies,
                     const SolverBody* end_of_last);

/// The rate of its row with the velocities of `bodies`.
double rate_of(const GearConstraint& gear, const SolverBody* bodies);
/// The error where the displacements `ahead` lead, a time h after the last update_rows().
double error_ahead(const GearConstraint& gear, const SolverBodies& bodies, const SolverBody* ahead,
                   float h);
void apply_impulse(GearConstraint& gear, float impulse, SolverBodies& bodies);

} // namespace rigor::fast
