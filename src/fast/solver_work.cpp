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

void join_islands(std::span<const ContactConstraint> contacts,
                  std::span<const std::uint32_t> joints, WorldState& state) {
    auto& islands = state.islands;
    for (const ContactConstraint& contact : contacts)
        if (contact.total_impulse > 0) islands.join(contact.pair->body_a, contact.pair->body_b);
    std::vector<std::uint32_t> bodies;
    for (const std::uint32_t slot : joints) {
        bodies.clear();
        add_bodies(state, slot, bodies);
        for (const std::uint32_t body : bodies) islands.join(bodies[0], body);
    }
}

void add_work(const ContactConstraint& contact, Ledger& ledger) {
    ledger.contact_normal += static_cast<double>(contact.normal_work);
    ledger.contact_friction += static_cast<double>(contact.friction_work);
    ledger.impact += static_cast<double>(contact.impact_work);
}

/// Calls visit(slot of a joint, its work in J).
template <class Visit>
void for_joint_works(const Scratch& scratch, const Visit& visit) {
    for (const JointConstraint& joint : scratch.joints)
        visit(joint.joint, static_cast<double>(joint.work));
    for (const TrackConstraint& track : scratch.tracks)
        visit(track.joint, static_cast<double>(track.block.work[0]));
    for (const GearConstraint& gear : scratch.gears)
        visit(gear.joint, static_cast<double>(gear.work));
}

} // namespace

void update_ledger(const SolverWork& work, const Scratch& scratch, Ledger& ledger) {
    for (const ContactConstraint& contact : scratch.contacts) add_work(contact, ledger);
    for_joint_works(scratch, [&](std::uint32_t, double joint) { ledger.joints += joint; });
    ledger.gravity += work.gravity;
    ledger.forces += work.forces;
    ledger.damping += work.damping;
}

void update_island_ledgers(const SolverWork& work, const Scratch& scratch,
                           std::span<const std::uint32_t> awake_joints, WorldState& state) {
    join_islands(scratch.contacts, awake_joints, state);
    auto& islands = state.islands;
    for (const BodyWork& body : work.each) {
        Ledger* island = islands.of(body.body);
        if (!island) continue;
        island->gravity += body.gravity;
        island->forces += body.forces;
        island->damping += body.damping;
    }
    for (const ContactConstraint& contact : scratch.contacts) {
        const ContactPair& pair = *contact.pair;
        const std::uint32_t body = islands.of(pair.body_a) ? pair.body_a : pair.body_b;
        if (Ledger* island = islands.of(body)) add_work(contact, *island);
    }
    std::vector<std::uint32_t> bodies;
    for_joint_works(scratch, [&](std::uint32_t slot, double joint) {
        bodies.clear();
        add_bodies(state, slot, bodies);
        if (bodies.empty()) return;
        if (Ledger* island = islands.of(bodies[0])) island->joints += joint;
    });
}

} // namespace rigor::fast
