// Solver bodies: the velocity and displacement of each body that constraints act on.
//
// A body that no contact or joint acts on has none; it moves freely (integrate_free_bodies.h).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "fast/gyroscopic_group.h"
#include "model/world_state.h"
#include "rigor/mat.h"

namespace rigor::fast {

/// What every solver iteration reads and writes of a body. Two groups of eight floats, so that
/// the bodies of eight lanes are eight loads and a transpose.
struct alignas(32) SolverBody {
    std::array<float, 8> velocity{}; ///< v, w, and two unused
    /// Since the beginning of the step: translation; rotation as x y z w; one unused.
    std::array<float, 8> displacement{0, 0, 0, 0, 0, 0, 1, 0};
};
static_assert(sizeof(SolverBody) == 64);

/// Which solver body, and whether impulses change its velocity. Bodies of infinite mass are read,
/// never written, so constraints of one color may share them.
class SolverBodyIndex {
  public:
    constexpr SolverBodyIndex() = default;

    static constexpr SolverBodyIndex responding(std::uint32_t index) {
        return SolverBodyIndex(index);
    }
    static constexpr SolverBodyIndex immovable(std::uint32_t index) {
        return SolverBodyIndex(index | kImmovable);
    }

    constexpr std::uint32_t index() const { return bits_ & ~kImmovable; }
    constexpr bool responds_to_impulses() const { return (bits_ & kImmovable) == 0; }
    constexpr bool is_null() const { return bits_ == UINT32_MAX; }

    friend constexpr bool operator==(SolverBodyIndex, SolverBodyIndex) = default;

  private:
    static constexpr std::uint32_t kImmovable = 1u << 31;
    explicit constexpr SolverBodyIndex(std::uint32_t bits) : bits_(bits) {}

    std::uint32_t bits_ = UINT32_MAX; // null: also immovable
};
static_assert(sizeof(SolverBodyIndex) == 4);

/// All static bodies share one solver body of infinite mass.
inline constexpr SolverBodyIndex kStaticSolverBody = SolverBodyIndex::immovable(0);
/// Whether it may move, and no impulse changes that.
constexpr bool is_kinematic(SolverBodyIndex i) {
    return !i.responds_to_impulses() && i.index() != kStaticSolverBody.index();
}

inline Vec3f linear_velocity(const SolverBody& body) {
    return {body.velocity[0], body.velocity[1], body.velocity[2]};
}
inline Vec3f angular_velocity(const SolverBody& body) {
    return {body.velocity[3], body.velocity[4], body.velocity[5]};
}
inline Vec3f translation(const SolverBody& body) {
    return {body.displacement[0], body.displacement[1], body.displacement[2]};
}
/// The vector part of the quaternion of rotation.
inline Vec3f rotation_vector_part(const SolverBody& body) {
    return {body.displacement[3], body.displacement[4], body.displacement[5]};
}
/// Of the point of a body at `anchor` from its center of mass.
inline Vec3f velocity_at(const SolverBody& body, const Vec3f& anchor) {
    return linear_velocity(body) + cross(angular_velocity(body), anchor);
}

inline constexpr float kSlowSpeed = 0.1f; ///< m/s, rad/s

/// Constant during a step, but for the inertia of turning bodies. All zero for infinite mass. Two
/// groups of eight floats, to be loaded in lanes as those of SolverBody.
struct alignas(32) SolverMass {
    float inv_mass = 0;
    Sym3<float> inv_inertia; ///< world axes
    float unused = 0;

    Vec3f gravity_acceleration;       ///< with the body's gravity scale
    Vec3f change_of_rate = {};        ///< by the free rotation of this substep, if it turns
    std::uint32_t turning_number = 0; ///< of a turning body: its group and lane
    bool is_slow = true;              ///< slower than kSlowSpeed at the beginning of the step
    bool turns = false;         ///< whether its inertia follows its rotation (gyroscopic_bodies.h)
    bool has_mean_rate = false; ///< whether its angular velocity began as mean_rate
    bool is_fast = false;       ///< turns fast with the tensor of the beginning of the step
};
static_assert(sizeof(SolverMass) == 64);

/// The solver bodies of a step and what belongs to each. Index 0 is shared by everything static.
/// Kinematic bodies have solver bodies of their own, also of infinite mass.
struct SolverBodies {
    std::vector<SolverBody> bodies;
    std::vector<SolverMass> mass;
    std::vector<std::uint32_t> body_slot;  ///< in the BodyStore; of index 0 UINT32_MAX
    std::vector<SolverBodyIndex> index_of; ///< by body slot; null: none yet
    std::vector<GyroscopicGroup> turning;
    std::uint32_t turning_count = 0;              ///< lanes of the groups that are taken
    std::vector<std::uint32_t> runaway;           ///< body slots: too fast or heavy for float
    std::vector<std::uint8_t> only_smooth_joints; ///< rigid ones and springs: nothing else
    std::vector<std::uint8_t> has_joints;         ///< whether any joint acts on it
    std::vector<std::uint8_t> has_contacts;       ///< whether any contact acts on it
    std::vector<std::uint8_t> is_pushed;          ///< whether another dynamic body touches it
    std::vector<float> impact_rate;               ///< that a meeting at speed may add, rad/s
    std::vector<float> damping_work;              ///< of this step, J
    std::vector<double> force_work;               ///< of the forces of the caller, likewise

    /// Removes all solver bodies; `body_count` is that of the BodyStore.
    void reset(std::size_t body_count);
    /// Adds a solver body for the body unless it has one. `h` is the length of a substep.
    SolverBodyIndex find_or_add(const WorldState& state, std::uint32_t body, double h) {
        if (index_of[body].is_null()) {
            index_of[body] = add(state, body, h);
            added_.push_back(body);
        }
        return index_of[body];
    }

    /// Another solver body of a kinematic one, in the same motion.
    SolverBodyIndex add_copy(SolverBodyIndex of);

    std::size_t size() const { return bodies.size(); }
    const SolverBody& operator[](SolverBodyIndex i) const { return bodies[i.index()]; }
    const SolverMass& mass_of(SolverBodyIndex i) const { return mass[i.index()]; }
    bool turns(SolverBodyIndex i) const { return mass[i.index()].turns; }

  private:
    SolverBodyIndex add(const WorldState& state, std::uint32_t body, double h);
    void append(const SolverBody& body, std::uint32_t slot);

    std::vector<std::uint32_t> added_; // bodies whose index_of is set
};

/// The velocity of a body at the beginning of the step, as its solver body has it.
Vec3f start_velocity(const BodyStore& bodies, std::uint32_t body);
Vec3f start_angular_velocity(const BodyStore& bodies, std::uint32_t body);

/// The inverse inertia tensor of a body in world axes when its principal axes are at `q`.
Sym3f world_inverse_inertia(const BodyStore& bodies, std::uint32_t body, const Quatd& q);

} // namespace rigor::fast
