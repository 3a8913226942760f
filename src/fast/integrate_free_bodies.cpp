#include "fast/integrate_free_bodies.h"

namespace rigor::fast {
namespace {

constexpr std::size_t kBodyGrain = 256; // bodies per task

} // namespace

void integrate_free_bodies(StepData& step) {
    WorldState& state = step.state;
    const std::vector<std::uint32_t>& awake = step.memory.sleep.awake;
    std::vector<IntegrationTally>& tallies = step.scratch.tallies;
    const auto is_solved = [&](std::size_t body) {
        return step.scratch.bodies.index_of[body].responds_to_impulses();
    };
    const bool each = state.islands.are_kept(); // every body has a tally of its own
    tallies.assign(each ? awake.size() : (awake.size() + kBodyGrain - 1) / kBodyGrain, {});
    step.context.team.parallel_for(
        awake.size(), kBodyGrain, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end;) { // in runs of neighbors
                const std::size_t first = i++;
                if (is_solved(awake[first])) continue;
                while (!each && i < end && awake[i] == awake[i - 1] + 1 && !is_solved(awake[i]))
                    ++i;
                integrate_bodies(state.bodies, state.gravity, step.context.integrator, step.dt,
                                 awake[first], awake[i - 1] + 1,
                                 tallies[each ? first : begin / kBodyGrain]);
            }
        });
    if (each) {
        for (std::size_t i = 0; i < tallies.size(); ++i)
            if (Ledger* island = state.islands.of(awake[i])) add_work(*island, tallies[i]);
        tallies = sum_blocks(tallies, kBodyGrain);
    }
    for (const IntegrationTally& tally : tallies) {
        add_work(state.ledger, tally);
        step.outcome.moved += tally.moved;
        step.outcome.quarantined.insert(step.outcome.quarantined.end(), tally.quarantined.begin(),
                                        tally.quarantined.end());
    }
}

} // namespace rigor::fast
