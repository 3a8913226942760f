#include "faithful/finish_step.h"

#include <algorithm>

#include "contact_dynamics/contact_reports.h"
#include "contact_dynamics/free_flight.h"
#include "contact_dynamics/record_motion.h"
#include "faithful/island_prediction.h"
#include "faithful/static_body.h"

namespace rigor::faithful {
namespace {

/// Caches the islands that were at rest throughout the step. Forces of the caller act during one
/// step only, so an island that they hold at rest is not cached.
void cache_resting_islands(const EventStepData& data, double end, RestingIslandCache& cache) {
    RestingIslandCache resting;
    for (const std::optional<PredictedMotion>& prediction : data.trajectories.predictions)
        if (prediction && end == data.dt && data.state.bodies.wrenches.empty() &&
            prediction->start.time == 0 && prediction->dense_output.empty() &&
            !(prediction->end.contacts.empty() && prediction->end.locks.empty()))
            resting.insert(prediction->end);
    cache = std::move(resting);
}

void finish_island(EventStepData& data, PredictedMotion& prediction, double end) {
    Island& island = prediction.end;
    if (end < data.dt) {
        island = prediction.start;
        prediction.statistics = {};
        replay_prediction(data, island, end, prediction.statistics);
    }
    add(data.outcome.statistics, prediction.statistics);
    data.outcome.work.record(data.state, island);
    data.outcome.trace.add(island.trace);
    for (std::size_t k = 0; k < island.bodies.size(); ++k)
        if (responds_to_impulses(data.state, island.bodies[k]))
            start_free_flight(data, island.bodies[k], island.motion[k], end);
    report_contacts(data.state, island, data.outcome.touching);
    for (const PastContact& contact : island.past_contacts)
        add_past_contact(contact, data.past_contacts);
    report_joints(data.state, island, data.outcome.joints);
}

} // namespace

void finish_step(EventStepData& data, RestingIslandCache* resting_cache) {
    const WorldState& state = data.state;
    const double end = std::min(data.end_limit, data.dt);
    data.outcome.reached = end;
    if (resting_cache) cache_resting_islands(data, end, *resting_cache);
    for (std::optional<PredictedMotion>& prediction : data.trajectories.predictions)
        if (prediction) finish_island(data, *prediction, end);
    for (std::uint32_t body = 0; body < state.bodies.slot_count(); ++body) {
        if (is_static(state, body) || state.bodies.mobility[body] == Mobility::absent) continue;
        const double begin = data.trajectories.flight_start[body];
        const BodyMotion from = state.bodies.motion[body];
        const BodyMotion to = free_flight_motion(state, body, from, end - begin);
        if (data.outcome.trace.is_wanted && begin < end)
            data.outcome.trace.records.push_back(
                recorded_flight(state, body, from, begin, to, end));
        start_free_flight(data, body, to, end);
        ++data.outcome.moved;
    }
    report_past_contacts(state, data.past_contacts, data.outcome.ended);
    data.outcome.hits = report_hits(state, data.outcome.statistics, data.context.hit_speed);
}

} // namespace rigor::faithful
