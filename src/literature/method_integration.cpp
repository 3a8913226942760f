#include "literature/method_integration.h"

#include <cmath>

#include "contact_dynamics/contact_forces.h"
#include "contact_dynamics/resolve_event.h"
#include "literature/integrate_ode.h"
#include "literature/kick_and_drift.h"

namespace rigor::literature {
namespace {

void integrate_motion(const ForceModel& model, double h, Island& island,
                      std::span<WorkLedger> work) {
    const Integrator integrator = model.method.integrator;
    if (integrator == Integrator::euler || integrator == Integrator::rk4)
        integrate_ode(model, h, island, work);
    else
        kick_and_drift(model, h, island, work);
}

/// Whether the resting rule solves for the forces that maintain the contacts.
bool solves_for_forces(RestingRule rule) {
    return rule == RestingRule::lp || rule == RestingRule::lcp || rule == RestingRule::cone;
}

/// Whether the kinetic energy grew by more than external forces can add in a time h: their work
/// along the way, and what they add to bodies at rest.
bool gained_energy(const WorldState& state, const Island& before, const Island& after, double h) {
    const std::vector<SpatialVector> external = external_forces(state, before, before.motion);
    double available = 0;
    for (std::size_t i = 0; i < external.size(); ++i) {
        if (!responds_to_impulses(state, before.bodies[i])) continue;
        const double inv_mass = state.bodies.inertia[before.bodies[i]].inv_mass;
        available += dot(external[i].linear, after.motion[i].x - before.motion[i].x) +
                     length_squared(external[i].linear) * (h * h * inv_mass);
    }
    const double start = kinetic_energy(state, before);
    return kinetic_energy(state, after) - start > available + 0.1 * start;
}

void integrate_with_energy_check(const ForceModel& model, double h, MethodState& step) {
    const Island before = step.island;
    const std::vector<WorkLedger> work = step.work;
    integrate_motion(model, h, step.island, step.work);
    if (!gained_energy(model.state, before, step.island, h)) return;
    step.island = before;
    step.work = work;
    step.island.contacts.clear();
    integrate_motion(model, h, step.island, step.work);
    step.island.contacts = before.contacts;
    ++step.outcome.statistics.unsolved_count;
}

} // namespace

void integrate(const WorldState& state, const MethodParts& method, double h, MethodMemory& memory,
               MethodState& step) {
    const ForceModel model{state, method, step.springs.at, memory.springs};
    if (solves_for_forces(method.resting) && !step.island.contacts.empty())
        integrate_with_energy_check(model, h, step);
    else
        integrate_motion(model, h, step.island, step.work);
    step.island.time += h;
    memory.springs =
        updated_friction_springs(state, method, step.island, step.springs.at, memory.springs, h);
}

Island free_motion(const WorldState& state, const MethodParts& method, const Island& island,
                   double h) {
    Island moved = island;
    moved.contacts.clear();
    std::vector<WorkLedger> work(moved.bodies.size()); // not needed
    integrate_motion({state, method}, h, moved, work);
    return moved;
}

double max_time_step(const WorldState& state, const MethodParts& method, const MethodState& step,
                     double dt) {
    constexpr double kStepsPerFall = 5;
    if (method.resting == RestingRule::penalty) return step.springs.max_time_step;
    const double g = length(state.gravity);
    if (method.resting == RestingRule::micro && !step.contacts.empty() && g > 0)
        return std::sqrt(2 * method.contact_distance / g) / kStepsPerFall;
    return dt;
}

} // namespace rigor::literature
