// What the solver knows of a body: 64 bytes that every sweep reads and writes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "rigor/mat.h"

namespace rigor::fast {

/// Velocity, and how far the body has come in this step. Two rows of eight floats, so that eight
/// bodies are eight loads and a transpose.
struct alignas(32) BodyRow {
    std::array<float, 8> velocity{}; ///< v, w, and two unused
    std::array<float, 8> motion{};   ///< displacement, rotation vector, and two unused
};
static_assert(sizeof(BodyRow) == 64);

/// What turns impulses into velocity during a step; frozen at its beginning.
struct BodyMass {
    float inv_mass = 0;
    Sym3<float> inv_inertia; ///< in the world
    Vec3f acceleration;      ///< by gravity
};

/// Set in the number of a row that does not answer to impulses: it is read, never written.
inline constexpr std::uint32_t kReadOnly = 1u << 31;

/// Row 0 is that of everything static. Kinematic bodies have rows of their own, also read-only.
struct BodyRows {
    std::vector<BodyRow> rows;
    std::vector<BodyMass> mass;
    std::vector<std::uint32_t> body;   ///< slot of the body of each row; row 0 has none
    std::vector<std::uint32_t> row_of; ///< of each body slot, with kReadOnly; UINT32_MAX: none yet
};

} // namespace rigor::fast
