// The data of an event-driven step, shared by its stages.
#pragma once

#include <limits>

#include "contact_dynamics/step_context.h"
#include "faithful/body_trajectories.h"
#include "faithful/event_queue.h"
#include "faithful/impact_prediction.h"

namespace rigor::faithful {

struct EventStepData {
    EventStepData(const StepContext& step_context, double step);
    EventStepData(const EventStepData&) = delete; // impact_predictor refers to other members
    EventStepData& operator=(const EventStepData&) = delete;

    std::uint32_t body_of(std::uint32_t shape) const { return pair_predictor.bound(shape).body; }

    const StepContext& context;
    WorldState& state;
    const Laws& laws;
    double dt;
    PairPredictor pair_predictor;
    BodyTrajectories trajectories;
    ImpactPredictor impact_predictor;
    EventQueue queue;
    BudgetMeter budget_meter;
    /// s: the earliest time at which the budget was exhausted; the motion beyond is unknown.
    double end_limit = std::numeric_limits<double>::infinity();
    std::vector<PastContact> past_contacts; ///< of islands that are no more
    StepOutcome outcome;
};

/// Lets a body continue in free flight from this motion, and records the work of gravity up to it.
void start_free_flight(EventStepData& data, std::uint32_t body, const BodyMotion& motion,
                       double time);

} // namespace rigor::faithful
