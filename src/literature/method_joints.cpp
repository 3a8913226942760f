#include "literature/method_joints.h"

#include "contact_dynamics/joint_impulses.h"
#include "contact_dynamics/resolve_event.h"
#include "literature/method_work.h"

namespace rigor::literature {

void enforce_joints(const WorldState& state, double h, MethodState& step) {
    if (step.island.joints.empty()) return;
    record_work(apply_joint_impulses(state, h, step.island), step);
    record_work(project_constraints(state, step.island), step);
}

} // namespace rigor::literature
