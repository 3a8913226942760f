// Method `faithful` as a pipeline of a World.
#pragma once

#include "contact_dynamics/event_pipeline.h"
#include "faithful/resting_island_cache.h"

namespace rigor::faithful {

class FaithfulPipeline final : public contact_dynamics::EventPipeline {
  public:
    std::unique_ptr<Pipeline> clone() const override;
    /// Islands at rest may no longer be.
    void state_changed() override { cache_.clear(); }

  private:
    StepOutcome advance(const StepContext& context, const WorldSettings& settings,
                        double dt) override;

    RestingIslandCache cache_;
};

} // namespace rigor::faithful
