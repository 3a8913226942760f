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
        hasher.add_value(joint.substep);
    }
}

void StepStart::resize(const SolverBodies& like) {
    bodies.resize(like.bodies.size());
    mass.resize(like.mass.size());
    damping_work.resize(like.damping_work.size());
    force_work.resize(like.force_work.size());
    turning.resize(like.turning.size());
}

void StepStart::store(const SolverPart& part, const SolverBodies& from) {
    for (const std::uint32_t i : part.bodies) {
        bodies[i] = from.bodies[i];
        mass[i] = from.mass[i];
        damping_work[i] = from.damping_work[i];
        force_work[i] = from.force_work[i];
    }
    for (std::uint32_t i = part.turning_begin; i < part.turning_end; ++i)
        turning[i] = from.turning[i];
}

void StepStart::restore(const SolverPart& part, SolverBodies& to) const {
    for (const std::uint32_t i : part.bodies) {
        to.bodies[i] = bodies[i];
        to.mass[i] = mass[i];
        to.damping_work[i] = damping_work[i];
        to.force_work[i] = force_work[i];
    }
    for (std::uint32_t i = part.turning_begin; i < part.turning_end; ++i)
        to.turning[i] = turning[i];
}

void StepOutcome::reset() {
    moved = contacts = crowded = stopped = substeps = 0;
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
