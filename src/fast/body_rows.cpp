#include "fast/body_rows.h"

#include <algorithm>
#include <cmath>

#include "dynamics/angular_velocity.h"
#include "dynamics/energy.h"
#include "math/turn.h"

namespace rigor::fast {
namespace {

constexpr std::size_t kGrain = 128; // rows per task
constexpr double kFastTurn = 0.02;  // rad in a substep

Vec3f velocity_part(const std::array<float, 8>& v) {
    return {v[0], v[1], v[2]};
}
Vec3f turning_part(const std::array<float, 8>& v) {
    return {v[3], v[4], v[5]};
}

Sym3f to_float(const Sym3d& m) {
    return {static_cast<float>(m.xx), static_cast<float>(m.yy), static_cast<float>(m.zz),
            static_cast<float>(m.xy), static_cast<float>(m.xz), static_cast<float>(m.yz)};
}

Sym3f world_inverse_inertia(const BodyStore& bodies, std::uint32_t body, const Quatd& q) {
    const std::uint8_t lock = bodies.traits[body].lock;
    if ((lock & kRotationLocks) == 0) {
        const Sym3d inverse = Sym3d::diagonal(bodies.inertia[body].inv_moments);
        return to_float(rotate(to_matrix(q), inverse));
    }
    // What is left of the answer to a torque when some axes cannot turn.
    const LockedTurning turning(bodies.traits[body].moments, lock);
    const Vec3f x = cast<float>(turning(q, without_locked(Vec3d{1, 0, 0}, lock, lock_rx)));
    const Vec3f y = cast<float>(turning(q, without_locked(Vec3d{0, 1, 0}, lock, lock_rx)));
    const Vec3f z = cast<float>(turning(q, without_locked(Vec3d{0, 0, 1}, lock, lock_rx)));
    return {x.x, y.y, z.z, x.y, x.z, y.z};
}

template <class Visit>
void for_rows(ThreadTeam& team, const BodyRows& bodies, const Visit& visit) {
    team.parallel_for(bodies.rows.size(), kGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t r = std::max<std::size_t>(begin, 1); r < end; ++r) visit(r);
    });
}

/// Takes a part of the velocity of a row away, and books it.
void damp_row(const BodyStore& bodies, std::size_t r, float h, BodyRows& rows) {
    const BodyTraits& traits = bodies.traits[rows.body[r]];
    const float linear = 1 / (1 + h * static_cast<float>(traits.linear_damping));
    const float angular = 1 / (1 + h * static_cast<float>(traits.angular_damping));
    std::array<float, 8>& v = rows.rows[r].velocity;
    const Vec3f w = rotate(conjugate(cast<float>(bodies.motion[rows.body[r]].q)), turning_part(v));
    const float moving = static_cast<float>(traits.mass) * length_squared(velocity_part(v));
    const float turning = dot(w, multiply(cast<float>(traits.moments), w));
    rows.damped[r] -= 0.5f * (moving * (1 - linear * linear) + turning * (1 - angular * angular));
    for (std::size_t i = 0; i < 3; ++i) {
        v[i] *= linear;
        v[i + 3] *= angular;
    }
}

/// The velocity of a row after gravity, forces and damping have acted for h.
void push_row(const WorldState& state, std::size_t r, double h, BodyRows& bodies) {
    const BodyMass& mass = bodies.mass[r];
    if (mass.inv_mass == 0) return;
    const std::uint32_t body = bodies.body[r];
    const auto h_f = static_cast<float>(h);
    std::array<float, 8>& v = bodies.rows[r].velocity;
    Vec3f change = mass.acceleration * h_f, turn;
    if (!state.bodies.wrenches.empty()) {
        const Wrench& wrench = state.bodies.wrenches[body];
        change += cast<float>(wrench.force * (state.bodies.inertia[body].inv_mass * h));
        turn = mass.inv_inertia * cast<float>(wrench.torque * h);
    }
    const bool is_plain = state.bodies.mobility[body] == Mobility::plain;
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
    if (!is_plain) damp_row(state.bodies, r, h_f, bodies);
}

