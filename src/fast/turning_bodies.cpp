#include "fast/turning_bodies.h"

#include "dynamics/angular_velocity.h"
#include "fast/turning_kernels.h"

namespace rigor::fast {
namespace {

constexpr std::size_t kWidth = TurningGroup::kWidth;
constexpr std::size_t kGrain = 16; // groups per task

// A body with contacts alone keeps its tensor for the step when it turns by less in a substep, rad.
constexpr double kMinTurn = 0.01;
// With the rate at the beginning of the step it would gain a part of about w² dt of its energy each
// second: below this rate, rad/s, the difference is not worth the time.
constexpr float kMinTurning = 0.01f;

bool is_isotropic(const Vec3d& moments) {
    return moments.x == moments.y && moments.y == moments.z;
}

void set(TurningGroup::Vector& rows, std::size_t lane, const Vec3d& v) {
    rows[0][lane] = v.x;
    rows[1][lane] = v.y;
    rows[2][lane] = v.z;
}
void set(TurningGroup::Quaternion& rows, std::size_t lane, const Quatd& q) {
    rows[0][lane] = q.w;
    rows[1][lane] = q.x;
    rows[2][lane] = q.y;
    rows[3][lane] = q.z;
}
Vec3d get(const TurningGroup& group, const TurningGroup::Vector& rows, std::size_t lane) {
    return MiddleLast(group.middle[lane]).leave({rows[0][lane], rows[1][lane], rows[2][lane]});
}
Quatd get(const TurningGroup& group, const TurningGroup::Quaternion& rows, std::size_t lane) {
    const Vec3d v{rows[1][lane], rows[2][lane], rows[3][lane]};
    return Quatd::from_parts(rows[0][lane], MiddleLast(group.middle[lane]).leave(v));
}
Quatd enter(const MiddleLast& order, const Quatd& q) {
    return Quatd::from_parts(q.w, order.enter(q.vec()));
}

/// Not inlined: where two casts meet in a vector, gcc 12 takes (double)(float)x for x (-O2), and
/// the velocity would differ from that of the solver body.
[[gnu::noinline]] void read_velocities(const SolverBodies& bodies, const TurningGroup& group,
                                       TurningGroup::Vector& rows) {
    for (std::size_t lane = 0; lane < kWidth; ++lane) {
        const Vec3f w = angular_velocity(bodies.bodies[group.solver_body[lane]]);
        set(rows, lane, MiddleLast(group.middle[lane]).enter(cast<double>(w)));
    }
}

[[gnu::noinline]] void write_velocity(const Vec3d& w, SolverBody& body) {
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

/// Calls visit(lane, solver body) for the lanes in use.
template <class Visit>
void for_lanes(const TurningGroup& group, const Visit& visit) {
    for (std::size_t lane = 0; lane < kWidth; ++lane)
        if (group.solver_body[lane] != 0) visit(lane, group.solver_body[lane]);
}

/// Rotates a body that the kernels cannot rotate.
void rotate_alone(const WorldState& state, const SolverBodies& bodies, double h, std::size_t lane,
                  TurningGroup& group) {
    if (group.lock[lane] == 0 && turns_little(group, lane, h)) return;
    const std::uint32_t slot = bodies.body_slot[group.solver_body[lane]];
    const Quatd q = get(group, group.q, lane);
    const Vec3d l = get(group, group.l, lane);
    const Quatd next = with_turning(state.bodies, slot,
                                    [&](const auto& map) { return map.turned(q, l, h); });
    const MiddleLast order(group.middle[lane]);
    set(group.next, lane, enter(order, next));
    set(group.w, lane, order.enter(to_rotation_vector(next * conjugate(q)) / h));
}

Sym3f to_world(const TurningGroup& group, const TurningState& state, std::size_t lane) {
    // Where each of xx yy zz xy xz yz of the world is among the entries of the permuted axes.
    static constexpr std::array<std::array<std::uint8_t, 6>, 3> kEntry = {
        {{2, 0, 1, 4, 5, 3}, {1, 2, 0, 5, 3, 4}, {0, 1, 2, 3, 4, 5}}};
    const auto& entry = kEntry[static_cast<std::size_t>(group.middle[lane])];
    const auto at = [&](std::size_t k) {
        return static_cast<float>(state.inv_inertia[entry[k]][lane]);
    };
    return {at(0), at(1), at(2), at(3), at(4), at(5)};
}

void write_state(const WorldState& world, const TurningGroup& group, const TurningState& state,
                 std::size_t lane, SolverBodies& bodies) {
    const std::uint32_t i = group.solver_body[lane];
    SolverBody& body = bodies.bodies[i];
    const Quatf turn = cast<float>(get(group, state.turn, lane));
    body.displacement[3] = turn.x;
    body.displacement[4] = turn.y;
    body.displacement[5] = turn.z;
    body.displacement[6] = turn.w;
    if (group.lock[lane] == 0) {
        write_velocity(get(group, state.w, lane), body);
        bodies.mass[i].inv_inertia = to_world(group, state, lane);
        return;
    }
    const BodyStore& store = world.bodies;
    const std::uint32_t slot = bodies.body_slot[i];
    const Quatd q = get(group, group.q, lane);
    const LockedTurning map(store.traits[slot].moments, store.traits[slot].lock);
    write_velocity(map(q, get(group, group.l, lane)), body);
    bodies.mass[i].inv_inertia = world_inverse_inertia(store, slot, q);
}

void add_turning(const BodyStore& store, std::uint32_t i, SolverBodies& bodies) {
    const std::size_t lane = bodies.turning_count++ % kWidth;
    if (lane == 0) bodies.turning.emplace_back();
    TurningGroup& group = bodies.turning.back();
    const std::uint32_t slot = bodies.body_slot[i];
    const BodyMotion& motion = store.motion[slot];
    const BodyTraits& traits = store.traits[slot];
    const BodyInertia& inertia = store.inertia[slot];
    const MiddleLast order(inertia.middle);
    bodies.mass[i].turns = true;
    group.solver_body[lane] = i;
    group.middle[lane] = inertia.middle;
    group.lock[lane] = traits.lock & kRotationLocks;
    group.max_inv_moment[lane] = max_component(inertia.inv_moments);
    set(group.q, lane, enter(order, motion.q));
    set(group.start, lane, enter(order, motion.q));
    set(group.l, lane, order.enter(motion.l));
    set(group.moments, lane, order.enter(traits.moments));
    set(group.inv_moments, lane, order.enter(inertia.inv_moments));
    set(group.free, lane, order.enter(without_locked(Vec3d{1, 1, 1}, traits.lock, lock_rx)));
}

template <class Visit>
void for_groups(ThreadTeam& team, SolverBodies& bodies, const Visit& visit) {
    team.parallel_for(bodies.turning.size(), kGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) visit(bodies.turning[i]);
    });
}

} // namespace

