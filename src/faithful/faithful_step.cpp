#include "faithful/faithful_step.h"

#include <algorithm>
#include <optional>

#include "faithful/finish_step.h"
#include "faithful/impact_handling.h"
#include "faithful/impact_scheduling.h"
#include "faithful/island_formation.h"
#include "faithful/island_prediction.h"
#include "faithful/missed_impacts.h"
#include "faithful/moreau_step.h"
#include "faithful/touching_pairs.h"

namespace rigor::faithful {
namespace {

/// Handles events in the order of time until the queue is empty or the budget is exhausted.
void process_events(EventStepData& data) {
    while (!data.budget_meter.exceeds_effort() && !deadline_has_passed()) {
        const std::optional<StepEvent> event = data.queue.pop_next(data.trajectories.predictions);
        if (!event) return;
        if (!data.budget_meter.count_event()) {
            data.end_limit = std::min(data.end_limit, event->time);
            return;
        }
        if (event->is_impact()) {
            reschedule_impacts(data, handle_impact(data, *event));
        } else {
            extend_prediction(data, event->prediction);
            reschedule_impacts(data,
                               data.trajectories.predictions[event->prediction]->start.bodies);
        }
    }
}

/// Returns nothing when the step takes more effort or time than its budget allows.
std::optional<StepOutcome> run_stages(EventStepData& data, std::span<const ShapePair> touching,
                                      RestingIslandCache* resting_cache) {
    form_islands(data.state, data.context.joint_angles, touching, data.trajectories);
    predict_islands(data, resting_cache);
    schedule_impacts(data);
    process_events(data);
    if (data.budget_meter.exceeds_effort() || deadline_has_passed()) return std::nullopt;
    finish_step(data, resting_cache);
    if (deadline_has_passed()) return std::nullopt;
    return std::move(data.outcome);
}

/// Returns nothing when the step takes too much effort or time, or penetration remains at its
/// start.
std::optional<StepOutcome> step_by_events(const StepContext& context,
                                          RestingIslandCache* resting_cache, double dt,
                                          int& crowded_count) {
    const StageTimer timer(context.profile, "events");
    StepWork correction(context.state.bodies.slot_count());
    MotionTrace corrections;
    for (const bool is_last_try : {false, true}) {
        EventStepData data(context, dt);
        data.outcome.trace.add(corrections);
        const TouchingPairs touching = find_touching_pairs(data);
        crowded_count = std::max(crowded_count, data.pair_predictor.crowded_count());
        if (deadline_has_passed()) return std::nullopt;
        if (touching.deepest_gap >= -kMaxInitialPenetration) {
            data.outcome.work.add(correction);
            return run_stages(data, touching.pairs, resting_cache);
        }
        if (!is_last_try) correction = resolve_penetration(context, corrections);
    }
    return std::nullopt;
}

} // namespace

StepOutcome step(const StepContext& context, RestingIslandCache* resting_cache, double dt) {
    const std::vector<BodyMotion> start = context.state.bodies.motion;
    int crowded_count = 0;
    if (std::optional<StepOutcome> outcome =
            step_by_events(context, resting_cache, dt, crowded_count)) {
        outcome->statistics.crowded_count = crowded_count;
        return std::move(*outcome);
    }
    context.state.bodies.motion = start;
    if (!deadline_has_passed()) {
        StepOutcome outcome = moreau_step(context, dt);
        if (!deadline_has_passed()) return outcome;
        context.state.bodies.motion = start;
    }
    StepOutcome nothing(context.state); // nothing of the step is known to be right
    nothing.statistics.crowded_count = crowded_count;
    return nothing;
}

} // namespace rigor::faithful
