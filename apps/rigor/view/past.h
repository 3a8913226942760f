// The past of a stage: keyframes in bounded memory. Going back is restoring one and stepping on.
#pragma once

#include <cstdint>
#include <vector>

#include "view/deeds.h"

namespace rigor::view {

/// A place in the history of a stage: after so many steps, and after so many of its actions.
struct Moment {
    std::uint64_t step = 0;
    std::size_t actions = 0;
    auto operator<=>(const Moment&) const = default;
};

struct Keyframe {
    Moment at;
    Snapshot world;
    StageState state;
    StepReport report; ///< of the step that led here
    std::size_t bytes = 0;
};

class Past {
  public:
    explicit Past(std::size_t most_bytes) : most_bytes_(most_bytes) {}

    /// When the memory is full, every second of the older keyframes goes; the first stays, so all
    /// of the past can be reached, the farther back the slower.
    void keep(Keyframe keyframe);
    bool has(const Moment& moment) const;
    /// The latest that is not after the moment. There is one from the first keep() on.
    const Keyframe& before(const Moment& moment) const;
    void drop_after(const Moment& moment);

    std::size_t size() const { return keyframes_.size(); }
    std::size_t bytes() const { return bytes_; }

  private:
    void thin();

    std::vector<Keyframe> keyframes_; ///< ascending
    std::size_t bytes_ = 0;
    std::size_t most_bytes_;
};

} // namespace rigor::view
