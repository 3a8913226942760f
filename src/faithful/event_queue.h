// Event queue of a step with predicted impacts and the horizons of predictions, earliest first.
//
// Reads    the versions of the bodies, to drop impacts of trajectories that have changed since.
// Writes   itself only.
// Order    by time, then by pair: simultaneous impacts are handled in the order of their shapes,
//          not in the order in which they were predicted. A horizon comes before an impact of the
//          same time.
#pragma once

#include <optional>
#include <queue>
#include <span>
#include <vector>

#include "faithful/predicted_motion.h"

namespace rigor::faithful {

/// A predicted impact of two shapes, or the horizon of a prediction that has to be extended.
struct StepEvent {
    double time = 0;
    ShapePair pair;                             ///< of an impact
    std::uint32_t body_a = 0, body_b = 0;       ///< likewise
    std::uint32_t version_a = 0, version_b = 0; ///< of the trajectories it was predicted from
    std::uint32_t prediction = kNone;           ///< index of the prediction; kNone: an impact

    bool is_impact() const { return prediction == kNone; }
    bool operator>(const StepEvent& other) const {
        return time != other.time ? time > other.time : pair > other.pair;
    }
};

class EventQueue {
  public:
    explicit EventQueue(std::size_t bodies) : version_(bodies, 0) {}

    void push_impact(double time, const ShapePair& pair, std::uint32_t body_a,
                     std::uint32_t body_b) {
        queue_.push({time, pair, body_a, body_b, version_[body_a], version_[body_b], kNone});
    }
    void push_horizon(double time, std::uint32_t prediction) {
        queue_.push({time, {}, 0, 0, 0, 0, prediction});
    }

    /// The trajectory of a body has changed: the impacts predicted for it so far are stale.
    void invalidate_impacts(std::uint32_t body) { ++version_[body]; }

    /// Removes the earliest event that is not stale, and all stale ones before it.
    std::optional<StepEvent> pop_next(std::span<const std::optional<PredictedMotion>> predictions) {
        while (!queue_.empty()) {
            const StepEvent event = queue_.top();
            queue_.pop();
            if (!is_stale(event, predictions)) return event;
        }
        return std::nullopt;
    }

  private:
    bool is_stale(const StepEvent& event,
                  std::span<const std::optional<PredictedMotion>> predictions) const {
        if (event.is_impact())
            return version_[event.body_a] != event.version_a ||
                   version_[event.body_b] != event.version_b;
        const std::optional<PredictedMotion>& prediction = predictions[event.prediction];
        return !prediction || prediction->end.time > event.time;
    }

    std::priority_queue<StepEvent, std::vector<StepEvent>, std::greater<>> queue_;
    std::vector<std::uint32_t> version_; // by slot of the body
};

} // namespace rigor::faithful
