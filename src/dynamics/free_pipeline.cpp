#include "dynamics/free_pipeline.h"

#include <algorithm>

#include "base/deadline.h"

namespace rigor {
namespace {

// Bodies per block: large enough that the overhead of a block is negligible, small enough that two
// cores share 10,000 bodies evenly.
constexpr std::size_t kBlock = 1024;

} // namespace

std::unique_ptr<Pipeline> FreePipeline::clone() const {
    return std::make_unique<FreePipeline>(*this);
}

double FreePipeline::step(const PipelineStep& step, double dt) {
    const int substeps = substeps_of(step.settings);
    for (int i = 0; i < substeps; ++i) {
        if (deadline_has_passed()) return i * (dt / substeps);
        integrate(step, dt / substeps);
    }
    return dt;
}

// Every block has its own tally; the tallies are added up in the order of the blocks, so the ledger
// has the same bits for any number of threads.
void FreePipeline::integrate(const PipelineStep& step, double dt) {
    const StageTimer timer(step.profile, "integrate");
    WorldState& state = step.state;
    BodyStore& bodies = state.bodies;
    const bool each = state.islands.are_kept(); // every body has its own tally
    const std::size_t block = each ? 1 : kBlock;
    tallies_.assign((bodies.slot_count() + block - 1) / block, {});
    step.team.parallel_for(bodies.slot_count(), kBlock, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; i += block)
            integrate_bodies(bodies, state.gravity, step.settings.integrator, dt, i,
                             std::min(i + block, end), tallies_[i / block]);
    });

    if (each) {
        for (std::uint32_t i = 0; i < tallies_.size(); ++i)
            if (Ledger* island = state.islands.of(i)) add_work(*island, tallies_[i]);
        tallies_ = sum_blocks(tallies_, kBlock);
    }
    step.report.moved = 0;
    for (const IntegrationTally& tally : tallies_) {
        add_work(state.ledger, tally);
        step.report.moved += tally.moved;
        for (const std::uint32_t i : tally.quarantined)
            step.report.quarantined.push_back(bodies.ids.id_at(i));
    }
}

} // namespace rigor
