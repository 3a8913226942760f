#include "literature/literature_pipeline.h"

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

void LiteraturePipeline::add_to_hash(Hasher& hasher) const {
    EventPipeline::add_to_hash(hasher);
    literature::add_to_hash(hasher, memory_);
}

} // namespace rigor::literature
