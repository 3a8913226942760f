// What the solver knows of a body: 64 bytes that every sweep reads and writes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/thread_team.h"
#include "model/world_state.h"
#include "rigor/mat.h"

namespace rigor::fast {

/// Velocity, and how far the body has come in this step. Two rows of eight floats, so that eight
/// bodies are eight loads and a transpose.
struct alignas(32) BodyRow {
    std::array<float, 8> velocity{};                     ///< v, w, and two unused
    std::array<float, 8> motion{0, 0, 0, 0, 0, 0, 1, 0}; ///< shift; turn as x y z w; unused
};
static_assert(sizeof(BodyRow) == 64);

inline Vec3f velocity_of(const BodyRow& row) {
    return {row.velocity[0], row.velocity[1], row.velocity[2]};
}
inline Vec3f turning_of(const BodyRow& row) {
    return {row.velocity[3], row.velocity[4], row.velocity[5]};
}
/// Of the point of a body at the end of an arm from its center.
inline Vec3f velocity_at(const BodyRow& row, const Vec3f& arm) {
    return velocity_of(row) + cross(turning_of(row), arm);
}

inline constexpr float kStill = 0.1f; ///< m/s, rad/s

/// What turns impulses into velocity during a step; frozen at its beginning, but for bodies that
/// spin fast.
struct BodyMass {
    float inv_mass = 0;
    Sym3<float> inv_inertia; ///< in the world
    Vec3f acceleration;      ///< by gravity
    bool is_still = true;    ///< slower than kStill
};

/// Set in the number of a row that does not answer to impulses: it is read, never written.
inline constexpr std::uint32_t kReadOnly = 1u << 31;

/// A body that turns so far in a substep that its inertia must follow.
///
/// During a substep its row has the steady rate that takes it as far as its free motion would. So
/// joints and contacts see it go where it really goes, and what they change is added to its angular
/// momentum.
struct SpinningBody {
    std::uint32_t row = 0;
    Quatd start, q; ///< principal axes to world: at the beginning of the step, and now
    Vec3d l;        ///< angular momentum
    Vec3d rate;     ///< of the substep, before impulses
};

/// Row 0 is that of everything static. Kinematic bodies have rows of their own, also read-only.
struct BodyRows {
    std::vector<BodyRow> rows;
    std::vector<BodyMass> mass;
    std::vector<std::uint32_t> body;   ///< slot of the body of each row; row 0 has none
    std::vector<std::uint32_t> row_of; ///< of each body slot, with kReadOnly; UINT32_MAX: none yet
    std::vector<SpinningBody> spinning;
    std::vector<std::uint32_t> runaway; ///< bodies too fast for the numbers of rows
    std::vector<std::uint8_t> swings;   ///< by row: whether only rigid joints act on it
    std::vector<std::uint8_t> joined;   ///< by row: whether any joint acts on it
    std::vector<float> damped;          ///< by row: work of damping in this step, J

    void start(std::size_t bodies);
    /// Makes a row for the body if it has none yet. `h` is the time of a substep.
    std::uint32_t row(const WorldState& state, std::uint32_t slot, double h) {
        if (row_of[slot] == UINT32_MAX) {
            row_of[slot] = make_row(state, slot, h);
            asked_.push_back(slot);
        }
        return row_of[slot];
    }
    bool spins(std::uint32_t row) const;

  private:
    std::uint32_t make_row(const WorldState& state, std::uint32_t slot, double h);

    std::vector<std::uint32_t> asked_; // bodies whose row_of is set
};

/// Velocities after gravity, forces and damping have acted for `h`; on bodies that only swing, for
/// half of it. The second half acts on these when they have moved: so places and velocities are
/// those of the same moment, as in [Andersen 1983]. What rests on others must be held up at once.
void apply_forces(const WorldState& state, ThreadTeam& team, double h, BodyRows& bodies);
void apply_second_half(const WorldState& state, ThreadTeam& team, double h, BodyRows& bodies);

/// Bodies that spin get the rate of the coming substep of length `h`.
void start_spinning(const WorldState& state, double h, BodyRows& bodies);

/// Places after moving on for `h`.
void move_rows(const WorldState& state, ThreadTeam& team, float h, BodyRows& bodies);

/// What one body went through: work, and by what else its kinetic energy changed, J.
struct BodyTally {
    std::uint32_t body = 0;
    double gravity = 0, forces = 0, damping = 0, rest = 0;
};

/// What the rows of all dynamic bodies went through.
struct RowTally {
    double gravity = 0, forces = 0, damping = 0; ///< work, J
    double rest = 0;           ///< what else the kinetic energy of bodies changed by, J
    double rest_of_joined = 0; ///< likewise of bodies with joints
    int moved = 0;
    std::vector<std::uint32_t> quarantined;
    std::vector<BodyTally> each; ///< when there is an account for every island
};

/// Puts rows back into the state. A body whose new state would not be finite stays where it was,
/// is stopped, and becomes still.
RowTally finish_rows(WorldState& state, const BodyRows& bodies);

} // namespace rigor::fast
