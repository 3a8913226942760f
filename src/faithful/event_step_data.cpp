#include "faithful/event_step_data.h"

namespace rigor::faithful {

EventStepData::EventStepData(const StepContext& step_context, double step)
    : context(step_context),
      state(step_context.state),
      laws(step_context.laws),
      dt(step),
      pair_predictor(state),
      trajectories(state, dt),
      impact_predictor(state, laws.tolerances, pair_predictor, trajectories),
      queue(state.bodies.slot_count()),
      budget_meter(step_context.budget),
      outcome(state) {
    outcome.trace.is_wanted = trajectories.records_motion = step_context.records_motion;
}

void start_free_flight(EventStepData& data, std::uint32_t body, const BodyMotion& motion,
                       double time) {
    WorldState& state = data.state;
    const Vec3d displacement = motion.x - state.bodies.motion[body].x;
    data.outcome.work.by_body[body].gravity +=
        state.bodies.inertia[body].weight * dot(state.gravity, displacement);
    state.bodies.motion[body] = motion;
    data.trajectories.flight_start[body] = time;
    data.trajectories.island_of[body] = kNone;
}

} // namespace rigor::faithful
