// Stiffness of soft joints: that with which their bodies swing at the frequency of the spring when
// the joint is at rest.
//
// With the effective mass of the moment a spring between bodies that turn is no potential, and
// makes energy: half of all random trees with springs had many times what they began with, at any
// step.
#pragma once

#include <array>
#include <cstddef>

#include "fast/joint_block.h"
#include "model/world_state.h"

namespace rigor::fast {

/// Where entry (i, j) of a symmetric matrix is in its lower triangle.
constexpr std::size_t triangle_index(int i, int j) {
    return static_cast<std::size_t>(i < j ? j * (j + 1) / 2 + i : i * (i + 1) / 2 + j);
}

/// Whether a soft joint has a matrix of stiffness: its errors are functions of the pose of b seen
/// from a, and its rows are their gradients.
bool has_stiffness_matrix(const JointLayout& layout);

/// A symmetric matrix of the equality rows of a joint and its inverse, lower triangles.
struct RestMass {
    std::array<double, 21> inverse{}, mass{};
};

/// The effective mass of the equality rows where the two frames of the joint coincide.
RestMass rest_mass(const WorldState& state, const JointRecord& joint, const JointLayout& layout);

} // namespace rigor::fast
