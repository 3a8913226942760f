#include "literature/literature_pipeline.h"

#include <algorithm>

#include "literature/linear_programs.h"
#include "literature/method_step.h"

namespace rigor::literature {

std::unique_ptr<Pipeline> LiteraturePipeline::clone() const {
    return std::make_unique<LiteraturePipeline>(*this);
}

Result<void> LiteraturePipeline::check(const WorldSettings& settings) const {
    return check_linear_programs(settings.method, method_parts_for(settings.method, settings));
}

StepOutcome LiteraturePipeline::advance(const StepContext& context, const WorldSettings& settings,
                                        double dt) {
    return method_step(context, method_parts_for(settings.method, settings), memory_, dt);
}

void LiteraturePipeline::note_placed(std::uint32_t body) {
    std::vector<std::uint32_t>& placed = memory_.placed;
    const auto at = std::lower_bound(placed.begin(), placed.end(), body);
    if (at == placed.end() || *at != body) placed.insert(at, body);
}

void LiteraturePipeline::body_added(const WorldState& state, std::uint32_t body) {
    EventPipeline::body_added(state, body);
    note_placed(body);
}

void LiteraturePipeline::body_moved(std::uint32_t body) {
    EventPipeline::body_moved(body);
    note_placed(body);
}

void LiteraturePipeline::body_removed(const WorldState& state, std::uint32_t body) {
    EventPipeline::body_removed(state, body);
    std::erase(memory_.placed, body);
}

void LiteraturePipeline::add_to_hash(Hasher& hasher) const {
    EventPipeline::add_to_hash(hasher);
    literature::add_to_hash(hasher, memory_);
}

} // namespace rigor::literature
