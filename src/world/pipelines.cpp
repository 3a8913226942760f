#include "world/pipelines.h"

#include "dynamics/free_pipeline.h"
#include "faithful/faithful_pipeline.h"
#include "fast/fast_pipeline.h"
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
    throw UsageError("there is no such method");
}

} // namespace rigor
