#include "fast/turning_bodies.h"

#include "dynamics/angular_velocity.h"

namespace rigor::fast {
namespace {

// A body with contacts alone whose tensor stays constant in a step gains a part of about w² h of
// its energy each second: below this rate, rad/s, not worth the time.
constexpr float kMinTurning = 0.01f;

bool is_isotropic(const Vec3d& moments) {
    return moments.x == moments.y && moments.y == moments.z;
}

/// Not inlined: where two of them meet in a vector, gcc 12 takes (double)(float)x for x (-O2), and
/// a rate that is read back from the solver body would differ from the one it holds.
[[gnu::noinline]] void set_angular_velocity(SolverBody& body, const Vec3d& w) {
    body.velocity[3] = static_cast<float>(w.x);
    body.velocity[4] = static_cast<float>(w.y);
    body.velocity[5] = static_cast<float>(w.z);
}

template <class Visit>
auto with_turning(const BodyStore& store, std::uint32_t slot, const Visit& visit) {
    const BodyTraits& traits = store.traits[slot];
    if ((traits.lock & kRotationLocks) == 0) return visit(FreeTurning(store.inertia[slot]));
    return visit(LockedTurning(traits.moments, traits.lock));
}

Quatd rotated(const BodyStore& store, std::uint32_t slot, const TurningBody& turning, double h) {
    return with_turning(store, slot, [&](const auto& map) {
        return map.turned(turning.q, turning.angular_momentum, h);
    });
}

/// Of the solver body, which then is what its turning body knows of it.
void set_rate(const Vec3d& w, SolverBody& body, TurningBody& turning) {
    set_angular_velocity(body, w);
    turning.rate = angular_velocity(body);
}

void turn_body(const BodyStore& store, std::uint32_t slot, double h, TurningBody& turning,
               SolverBody& body, SolverMass& mass) {
    turning.q = rotated(store, slot, turning, h);
    set_rate(
        with_turning(store, slot,
                     [&](const auto& map) { return map(turning.q, turning.angular_momentum); }),
        body, turning);
    const Quatf turn = cast<float>(turning.q * conjugate(turning.start));
    body.displacement[3] = turn.x;
    body.displacement[4] = turn.y;
    body.displacement[5] = turn.z;
    body.displacement[6] = turn.w;
    mass.inv_inertia = world_inverse_inertia(store, slot, turning.q);
}

} // namespace

void find_turning_bodies(const WorldState& state, SolverBodies& bodies) {
    const BodyStore& store = state.bodies;
    for (std::uint32_t i = 1; i < bodies.size(); ++i) {
        const bool turns =
            bodies.has_joints[i] != 0 ||
            length_squared(angular_velocity(bodies.bodies[i])) > kMinTurning * kMinTurning;
        const std::uint32_t slot = bodies.body_slot[i];
        if (!turns || bodies.mass[i].inv_mass == 0 || is_isotropic(store.traits[slot].moments))
            continue;
        const BodyMotion& motion = store.motion[slot];
        bodies.mass[i].turns = true;
        bodies.turning.push_back(
            {i, motion.q, motion.q, motion.l, angular_velocity(bodies.bodies[i])});
    }
}

void absorb_impulses(const WorldState& state, const SolverBody& body, std::uint32_t slot,
                     TurningBody& turning) {
    const BodyTraits& traits = state.bodies.traits[slot];
    const Vec3d change = cast<double>(angular_velocity(body)) - cast<double>(turning.rate);
    const Vec3d impulse =
        rotate(turning.q, multiply(traits.moments, inverse_rotate(turning.q, change)));
    turning.angular_momentum += without_locked(impulse, traits.lock, lock_rx);
    turning.rate = angular_velocity(body);
}

void predict_rotation(const WorldState& state, double h, SolverBodies& bodies) {
    for (TurningBody& turning : bodies.turning) {
        const std::uint32_t slot = bodies.body_slot[turning.solver_body];
        SolverBody& body = bodies.bodies[turning.solver_body];
        absorb_impulses(state, body, slot, turning);
        const Quatd turn = rotated(state.bodies, slot, turning, h) * conjugate(turning.q);
        set_rate(to_rotation_vector(turn) / h, body, turning);
    }
}

void turn_bodies(const WorldState& state, double h, SolverBodies& bodies) {
    for (TurningBody& turning : bodies.turning) {
        const std::uint32_t slot = bodies.body_slot[turning.solver_body];
        SolverBody& body = bodies.bodies[turning.solver_body];
        absorb_impulses(state, body, slot, turning);
        turn_body(state.bodies, slot, h, turning, body, bodies.mass[turning.solver_body]);
    }
}

} // namespace rigor::fast
