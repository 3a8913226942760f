#include "faithful/island_prediction.h"

#include <algorithm>

#include "contact_dynamics/blocked_motion.h"
#include "contact_dynamics/constraint_projection.h"
#include "contact_dynamics/contact_detection.h"
#include "contact_dynamics/free_flight.h"
#include "contact_dynamics/impulse_work.h"
#include "contact_dynamics/record_motion.h"
#include "contact_dynamics/resolve_event.h"

namespace rigor::faithful {
namespace {

/// True if the cache has the island: it was at rest during the last step, and nothing has changed.
bool reuse_resting_island(const WorldState& state, const RestingIslandCache& cache,
                          PredictedMotion& prediction, double dt) {
    const Island* resting = cache.find(prediction.start);
    if (!resting) return false;
    const MotionTrace trace = prediction.start.trace;
    prediction.start = *resting;
    prediction.start.time = 0;
    prediction.start.work = {};
    prediction.start.trace = trace;
    for (Contact& c : prediction.start.contacts) c.impulse = {};
    prediction.start.past_contacts.clear();
    prediction.end = prediction.start;
    add_resting_impulses(state, dt, prediction.end);
    if (trace.is_wanted) record_same_rest(state, resting->trace, dt, prediction.end);
    prediction.end.time = prediction.horizon = dt;
    return true;
}

/// Whether neither contacts nor joints couple the bodies, and all of them can move in free flight.
bool is_uncoupled(const WorldState& state, const Island& island) {
    const bool all_fly =
        std::all_of(island.bodies.begin(), island.bodies.end(), [&](std::uint32_t body) {
            return !responds_to_impulses(state, body) || is_in_free_flight(state, body);
        });
    return island.contacts.empty() && island.joints.empty() && all_fly;
}

void release_to_free_flight(EventStepData& data, std::uint32_t i) {
    std::vector<std::optional<PredictedMotion>>& predictions = data.trajectories.predictions;
    const Island& island = predictions[i]->start;
    for (std::size_t k = 0; k < island.bodies.size(); ++k)
        if (responds_to_impulses(data.state, island.bodies[k]))
            start_free_flight(data, island.bodies[k], island.motion[k], island.time);
    data.outcome.work.record(data.state, island);
    data.outcome.trace.add(island.trace);
    for (const PastContact& contact : island.past_contacts)
        add_past_contact(contact, data.past_contacts);
    predictions[i].reset();
    // The index may be used again: no event in the queue refers to it yet.
    if (i + 1 == predictions.size()) predictions.pop_back();
}

/// Integrates from the start of the prediction to its horizon.
void integrate_prediction(EventStepData& data, std::uint32_t i) {
    PredictedMotion& prediction = *data.trajectories.predictions[i];
    prediction.end = prediction.start;
    prediction.dense_output.clear();
    prediction.statistics = {};
    const double until = std::min(prediction.start.time + prediction.horizon, data.dt);
    advance_island(data.state, data.laws, until, prediction.end, prediction.statistics,
                   data.budget_meter, &prediction.dense_output);
    if (prediction.end.time < until) data.end_limit = std::min(data.end_limit, prediction.end.time);
    if (until < data.dt) data.queue.push_horizon(until, i);
}

/// Contacts that touch and part too slowly for their next impact to be found do not part: what is
/// too slow to be followed is taken off. Without it the same impact is predicted again and again.
void hold_slow_contacts(const WorldState& state, const Laws& laws, Island& island) {
    const std::vector<BodyKinematics> bodies = kinematics_of(state, island);
    std::vector<Contact> held;
    std::erase_if(island.near_contacts, [&](Contact& c) {
        const ContactFrame frame = frame_of(c, bodies);
        const double speed = dot(relative_velocity(frame, bodies[c.a], bodies[c.b]), frame.normal);
        if (frame.gap > laws.tolerances.touch_distance ||
            std::abs(speed) > laws.tolerances.restitution_threshold)
            return false;
        c.mode = ContactMode::slide;
        held.push_back(c);
        return true;
    });
    if (held.empty()) return;
    for (Contact& c : island.contacts) c.mode = ContactMode::open;
    island.contacts.insert(island.contacts.end(), held.begin(), held.end());
    record_work(project_constraints(state, island, &WorkLedger::impact), island);
}

} // namespace

void predict_islands(EventStepData& data, const RestingIslandCache* resting_cache) {
    std::vector<std::optional<PredictedMotion>>& predictions = data.trajectories.predictions;
    for (std::uint32_t i = 0; i < predictions.size(); ++i) {
        if (!predictions[i]) continue;
        if (resting_cache &&
            reuse_resting_island(data.state, *resting_cache, *predictions[i], data.dt))
            continue;
        predict_motion(data, i, data.dt);
    }
}

void predict_motion(EventStepData& data, std::uint32_t i, double horizon, bool is_repeated) {
    PredictedMotion& prediction = *data.trajectories.predictions[i];
    Island& island = prediction.start;
    hold_blocked_motion(data.state, BlockedMotionSearch::small_islands, island);
    update_contacts(data.state, data.laws, 0, data.laws.tolerances.touch_distance, island);
    if (is_repeated) hold_slow_contacts(data.state, data.laws, island);
    resolve_event(data.state, data.laws, island, data.outcome.statistics);
    if (is_uncoupled(data.state, island)) return release_to_free_flight(data, i);
    prediction.horizon = horizon;
    integrate_prediction(data, i);
}

void extend_prediction(EventStepData& data, std::uint32_t i) {
    PredictedMotion& prediction = *data.trajectories.predictions[i];
    add(data.outcome.statistics, prediction.statistics);
    prediction.start = std::move(prediction.end);
    prediction.horizon *= kHorizonGrowth;
    integrate_prediction(data, i);
}

void replay_prediction(const EventStepData& data, Island& island, double until,
                       StepStatistics& statistics) {
    BudgetMeter unlimited{StepBudget{UINT64_MAX, 0}};
    advance_island(data.state, data.laws, until, island, statistics, unlimited);
}

} // namespace rigor::faithful
