// Common to the event-driven pipelines, `faithful` and the methods from the literature: reports,
// ledgers, and quarantine of bodies that become non-finite.
//
// A derived pipeline advances the whole state by some time (advance()). Around it, here: a step is
// divided where bodies cross a periodic cell; bodies that would become non-finite are quarantined
// and the step is made again without them; work goes into the ledgers; contacts, hits and sensors
// are reported.
#pragma once

#include "contact_dynamics/step_context.h"
#include "dynamics/always_awake_pipeline.h"

namespace rigor::contact_dynamics {

class EventPipeline : public AlwaysAwakePipeline {
  public:
    double step(const PipelineStep& step, double dt) override;
    void update_sensors(const WorldState& state, FunctionRef<const ShapeProxies&()> shapes,
                        Events& events) override;
    std::vector<ContactView> contacts(const WorldState&) const override;
    JointReadout joint_readout(JointId joint) const override;
    void joint_added(const WorldState& state, std::uint32_t joint) override;
    void add_to_hash(Hasher& hasher) const override;
    std::size_t memory_bytes() const override;

  protected:
    /// Moves the state on by dt, or as far as the budget lasts.
    virtual StepOutcome advance(const StepContext& context, const WorldSettings& settings,
                                double dt) = 0;
    /// What the method remembers is kept before a step, and taken back before it is made again.
    virtual void save_memory() {}
    virtual void restore_memory() {}

  private:
    StepOutcome advance_step(const PipelineStep& step, double dt);
    StepOutcome advance_substep(const PipelineStep& step, double dt);
    void quarantine(const PipelineStep& step, std::uint32_t body);
    bool quarantine_non_finite(const PipelineStep& step, const std::vector<BodyMotion>& start);
    void report(const PipelineStep& step, double dt, StepOutcome& outcome);
    void store_joints(const WorldState& state, const StepOutcome& outcome);

    std::vector<ContactView> touching_; // at the end of the last step
    std::vector<ContactView> ended_;    // within it
    std::vector<SensorEvent> sensed_;   // likewise, sorted
    std::vector<double> joint_angles_;  // of hinges and wheels with whole turns, by slot
    std::vector<JointReadout> joints_;  // at the end of the last step, by slot
};

} // namespace rigor::contact_dynamics
