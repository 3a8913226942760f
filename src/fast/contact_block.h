// Contact constraints side by side: W manifolds of different bodies, solved as one.
//
// Anchors, normals and masses stay as they were at the beginning of the step. Friction acts at the
// middle of a manifold: two directions in the plane, and a twist about the normal.
#pragma once

#include <array>
#include <cstdint>

namespace rigor::fast {

template <int W>
using Column = std::array<float, W>;

/// A point of each of W manifolds. Points lie apart from what is the same for all of a manifold:
/// most have one, and room for four would be a third of the memory that every sweep goes through.
template <int W>
struct alignas(4 * W) PointBlock {
    std::array<Column<W>, 3> arm_a, arm_b; ///< from the centers of mass
    Column<W> separation;                  ///< at the beginning of the step
    Column<W> approach;                    ///< relative normal velocity when they meet
    Column<W> mass;  ///< effective, along the normal; 0 where there is no point
    Column<W> lever; ///< distance from the middle of the manifold
    Column<W> impulse;
    Column<W> most;  ///< the largest impulse of any sweep: whether it ever pushed
    Column<W> total; ///< impulse of the step so far
    Column<W> speed; ///< along the normal, at the end of the last substep: for the ledger
};

template <int W>
struct alignas(4 * W) ContactBlock {
    std::array<Column<W>, 3> normal, tangent; ///< the second tangent is normal x tangent
    Column<W> inv_mass_a, inv_mass_b;
    std::array<Column<W>, 6> inv_inertia_a, inv_inertia_b; ///< xx yy zz xy xz yz
    std::array<Column<W>, 3> middle_a, middle_b;           ///< arms of the middle
    std::array<Column<W>, 3> tangent_mass;                 ///< inverse of 2x2: 11 22 12
    Column<W> twist_mass;
    Column<W> friction, restitution;
    Column<W> fall; ///< relative acceleration along the normal, by gravity
    Column<W> torsion, rolling, rolling_mass; ///< lengths; and the effective inertia of rolling
    Column<W> drag_1, drag_2;                 ///< surface velocity along the tangents
    Column<W> bias_rate, mass_scale, impulse_scale;
    Column<W> friction_1, friction_2, twist; ///< impulses
    Column<W> rolling_1, rolling_2;          ///< likewise
    Column<W> total_1, total_2;              ///< of friction, of the step so far
    Column<W> hit;                           ///< 1 for those that meet at speed
    // For the ledger: slip and turning at the end of the last substep, work of the step so far.
    Column<W> slip_1, slip_2, spin;
    Column<W> work_normal, work_friction, work_bounce;
    std::array<std::uint32_t, W> row_a, row_b; ///< of the bodies
    std::uint32_t first_point = 0;             ///< its points are side by side
    int point_count = 0;                       ///< the most of any lane
    bool rolls = false;                        ///< whether any lane resists rolling
    bool hits = false;                         ///< whether any lane hits
};

} // namespace rigor::fast
