#include "literature/kick_and_drift.h"

#include "dynamics/angular_velocity.h"
#include "dynamics/free_rotation.h"
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

/// The orientation after a free rotation. To rotate at the rate of the start would change the
/// energy at constant L: a box that bounces in a closed room gained it without bounds.
Quatd rotated(const WorldState& state, Integrator integrator, std::uint32_t body,
              const BodyMotion& m, double h) {
    const BodyTraits& traits = state.bodies.traits[body];
    if (!responds_to_impulses(state, body))
        return normalize(from_rotation_vector(kinematics_of(state.bodies, body, m).w * h) * m.q);
    if (traits.lock & kRotationLocks)
        return LockedTurning(traits.moments, traits.lock).turned(m.q, m.l, h);
    if (integrator == Integrator::exact) return rotate_freely(traits.moments, m.q, m.l, h);
    return FreeTurning(state.bodies.inertia[body]).turned(m.q, m.l, h);
}

void drift(const ForceModel& model, double h, std::size_t i, Island& island) {
    const std::uint32_t body = island.bodies[i];
    if (body == kWorldBody) return;
    BodyMotion& m = island.motion[i];
    m.x += kinematics_of(model.state.bodies, body, m).v * h;
    m.q = rotated(model.state, model.method.integrator, body, m, h);
}

} // namespace

void kick_and_drift(const ForceModel& model, double h, Island& island, IntervalRecord& record) {
    const bool halves = model.method.integrator == Integrator::exact;
    kick(model, halves ? 0.5 * h : h, island, record);
    for (std::size_t i = 0; i < island.bodies.size(); ++i) drift(model, h, i, island);
    if (halves) kick(model, 0.5 * h, island, record);
}

} // namespace rigor::literature
