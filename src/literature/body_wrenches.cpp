#include "literature/body_wrenches.h"

#include "contact_dynamics/contact_forces.h"

namespace rigor::literature {
namespace {

double power(const SpatialVector& wrench, const BodyKinematics& body) {
    return dot(wrench.linear, body.v) + dot(wrench.angular, body.w);
}

} // namespace

SpatialVector BodyWrenches::sum(std::size_t i) const {
    const SpatialVector &a = external[i], &b = contacts.normal[i], &c = contacts.friction[i];
    return {a.linear + b.linear + c.linear, a.angular + b.angular + c.angular};
}

BodyWrenches body_wrenches(const ForceModel& model, const Island& island) {
    return {external_forces(model.state, island, island.motion),
            resting_wrenches(model.state, model.method, island, model.springs, model.stretches)};
}

WorkLedger powers(const WorldState& state, const Island& island, const BodyWrenches& wrenches,
                  std::size_t i, const BodyKinematics& body) {
    const std::uint32_t slot = island.bodies[i];
    WorkLedger work;
    if (!responds_to_impulses(state, slot)) return work;
    const Vec3d weight = state.gravity * state.bodies.inertia[slot].weight;
    work.forces = power(wrenches.external[i], body) - dot(weight, body.v);
    work.contact_normal = power(wrenches.contacts.normal[i], body);
    work.contact_friction = power(wrenches.contacts.friction[i], body);
    return work;
}

} // namespace rigor::literature
