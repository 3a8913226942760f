#include "faithful/island_formation.h"

#include "contact_dynamics/contact_detection.h"
#include "contact_dynamics/free_flight.h"

namespace rigor::faithful {
namespace {

std::uint32_t body_of(const JointEnd& end) {
    return end.body.is_null() ? kWorldBody : end.body.index;
}

Island joint_island(const WorldState& state, std::uint32_t slot) {
    const JointRecord& joint = state.joints[slot];
    Island island;
    const std::uint32_t a = island.find_or_add_body(body_of(joint.a), state);
    const std::uint32_t b = island.find_or_add_body(body_of(joint.b), state);
    island.joints.push_back({slot, a, b});
    return island;
}

Island pair_island(const WorldState& state, const ShapePair& pair) {
    Island island;
    island.find_or_add_body(contact_dynamics::body_of(state, pair.a), state);
    island.find_or_add_body(contact_dynamics::body_of(state, pair.b), state);
    island.pairs.push_back(pair);
    return island;
}

void absorb_island(Island& island, std::uint32_t other, BodyTrajectories& trajectories) {
    const WorldState& state = trajectories.state;
    const Island from = std::move(trajectories.predictions[other]->start);
    trajectories.predictions[other].reset();
    merge(island, from, state);
    for (const std::uint32_t body : island.bodies)
        if (responds_to_impulses(state, body) && trajectories.island_of[body] == other)
            trajectories.island_of[body] = kNone;
}

} // namespace

void form_islands(const WorldState& state, std::span<const ShapePair> touching,
                  BodyTrajectories& trajectories) {
    for (std::uint32_t slot = 0; slot < state.joints.slot_count(); ++slot)
        if (state.joints.is_alive(slot) && is_enforced(state.joints[slot]))
            add_island(joint_island(state, slot), trajectories);
    for (const ShapePair& pair : touching) add_island(pair_island(state, pair), trajectories);
    for (std::uint32_t body = 0; body < state.bodies.slot_count(); ++body) {
        if (!responds_to_impulses(state, body) || is_in_free_flight(state, body) ||
            trajectories.is_in_island(body))
            continue;
        Island island;
        island.find_or_add_body(body, state);
        add_island(std::move(island), trajectories);
    }
}

std::uint32_t add_island(Island&& island, BodyTrajectories& trajectories) {
    const WorldState& state = trajectories.state;
    for (const std::uint32_t body : std::vector<std::uint32_t>(island.bodies))
        if (responds_to_impulses(state, body) && trajectories.is_in_island(body))
            absorb_island(island, trajectories.island_of[body], trajectories);
    const auto index = static_cast<std::uint32_t>(trajectories.predictions.size());
    for (const std::uint32_t body : island.bodies)
        if (responds_to_impulses(state, body)) trajectories.island_of[body] = index;
    PredictedMotion prediction;
    prediction.start = std::move(island);
    trajectories.predictions.push_back(std::move(prediction));
    return index;
}

} // namespace rigor::faithful
