#include "literature/method_joints.h"

#include "contact_dynamics/joint_impulses.h"
#include "contact_dynamics/resolve_event.h"
#include "literature/method_work.h"

namespace rigor::literature {

void enforce_joints(const WorldState& state, double h, MethodState& step) {
    if (step.island.joints.empty()) return;
    const std::vector<double> before = kinetic_energies(state, step.island);
    apply_joint_impulses(state, h, step.island);
    // It records the sum over the island; the ledgers of these methods are by body.
    project_constraints(state, step.island, &WorkLedger::joints);
    record_energy_change(state, before, &WorkLedger::joints, step);
}

} // namespace rigor::literature
