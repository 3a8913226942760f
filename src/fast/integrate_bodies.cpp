#include "fast/integrate_bodies.h"

#include <algorithm>
#include <cmath>

#include "dynamics/angular_velocity.h"
#include "math/small_rotation.h"

namespace rigor::fast {
namespace {

constexpr std::size_t kGrain = 128; // bodies per task

template <class Visit>
void for_solver_bodies(const SolverPart& part, const Visit& visit) {
    part.parallel_for(part.bodies.size(), kGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) visit(std::size_t{part.bodies[i]});
    });
}

/// Scales the velocity of a body down, and records the work.
void apply_damping(const BodyStore& store, std::size_t i, float h, SolverBodies& bodies) {
    const BodyTraits& traits = store.traits[bodies.body_slot[i]];
    const float linear = 1 / (1 + h * static_cast<float>(traits.linear_damping));
    const float angular = 1 / (1 + h * static_cast<float>(traits.angular_damping));
    SolverBody& body = bodies.bodies[i];
    const Vec3f w =
        rotate(conjugate(cast<float>(store.motion[bodies.body_slot[i]].q)), angular_velocity(body));
    const float moving = static_cast<float>(traits.mass) * length_squared(linear_velocity(body));
    const float turning = dot(w, multiply(cast<float>(traits.moments), w));
    bodies.damping_work[i] -=
        0.5f * (moving * (1 - linear * linear) + turning * (1 - angular * angular));
    for (std::size_t k = 0; k < 3; ++k) {
        body.velocity[k] *= linear;
        body.velocity[k + 3] *= angular;
    }
}

/// Gravity, applied forces and damping for a time h.
void integrate_velocity(const WorldState& state, std::size_t i, double h, SolverBodies& bodies) {
    const SolverMass& mass = bodies.mass[i];
    if (mass.inv_mass == 0) return;
    const std::uint32_t body = bodies.body_slot[i];
    const bool is_plain = state.bodies.mobility[body] == Mobility::plain;
    const auto h_f = static_cast<float>(h);
    std::array<float, 8>& v = bodies.bodies[i].velocity;
    Vec3f change = mass.gravity_acceleration * h_f, turn;
    if (!state.bodies.wrenches.empty()) {
        const Wrench& wrench = state.bodies.wrenches[body];
        change += cast<float>(wrench.force * (state.bodies.inertia[body].inv_mass * h));
        turn = mass.inv_inertia * cast<float>(wrench.torque * h);
    }
    if (!is_plain)
        change = cast<float>(
            without_locked(cast<double>(change), state.bodies.traits[body].lock, lock_tx));
    v = {v[0] + change.x,
         v[1] + change.y,
         v[2] + change.z,
         v[3] + turn.x,
         v[4] + turn.y,
         v[5] + turn.z,
         0,
         0};
    if (!is_plain) apply_damping(state.bodies, i, h_f, bodies);
}

/// The same for a body that gravity alone acts on.
void fall(std::size_t i, double h, SolverBodies& bodies) {
    const Vec3f change = bodies.mass[i].gravity_acceleration * static_cast<float>(h);
    std::array<float, 8>& v = bodies.bodies[i].velocity;
    v[0] += change.x;
    v[1] += change.y;
    v[2] += change.z;
}

/// The same, quickly for the many bodies that gravity alone acts on.
void integrate_any(const WorldState& state, bool has_forces, std::size_t i, double h,
                   SolverBodies& bodies) {
    if (has_forces || state.bodies.mobility[bodies.body_slot[i]] != Mobility::plain)
        return integrate_velocity(state, i, h, bodies);
    if (bodies.mass[i].inv_mass != 0) fall(i, h, bodies);
}

/// Rotates the displacement of a body by the rotation vector v.
void rotate_by(std::array<float, 8>& displacement, const Vec3f& v) {
    const float z = 0.25f * dot(v, v);
    const Quatf turn = z < static_cast<float>(kSmallRotation)
                           ? small_rotation(v, static_cast<double>(z))
                           : from_rotation_vector(v);
    const Quatf q =
        turn * Quatf{displacement[6], displacement[3], displacement[4], displacement[5]};
    const Quatf unit = correct_drift(q);
    displacement[3] = unit.x;
    displacement[4] = unit.y;
    displacement[5] = unit.z;
    displacement[6] = unit.w;
}

} // namespace

