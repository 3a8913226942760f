#include "literature/method_impacts.h"

#include <algorithm>

#include "contact_dynamics/contact_problem.h"
#include "literature/method_work.h"
#include "literature/single_pass.h"

namespace rigor::literature {
namespace {

/// The method `penalty` has no impacts: at its resting speed every contact rests.
bool has_impacts(const MethodParts& method) {
    return !(method.resting_speed > 1e100);
}

bool any_approaches(std::span<const Vec3d> velocities) {
    return std::any_of(velocities.begin(), velocities.end(),
                       [](const Vec3d& u) { return u.z < 0; });
}

std::vector<Vec3d> impulses_by_law(const MethodParts& method, const ImpactProblem& problem,
                                   StepStatistics& statistics) {
    MultiImpactSettings settings;
    settings.multi = method.multi;
    settings.law = method.impact;
    settings.delta = method.delta;
    settings.threshold = 1e-9;
    const ImpactsOutcome outcome = solve_impacts(problem, settings);
    statistics.impulse_count += outcome.impulses;
    if (outcome.ambiguous) ++statistics.ambiguous_count;
    if (!outcome.converged) ++statistics.unsolved_count;
    return outcome.r;
}

} // namespace

std::vector<bool> colliding_contacts(const ImpactProblem& problem, double speed) {
    std::vector<bool> colliding(problem.u.size());
    std::vector<std::size_t> next;
    const auto mark = [&](std::size_t i) {
        if (colliding[i]) return;
        colliding[i] = true;
        next.push_back(i);
    };
    for (std::size_t i = 0; i < colliding.size(); ++i)
        if (problem.u[i].z <= -speed) mark(i);
    while (!next.empty()) {
        const std::size_t i = next.back();
        next.pop_back();
        for (const BlockEntry& entry : problem.w.row(i)) mark(entry.column);
    }
    return colliding;
}

double impact_restitution(const MethodParts& method, double restitution, bool is_colliding,
                          double gap) {
    if (is_colliding) return restitution;
    if (method.resting != RestingRule::micro) return method.single_pass ? restitution : 0;
    return std::max(restitution, std::clamp(1 - gap / method.contact_distance, 0.0, 1.0));
}

void resolve_impacts(const WorldState& state, const MethodParts& method, MethodState& step) {
    if (step.contacts.empty() || !has_impacts(method)) return;
    const ContactProblem contacts(state, step.island, step.contacts);
    ImpactProblem problem;
    problem.u = contacts.velocities();
    // The bias velocity of a single pass also acts where nothing approaches.
    if (!any_approaches(problem.u) && !method.single_pass) return;
    problem.w = contacts.matrix();
    const std::vector<bool> colliding = colliding_contacts(problem, method.resting_speed);
    for (std::size_t i = 0; i < step.contacts.size(); ++i) {
        const ContactMaterial& material = step.contacts[i].material;
        problem.friction.push_back(method.has_friction ? material.kinetic_friction : 0);
        problem.restitution.push_back(impact_restitution(method, material.restitution, colliding[i],
                                                         contacts.frames()[i].gap));
    }
    const std::vector<Vec3d> impulses =
        method.single_pass ? single_pass_impulses(problem, contacts.frames(), method.baumgarte_rate)
                           : impulses_by_law(method, problem, step.outcome.statistics);
    const std::vector<double> before = kinetic_energies(state, step.island);
    apply(step.island, state, contacts.body_impulses(impulses));
    record_energy_change(state, before, &WorkLedger::impact, step);
    ++step.outcome.statistics.impact_count;
}

} // namespace rigor::literature
