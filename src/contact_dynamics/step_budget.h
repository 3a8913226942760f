// What a step may spend, and what it has spent: so that none goes on for ever.
#pragma once

#include <chrono>
#include <cstdint>

namespace rigor::contact_dynamics {

struct Budget {
    std::uint64_t events = 100'000; ///< of a step
    double wall_seconds = 60;       ///< likewise
    /// Forces that were asked for, by how many act on each other and what solving for them takes;
    /// 0: no end. It is not time, so that it ends in the same place on every machine.
    double effort = 0;
};

class Meter {
  public:
    explicit Meter(const Budget& budget)
        : budget_(budget), began_(std::chrono::steady_clock::now()) {}

    /// Books an event; false when the step has to end.
    bool spend_event() {
        ++events_;
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - began_;
        if (events_ > budget_.events || spent.count() > budget_.wall_seconds) is_empty_ = true;
        return !is_empty() && !is_too_much();
    }
    void spend_effort(double effort) { effort_ += effort; }
    /// An event that comes right after another: a hundred of them are a cascade.
    void spend_hurried() { effort_ += 0.01 * budget_.effort; }

    bool is_empty() const { return is_empty_; }
    /// Too much to be followed from event to event.
    bool is_too_much() const { return budget_.effort > 0 && effort_ > budget_.effort; }

  private:
    Budget budget_;
    std::chrono::steady_clock::time_point began_;
    std::uint64_t events_ = 0;
    double effort_ = 0;
    bool is_empty_ = false;
};

} // namespace rigor::contact_dynamics
