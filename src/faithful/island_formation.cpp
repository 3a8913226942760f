#include "faithful/island_formation.h"

#include "contact_dynamics/contact_detection.h"
#include "contact_dynamics/free_flight.h"

namespace rigor::faithful {
namespace {

Island pair_island(const WorldState& state, const ShapePair& pair) {
    Island island;
    island.find_or_add_body(body_of(state, pair.a), state);
    island.find_or_add_body(body_of(state, pair.b), state);
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

void form_islands(const WorldState& state, std::span<const double> joint_angles,
                  std::span<const ShapePair> touching, BodyTrajectories& trajectories) {
    for (std::uint32_t slot = 0; slot < state.joints.slot_count(); ++slot) {
        if (!state.joints.is_alive(slot)) continue;
        Island island;
        add_joint(island, state, slot, joint_angles);
        add_island(std::move(island), trajectories);
    }
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
    prediction.start.trace.is_wanted = trajectories.records_motion;
    trajectories.predictions.push_back(std::move(prediction));
    return index;
}

} // namespace rigor::faithful
