// Sequential impacts: one contact at a time until none approaches [Baber 2006, 3.3]. It need not
// end: with e < 1 impacts may follow each other indefinitely, smaller and smaller, which the
// threshold stops.

#include "base/deadline.h"
#include "multi_impact/multi_impact_state.h"

namespace rigor::contact_dynamics {

void propagate(MultiImpactState& state) {
    while (state.any_approaches()) {
        if (state.rounds_left() <= 0 || deadline_has_passed()) return state.mark_unconverged();
        const std::size_t i =
            state.settings().in_order ? state.first_approaching() : state.fastest();
        state.apply(i, state.impact_of(i));
        state.add_counts(1, 1);
    }
}

} // namespace rigor::contact_dynamics
