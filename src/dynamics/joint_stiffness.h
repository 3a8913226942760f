// Stiffness of soft joints: that with which their bodies swing at the frequency of the spring when
// the joint is at rest.
//
// With the effective mass of the moment a spring between bodies that turn is no potential, and
// makes energy: half of all random trees with springs had many times what they began with, at any
// step.
#pragma once

#include <array>
#include <cstddef>

#include "dynamics/joints/six_dof.h"
#include "model/world_state.h"

namespace rigor {

/// Of a position motor without a spring of its own: critically damped.
constexpr SpringDef kServo{30, 1};

/// Where entry (i, j) of a symmetric matrix is in its lower triangle.
constexpr std::size_t triangle_index(int i, int j) {
    return static_cast<std::size_t>(i < j ? j * (j + 1) / 2 + i : i * (i + 1) / 2 + j);
}

/// What a soft ball, fixed or six-dof joint locks: its rows are those of soft_six_dof_rows().
SixDofShape soft_shape(const JointRecord& joint);

/// A symmetric matrix of the equality rows of a joint and its inverse, lower triangles.
struct RestMass {
    std::array<double, 21> inverse{}, mass{};
};

/// The effective mass of the rows of a soft joint of a shape, where its two frames coincide.
RestMass rest_mass(const WorldState& state, const JointRecord& joint, const SixDofShape& shape);

/// Mass along the line between two bodies without their rotation: 1 / (1/m_a + 1/m_b). 0: neither
/// is dynamic.
double reduced_mass(const WorldState& state, const JointRecord& joint);

} // namespace rigor
