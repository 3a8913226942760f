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

/// Whether a contact approaches faster than this.
bool any_approaches(std::span<const Vec3d> velocities, double speed) {
    return std::any_of(velocities.begin(), velocities.end(),
                       [&](const Vec3d& u) { return u.z < -speed; });
}

/// The approach that is too slow for an impulse.
double ignored_speed(const MethodParts& method) {
    return method.resting_impulses ? 0 : method.resting_speed;
}

std::vector<Vec3d> impulses_by_law(const MethodParts& method, const ImpactProblem& problem,
                                   StepStatistics& statistics) {
    MultiImpactSettings settings;
    settings.multi = method.multi;
    settings.law = method.impact;
    settings.delta = method.delta;
    settings.planar_in_plane = true;
    settings.in_order = method.contact_order == ContactOrder::listed;
    settings.threshold = std::max(1e-9, ignored_speed(method));
    const ImpactsOutcome outcome = solve_impacts(problem, settings);
    statistics.impulse_count += outcome.impulses;
    if (outcome.ambiguous) ++statistics.ambiguous_count;
    if (!outcome.converged) ++statistics.unsolved_count;
    return outcome.r;
}

std::vector<Vec3d> impulses_of(const MethodParts& method, const ImpactProblem& problem,
                               std::span<const ContactFrame> frames, StepStatistics& statistics) {
    if (method.separating_impulses) return signed_impulses(problem, frames);
    if (method.single_pass)
        return single_pass_impulses(problem, frames, method.baumgarte_rate, ignored_speed(method));
    return impulses_by_law(method, problem, statistics);
}

/// The laws of all contacts.
ImpactProblem impact_problem(const MethodParts& method, const ContactProblem& contacts,
                             std::span<const Contact> list) {
    ImpactProblem problem;
    problem.u = contacts.velocities();
    problem.w = contacts.matrix();
    const std::vector<bool> colliding = colliding_contacts(problem, method.resting_speed);
    for (std::size_t i = 0; i < list.size(); ++i) {
        const ContactMaterial& material = list[i].material;
        problem.friction.push_back(method.has_friction ? material.kinetic_friction : 0);
        problem.restitution.push_back(impact_restitution(method, material.restitution, colliding[i],
                                                         contacts.frames()[i].gap));
    }
    return problem;
}

void record_impulses(const ImpactProblem& problem, std::span<const ContactFrame> frames,
                     std::span<const Vec3d> impulses, MethodState& step) {
    for (std::size_t i = 0; i < step.contacts.size(); ++i) {
        if (impulses[i] == Vec3d{}) continue;
        const Contact& c = step.contacts[i];
        const ContactFrame& f = frames[i];
        step.impulses.push_back(
            {c.shapes, c.features,
             f.tangent_1 * impulses[i].x + f.tangent_2 * impulses[i].y + f.normal * impulses[i].z});
        step.outcome.statistics.hits.push_back(
            {c.shapes, f.point, f.normal, std::max(-problem.u[i].z, 0.0), impulses[i].z});
    }
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
    if (is_colliding || method.separating_impulses) return restitution;
    if (method.resting != RestingRule::micro)
        return method.single_pass && !(method.resting_speed > 0) ? restitution : 0;
    return std::max(restitution, std::clamp(1 - gap / method.contact_distance, 0.0, 1.0));
}

bool resolve_impacts(const WorldState& state, const MethodParts& method, MethodState& step) {
    if (step.contacts.empty() || !has_impacts(method)) return false;
    const ContactProblem contacts(state, step.island, step.contacts);
    // The bias velocity of a single pass also acts where nothing approaches.
    if (!any_approaches(contacts.velocities(), ignored_speed(method)) && !method.single_pass &&
        !method.separating_impulses)
        return false;
    const ImpactProblem problem = impact_problem(method, contacts, step.contacts);
    const std::vector<Vec3d> impulses =
        impulses_of(method, problem, contacts.frames(), step.outcome.statistics);
    const std::vector<RowImpulse> applied =
        contacts.row_impulses(impulses, [](std::size_t) { return &WorkLedger::impact; });
    record_work(apply_impulses(state, applied, step.island), step);
    record_impulses(problem, contacts.frames(), impulses, step);
    ++step.outcome.statistics.impact_count;
    return true;
}

} // namespace rigor::literature
