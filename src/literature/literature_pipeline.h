// The methods from the literature as a pipeline of a World.
#pragma once

#include "contact_dynamics/event_pipeline.h"
#include "literature/method_state.h"

namespace rigor::literature {

/// One class for all of them: the settings name the method, and may exchange its parts.
class LiteraturePipeline final : public contact_dynamics::EventPipeline {
  public:
    std::unique_ptr<Pipeline> clone() const override;
    Result<void> check(const WorldSettings& settings) const override;
    void body_added(const WorldState& state, std::uint32_t body) override;
    void body_moved(std::uint32_t body) override;
    void body_removed(const WorldState& state, std::uint32_t body) override;
    void add_to_hash(Hasher& hasher) const override;

  private:
    void note_placed(std::uint32_t body);
    StepOutcome advance(const StepContext& context, const WorldSettings& settings,
                        double dt) override;
    void save_memory() override { saved_ = memory_; }
    void restore_memory() override { memory_ = saved_; }

    MethodMemory memory_;
    MethodMemory saved_; // at the beginning of the step
};

} // namespace rigor::literature
