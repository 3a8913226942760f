#include "literature/method_step.h"

#include <algorithm>

#include "contact_dynamics/contact_reports.h"
#include "contact_dynamics/initial_overlap.h"
#include "literature/joint_loads.h"
#include "literature/method_contacts.h"
#include "literature/method_detection.h"
#include "literature/method_impacts.h"
#include "literature/method_integration.h"
#include "literature/method_projection.h"
#include "literature/method_reports.h"
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

/// A step that goes from contact to contact.
class MethodStep {
  public:
    MethodStep(const StepContext& context, const MethodParts& method, MethodMemory& memory,
               double dt)
        : context_(context),
          state_(context.state),
          method_(method),
          memory_(memory),
          dt_(dt),
          left_(dt),
          step_(context.state, context.joint_angles) {
        step_.duration = dt;
    }

    StepOutcome run() {
        const std::vector<Vec3d> start = centers_of_mass(state_.bodies);
        if (!memory_.placed.empty()) part_placed_bodies();
        BudgetMeter budget(context_.budget);
        while (!is_done() && count_event(budget, step_.outcome.statistics)) {
            find_pairs(method_, left_, context_.team, state_, step_);
            find_contacts(state_, method_, step_);
            resolve_contacts();
            if (deadline_has_passed()) break;
            if (left_ > 0) advance_interval();
        }
        step_.outcome.reached = is_done() ? dt_ : dt_ - left_;
        find_pairs(method_, 0, context_.team, state_, step_);
        write_back(step_, state_);
        report_step(state_, method_, context_.hit_speed, step_);
        report_joint_loads(state_, step_);
        record_gravity_work(state_, start, step_.outcome.work);
        return std::move(step_.outcome);
    }

  private:
    /// Rounding may leave a rest of the time that is no interval.
    bool is_done() const { return left_ <= 1e-12 * dt_; }

    /// The methods have no rule for bodies that begin in each other. Springs give back about what
    /// lifting a body out takes, if it is no deeper than it may sink.
    void part_placed_bodies() {
        const double small =
            method_.resting == RestingRule::penalty ? 2 * method_.penalty_depth : 0;
        const std::vector<BodyMotion> before = step_.island.motion;
        if (resolve_initial_overlap(state_, memory_.placed, small, context_.team, step_.island))
            record_displacement(state_, before, step_);
        if (!deadline_has_passed()) memory_.placed.clear();
    }

    /// Impulses, then the resting rule. Bodies may get faster or be moved: then other pairs may
    /// meet in the rest of the step.
    void resolve_contacts() {
        const std::size_t impulses_before = step_.impulses.size();
        bool changed = resolve_impacts(state_, method_, step_);
        select_resting_contacts(state_, method_, step_);
        if (method_.resting == RestingRule::separation)
            changed = separate_pairs(impulses_before) || changed;
        if (method_.resting == RestingRule::projection)
            changed = project_positions(state_, method_, step_) || changed;
        if (changed && method_.detection != Detection::static_only)
            find_pairs(method_, left_, context_.team, state_, step_);
    }

    /// Separation is charged its time also where nothing could be moved, so that the step has an
    /// end. After some intervals without motion impulses are no reason to wait for it.
    bool separate_pairs(std::size_t impulses_before) {
        constexpr int kMaxIdleIntervals = 8;
        if (idle_intervals_ > kMaxIdleIntervals) impulses_before = step_.impulses.size();
        const std::vector<ShapePair> pairs = pairs_to_separate(state_, step_, impulses_before);
        if (pairs.empty()) return false;
        const bool moved = separate(state_, method_, pairs, step_);
        left_ = std::max(left_ - separation_time(method_), 0.0);
        step_.island.contacts.clear();
        return moved;
    }

    /// To the next contact, or as far as the resting rule allows, but never so short that the step
    /// has no end: springs support bodies whose motion continues. Between micro-collisions bodies
    /// wait instead, since going on would make them overlap; separation is charged its own time.
    void advance_interval() {
        constexpr double kMinInterval = 1e-4, kMinWait = 1e-5, kIdle = 1e-9; // of the step
        const double longest = std::min(left_, max_time_step(state_, method_, step_, dt_));
        double h = advance_to_contact(state_, method_, longest, memory_, step_);
        if (method_.resting == RestingRule::micro) {
            h = std::max(h, std::min(kMinWait * dt_, longest));
        } else if (const double least = std::min(kMinInterval * dt_, longest) - h;
                   method_.resting != RestingRule::separation && least > 0) {
            advance(state_, method_, least, memory_, step_);
            h += least;
        }
        idle_intervals_ = h > kIdle * dt_ ? 0 : idle_intervals_ + 1;
        left_ -= h;
    }

    const StepContext& context_;
    WorldState& state_;
    const MethodParts& method_;
    MethodMemory& memory_;
    const double dt_;
    double left_;
    MethodState step_;
    int idle_intervals_ = 0;
};

} // namespace

StepOutcome method_step(const StepContext& context, const MethodParts& method, MethodMemory& memory,
                        double dt) {
    const StageTimer timer(context.profile, "events");
    return MethodStep(context, method, memory, dt).run();
}

} // namespace rigor::literature
