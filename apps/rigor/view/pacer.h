// When the next step is due, so that simulated time keeps up with the clock at a given speed.
#pragma once

#include <algorithm>
#include <chrono>
#include <deque>

#include "view/stage.h"

namespace rigor::view {

/// What cannot be made up within 50 ms is dropped: the world goes slower, it never rushes.
class Pacer {
  public:
    using Seconds = std::chrono::duration<double>;

    void start(Clock::time_point now) {
        due_ = now;
        marks_.clear();
    }
    Clock::time_point due() const { return due_; }

    /// A step of `time_step` was done, which took until now.
    void stepped(double time_step, double speed, Clock::time_point now) {
        due_ += std::chrono::duration_cast<Clock::duration>(Seconds(time_step / speed));
        due_ = std::max(due_, now - std::chrono::milliseconds(50));
        simulated_ += time_step;
        marks_.push_back({now, simulated_});
        while (marks_.size() > 2 && now - marks_.front().when > std::chrono::seconds(1))
            marks_.pop_front();
    }

    /// Simulated seconds in a second, over the last one; 0 when nothing is known.
    double real_speed() const {
        if (marks_.size() < 2) return 0;
        const double wall = Seconds(marks_.back().when - marks_.front().when).count();
        return wall > 0 ? (marks_.back().simulated - marks_.front().simulated) / wall : 0;
    }

  private:
    struct Mark {
        Clock::time_point when;
        double simulated;
    };
    Clock::time_point due_;
    double simulated_ = 0;
    std::deque<Mark> marks_;
};

} // namespace rigor::view
