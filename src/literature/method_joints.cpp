#include "literature/method_joints.h"

#include <algorithm>

#include "contact_dynamics/constraint_projection.h"
#include "contact_dynamics/joint_impulses.h"
#include "literature/method_work.h"

namespace rigor::literature {

void enforce_joints(const WorldState& state, double h, MethodState& step) {
    if (step.island.joints.empty()) return;
    const JointTimes times{h, std::max(h, step.duration)};
    record_work(apply_impulses(state, joint_impulses(state, times, step.island), step.island),
                step);
    record_work(project_constraints(state, step.island), step);
}

} // namespace rigor::literature
