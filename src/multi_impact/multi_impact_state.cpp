#include "multi_impact/multi_impact_state.h"

#include <algorithm>
#include <cmath>

#include "impact/impact_laws.h"
#include "math/trig.h"

namespace rigor::contact_dynamics {

MultiImpactState::MultiImpactState(const ImpactProblem& problem,
                                   const MultiImpactSettings& settings)
    : problem_(problem), settings_(settings) {
    outcome_.r.resize(problem.u.size());
    outcome_.u = problem.u;
    double fastest = 0;
    for (const Vec3d& u : problem.u) fastest = std::max(fastest, length(u));
    negligible_speed_ = std::max(settings.threshold, 1e-12 * fastest);
}

std::size_t MultiImpactState::first_approaching() const {
    std::size_t i = 0;
    while (i < size() && !approaches(i)) ++i;
    return i;
}

std::size_t MultiImpactState::fastest() const {
    std::size_t best = first_approaching();
    for (std::size_t i = best; i < size(); ++i)
        if (velocity(i).z < velocity(best).z) best = i;
    return best;
}

void MultiImpactState::apply(std::size_t i, const Vec3d& impulse) {
    outcome_.r[i] += impulse;
    outcome_.products += problem_.w.row(i).size();
    for (const BlockEntry& entry : problem_.w.row(i))
        outcome_.u[entry.column] += transpose_multiply(entry.block, impulse);
}

double MultiImpactState::restitution_at(std::size_t i, const Vec3d& u) const {
    const bool is_slow = !problem_.slow_restitution.empty() && u.z > -problem_.slow_speed;
    return is_slow ? problem_.slow_restitution[i] : problem_.restitution[i];
}

Vec3d MultiImpactState::impact_of(std::size_t i) const {
    const ContactImpact impact{problem_.w.diagonal(i), velocity(i), problem_.friction[i],
                               restitution(i)};
    const bool steps = settings_.law == ImpactLaw::euler || settings_.law == ImpactLaw::mirtich;
    const bool closed = settings_.planar_in_plane && steps && is_planar(impact);
    return solve_impact(impact, closed ? ImpactLaw::planar : settings_.law, settings_.delta)
        .impulse;
}

bool MultiImpactState::leaves_none_approaching(std::size_t i, const Vec3d& impulse) const {
    for (const BlockEntry& entry : problem_.w.row(i)) {
        const double after = velocity(entry.column).z + dot(entry.block.cz, impulse);
        if (after < -negligible_speed_) return false;
    }
    return true;
}

// Two contacts that took part form a wedge of the angle arccos(-A12/sqrt(A11 A22)). Alternating
// impacts reflect the velocity in the two walls of that wedge, and the final velocity is
// independent of the order iff the angle is pi/n.
bool MultiImpactState::is_ambiguous() const {
    for (std::size_t i = 0; i < size(); ++i) {
        if (!(outcome_.r[i].z > 0)) continue;
        for (const BlockEntry& entry : problem_.w.row(i)) {
            const std::size_t j = entry.column;
            if (j <= i || !(outcome_.r[j].z > 0)) continue;
            const double a = problem_.w.diagonal(i).cz.z, b = problem_.w.diagonal(j).cz.z;
            const double parts = kPi<double> / acos(-entry.block.cz.z / std::sqrt(a * b));
            if (std::abs(parts - std::round(parts)) > 1e-6) return true;
        }
    }
    return false;
}

ImpactsOutcome MultiImpactState::finish() {
    outcome_.ambiguous = outcome_.impulses > 1 && is_ambiguous();
    for (std::size_t i = 0; i < size(); ++i)
        outcome_.energy += 0.5 * dot(outcome_.r[i], outcome_.u[i] + problem_.u[i]);
    return std::move(outcome_);
}

ImpactsOutcome solve_impacts(const ImpactProblem& problem, const MultiImpactSettings& settings) {
    MultiImpactState state(problem, settings);
    const std::size_t first = state.first_approaching();
    if (first == state.size()) return state.finish();
    std::size_t second = first + 1;
    while (second < state.size() && !state.approaches(second)) ++second;
    if (second == state.size()) {
        const Vec3d impulse = state.impact_of(first);
        if (state.leaves_none_approaching(first, impulse)) {
            state.apply(first, impulse);
            state.add_counts(1, 1);
            return state.finish();
        }
    }
    switch (settings.multi) {
        case MultiImpact::propagation:
            propagate(state);
            break;
        case MultiImpact::simultaneous:
            solve_simultaneously(state);
            break;
        case MultiImpact::reflections:
            reflect(state);
            break;
    }
    return state.finish();
}

} // namespace rigor::contact_dynamics
