// Joints side by side: W of one shape between different bodies, solved as one.
//
// Unlike contacts they follow their bodies from substep to substep: what swings, swings on the
// curve that its joint allows.
#pragma once

#include <array>
#include <cstdint>

#include "dynamics/joints/six_dof.h"
#include "fast/contact_block.h"
#include "rigor/joint.h"

namespace rigor::fast {

/// What decides which rows a joint has; the same for all lanes of a block.
struct JointShape {
    JointType type = JointType::ball;
    SixDofShape six_dof;
    std::uint8_t hard = 0;     ///< rows that take a freedom away
    std::uint8_t freedoms = 0; ///< rows that bound, drive or brake one; they follow the hard ones

    std::uint64_t key() const {
        return static_cast<std::uint64_t>(type) << 32 | static_cast<std::uint64_t>(hard) << 24 |
               static_cast<std::uint64_t>(freedoms) << 16 |
               static_cast<std::uint64_t>(six_dof.locked) << 8 | six_dof.bounded;
    }
};

template <int W>
struct alignas(4 * W) JointBlock {
    using Vector = std::array<Column<W>, 3>;

    struct Row {
        Vector linear, angular_a, angular_b;
        Column<W> error, impulse;
        Column<W> drift; ///< by how much its rate must differ from zero to arrive where it holds
        Column<W> rest;  ///< of the last substep's impulse: what the second half may need
    };
    /// What acts along the row of a freedom. Bounds may be as far as kBoundless.
    struct Freedom {
        Column<W> mass; ///< effective
        Column<W> coordinate, lo, hi;
        Column<W> target, speed;                         ///< where, or how fast, it is driven
        Column<W> drive_rate, drive_mass, drive_impulse; ///< softness of the drive
        Column<W> drive_most, friction_most;             ///< impulses in a substep
        Column<W> drive, friction, low, high;            ///< impulses
    };

    // As they were at the beginning of the step.
    Vector arm_a, arm_b, gap;
    std::array<Column<W>, 4> frame_a, frame_b; ///< quaternions of the joint's frames: w x y z
    Column<W> length;                          ///< of distance joints
    Column<W> steer_sine, steer_cosine;        ///< of wheels
    Column<W> bias_rate, mass_scale, impulse_scale;
    Column<W> most_push; ///< the fastest that errors are taken back
    Column<W> relaxes;   ///< 0 for joints that are springs: these act once in a substep
    Column<W> share; ///< of the impulses that is needed in the first half of a substep: 1/2 or 1

    Column<W> inv_mass_a, inv_mass_b;
    std::array<Column<W>, 6> inv_inertia_a, inv_inertia_b; ///< xx yy zz xy xz yz

    // As they are now.
    Vector turned_a, turned_b; ///< the arms
    Vector gap_now;            ///< between the anchors
    std::array<Row, 6> rows;
    std::array<Column<W>, 15> lower;     ///< of the factors L D Lᵀ of the hard rows' matrix
    std::array<Column<W>, 6> inv_pivots; ///< 0 where a row says nothing new
    std::array<Freedom, 6> freedoms;

    std::array<std::uint32_t, W> row_a, row_b; ///< of the bodies
    JointShape shape;
    bool spins = false; ///< whether a body turns so fast that its inertia must follow
};

/// Farther than anything, and still finite when multiplied.
inline constexpr float kBoundless = 1e30f;

} // namespace rigor::fast
