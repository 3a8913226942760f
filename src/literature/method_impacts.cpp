#include "literature/method_impacts.h"

#include <algorithm>

#include "base/deadline.h"
#include "contact_dynamics/contact_problem.h"
#include "literature/joint_loads.h"
#include "literature/method_work.h"
#include "literature/micro_collisions.h"
#include "literature/single_pass.h"

namespace rigor::literature {
namespace {

/// The method `penalty` has no impacts: at its resting speed every contact rests.
bool has_impacts(const MethodParts& method) {
    return !(method.resting_speed > 1e100);
}

/// The contacts that touch and approach faster than this.
std::vector<bool> approaching_contacts(const MethodParts& method, const ContactProblem& contacts,
                                       double speed) {
    std::vector<bool> approaching;
    const std::vector<Vec3d> velocities = contacts.velocities();
    for (std::size_t i = 0; i < velocities.size(); ++i)
        approaching.push_back(velocities[i].z < -speed &&
                              touches(method, contacts.frames()[i].gap));
    return approaching;
}

/// The approach that is too slow for an impulse.
double ignored_speed(const MethodParts& method) {
    return method.resting_impulses ? 0 : method.resting_speed;
}

std::vector<Vec3d> impulses_by_law(const WorldState& state, const MethodParts& method,
                                   const ImpactProblem& problem, StepStatistics& statistics) {
    MultiImpactSettings settings;
    settings.multi = method.multi;
    settings.law = method.impact;
    settings.delta = method.delta;
    settings.planar_in_plane = true;
    settings.in_order = method.contact_order == ContactOrder::listed;
    constexpr double kSlow = 0.01; // of the resting speed
    const bool separates = method.resting == RestingRule::separation;
    settings.threshold = std::max(1e-9, (separates ? kSlow : 1) * ignored_speed(method));
    ImpactsOutcome outcome = solve_impacts(problem, settings);
    if (method.resting == RestingRule::micro)
        prevent_sinking(problem, least_micro_speed(length(state.gravity), method.contact_distance),
                        outcome);
    statistics.impulse_count += outcome.impulses;
    if (outcome.ambiguous) ++statistics.ambiguous_count;
    if (!outcome.converged) ++statistics.unsolved_count;
    return std::move(outcome.r);
}

std::vector<Vec3d> impulses_of(const WorldState& state, const MethodParts& method,
                               const ImpactProblem& problem, std::span<const ContactFrame> frames,
                               double duration, StepStatistics& statistics) {
    if (method.separating_impulses) return signed_impulses(problem, frames);
    // A step removes no more than the depth: with a faster bias bodies leave higher than they fell.
    const double bias_rate = std::min(method.baumgarte_rate, 1 / duration);
    if (method.single_pass)
        return single_pass_impulses(problem, frames, bias_rate, ignored_speed(method));
    return impulses_by_law(state, method, problem, statistics);
}

/// Separation leaves resting contacts as they are. Those that an impact is coupled to take part in
/// it, however slow, and also while they hover: otherwise each body of a stack would fall onto the
/// next at the resting speed, and the uppermost of n at n times that.
void leave_out_resting(const std::vector<bool>& colliding, ImpactProblem& problem) {
    for (std::size_t i = 0; i < colliding.size(); ++i)
        if (!colliding[i]) problem.u[i] = {};
}

/// The laws of all contacts. A micro-collision is one by its own approach, also in the middle of a
/// propagating impact: were all coupled contacts to collide, those of a heap in which something
/// moves would not bounce, and sink.
ImpactProblem impact_problem(const MethodParts& method, const ContactProblem& contacts,
                             std::span<const Contact> list) {
    ImpactProblem problem;
    problem.u = contacts.velocities();
    problem.w = contacts.matrix();
    const bool is_micro = method.resting == RestingRule::micro;
    const bool separates = method.resting == RestingRule::separation;
    const std::vector<bool> colliding =
        is_micro    ? std::vector<bool>(list.size(), true)
        : separates ? coupled_contacts(problem.w,
                                       approaching_contacts(method, contacts, method.resting_speed))
                    : colliding_contacts(problem, method.resting_speed);
    for (std::size_t i = 0; i < list.size(); ++i) {
        const ContactMaterial& material = list[i].material;
        const double gap = contacts.frames()[i].gap;
        problem.friction.push_back(method.has_friction ? material.kinetic_friction : 0);
        problem.restitution.push_back(
            impact_restitution(method, material.restitution, colliding[i], gap));
        if (is_micro)
            problem.slow_restitution.push_back(
                impact_restitution(method, material.restitution, false, gap));
    }
    problem.slow_speed = method.resting_speed;
    if (separates) leave_out_resting(colliding, problem);
    return problem;
}

void record_impulses(const ImpactProblem& problem, std::span<const ContactFrame> frames,
                     std::span<const Vec3d> impulses, MethodState& step) {
    for (std::size_t i = 0; i < step.contacts.size(); ++i) {
        if (impulses[i] == Vec3d{}) continue;
        const Contact& c = step.contacts[i];
        const ContactFrame& f = frames[i];
        step.impulses.push_back(
            {c.shapes, c.features, f.point, f.normal, in_world(f, impulses[i])});
        step.outcome.statistics.hits.push_back(
            {c.shapes, f.point, f.normal, std::max(-problem.u[i].z, 0.0), impulses[i].z});
    }
}

} // namespace

bool touches(const MethodParts& method, double gap) {
    return method.resting != RestingRule::separation || gap <= method.contact_distance;
}

std::vector<bool> coupled_contacts(const BlockMatrix& w, const std::vector<bool>& marked) {
    std::vector<bool> coupled(marked.size());
    std::vector<std::size_t> next;
    const auto mark = [&](std::size_t i) {
        if (coupled[i]) return;
        coupled[i] = true;
        next.push_back(i);
    };
    for (std::size_t i = 0; i < marked.size(); ++i)
        if (marked[i]) mark(i);
    while (!next.empty()) {
        const std::size_t i = next.back();
        next.pop_back();
        for (const BlockEntry& entry : w.row(i)) mark(entry.column);
    }
    return coupled;
}

std::vector<bool> colliding_contacts(const ImpactProblem& problem, double speed) {
    std::vector<bool> fast;
    for (const Vec3d& u : problem.u) fast.push_back(u.z <= -speed);
    return coupled_contacts(problem.w, fast);
}

double impact_restitution(const MethodParts& method, double restitution, bool is_colliding,
                          double gap) {
    if (is_colliding || method.separating_impulses) return restitution;
    if (method.resting != RestingRule::micro)
        return method.single_pass && !(method.resting_speed > 0) ? restitution : 0;
    return micro_restitution(restitution, gap, method.contact_distance);
}

bool resolve_impacts(const WorldState& state, const MethodParts& method, MethodState& step) {
    if (step.contacts.empty() || !has_impacts(method)) return false;
    const ContactProblem contacts(state, step.island, step.contacts);
    // The bias velocity of a single pass also acts where nothing approaches.
    const std::vector<bool> approaching =
        approaching_contacts(method, contacts, ignored_speed(method));
    if (std::find(approaching.begin(), approaching.end(), true) == approaching.end() &&
        !method.single_pass && !method.separating_impulses)
        return false;
    const ImpactProblem problem = impact_problem(method, contacts, step.contacts);
    if (deadline_has_passed()) return false; // the problem may be incomplete
    const std::vector<Vec3d> impulses = impulses_of(state, method, problem, contacts.frames(),
                                                    step.duration, step.outcome.statistics);
    const std::vector<RowImpulse> applied =
        contacts.row_impulses(impulses, [](std::size_t) { return &WorkLedger::impact; });
    record_work(apply_impulses(state, applied, step.island), step);
    record_impulses(problem, contacts.frames(), impulses, step);
    add_reactions(state, contacts, impulses, step);
    ++step.outcome.statistics.impact_count;
    return true;
}

} // namespace rigor::literature
