// Paces steps so that simulated time keeps up with the clock at a given speed.
#pragma once

#include <algorithm>
#include <chrono>
#include <deque>

#include "viewer/session.h"

namespace rigor::viewer {

/// A delay of more than 50 ms is not made up: the simulation becomes slower and never rushes.
class StepPacer {
  public:
    using Seconds = std::chrono::duration<double>;

    void start(Clock::time_point now) {
        due_ = now;
        samples_.clear();
    }
    Clock::time_point due() const { return due_; }

    /// Call it after each step.
    void on_step(double time_step, double speed, Clock::time_point now) {
        due_ += std::chrono::duration_cast<Clock::duration>(Seconds(time_step / speed));
        due_ = std::max(due_, now - std::chrono::milliseconds(50));
        simulated_ += time_step;
        samples_.push_back({now, simulated_});
        while (samples_.size() > 2 && now - samples_.front().time > std::chrono::seconds(1))
            samples_.pop_front();
    }

    /// Simulated seconds per second of wall time, over the last second; 0 before the second step.
    double real_speed() const {
        if (samples_.size() < 2) return 0;
        const double wall = Seconds(samples_.back().time - samples_.front().time).count();
        return wall > 0 ? (samples_.back().simulated - samples_.front().simulated) / wall : 0;
    }

  private:
    struct Sample {
        Clock::time_point time;
        double simulated;
    };
    Clock::time_point due_;
    double simulated_ = 0;
    std::deque<Sample> samples_;
};

} // namespace rigor::viewer