// Not inlined, as read_velocities.
[[gnu::noinline]] Vec3f mean_rate(const BodyStore& store, std::uint32_t slot, double dt) {
    const BodyMotion& motion = store.motion[slot];
    const FreeTurning turning(store.inertia[slot]);
    const Vec3d w = turning(motion.q, motion.l);
    return cast<float>(w + turning(motion.q, cross(motion.l, w)) * (0.5 * dt));
}

void find_turning_bodies(const WorldState& state, double h, double dt, SolverBodies& bodies) {
    const BodyStore& store = state.bodies;
    for (std::uint32_t i = 1; i < bodies.size(); ++i) {
        const bool has_joints = bodies.has_joints[i] != 0;
        const float squared_rate = length_squared(angular_velocity(bodies.bodies[i]));
        if (!has_joints && !(squared_rate > kMinTurning * kMinTurning)) continue;
        const std::uint32_t slot = bodies.body_slot[i];
        const BodyTraits& traits = store.traits[slot];
        if (bodies.mass[i].inv_mass == 0 || is_isotropic(traits.moments)) continue;
        const double squared_turn = static_cast<double>(squared_rate) * h * h;
        if (has_joints || squared_turn > kMinTurn * kMinTurn ||
            (traits.lock & kRotationLocks) != 0) {
            add_turning(store, i, bodies);
        } else {
            bodies.mass[i].has_mean_rate = true;
            write_velocity(cast<double>(mean_rate(store, slot, dt)), bodies.bodies[i]);
        }
    }
    for (TurningGroup& group : bodies.turning) read_velocities(bodies, group, group.rate);
}

void predict_rotation(const WorldState& state, ThreadTeam& team, double h, SolverBodies& bodies) {
    for_groups(team, bodies, [&](TurningGroup& group) {
        read_velocities(bodies, group, group.w);
        predict_rotation(group, h);
        for_lanes(group, [&](std::size_t lane, std::uint32_t i) {
            rotate_alone(state, bodies, h, lane, group);
            write_velocity(get(group, group.w, lane), bodies.bodies[i]);
        });
        read_velocities(bodies, group, group.rate);
    });
}

void turn_bodies(const WorldState& state, ThreadTeam& team, double h, SolverBodies& bodies) {
    for_groups(team, bodies, [&](TurningGroup& group) {
        read_velocities(bodies, group, group.w);
        rotate_freely(group, h);
        for_lanes(group, [&](std::size_t lane, std::uint32_t) {
            rotate_alone(state, bodies, h, lane, group);
        });
        group.q = group.next;
        TurningState turned;
        compute_state(group, turned);
        for_lanes(group, [&](std::size_t lane, std::uint32_t) {
            write_state(state, group, turned, lane, bodies);
        });
        read_velocities(bodies, group, group.rate);
    });
}

void absorb_impulses(SolverBodies& bodies) {
    for (TurningGroup& group : bodies.turning) {
        read_velocities(bodies, group, group.w);
        absorb_impulses(group);
    }
}

TurnedBody turned_body(const SolverBodies& bodies, std::size_t number) {
    const TurningGroup& group = bodies.turning[number / kWidth];
    const std::size_t lane = number % kWidth;
    return {get(group, group.q, lane), get(group, group.l, lane)};
}

} // namespace rigor::fast
