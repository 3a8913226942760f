// Method `fast` as a pipeline of a World.
#pragma once

#include "dynamics/pipeline.h"
#include "fast/fast_step.h"

namespace rigor::fast {

class FastPipeline final : public Pipeline {
  public:
    FastPipeline() = default;
    /// Without scratch memory.
    FastPipeline(const FastPipeline& other)
        : memory_(other.memory_), broadphase_(other.broadphase_) {}
    std::unique_ptr<Pipeline> clone() const override;

    double step(const PipelineStep& step, double dt) override;
    std::vector<ContactView> contacts(const WorldState& state) const override;
    JointReadout joint_readout(JointId joint) const override;

    void body_added(const WorldState& state, std::uint32_t body) override;
    void body_moved(std::uint32_t body) override;
    void body_removed(const WorldState& state, std::uint32_t body) override;
    void shapes_changed(const WorldState& state, std::uint32_t body,
                        std::vector<std::uint32_t>& woken) override;
    void material_changed(const WorldState& state, std::uint32_t body) override;
    void joint_added(const WorldState& state, std::uint32_t joint) override;
    void joint_removed(const WorldState& state, std::uint32_t joint,
                       const JointRecord& record) override;
    void periodic_cell_changed(const WorldState& state) override;

    const std::vector<std::uint32_t>& awake_bodies() const override { return memory_.sleep.awake; }
    bool is_awake(std::uint32_t body) const override { return !memory_.sleep.is_asleep(body); }
    void wake(const WorldState& state, std::uint32_t body,
              std::vector<std::uint32_t>& woken) override;
    void wake_all(const WorldState& state, std::vector<std::uint32_t>& woken) override;
    void wake_around(const WorldState& state, std::uint32_t body,
                     std::vector<std::uint32_t>& woken) override;

    void add_to_hash(Hasher& hasher) const override;
    std::size_t memory_bytes() const override;

  private:
    void wake_in(const WorldState& state, const Aabb<double>& box,
                 std::vector<std::uint32_t>& woken);
    void update_bounds(const PipelineStep& step, double dt);
    void report(const PipelineStep& step);
    MotionRecord joint_impulses(const WorldState& state) const;

    Memory memory_;
    /// The solver's own: which pairs it knows depends on how its boxes came about, so it is part of
    /// snapshots, and no query ever touches it.
    ShapeProxies broadphase_;
    Scratch scratch_;
};

} // namespace rigor::fast
