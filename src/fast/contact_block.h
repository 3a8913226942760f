// Contact constraints side by side: W manifolds of different bodies, solved as one.
//
// Normals and the anchors of points are constant during a step, masses too unless a body turns.
// Friction acts at one place of a manifold, the mean of its points or the center of their load: two
// directions in the plane, and a twist about the normal.
#pragma once

#include <array>
#include <cstdint>

#include "fast/lane_columns.h"
#include "fast/solver_bodies.h"

namespace rigor::fast {

/// A point of each of W manifolds. Points are stored apart from what a manifold has once: most have
/// one point, and space for four would be a third of the memory that every iteration reads.
template <int W>
struct alignas(4 * W) PointBlock {
    std::array<Column<W>, 3> anchor_a, anchor_b; ///< from the centers of mass
    Column<W> separation;                        ///< at the beginning of the step
    Column<W> impact_velocity; ///< relative normal velocity when the surfaces will meet
    Column<W> mass;            ///< effective, along the normal; 0 where there is no point
    Column<W> lever_arm;       ///< distance from the friction anchor
    Column<W> impulse;
    Column<W> max_impulse;     ///< of all iterations of the step: whether it was ever active
    Column<W> total_impulse;   ///< of the step so far
    Column<W> normal_velocity; ///< relative, at the end of the last substep: for the ledger
};

/// What few contacts have: rolling resistance, friction with a grain, and two coefficients of
/// friction. Stored apart, and only in steps with such contacts.
template <int W>
struct alignas(4 * W) SurfaceBlock {
    Column<W> rolling, rolling_mass;          ///< a length; and the effective inertia of rolling
    Column<W> rolling_1, rolling_2;           ///< impulses
    Column<W> rolling_rate_1, rolling_rate_2; ///< at the end of the last substep: for the ledger
    /// One over the factor that the first tangent is scaled by, for anisotropic friction; exactly 1
    /// without.
    Column<W> inv_tangent_scale;
    Column<W> kinetic_friction; ///< the coefficient while it slides; that of the block is static
    Column<W> slides;           ///< 1 while it slides, 0 while it sticks
    Column<W> warm_load;        ///< normal impulse at the beginning of the substep
};

template <int W>
struct alignas(W == 1 ? sizeof(void*) : 4 * W) ContactBlock {
    std::array<Column<W>, 3> normal, tangent; ///< see tangents_of()
    Column<W> inv_mass_a, inv_mass_b;
    std::array<Column<W>, 6> inv_inertia_a, inv_inertia_b;         ///< xx yy zz xy xz yz
    std::array<Column<W>, 3> friction_anchor_a, friction_anchor_b; ///< in this substep
    /// Which points of both bodies the contact moves with (ContactCarriers), if the block moves.
    std::array<Column<W>, 3> carrier_a, carrier_b;
    Column<W> carrier_share;               ///< below 0 in lanes that do not move
    Column<W> friction_follows_load;       ///< 1 where friction acts at the center of the load
    std::array<Column<W>, 3> load_center;  ///< from the mean of the points, where it does
    std::array<Column<W>, 3> tangent_mass; ///< inverse of 2x2: 11 22 12
    Column<W> twist_mass;
    Column<W> friction, restitution;
    Column<W> relative_gravity;                       ///< of B against A, along the normal
    Column<W> torsion;                                ///< a length
    Column<W> surface_velocity_1, surface_velocity_2; ///< along the tangents
    Column<W> bias_rate, mass_scale, impulse_scale;   ///< softness
    Column<W> friction_1, friction_2, twist;          ///< impulses
    Column<W> total_friction_1, total_friction_2;     ///< impulses of the step so far
    Column<W> hit;                                    ///< 1 where bodies meet at speed
    // For the ledger: slip velocities at the end of the last substep, work of the step so far.
    Column<W> slip_1, slip_2, slip_twist;
    Column<W> normal_work, friction_work, restitution_work;
    std::array<SolverBodyIndex, W> body_a, body_b;
    SurfaceBlock<W>* surface = nullptr; ///< if `rolls`, `is_anisotropic` or `sticks_and_slides`
    std::uint32_t first_point = 0;      ///< PointBlocks [first_point, first_point + point_count)
    int point_count = 0;                ///< the largest of all lanes
    bool rolls = false;                 ///< whether any lane has rolling resistance
    bool is_anisotropic = false;        ///< whether the first tangent of any lane is scaled
    bool sticks_and_slides = false;     ///< whether any lane has two coefficients of friction
    bool hits = false;                  ///< whether any lane hits
    bool moves = false;                 ///< whether a friction anchor moves from substep to substep
    bool follows_load = false;          ///< whether friction of any lane follows the load
    bool is_driven = false;             ///< whether a body of any lane is kinematic
    bool turns = false;                 ///< whether a body turns, so that its inertia must follow
};

} // namespace rigor::fast
