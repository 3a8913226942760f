#include "world/pipelines.h"

#include "dynamics/free_pipeline.h"
#include "faithful/faithful_pipeline.h"
#include "fast/fast_pipeline.h"
#include "literature/linear_programs.h"
#include "literature/literature_pipeline.h"

namespace rigor {

std::unique_ptr<Pipeline> make_pipeline(Method method) {
    switch (method) {
        case Method::free:
            return std::make_unique<FreePipeline>();
        case Method::fast:
            return std::make_unique<fast::FastPipeline>();
        case Method::faithful:
            return std::make_unique<faithful::FaithfulPipeline>();
        case Method::baber2006:
        case Method::kavan2003:
        case Method::baber2011:
        case Method::kenwright:
        case Method::galoppo2007:
        case Method::penalty:
            return std::make_unique<literature::LiteraturePipeline>();
    }
    throw UsageError("there is no method " + std::to_string(static_cast<int>(method)));
}

Result<void> check_pipeline(const WorldSettings& settings) {
    // A resting rule that the caller chose is checked under every method, also where it has no
    // effect, so that the method can be changed later.
    if (auto rule = literature::check_linear_programs(settings.laws); !rule) return rule;
    return make_pipeline(settings.method)->check(settings);
}

} // namespace rigor
