#include "literature/kick_and_drift.h"

#include "rigor/rotation.h"

namespace rigor::literature {
namespace {

/// Applies the impulses of the forces over a time h. An impulse works at the mean of the velocities
/// before and after it.
void kick(const ForceModel& model, double h, Island& island, std::span<WorkLedger> work) {
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
            work[i].forces += 0.5 * h * power.forces;
            work[i].contact_normal += 0.5 * h * power.contact_normal;
            work[i].contact_friction += 0.5 * h * power.contact_friction;
        }
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

void kick_and_drift(const ForceModel& model, double h, Island& island, std::span<WorkLedger> work) {
    const bool halves = model.method.integrator == Integrator::exact;
    kick(model, halves ? 0.5 * h : h, island, work);
    for (std::size_t i = 0; i < island.bodies.size(); ++i) drift(model.state, h, i, island);
    if (halves) kick(model, 0.5 * h, island, work);
}

} // namespace rigor::literature