bool falls_alone(const WorldState& state, const SolverPart& part, const SolverBodies& bodies) {
    if (!state.bodies.wrenches.empty()) return false;
    return std::all_of(part.bodies.begin(), part.bodies.end(), [&](std::uint32_t i) {
        return state.bodies.mobility[bodies.body_slot[i]] == Mobility::plain &&
               bodies.mass[i].inv_mass != 0 && bodies.only_smooth_joints[i] != 0 &&
               bodies.has_joints[i] != 0;
    });
}

void integrate_velocities(const WorldState& state, const SolverPart& part, double h,
                          bool falls_alone, SolverBodies& bodies) {
    const bool has_forces = !state.bodies.wrenches.empty();
    for_solver_bodies(part, [&](std::size_t i) {
        if (falls_alone) return fall(i, 0.5 * h, bodies);
        integrate_any(state, has_forces, i, bodies.has_joints[i] != 0 ? 0.5 * h : h, bodies);
    });
}

void integrate_velocities_second_half(const WorldState& state, const SolverPart& part, double h,
                                      bool falls_alone, bool only_smooth_joints,
                                      SolverBodies& bodies) {
    if (falls_alone && !only_smooth_joints) return;
    const bool has_forces = !state.bodies.wrenches.empty();
    for_solver_bodies(part, [&](std::size_t i) {
        if (falls_alone) return fall(i, 0.5 * h, bodies);
        if (bodies.has_joints[i] != 0 && (bodies.only_smooth_joints[i] != 0) == only_smooth_joints)
            integrate_any(state, has_forces, i, 0.5 * h, bodies);
    });
}

void add_force_work(const WorldState& state, const SolverPart& part, double h,
                    const SolverBody* before, SolverBodies& bodies) {
    for_solver_bodies(part, [&](std::size_t i) {
        const SolverMass& mass = bodies.mass[i];
        if (mass.inv_mass == 0) return;
        const Wrench& wrench = state.bodies.wrenches[bodies.body_slot[i]];
        if (wrench.force == Vec3d{} && wrench.torque == Vec3d{}) return;
        const SolverBody& after = bodies.bodies[i];
        const Vec3f v = linear_velocity(before[i]) + linear_velocity(after);
        Vec3f w = angular_velocity(before[i]) + angular_velocity(after);
        if (mass.turns) w = w - mass.change_of_rate; // forces act before it turns
        bodies.force_work[i] +=
            0.5 * h * (dot(wrench.force, cast<double>(v)) + dot(wrench.torque, cast<double>(w)));
    });
}

void integrate_positions(const WorldState& state, const SolverPart& part, float h, bool falls_alone,
                         SolverBodies& bodies) {
    for_solver_bodies(part, [&](std::size_t i) {
        SolverBody& body = bodies.bodies[i];
        const std::uint8_t lock =
            falls_alone ? std::uint8_t{0} : state.bodies.traits[bodies.body_slot[i]].lock;
        for (std::size_t k = 0; k < 3; ++k) {
            if ((lock >> k & 1) != 0) body.velocity[k] = 0;
            body.displacement[k] += h * body.velocity[k];
        }
        if (!bodies.mass[i].turns) rotate_by(body.displacement, angular_velocity(body) * h);
    });
}

void predict_positions(const SolverPart& part, float h, const SolverBodies& bodies,
                       SolverBody* ahead) {
    for_solver_bodies(part, [&](std::size_t i) {
        if (bodies.mass[i].turns) return;
        const SolverBody& body = bodies.bodies[i];
        std::array<float, 8>& displacement = ahead[i].displacement;
        displacement = body.displacement;
        for (std::size_t k = 0; k < 3; ++k) displacement[k] += h * body.velocity[k];
        rotate_by(displacement, angular_velocity(body) * h);
    });
}

} // namespace rigor::fast
