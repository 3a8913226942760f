#include "literature/trial_motion.h"

#include "literature/method_detection.h"
#include "literature/method_integration.h"

namespace rigor::literature {
namespace {

std::vector<bool> coupled_bodies(const WorldState& state, const MethodParts& method,
                                 const Island& island) {
    std::vector<bool> coupled(island.bodies.size());
    const auto mark = [&](std::uint32_t a, std::uint32_t b) {
        for (const std::uint32_t i : {a, b})
            coupled[i] = coupled[i] || responds_to_impulses(state, island.bodies[i]);
    };
    for (const IslandJoint& joint : island.joints) mark(joint.a, joint.b);
    if (has_resting_forces(method.resting))
        for (const Contact& c : island.contacts) mark(c.a, c.b);
    return coupled;
}

} // namespace

TrialMotion::TrialMotion(const WorldState& state, const MethodParts& method,
                         const MethodMemory& memory, const MethodState& start)
    : state_(state),
      method_(method),
      memory_(memory),
      start_(start),
      is_coupled_(coupled_bodies(state, method, start.island)),
      time_(start.island.bodies.size()),
      motion_(start.island.motion) {}

const BodyMotion& TrialMotion::at(std::size_t body, double t) {
    if (is_coupled_[body]) {
        if (t != coupled_time_) integrate_coupled(t);
    } else if (t != time_[body]) {
        motion_[body] =
            integrate_free_body(state_, method_, start_.island.bodies[body], at_start(body), t);
        time_[body] = t;
    }
    return motion_[body];
}

void TrialMotion::integrate_coupled(double t) {
    MethodState step = start_;
    MethodMemory memory = memory_;
    if (t > 0) advance(state_, method_, t, memory, step);
    for (std::size_t i = 0; i < motion_.size(); ++i)
        if (is_coupled_[i]) motion_[i] = step.island.motion[i];
    coupled_time_ = t;
}

} // namespace rigor::literature
