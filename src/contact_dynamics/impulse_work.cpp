#include "contact_dynamics/impulse_work.h"

#include "rigor/rotation.h"

namespace rigor::contact_dynamics {
namespace {

double rate_of(const ConstraintRow::Side& side, const BodyKinematics& body) {
    return dot(side.linear, body.v) + dot(side.angular, body.w);
}

} // namespace

double working_rate(const ConstraintRow& row, std::span<const BodyKinematics> bodies) {
    double sum = 0;
    for (const ConstraintRow::Side& side : row.sides())
        if (responds_to_impulses(bodies[side.body])) sum += rate_of(side, bodies[side.body]);
    return sum;
}

void apply(Island& island, const WorldState& state, std::span<const RowImpulse> impulses) {
    std::vector<SpatialVector> on_bodies(island.bodies.size());
    for (const RowImpulse& impulse : impulses) add_impulse(impulse.row, impulse.impulse, on_bodies);
    apply(island, state, on_bodies);
}

std::vector<WorkLedger> work_of(std::span<const RowImpulse> impulses,
                                std::span<const BodyKinematics> before,
                                std::span<const BodyKinematics> after) {
    std::vector<WorkLedger> work(before.size());
    for (const RowImpulse& impulse : impulses)
        for (const ConstraintRow::Side& side : impulse.row.sides())
            if (responds_to_impulses(before[side.body]))
                work[side.body].*impulse.entry +=
                    0.5 * impulse.impulse *
                    (rate_of(side, before[side.body]) + rate_of(side, after[side.body]));
    return work;
}

std::vector<WorkLedger> apply_impulses(const WorldState& state,
                                       std::span<const RowImpulse> impulses, Island& island) {
    const std::vector<BodyKinematics> before = kinematics_of(state, island);
    apply(island, state, impulses);
    return work_of(impulses, before, kinematics_of(state, island));
}

std::vector<double> displacement_work(const WorldState& state, std::span<const BodyMotion> before,
                                      const Island& island) {
    std::vector<double> work(island.bodies.size());
    for (std::size_t i = 0; i < work.size(); ++i) {
        const std::uint32_t body = island.bodies[i];
        if (!responds_to_impulses(state, body)) continue;
        const BodyMotion &from = before[i], &to = island.motion[i];
        const Vec3d turn = to_rotation_vector(to.q * conjugate(from.q));
        const Vec3d torque = kinematics_of(state.bodies, body, from).gyroscopic_torque +
                             kinematics_of(state.bodies, body, to).gyroscopic_torque;
        const Vec3d weight = state.gravity * state.bodies.inertia[body].weight;
        work[i] = 0.5 * dot(torque, turn) - dot(weight, to.x - from.x);
    }
    return work;
}

void record_work(std::span<const WorkLedger> by_body, Island& island) {
    for (const WorkLedger& work : by_body) add(island.work, work);
}

} // namespace rigor::contact_dynamics
