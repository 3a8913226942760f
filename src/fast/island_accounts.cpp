#include "fast/island_accounts.h"

namespace rigor::fast {
namespace {

/// Ends of a joint that are bodies; of a gear those of both its joints.
void add_ends(const WorldState& state, std::uint32_t slot, std::vector<std::uint32_t>& ends) {
    const JointRecord& joint = state.joints[slot];
    if (joint.type == JointType::gear) {
        add_ends(state, joint.gear_a, ends);
        add_ends(state, joint.gear_b, ends);
        return;
    }
    for (const BodyId body : {joint.a.body, joint.b.body})
        if (!body.is_null() && is_dynamic(state.bodies, body.index)) ends.push_back(body.index);
}

} // namespace

void book_islands(const RowTally& tally, std::span<const ContactRow> contacts,
                  std::span<const ContactResult> results, std::span<const std::uint32_t> joints,
                  WorldState& state) {
    IslandLedgers& islands = state.islands;
    for (std::size_t i = 0; i < contacts.size(); ++i)
        if (results[i].impulse > 0)
            islands.join(contacts[i].pair->body_a, contacts[i].pair->body_b);
    std::vector<std::uint32_t> joined, ends;
    for (const std::uint32_t slot : joints) {
        ends.clear();
        add_ends(state, slot, ends);
        for (const std::uint32_t body : ends) islands.join(ends[0], body);
        if (!ends.empty()) joined.push_back(ends[0]);
    }
    std::vector<std::uint8_t> has_joints(islands.islands().size());
    for (const std::uint32_t body : joined)
        if (islands.of(body)) has_joints[islands.island_of(body)] = 1;

    for (const BodyTally& b : tally.each) {
        Ledger* island = islands.of(b.body);
        if (!island) continue;
        island->gravity += b.gravity;
        island->forces += b.forces;
        island->damping += b.damping;
        if (has_joints[islands.island_of(b.body)] != 0) island->joints += b.rest;
    }
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        const ContactPair& pair = *contacts[i].pair;
        const std::uint32_t body = islands.of(pair.body_a) ? pair.body_a : pair.body_b;
        Ledger* island = islands.of(body);
        if (!island) continue;
        const auto normal = static_cast<double>(results[i].normal_work),
                   friction = static_cast<double>(results[i].friction_work),
                   impact = static_cast<double>(results[i].impact_work);
        island->contact_normal += normal;
        island->contact_friction += friction;
        island->impact += impact;
        if (has_joints[islands.island_of(body)] != 0) island->joints -= normal + friction + impact;
    }
}

} // namespace rigor::fast
