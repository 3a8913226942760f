// Motion of the bodies at trial times of an interval, integrated when it is asked for.
//
// A search for the time of contact tests pairs at many times, few pairs at each. A body that no
// joint and no resting force couples to others moves by itself: it is integrated alone, and a test
// of its pair costs as much as two bodies. Coupled bodies are integrated together.
#pragma once

#include "literature/method_state.h"

namespace rigor::literature {

class TrialMotion {
  public:
    /// `start` and `memory` are those at the beginning of the interval.
    TrialMotion(const WorldState& state, const MethodParts& method, const MethodMemory& memory,
                const MethodState& start);

    /// The motion of a body, by its index in the island, after a time t. Valid until the next call
    /// for the same body.
    const BodyMotion& at(std::size_t body, double t);

  private:
    const BodyMotion& at_start(std::size_t body) const { return start_.island.motion[body]; }
    void integrate_coupled(double t);

    const WorldState& state_;
    const MethodParts& method_;
    const MethodMemory& memory_;
    const MethodState& start_;
    std::vector<bool> is_coupled_; // by index of the body
    std::vector<double> time_;     // of the motion that is kept
    std::vector<BodyMotion> motion_;
    double coupled_time_ = 0;
};

} // namespace rigor::literature
