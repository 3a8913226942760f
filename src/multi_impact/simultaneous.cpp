// Newton's law for all contacts at once, an LCP [Baber 2006, 3.4], with two corrections. Of
// contacts that do not separate, those that only touch are included, and an impulse acts only where
// bodies separate no faster than e times their approach speed:
//
//     w = u_n + A r + e u_n  >= 0,   r >= 0,   r·w = 0.
//
// Contacts left out that approach afterwards are solved in another round.

#include "base/deadline.h"
#include "multi_impact/normal_contacts.h"

namespace rigor::contact_dynamics {

void solve_simultaneously(MultiImpactState& state) {
    const ImpactProblem& problem = state.problem();
    while (state.any_approaches()) {
        if (state.rounds_left() <= 0 || deadline_has_passed()) return state.mark_unconverged();
        std::vector<std::size_t> chosen;
        std::vector<double> q;
        for (std::size_t i = 0; i < state.size(); ++i) {
            const double u = state.velocity(i).z;
            if (u > state.negligible_speed()) continue;
            chosen.push_back(i);
            q.push_back((1 + state.restitution(i)) * u);
        }
        const auto impulses = solve_normal(problem, chosen, q);
        if (!impulses) return state.mark_unconverged();
        std::vector<double> normal(state.size());
        int hit = 0;
        for (std::size_t k = 0; k < chosen.size(); ++k) {
            normal[chosen[k]] = (*impulses)[k];
            state.apply(chosen[k], {0, 0, (*impulses)[k]});
            hit += (*impulses)[k] > 0;
        }
        if (hit == 0) return state.mark_unconverged();
        apply_friction(state, normal);
        state.add_counts(hit, 1);
    }
}

} // namespace rigor::contact_dynamics
