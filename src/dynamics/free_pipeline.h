// Method `free`: each body moves independently, without collisions and joints.
#pragma once

#include "dynamics/always_awake_pipeline.h"
#include "dynamics/integrate.h"

namespace rigor {

class FreePipeline final : public AlwaysAwakePipeline {
  public:
    std::unique_ptr<Pipeline> clone() const override;
    double step(const PipelineStep& step, double dt) override;
    std::vector<ContactView> contacts(const WorldState&) const override { return {}; }

  private:
    void integrate(const PipelineStep& step, double dt);

    std::vector<IntegrationTally> tallies_; // scratch: one per block
};

} // namespace rigor
