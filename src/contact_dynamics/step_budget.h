// Budget of a step and the meter of what was spent, so that every step ends. The time it may take
// is the deadline of the thread (base/deadline.h).
#pragma once

#include <cstdint>

#include "base/deadline.h"
#include "collide/query_work.h"

namespace rigor::contact_dynamics {

struct StepBudget {
    std::uint64_t events = 100'000; ///< per step
    /// Estimated cost of force evaluations, from the sizes of their systems; 0: unlimited. It is
    /// not wall time, so that a step is abandoned at the same place on every machine.
    double effort = 0;
    double effort_of_queries = 1; ///< of a unit of query_work()
};

class BudgetMeter {
  public:
    explicit BudgetMeter(const StepBudget& budget) : budget_(budget) {}

    /// Counts an event; false when the step has to end.
    bool count_event() {
        ++events_;
        if (events_ > budget_.events) is_exhausted_ = true;
        return !must_stop();
    }
    void charge_effort(double effort) { effort_ += effort; }
    /// An event right after another: so many of them exhaust the effort. Where contacts come to
    /// stick by turns, intervals shrink by a sixth with each, from 1e-6 s to the 1e-10 s in which
    /// slip is too slow to count: that takes a hundred.
    void charge_cascade_event() { effort_ += budget_.effort / 400; }

    /// The integrator used up its steps and rejected many of them. Where a loop of joints passes a
    /// singular configuration that takes some twenty times; what goes on longer makes no progress.
    void charge_stalled_integration() {
        effort_ += budget_.effort / 40;
        events_ += budget_.events / 40;
    }

    /// Contacts sink in however short an interval is: what comes next cannot be followed.
    void charge_penetration() { effort_ += 2 * budget_.effort; }

    bool is_exhausted() const { return is_exhausted_; }
    /// Whether the step cannot go on as it is.
    bool must_stop() const { return is_exhausted_ || exceeds_effort() || deadline_has_passed(); }
    /// Too costly to be followed from event to event.
    bool exceeds_effort() const {
        const double queries = query_work() - work_before_;
        return budget_.effort > 0 && effort_ + budget_.effort_of_queries * queries > budget_.effort;
    }

  private:
    StepBudget budget_;
    std::uint64_t events_ = 0;
    double effort_ = 0;
    double work_before_ = query_work();
    bool is_exhausted_ = false;
};

} // namespace rigor::contact_dynamics
