// The history of a session: keyframes in bounded memory. Seeking restores a keyframe and steps on.
#pragma once

#include <cstdint>
#include <vector>

#include "rigor/simulation.h"
#include "viewer/session_state.h"

namespace rigor::viewer {

/// A position in the history of a session: after so many steps and so many of its actions.
struct HistoryPosition {
    std::uint64_t step = 0;
    std::size_t actions = 0;
    auto operator<=>(const HistoryPosition&) const = default;
};

struct Keyframe {
    HistoryPosition at;
    SimulationSnapshot simulation;
    SessionState state;
    StepReport report; ///< of the step that led here
    std::size_t bytes = 0;
};

class History {
  public:
    explicit History(std::size_t max_bytes) : max_bytes_(max_bytes) {}

    /// When the memory is full, every second keyframe of the older half is dropped. The first
    /// always stays, so every step can be reached; older ones take longer.
    void add(Keyframe keyframe);
    bool contains(const HistoryPosition& position) const;
    /// The latest keyframe at or before a position. Requires one add() before.
    const Keyframe& latest_before(const HistoryPosition& position) const;
    void discard_after(const HistoryPosition& position);

    std::size_t size() const { return keyframes_.size(); }
    std::size_t bytes() const { return bytes_; }

  private:
    void thin();

    std::vector<Keyframe> keyframes_; ///< ascending
    std::size_t bytes_ = 0;
    std::size_t max_bytes_;
};

} // namespace rigor::viewer
