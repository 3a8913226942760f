#include "faithful/impact_scheduling.h"

#include <algorithm>

namespace rigor::faithful {
namespace {

/// Whether the pair belongs to an island: its prediction includes the impacts of the pair.
bool is_island_pair(const EventStepData& data, const ShapePair& pair) {
    const auto island_has_pair = [&](std::uint32_t shape) {
        const std::uint32_t body = data.body_of(shape);
        if (!data.trajectories.is_in_island(body)) return false;
        const std::vector<ShapePair>& pairs = data.trajectories.prediction_of(body).start.pairs;
        return std::find(pairs.begin(), pairs.end(), pair) != pairs.end();
    };
    return island_has_pair(pair.a) || island_has_pair(pair.b);
}

void schedule_impact(EventStepData& data, const ShapePair& pair) {
    if (is_island_pair(data, pair) || deadline_has_passed() || data.budget_meter.exceeds_effort())
        return;
    if (const std::optional<double> time = data.impact_predictor.time_of_impact(pair))
        data.queue.push_impact(*time, pair, data.body_of(pair.a), data.body_of(pair.b));
}

} // namespace

void schedule_impacts(EventStepData& data) {
    for (std::uint32_t body = 0; body < data.state.bodies.slot_count(); ++body)
        for (const ShapePair& pair : data.pair_predictor.pairs(body))
            if (data.body_of(pair.a) == body) schedule_impact(data, pair);
}

void reschedule_impacts(EventStepData& data, std::span<const std::uint32_t> bodies) {
    for (const std::uint32_t body : bodies) {
        if (!responds_to_impulses(data.state, body)) continue;
        data.queue.invalidate_impacts(body);
        data.pair_predictor.set_center_bounds(body, data.trajectories.center_bounds(body));
    }
    data.pair_predictor.find_new_pairs(data.context.team);
    for (const std::uint32_t body : bodies) {
        if (!responds_to_impulses(data.state, body)) continue;
        for (const ShapePair& pair : data.pair_predictor.pairs(body)) schedule_impact(data, pair);
    }
}

} // namespace rigor::faithful
