// Budget of a step and the meter of what was spent, so that every step ends.
#pragma once

#include <chrono>
#include <cstdint>

namespace rigor::contact_dynamics {

struct StepBudget {
    std::uint64_t events = 100'000; ///< per step
    double wall_seconds = 60;       ///< per step
    /// Estimated cost of force evaluations, from the sizes of their systems; 0: unlimited. It is
    /// not wall time, so that a step is abandoned at the same place on every machine.
    double effort = 0;
};

class BudgetMeter {
  public:
    explicit BudgetMeter(const StepBudget& budget)
        : budget_(budget), start_(std::chrono::steady_clock::now()) {}

    /// Counts an event; false when the step has to end.
    bool count_event() {
        ++events_;
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start_;
        if (events_ > budget_.events || spent.count() > budget_.wall_seconds) is_exhausted_ = true;
        return !is_exhausted() && !exceeds_effort();
    }
    void charge_effort(double effort) { effort_ += effort; }
    /// An event right after another: a hundred of them exhaust the effort.
    void charge_cascade_event() { effort_ += 0.01 * budget_.effort; }

    bool is_exhausted() const { return is_exhausted_; }
    /// Whether the step cannot go on as it is.
    bool must_stop() const { return is_exhausted_ || exceeds_effort(); }
    /// Too costly to be followed from event to event.
    bool exceeds_effort() const { return budget_.effort > 0 && effort_ > budget_.effort; }

  private:
    StepBudget budget_;
    std::chrono::steady_clock::time_point start_;
    std::uint64_t events_ = 0;
    double effort_ = 0;
    bool is_exhausted_ = false;
};

} // namespace rigor::contact_dynamics
