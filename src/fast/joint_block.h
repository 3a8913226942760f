// Joint constraints side by side: W of one layout between different bodies, solved as one.
//
// Unlike contacts they are updated after every substep, so a pendulum stays on the curve that its
// joint allows.
#pragma once

#include <array>
#include <cstdint>

#include "dynamics/joints/six_dof.h"
#include "fast/lane_columns.h"
#include "fast/solver_bodies.h"
#include "rigor/joint.h"

namespace rigor::fast {

/// Which rows a joint has; the same for all lanes of a block.
struct JointLayout {
    JointType type = JointType::ball;
    SixDofShape six_dof;
    std::uint8_t equality_rows = 0; ///< each removes a degree of freedom
    std::uint8_t dofs = 0;          ///< rows of remaining degrees of freedom with a limit, drive or
                                    ///< friction; they follow the equality rows
    bool a_spins = false;           ///< of a hinge: whether a is the one that spins about it
    bool drifts_early = false;      ///< whether drift is predicted before the warm start
    bool is_locked = false;         ///< whether a body cannot turn about some axes of the world
    bool is_sprung = false;         ///< whether it has a spring or a position motor
    bool repeats = false;           ///< whether that must agree with other joints: solve_systems.h
    bool has_stiffness = false;     ///< whether soft rows have a matrix: see joint_stiffness.h
    bool has_limit_rows = false;    ///< whether its limits are rows of a system: see limit_rows.h

    /// Rows that are solved in a system.
    std::size_t system_rows() const {
        return std::size_t{equality_rows} + (has_limit_rows ? dofs : 0u);
    }

    std::uint64_t key() const {
        return static_cast<std::uint64_t>(type) << 33 | std::uint64_t{drifts_early} << 39 |
               std::uint64_t{is_locked} << 40 | std::uint64_t{is_sprung} << 41 |
               std::uint64_t{repeats} << 42 | std::uint64_t{has_limit_rows} << 43 |
               std::uint64_t{has_stiffness} << 44 | std::uint64_t{a_spins} << 32 |
               static_cast<std::uint64_t>(equality_rows) << 24 |
               static_cast<std::uint64_t>(dofs) << 16 |
               static_cast<std::uint64_t>(six_dof.locked) << 8 | six_dof.bounded;
    }
};

template <int W>
struct alignas(4 * W) JointBlock {
    using Vector = std::array<Column<W>, 3>;

    /// One row of the Jacobian: rate = linear·(vB - vA) + angular_b·wB - angular_a·wA.
    struct Row {
        Vector linear, angular_a, angular_b;
        Column<W> error, impulse;
        Column<W> drift; ///< rate by which the error changes to second order in the substep
        /// What warm_start_second_half() will apply; of trees after it what was applied before.
        Column<W> second_half;
    };
    /// What acts along the row of a degree of freedom. Limits may be as far as kUnlimited.
    struct Dof {
        Column<W> mass; ///< effective
        Column<W> coordinate, lower_limit, upper_limit;
        Column<W> target, speed; ///< of the drive (motor or spring)
        Column<W> drive_bias_rate, drive_mass_scale, drive_impulse_scale; ///< its softness
        Column<W> max_drive_impulse, max_friction_impulse;                ///< in a substep
        Column<W> drive_impulse, friction_impulse, lower_impulse, upper_impulse;
        /// Of limit rows: the limit that acts, 1 the lower, -1 the upper, 0 none; and the
        /// coordinate at the beginning of the step with its LimitPlace.
        Column<W> side, start, place_x, place_y;
    };

    // At the beginning of the step.
    Vector anchor_a, anchor_b;                      ///< from the centers of mass
    Vector gap;                                     ///< from the anchor on A to that on B
    std::array<Column<W>, 4> frame_a, frame_b;      ///< quaternions of the joint's frames: w x y z
    Column<W> length;                               ///< of distance joints
    Column<W> steer_sine, steer_cosine;             ///< of wheels
    Column<W> bias_rate, mass_scale, impulse_scale; ///< softness
    Column<W> max_bias_velocity;                    ///< errors are corrected no faster than this
    Column<W> relax_scale;      ///< 0 for springs, which are not relaxed; else 1
    Column<W> first_half_share; ///< of the warm start that acts before the bodies move: 1/2 or 1
    /// Of the joint's spring, be it of the equality rows, of the first degree of freedom or of a
    /// cord: what SplitSpring says of the end of a substep; 0 where it acts before the motion only.
    Column<W> end_mass_scale, end_impulse_scale, end_kept;
    /// Of a spring whose stiffness is known, not only its frequency (joint_stiffness.h): how much
    /// impulse it gives for a rate, kg or kg m², along its degree of freedom; else 0.
    Column<W> spring_gain;
    Column<W> end_share; ///< of its second half: the part that is solved for at the end

    Column<W> inv_mass_a, inv_mass_b;
    std::array<Column<W>, 6> inv_inertia_a, inv_inertia_b; ///< xx yy zz xy xz yz

    // Now.
    Vector current_anchor_a, current_anchor_b, current_gap;
    std::array<Row, 6> rows;
    std::array<Column<W>, 15> lower;     ///< of the factors L D Lᵀ of the equality rows' matrix
    std::array<Column<W>, 6> inv_pivots; ///< 0 where a row is redundant
    /// Of soft rows: how much impulse a rate gives, and the inverse of that; lower triangles.
    std::array<Column<W>, 21> gains, compliance;
    std::array<Dof, 6> dofs;
    Column<W> spring_second_half; ///< impulse after the motion along the first degree of freedom
    Vector given, given_angular_a, given_angular_b; ///< impulses of all rows in this substep
    Vector total;                                   ///< linear impulse on B in this step
    Column<W> work;                                 ///< of all rows in this step, J

    std::array<SolverBodyIndex, W> body_a, body_b;
    JointLayout layout;
    bool turns = false; ///< whether a body turns, so that its inertia must follow
    /// Whether its equality rows are solved in the system of a tree. Without other rows it needs no
    /// factors of its own then.
    bool is_of_tree = false;
};

/// Beyond any limit, and still finite when multiplied.
inline constexpr float kUnlimited = 1e30f;

} // namespace rigor::fast