/// Whether a body is, and after its forces will be, no faster than rows can tell.
bool is_reasonable(const BodyStore& bodies, std::uint32_t body, const Vec3f& v, const Vec3f& w,
                   double h) {
    constexpr float kMost = 1e6f; // m/s, rad/s: a substep of kilometers
    const auto is_small = [](const Vec3f& x) {
        return std::abs(x.x) < kMost && std::abs(x.y) < kMost && std::abs(x.z) < kMost;
    };
    if (!is_small(v) || !is_small(w)) return false;
    if (bodies.wrenches.empty()) return true;
    const Wrench& wrench = bodies.wrenches[body];
    const BodyInertia& inertia = bodies.inertia[body];
    return is_small(cast<float>(wrench.force * (inertia.inv_mass * h))) &&
           is_small(cast<float>(wrench.torque * (max_component(inertia.inv_moments) * h)));
}

bool is_round(const Vec3d& moments) {
    return moments.x == moments.y && moments.y == moments.z;
}

/// The turn of a row, on by the rotation vector v.
void turn_row(std::array<float, 8>& motion, const Vec3f& v) {
    const float z = 0.25f * dot(v, v);
    const Quatf turn = z < static_cast<float>(kSmallTurn) ? small_turn(v, static_cast<double>(z))
                                                          : from_rotation_vector(v);
    const Quatf q = turn * Quatf{motion[6], motion[3], motion[4], motion[5]};
    const Quatf unit = correct_drift(q);
    motion[3] = unit.x;
    motion[4] = unit.y;
    motion[5] = unit.z;
    motion[6] = unit.w;
}

/// Not inlined: where two of them meet in a vector, gcc 12 takes (double)(float)x for x (-O2), and
/// who reads the rate back from the row would not get what the row has.
[[gnu::noinline]] void set_turning(BodyRow& row, const Vec3d& w) {
    row.velocity[3] = static_cast<float>(w.x);
    row.velocity[4] = static_cast<float>(w.y);
    row.velocity[5] = static_cast<float>(w.z);
}

Vec3d angular_momentum(const Vec3d& moments, const Quatd& q, const Vec3d& w) {
    return rotate(q, multiply(moments, inverse_rotate(q, w)));
}

/// From the rate of the moment to that of the substep.
void start_spin(const BodyStore& bodies, std::uint32_t body, double h, SpinningBody& spin,
                BodyRow& row) {
    const Vec3d w = cast<double>(turning_part(row.velocity));
    spin.l = angular_momentum(bodies.traits[body].moments, spin.q, w);
    const Quatd then = split_rotation(bodies.inertia[body], spin.q, spin.l, h);
    spin.rate = to_rotation_vector(then * conjugate(spin.q)) / h;
    set_turning(row, spin.rate);
    spin.rate = cast<double>(turning_part(row.velocity)); // as rounded
}

/// On by the rate of the substep, and back to the rate of the moment.
void finish_spin(const BodyStore& bodies, std::uint32_t body, double h, SpinningBody& spin,
                 BodyRow& row, BodyMass& mass) {
    const Vec3d rate = cast<double>(turning_part(row.velocity));
    spin.l += angular_momentum(bodies.traits[body].moments, spin.q, rate - spin.rate);
    spin.q = normalize(from_rotation_vector(rate * h) * spin.q);
    set_turning(row, FreeTurning(bodies.inertia[body])(spin.q, spin.l));
    const Quatf turn = cast<float>(spin.q * conjugate(spin.start));
    row.motion[3] = turn.x;
    row.motion[4] = turn.y;
    row.motion[5] = turn.z;
    row.motion[6] = turn.w;
    mass.inv_inertia = world_inverse_inertia(bodies, body, spin.q);
}

