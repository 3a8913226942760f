#include "literature/method_step.h"

#include <algorithm>

#include "contact_dynamics/contact_reports.h"
#include "literature/method_contacts.h"
#include "literature/method_detection.h"
#include "literature/method_impacts.h"
#include "literature/method_integration.h"
#include "literature/method_joints.h"
#include "literature/method_resting.h"
#include "literature/method_separation.h"
#include "literature/method_work.h"

namespace rigor::literature {
namespace {

std::vector<Vec3d> centers_of_mass(const BodyStore& bodies) {
    std::vector<Vec3d> centers;
    for (const BodyMotion& m : bodies.motion) centers.push_back(m.x);
    return centers;
}

/// Each interval is an event of the budget. False when the step has to end.
bool count_event(BudgetMeter& budget, StepStatistics& statistics) {
    ++statistics.event_count;
    return budget.count_event();
}

/// To the next impact, or as far as the resting rule allows; never so short that the step has no
/// end.
double next_interval(const WorldState& state, const MethodParts& method, const MethodState& step,
                     double time_left, double dt) {
    constexpr double kMinInterval = 1e-4; // of the step
    const double h = std::min(time_to_contact(state, method, step, time_left),
                              max_time_step(state, method, step, dt));
    return std::clamp(h, std::min(kMinInterval * dt, time_left), time_left);
}

} // namespace

StepOutcome method_step(const StepContext& context, const MethodParts& method, MethodMemory& memory,
                        double dt) {
    const StageTimer timer(context.profile, "events");
    WorldState& state = context.state;
    const std::vector<Vec3d> start = centers_of_mass(state.bodies);
    BudgetMeter budget(context.budget);
    MethodState step(state, context.joint_angles);
    double left = dt;
    while (left > 1e-12 * dt && count_event(budget, step.outcome.statistics)) {
        find_pairs(method, left, context.team, state, step);
        find_contacts(state, method, step);
        resolve_impacts(state, method, step);
        select_resting_contacts(state, method, step);
        if (method.resting == RestingRule::separation &&
            separate_resting_contacts(state, method, step.island)) {
            left = std::max(left - separation_time(state, method, dt), 0.0);
            find_contacts(state, method, step); // without those that were separated
        }
        const double h = next_interval(state, method, step, left, dt);
        integrate(state, method, h, memory, step);
        enforce_joints(state, h, step);
        left -= h;
    }
    step.outcome.reached = dt - std::max(left, 0.0);
    report_angles(state, step.island, step.outcome.joints);
    write_back(step, state);
    record_gravity_work(state, start, step.outcome.work);
    return std::move(step.outcome);
}

} // namespace rigor::literature
