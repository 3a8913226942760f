#include "fast/solver_work.h"

namespace rigor::fast {
namespace {

/// Dynamic bodies that a joint connects; of a gear those of both its joints.
void add_bodies(const WorldState& state, std::uint32_t slot, std::vector<std::uint32_t>& bodies) {
    const JointRecord& joint = state.joints[slot];
    if (joint.type == JointType::gear) {
        add_bodies(state, joint.gear_a, bodies);
        add_bodies(state, joint.gear_b, bodies);
        return;
    }
    for (const BodyId body : {joint.a.body, joint.b.body})
        if (!body.is_null() && is_dynamic(state.bodies, body.index)) bodies.push_back(body.index);
}

/// Joins islands. Returns by island whether it has joints.
std::vector<std::uint8_t> join_islands(std::span<const ContactConstraint> contacts,
                                       std::span<const std::uint32_t> joints, WorldState& state) {
    auto& islands = state.islands;
    for (const ContactConstraint& contact : contacts)
        if (contact.total_impulse > 0) islands.join(contact.pair->body_a, contact.pair->body_b);
    std::vector<std::uint32_t> jointed, bodies;
    for (const std::uint32_t slot : joints) {
        bodies.clear();
        add_bodies(state, slot, bodies);
        for (const std::uint32_t body : bodies) islands.join(bodies[0], body);
        if (!bodies.empty()) jointed.push_back(bodies[0]);
    }
    std::vector<std::uint8_t> has_joints(islands.islands().size());
    for (const std::uint32_t body : jointed)
        if (islands.of(body)) has_joints[islands.island_of(body)] = 1;
    return has_joints;
}

} // namespace

void update_ledger(const SolverWork& work, std::span<const ContactConstraint> contacts,
                   bool contacts_on_joints, Ledger& ledger) {
    double contact_work = 0;
    for (const ContactConstraint& contact : contacts) {
        const auto normal = static_cast<double>(contact.normal_work),
                   friction = static_cast<double>(contact.friction_work),
                   impact = static_cast<double>(contact.impact_work);
        ledger.contact_normal += normal;
        ledger.contact_friction += friction;
        ledger.impact += impact;
        contact_work += normal + friction + impact;
    }
    ledger.gravity += work.gravity;
    ledger.forces += work.forces;
    ledger.damping += work.damping;
    ledger.joints +=
        contacts_on_joints ? work.constraints - contact_work : work.constraints_of_jointed;
}

void update_island_ledgers(const SolverWork& work, std::span<const ContactConstraint> contacts,
                           std::span<const std::uint32_t> joints, WorldState& state) {
    const std::vector<std::uint8_t> has_joints = join_islands(contacts, joints, state);
    auto& islands = state.islands;
    for (const BodyWork& body : work.each) {
        Ledger* island = islands.of(body.body);
        if (!island) continue;
        island->gravity += body.gravity;
        island->forces += body.forces;
        island->damping += body.damping;
        if (has_joints[islands.island_of(body.body)] != 0) island->joints += body.constraints;
    }
    for (const ContactConstraint& contact : contacts) {
        const ContactPair& pair = *contact.pair;
        const std::uint32_t body = islands.of(pair.body_a) ? pair.body_a : pair.body_b;
        Ledger* island = islands.of(body);
        if (!island) continue;
        const auto normal = static_cast<double>(contact.normal_work),
                   friction = static_cast<double>(contact.friction_work),
                   impact = static_cast<double>(contact.impact_work);
        island->contact_normal += normal;
        island->contact_friction += friction;
        island->impact += impact;
        if (has_joints[islands.island_of(body)] != 0) island->joints -= normal + friction + impact;
    }
}

} // namespace rigor::fast
