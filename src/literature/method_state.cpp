#include "literature/method_state.h"

namespace rigor::literature {
namespace {

Island island_of_all_bodies(const WorldState& state, std::span<const double> joint_angles) {
    Island island;
    for (std::uint32_t body = 0; body < state.bodies.slot_count(); ++body) {
        if (state.bodies.mobility[body] == Mobility::absent) continue;
        // Not by find_or_add_body(), which searches all bodies for each.
        island.bodies.push_back(body);
        island.motion.push_back(state.bodies.motion[body]);
    }
    for (std::uint32_t slot = 0; slot < state.joints.slot_count(); ++slot)
        if (state.joints.is_alive(slot)) add_joint(island, state, slot, joint_angles);
    return island;
}

} // namespace

void add_to_hash(Hasher& hasher, const MethodMemory& memory) {
    for (const FrictionSpring& spring : memory.springs) {
        hasher.add(spring.shapes.a);
        hasher.add(spring.shapes.b);
        hasher.add(spring.features);
        hasher.add_value(spring.stretch);
        hasher.add(spring.slips ? 1u : 0u);
    }
    for (const std::uint32_t body : memory.placed) hasher.add(body);
}

MethodState::MethodState(const WorldState& state, std::span<const double> joint_angles)
    : island(island_of_all_bodies(state, joint_angles)),
      work(island.bodies.size()),
      outcome(state) {}

void record_interaction(const WorldState& state, std::uint32_t a, std::uint32_t b,
                        MethodState& step) {
    const std::uint32_t body_a = step.island.bodies[a], body_b = step.island.bodies[b];
    if (responds_to_impulses(state, body_a) && responds_to_impulses(state, body_b))
        step.outcome.work.interacting_pairs.push_back({body_a, body_b});
}

void write_back(MethodState& step, WorldState& state) {
    for (std::size_t i = 0; i < step.island.bodies.size(); ++i) {
        const std::uint32_t body = step.island.bodies[i];
        if (body == kWorldBody) continue;
        state.bodies.motion[body] = step.island.motion[i];
        if (!responds_to_impulses(state, body)) continue;
        ++step.outcome.moved;
        add(step.outcome.work.by_body[body], step.work[i]);
    }
    for (const IslandJoint& joint : step.island.joints)
        record_interaction(state, joint.a, joint.b, step);
}

} // namespace rigor::literature
