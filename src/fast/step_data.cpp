#include "fast/step_data.h"

namespace rigor::fast {

void add_to_hash(Hasher& hasher, const Memory& memory) {
    add_to_hash(hasher, memory.pairs);
    add_to_hash(hasher, memory.sleep, memory.pairs);
    for (const JointMemory& joint : memory.joints) {
        hasher.add(joint.generation);
        hasher.add_value(joint.impulses);
        hasher.add_value(joint.dofs);
        hasher.add_value(joint.angle);
        hasher.add_value(joint.force);
        hasher.add_value(joint.torque);
        hasher.add(joint.a_spins ? 1 : 0);
    }
}

void StepOutcome::reset() {
    moved = contacts = stopped = substeps = 0;
    max_penetration = 0;
    for (std::vector<std::uint32_t>* list : {&quarantined, &broken, &woken, &slept}) list->clear();
    events.clear();
    constexpr std::size_t kFew =
        64; // so that the first events of a world at rest need no allocation
    events.begun.reserve(kFew);
    events.ended.reserve(kFew);
    events.hits.reserve(kFew);
}

} // namespace rigor::fast
