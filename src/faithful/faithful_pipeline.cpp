#include "faithful/faithful_pipeline.h"

#include "faithful/faithful_step.h"

namespace rigor::faithful {

std::unique_ptr<Pipeline> FaithfulPipeline::clone() const {
    return std::make_unique<FaithfulPipeline>(*this);
}

StepOutcome FaithfulPipeline::advance(const StepContext& context, const WorldSettings&, double dt) {
    return faithful::step(context, &cache_, dt);
}

} // namespace rigor::faithful
