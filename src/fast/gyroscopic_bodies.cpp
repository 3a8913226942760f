#include "fast/gyroscopic_bodies.h"

#include <algorithm>
#include <cmath>

#include "dynamics/angular_velocity.h"
#include "fast/gyroscopic_kernels.h"

namespace rigor::fast {
namespace {

constexpr std::size_t kWidth = GyroscopicGroup::kWidth;
constexpr std::size_t kGrain = 16; // groups per task

// A body with contacts alone keeps its tensor for the step when it turns by less in a substep, rad,
// before and after what it meets; also when other dynamic bodies touch it: a crumb under a heavy
// one is turned by the errors of large impulses, which would build up. Then it goes where the
// constraints want it, but for what energy asks for.
constexpr double kMinTurn = 0.01;
// With the rate at the beginning of the step it would gain a part of about w² dt of its energy each
// second: below this rate, rad/s, the difference is not worth the time.
constexpr float kMinTurning = 0.01f;

bool is_isotropic(const Vec3d& moments) {
    return moments.x == moments.y && moments.y == moments.z;
}

template <class Row>
void set(std::array<Row, 3>& rows, std::size_t lane, const Vec3d& v) {
    using S = typename Row::value_type;
    rows[0][lane] = static_cast<S>(v.x);
    rows[1][lane] = static_cast<S>(v.y);
    rows[2][lane] = static_cast<S>(v.z);
}
void set(GyroscopicGroup::Quaternion& rows, std::size_t lane, const Quatd& q) {
    rows[0][lane] = q.w;
    rows[1][lane] = q.x;
    rows[2][lane] = q.y;
    rows[3][lane] = q.z;
}
Vec3d get(const GyroscopicGroup::Vector& rows, std::size_t lane) {
    return {rows[0][lane], rows[1][lane], rows[2][lane]};
}

/// Takes axes with the intermediate moment last to those of a body: a third of a turn about the
/// diagonal, or none.
Quatd middle_last(std::int64_t middle) {
    if (middle == 2) return {};
    const double s = middle == 0 ? 0.5 : -0.5;
    return {0.5, s, s, s};
}
Quatd orientation(const GyroscopicGroup& group, std::size_t lane) {
    const Quatd q{group.q[0][lane], group.q[1][lane], group.q[2][lane], group.q[3][lane]};
    return q * conjugate(middle_last(group.middle[lane]));
}

template <class Visit>
auto with_turning(const BodyStore& store, std::uint32_t slot, const Visit& visit) {
    const BodyTraits& traits = store.traits[slot];
    if ((traits.lock & kRotationLocks) == 0) return visit(FreeTurning(store.inertia[slot]));
    return visit(LockedTurning(traits.moments, traits.lock));
}

/// Calls visit(lane, solver body) for the lanes in use.
template <class Visit>
void for_lanes(const GyroscopicGroup& group, const Visit& visit) {
    for (std::size_t lane = 0; lane < kWidth; ++lane)
        if (group.solver_body[lane] != 0) visit(lane, group.solver_body[lane]);
}

/// Whether the kernels cannot rotate it.
bool is_special(const GyroscopicGroup& group, std::size_t lane) {
    return group.is_locked[lane] || !(group.squared_turn[lane] < kMaxTurn * kMaxTurn);
}

Quatd rotated(const WorldState& state, std::uint32_t slot, const GyroscopicGroup& group,
              std::size_t lane, double h) {
    return with_turning(state.bodies, slot, [&](const auto& map) {
        return map.turned(orientation(group, lane), get(group.l, lane), h);
    });
}

/// Whether a body turns, or its axis precesses, so far in a substep that a kick moves it elsewhere
/// than a constraint wants, which would build up.
bool outruns_constraints(const GyroscopicGroup& group, std::size_t lane) {
    constexpr double kMaxAngle = 2; // rad
    return !(group.squared_turn[lane] < kMaxAngle * kMaxAngle);
}

/// The steady rate that leads to where the body will be.
Vec3d rate_ahead(const WorldState& state, std::uint32_t slot, const GyroscopicGroup& group,
                 std::size_t lane, double h) {
    const Quatd q = orientation(group, lane);
    if (!outruns_constraints(group, lane))
        return to_rotation_vector(rotated(state, slot, group, lane, h) * conjugate(q)) / h;
    return with_turning(state.bodies, slot,
                        [&](const auto& map) { return map(q, get(group.l, lane)); });
}

/// Where a body is after the substep: by its free rotation, or where constraints want it.
Quatd next_orientation(const WorldState& state, std::uint32_t slot, const GyroscopicGroup& group,
                       std::size_t lane, double h) {
    if (!outruns_constraints(group, lane)) return rotated(state, slot, group, lane, h);
    const Vec3f w{group.w[0][lane], group.w[1][lane], group.w[2][lane]};
    return normalize(from_rotation_vector(cast<double>(w) * h) * orientation(group, lane));
}

void set_inertia(GyroscopicGroup& group, std::size_t lane, const Sym3f& i) {
    const std::array<float, 6> entries{i.xx, i.yy, i.zz, i.xy, i.xz, i.yz};
    for (std::size_t k = 0; k < 6; ++k) group.inv_inertia[k][lane] = entries[k];
}

void update_locked(const WorldState& state, std::uint32_t slot, std::size_t lane,
                   GyroscopicGroup& group) {
    const BodyTraits& traits = state.bodies.traits[slot];
    const Quatd q = orientation(group, lane);
    set(group.rate, lane, LockedTurning(traits.moments, traits.lock)(q, get(group.l, lane)));
    set_inertia(group, lane, world_inverse_inertia(state.bodies, slot, q));
}

/// Where the kernels cannot tell how a body will turn.
void predict_special(const WorldState& state, std::uint32_t slot, std::size_t lane, double h,
                     GyroscopicGroup& group, SolverBody& body) {
    set(group.rate, lane, rate_ahead(state, slot, group, lane, h));
    for (std::size_t k = 0; k < 3; ++k)
        body.velocity[k + 3] = group.w[k][lane] = group.rate[k][lane];
    const Quatd start{group.start[0][lane], group.start[1][lane], group.start[2][lane],
                      group.start[3][lane]};
    const Quatd turn = next_orientation(state, slot, group, lane, h) *
                       middle_last(group.middle[lane]) * conjugate(start);
    const std::array<double, 4> entries{turn.w, turn.x, turn.y, turn.z};
    for (std::size_t k = 0; k < 4; ++k) group.turn[k][lane] = static_cast<float>(entries[k]);
}

void add_turning(const BodyStore& store, std::uint32_t i, SolverBodies& bodies) {
    const std::size_t lane = bodies.turning_count % kWidth;
    if (lane == 0) bodies.turning.emplace_back();
    bodies.mass[i].turning_number = bodies.turning_count++;
    GyroscopicGroup& group = bodies.turning.back();
    const std::uint32_t slot = bodies.body_slot[i];
    const BodyMotion& motion = store.motion[slot];
    const BodyTraits& traits = store.traits[slot];
    const BodyInertia& inertia = store.inertia[slot];
    const MiddleLast order(inertia.middle);
    const Quatd q = motion.q * middle_last(inertia.middle);
    bodies.mass[i].turns = true;
    group.solver_body[lane] = i;
    group.middle[lane] = static_cast<std::uint8_t>(inertia.middle);
    group.is_locked[lane] = (traits.lock & kRotationLocks) != 0;
    group.inv_mass[lane] = bodies.mass[i].inv_mass;
    set_inertia(group, lane, bodies.mass[i].inv_inertia);
    set(group.q, lane, q);
    set(group.start, lane, q);
    set(group.moments, lane, order.enter(traits.moments));
    set(group.inv_moments, lane, order.enter(inertia.inv_moments));
    set(group.l, lane, motion.l);
    set(group.free, lane, without_locked(Vec3d{1, 1, 1}, traits.lock, lock_rx));
}

template <class Visit>
void for_groups(const SolverPart& part, SolverBodies& bodies, const Visit& visit) {
    GyroscopicGroup* groups = bodies.turning.data() + part.turning_begin;
    part.parallel_for(part.turning_end - part.turning_begin, kGrain,
                      [&](std::size_t begin, std::size_t end) {
                          for (std::size_t i = begin; i < end; ++i) visit(groups[i]);
                      });
}

/// Decides whether a body turns, or begins with its mean rate.
void consider(const BodyStore& store, double h, double dt, std::uint32_t i, SolverBodies& bodies) {
    const bool has_joints = bodies.has_joints[i] != 0;
    const float rate = length(angular_velocity(bodies.bodies[i])) + bodies.impact_rate[i];
    if (!has_joints && !(rate > kMinTurning)) return;
    const std::uint32_t slot = bodies.body_slot[i];
    const BodyTraits& traits = store.traits[slot];
    if (bodies.mass[i].inv_mass == 0 || is_isotropic(traits.moments)) return;
    const bool is_fast = static_cast<double>(rate) * h > kMinTurn;
    if (has_joints || (is_fast && bodies.is_pushed[i] == 0) ||
        (traits.lock & kRotationLocks) != 0) {
        add_turning(store, i, bodies);
    } else if (is_fast) {
        bodies.mass[i].is_fast = true;
    } else {
        bodies.mass[i].has_mean_rate = true;
        const Vec3f w = mean_rate(store, slot, dt);
        std::array<float, 8>& v = bodies.bodies[i].velocity;
        v[3] = w.x, v[4] = w.y, v[5] = w.z;
    }
}

} // namespace

/// Not inlined: where two casts meet in a vector, gcc 12 takes (double)(float)x for x (-O2), and
/// the rate would differ from that of the solver body.
[[gnu::noinline]] Vec3f mean_rate(const BodyStore& store, std::uint32_t slot, double dt) {
    const BodyMotion& motion = store.motion[slot];
    const FreeTurning turning(store.inertia[slot]);
    const Vec3d w = turning(motion.q, motion.l);
    return cast<float>(w + turning(motion.q, cross(motion.l, w)) * (0.5 * dt));
}

/// A rotation by a small angle x changes the energy by x (w x L), so Newton's method goes along
/// w x L, by no more than a part of a radian at a time.
Quatd with_same_energy(const BodyStore& store, std::uint32_t slot, const Quatd& wanted) {
    constexpr int kIterations = 4;
    constexpr double kMaxAngle = 0.3, kTolerance = 1e-9;
    const BodyMotion& motion = store.motion[slot];
    const FreeTurning turning(store.inertia[slot]);
    const double energy = dot(motion.l, turning(motion.q, motion.l)); // twice
    Quatd q = wanted;
    for (int i = 0; i < kIterations; ++i) {
        const Vec3d w = turning(q, motion.l), slope = cross(w, motion.l);
        const double missing = 0.5 * (energy - dot(motion.l, w)), steepness = length(slope);
        if (!(std::abs(missing) > kTolerance * energy) || !(steepness > 0)) break;
        const double angle = std::clamp(missing / steepness, -kMaxAngle, kMaxAngle);
        q = normalize(from_rotation_vector(slope * (angle / steepness)) * q);
    }
    return q;
}

void find_gyroscopic_bodies(const WorldState& state, double h, double dt,
                            std::span<SolverPart> parts, SolverBodies& bodies) {
    for (SolverPart& part : parts) {
        bodies.turning_count = static_cast<std::uint32_t>(kWidth * bodies.turning.size());
        part.turning_begin = static_cast<std::uint32_t>(bodies.turning.size());
        for (const std::uint32_t i : part.bodies) consider(state.bodies, h, dt, i, bodies);
        part.turning_end = static_cast<std::uint32_t>(bodies.turning.size());
    }
    for (GyroscopicGroup& group : bodies.turning)
        for_lanes(group, [&](std::size_t lane, std::uint32_t i) {
            for (std::size_t k = 0; k < 3; ++k)
                group.rate[k][lane] = bodies.bodies[i].velocity[k + 3];
        });
}

void predict_rotation(const WorldState& state, const SolverPart& part, double h,
                      SolverBodies& bodies) {
    for_groups(part, bodies, [&](GyroscopicGroup& group) {
        predict_rate(group, h, bodies.bodies.data());
        for_lanes(group, [&](std::size_t lane, std::uint32_t i) {
            if (is_special(group, lane))
                predict_special(state, bodies.body_slot[i], lane, h, group, bodies.bodies[i]);
        });
    });
}

void predict_displacements(const WorldState& state, const SolverPart& part, double h,
                           SolverBodies& bodies, SolverBody* ahead) {
    for_groups(part, bodies, [&](GyroscopicGroup& group) {
        predict_displacements(group, h, bodies.bodies.data(), ahead);
        for_lanes(group, [&](std::size_t lane, std::uint32_t i) {
            if (!is_special(group, lane)) return;
            predict_special(state, bodies.body_slot[i], lane, h, group, bodies.bodies[i]);
            for (std::size_t k = 0; k < 3; ++k)
                ahead[i].displacement[k + 3] = group.turn[k + 1][lane];
            ahead[i].displacement[6] = group.turn[0][lane];
        });
    });
}

void turn_bodies(const WorldState& state, const SolverPart& part, double h, SolverBodies& bodies) {
    for_groups(part, bodies, [&](GyroscopicGroup& group) {
        rotate_freely(group, h, bodies.bodies.data());
        for_lanes(group, [&](std::size_t lane, std::uint32_t i) {
            if (is_special(group, lane))
                set(group.next, lane,
                    next_orientation(state, bodies.body_slot[i], group, lane, h) *
                        middle_last(group.middle[lane]));
        });
        update_state(group);
        for_lanes(group, [&](std::size_t lane, std::uint32_t i) {
            if (group.is_locked[lane]) update_locked(state, bodies.body_slot[i], lane, group);
        });
        write_state(group, bodies.bodies.data(), bodies.mass.data());
    });
}

void absorb_impulses(SolverBodies& bodies) {
    for (GyroscopicGroup& group : bodies.turning) absorb_impulses(group, bodies.bodies.data());
}

TurnedBody turned_body(const SolverBodies& bodies, std::size_t number) {
    const GyroscopicGroup& group = bodies.turning[number / kWidth];
    const std::size_t lane = number % kWidth;
    return {orientation(group, lane), get(group.l, lane)};
}

} // namespace rigor::fast