/// The turn of a row in double. The vector part of a small turn has all its digits, the scalar
/// part has not: it follows.
Quatd exact_turn(const std::array<float, 8>& motion) {
    const Vec3d v = cast<double>(turning_part(motion));
    const double rest = 1 - dot(v, v);
    const double w = rest > 0.5 ? std::sqrt(rest) : std::abs(static_cast<double>(motion[6]));
    return normalize(Quatd::from_parts(motion[6] < 0 ? -w : w, v));
}

/// False when the new state would not be finite.
bool move_body(BodyStore& bodies, std::uint32_t body, const BodyRow& row,
               const SpinningBody* spin) {
    BodyMotion& motion = bodies.motion[body];
    rigor::set_velocity(bodies, body, cast<double>(velocity_part(row.velocity)));
    const Vec3d w = cast<double>(turning_part(row.velocity));
    if (spin) motion.q = normalize(spin->q);
    // L, as it is at the orientation that the rows knew.
    rigor::set_angular_velocity(bodies, body, w);
    motion.x += cast<double>(velocity_part(row.motion));
    if (!spin) motion.q = normalize(exact_turn(row.motion) * motion.q);
    return is_finite(motion.x) && is_finite(motion.q) && is_finite(motion.p) && is_finite(motion.l);
}

double work_of_forces(const BodyStore& bodies, std::uint32_t body, const Vec3d& way,
                      const BodyRow& row) {
    if (bodies.wrenches.empty()) return 0;
    const Vec3d turn = to_rotation_vector(exact_turn(row.motion));
    return dot(bodies.wrenches[body].force, way) + dot(bodies.wrenches[body].torque, turn);
}

double kinetic(const BodyStore& bodies, std::uint32_t body) {
    return kinetic_energy(bodies.motion[body], bodies.inertia[body], bodies.traits[body]);
}

} // namespace

void BodyRows::start(std::size_t count) {
    // Only what the last step had is cleared, so that bodies at rest cost nothing.
    for (const std::uint32_t slot : asked_) row_of[slot] = UINT32_MAX;
    asked_.clear();
    row_of.resize(count, UINT32_MAX);
    rows.assign(1, {});
    mass.assign(1, {});
    body.assign(1, UINT32_MAX);
    spinning.clear();
    runaway.clear();
    swings.assign(1, 0);
    joined.assign(1, 0);
    damped.assign(1, 0);
}

bool BodyRows::spins(std::uint32_t row) const {
    const auto at =
        std::lower_bound(spinning.begin(), spinning.end(), row,
                         [](const SpinningBody& spin, std::uint32_t r) { return spin.row < r; });
    return at != spinning.end() && at->row == row;
}

std::uint32_t BodyRows::make_row(const WorldState& state, std::uint32_t slot, double h) {
    const BodyStore& bodies = state.bodies;
    const BodyTraits& traits = bodies.traits[slot];
    if (traits.type == BodyType::static_body || bodies.mobility[slot] == Mobility::immobile)
        return kReadOnly; // row 0
    const auto row = static_cast<std::uint32_t>(rows.size());
    const Vec3d w = angular_velocity(bodies, slot);
    const Vec3f v = cast<float>(velocity(bodies, slot)), turning = cast<float>(w);
    if (!is_reasonable(bodies, slot, v, turning, h)) {
        runaway.push_back(slot);
        return kReadOnly; // its neighbors shall not notice
    }
    const bool is_still = length_squared(v) + length_squared(turning) < kStill * kStill;
    rows.emplace_back();
    rows.back().velocity = {v.x, v.y, v.z, turning.x, turning.y, turning.z, 0, 0};
    body.push_back(slot);
    swings.push_back(1);
    joined.push_back(0);
    damped.push_back(0);
    if (traits.type != BodyType::dynamic_body) {
        mass.emplace_back();
        mass.back().is_still = is_still;
        return row | kReadOnly;
    }
    const BodyInertia& inertia = bodies.inertia[slot];
    const Quatd& q = bodies.motion[slot].q;
    mass.push_back({static_cast<float>(inertia.inv_mass), world_inverse_inertia(bodies, slot, q),
                    cast<float>(state.gravity * (inertia.weight * inertia.inv_mass)), is_still});
    if (length_squared(w) * (h * h) > kFastTurn * kFastTurn && !is_round(traits.moments) &&
        (traits.lock & kRotationLocks) == 0)
        spinning.push_back({row, q, q, {}, {}});
    return row;
}

