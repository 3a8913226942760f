#include "literature/kick_and_drift.h"

#include "rigor/rotation.h"

namespace rigor::literature {
namespace {

/// Applies the impulses of the forces over a time h. An impulse works at the mean of the velocities
/// before and after it.
void kick(const ForceModel& model, double h, Island& island, IntervalRecord& record) {
    const WorldState& state = model.state;
    const BodyWrenches wrenches = body_wrenches(model, island);
    std::vector<SpatialVector> impulses;
    for (std::size_t i = 0; i < island.bodies.size(); ++i) {
        const SpatialVector f = wrenches.sum(i);
        impulses.push_back({f.linear * h, f.angular * h});
    }
    const std::vector<BodyKinematics> before = kinematics_of(state, island);
    apply(island, state, impulses);
    const std::vector<BodyKinematics> after = kinematics_of(state, island);
    for (std::size_t i = 0; i < before.size(); ++i)
        for (const BodyKinematics& kinematics : {before[i], after[i]}) {
            const WorkLedger power = powers(state, island, wrenches, i, kinematics);
            WorkLedger& work = record.work[i];
            work.forces += 0.5 * h * power.forces;
            work.contact_normal += 0.5 * h * power.contact_normal;
            work.contact_friction += 0.5 * h * power.contact_friction;
        }
    for (std::size_t i = 0; i < island.contacts.size(); ++i)
        record.contact_impulses[i] += wrenches.contacts.forces[i] * h;
}

void drift(const WorldState& state, double h, std::size_t i, Island& island) {
    const std::uint32_t body = island.bodies[i];
    if (body == kWorldBody) return;
    BodyMotion& m = island.motion[i];
    const BodyKinematics kinematics = kinematics_of(state.bodies, body, m);
    m.x += kinematics.v * h;
    m.q = normalize(from_rotation_vector(kinematics.w * h) * m.q);
}

} // namespace

void kick_and_drift(const ForceModel& model, double h, Island& island, IntervalRecord& record) {
    const bool halves = model.method.integrator == Integrator::exact;
    kick(model, halves ? 0.5 * h : h, island, record);
    for (std::size_t i = 0; i < island.bodies.size(); ++i) drift(model.state, h, i, island);
    if (halves) kick(model, 0.5 * h, island, record);
}

} // namespace rigor::literature
