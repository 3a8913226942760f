#include "literature/method_work.h"

#include "dynamics/energy.h"

namespace rigor::literature {

std::vector<double> kinetic_energies(const WorldState& state, const Island& island) {
    std::vector<double> energies(island.bodies.size());
    for (std::size_t i = 0; i < energies.size(); ++i)
        if (responds_to_impulses(state, island.bodies[i]))
            energies[i] = kinetic_energy(island.motion[i], state.bodies.inertia[island.bodies[i]],
                                         state.bodies.traits[island.bodies[i]]);
    return energies;
}

void record_energy_change(const WorldState& state, std::span<const double> before,
                          double WorkLedger::*entry, MethodState& step) {
    const std::vector<double> after = kinetic_energies(state, step.island);
    for (std::size_t i = 0; i < after.size(); ++i) step.work[i].*entry += after[i] - before[i];
}

void record_gravity_work(const WorldState& state, std::span<const Vec3d> start, StepWork& work) {
    for (std::uint32_t i = 0; i < start.size(); ++i)
        if (is_dynamic(state.bodies, i))
            work.by_body[i].gravity += state.bodies.inertia[i].weight *
                                       dot(state.gravity, state.bodies.motion[i].x - start[i]);
}

} // namespace rigor::literature
