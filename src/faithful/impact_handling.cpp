#include "faithful/impact_handling.h"

#include <algorithm>

#include "contact_dynamics/free_flight.h"
#include "contact_dynamics/record_motion.h"
#include "faithful/island_formation.h"
#include "faithful/island_prediction.h"

namespace rigor::faithful {
namespace {

constexpr double kMinHorizon = 1e-5;       // s
constexpr double kMinEventSpacing = 1e-13; // s: events in closer succession make no progress

/// Time since the last event of the two bodies. It is the estimate of the time to the next event.
double time_since_last_event(const EventStepData& data, const StepEvent& impact) {
    double duration = data.dt;
    for (const std::uint32_t body : {impact.body_a, impact.body_b})
        if (responds_to_impulses(data.state, body))
            duration = std::min(duration, impact.time - data.trajectories.start_time(body));
    return duration;
}

bool has_body(const Island& island, std::uint32_t body) {
    return std::find(island.bodies.begin(), island.bodies.end(), body) != island.bodies.end();
}

bool has_pair(const Island& island, const ShapePair& pair) {
    return std::find(island.pairs.begin(), island.pairs.end(), pair) != island.pairs.end();
}

/// Advances a body, with the island that it is in, to the time of a new island and adds it there.
void bring_to_event(EventStepData& data, Island& island, std::uint32_t body) {
    if (has_body(island, body)) return;
    BodyTrajectories& trajectories = data.trajectories;
    const std::uint32_t i =
        responds_to_impulses(data.state, body) ? trajectories.island_of[body] : kNone;
    if (i == kNone) {
        const std::uint32_t index = island.find_or_add_body(body, data.state);
        const BodyMotion& from = data.state.bodies.motion[body];
        const double begin = trajectories.flight_start[body];
        island.motion[index] = free_flight_motion(data.state, body, from, island.time - begin);
        if (island.trace.is_wanted && responds_to_impulses(data.state, body) && begin < island.time)
            island.trace.records.push_back(
                recorded_flight(data.state, body, from, begin, island.motion[index], island.time));
        return;
    }
    Island other = std::move(trajectories.predictions[i]->start);
    trajectories.predictions[i].reset();
    for (const std::uint32_t member : other.bodies)
        if (responds_to_impulses(data.state, member)) trajectories.island_of[member] = kNone;
    replay_prediction(data, other, island.time, data.outcome.statistics);
    merge(island, other, data.state);
}

/// Adds the bodies that touch a body of the island, and those that touch them, and so on: the
/// impact acts on all of them at once.
void add_touching_bodies(EventStepData& data, Island& island) {
    for (std::size_t i = 0; i < island.bodies.size(); ++i) { // the list grows in the loop
        if (!responds_to_impulses(data.state, island.bodies[i])) continue;
        for (const ShapePair& pair : data.pair_predictor.pairs(island.bodies[i])) {
            if (has_pair(island, pair) || !data.impact_predictor.are_touching_at(pair, island.time))
                continue;
            bring_to_event(data, island, data.body_of(pair.a));
            bring_to_event(data, island, data.body_of(pair.b));
            if (!has_pair(island, pair)) island.pairs.push_back(pair);
        }
    }
}

} // namespace

std::vector<std::uint32_t> handle_impact(EventStepData& data, const StepEvent& impact) {
    ++data.outcome.statistics.event_count;
    const double duration = time_since_last_event(data, impact);
    if (duration <= kMinEventSpacing) data.budget_meter.charge_cascade_event();
    Island island;
    island.time = impact.time;
    island.trace.is_wanted = data.outcome.trace.is_wanted;
    bring_to_event(data, island, impact.body_a);
    bring_to_event(data, island, impact.body_b);
    if (!has_pair(island, impact.pair)) island.pairs.push_back(impact.pair);
    add_touching_bodies(data, island);
    const std::vector<std::uint32_t> bodies = island.bodies;
    const std::uint32_t index = add_island(std::move(island), data.trajectories);
    predict_motion(data, index, kHorizonGrowth * std::max(duration, kMinHorizon),
                   duration <= kMinEventSpacing);
    return bodies;
}

} // namespace rigor::faithful