void apply_forces(const WorldState& state, ThreadTeam& team, double h, BodyRows& bodies) {
    for_rows(team, bodies, [&](std::size_t r) {
        push_row(state, r, bodies.swings[r] != 0 ? 0.5 * h : h, bodies);
    });
}

void apply_second_half(const WorldState& state, ThreadTeam& team, double h, BodyRows& bodies) {
    for_rows(team, bodies, [&](std::size_t r) {
        if (bodies.swings[r] != 0) push_row(state, r, 0.5 * h, bodies);
    });
}

void start_spinning(const WorldState& state, double h, BodyRows& bodies) {
    for (SpinningBody& spin : bodies.spinning)
        start_spin(state.bodies, bodies.body[spin.row], h, spin, bodies.rows[spin.row]);
}

void move_rows(const WorldState& state, ThreadTeam& team, float h, BodyRows& bodies) {
    for_rows(team, bodies, [&](std::size_t r) {
        BodyRow& row = bodies.rows[r];
        const std::uint8_t lock = state.bodies.traits[bodies.body[r]].lock;
        for (std::size_t i = 0; i < 3; ++i) {
            if ((lock >> i & 1) != 0) row.velocity[i] = 0;
            row.motion[i] += h * row.velocity[i];
        }
        turn_row(row.motion, turning_part(row.velocity) * h);
    });
    for (SpinningBody& spin : bodies.spinning)
        finish_spin(state.bodies, bodies.body[spin.row], static_cast<double>(h), spin,
                    bodies.rows[spin.row], bodies.mass[spin.row]);
}

RowTally finish_rows(WorldState& state, const BodyRows& rows) {
    BodyStore& bodies = state.bodies;
    RowTally tally;
    const auto quarantine = [&](std::uint32_t body, const BodyMotion& at) {
        const double lost = kinetic(bodies, body);
        state.ledger.edits -= lost;
        if (Ledger* island = state.islands.of(body)) island->edits -= lost;
        bodies.motion[body] = at;
        bodies.motion[body].p = bodies.motion[body].l = {};
        bodies.mobility[body] = Mobility::immobile;
        tally.quarantined.push_back(body);
    };
    for (const std::uint32_t body : rows.runaway) quarantine(body, bodies.motion[body]);
    auto spin = rows.spinning.begin();
    for (std::uint32_t r = 1; r < rows.rows.size(); ++r) {
        const std::uint32_t body = rows.body[r];
        if (bodies.traits[body].type != BodyType::dynamic_body) continue;
        const bool spins = spin != rows.spinning.end() && spin->row == r;
        const double before = kinetic(bodies, body);
        const BodyMotion old = bodies.motion[body];
        if (move_body(bodies, body, rows.rows[r], spins ? &*spin : nullptr)) {
            ++tally.moved;
            const Vec3d way = bodies.motion[body].x - old.x;
            const double gravity = bodies.inertia[body].weight * dot(state.gravity, way);
            const double forces = work_of_forces(bodies, body, way, rows.rows[r]);
            const auto damping = static_cast<double>(rows.damped[r]);
            tally.gravity += gravity;
            tally.forces += forces;
            tally.damping += damping;
            const double rest = kinetic(bodies, body) - before - gravity - forces - damping;
            tally.rest += rest;
            if (rows.joined[r] != 0) tally.rest_of_joined += rest;
            if (state.islands.are_kept())
                tally.each.push_back({body, gravity, forces, damping, rest});
        } else {
            bodies.motion[body] = old;
            quarantine(body, old);
        }
        if (spins) ++spin;
    }
    return tally;
}

} // namespace rigor::fast
