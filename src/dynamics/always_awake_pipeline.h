// Common to the pipelines without sleep.
#pragma once

#include "dynamics/pipeline.h"

namespace rigor {

/// A pipeline under which no body sleeps.
class AlwaysAwakePipeline : public Pipeline {
  public:
    void body_added(const WorldState& state, std::uint32_t body) override;
    void body_removed(const WorldState& state, std::uint32_t body) override;
    void joint_added(const WorldState& state, std::uint32_t joint) override;
    void joint_removed(const WorldState& state, std::uint32_t joint,
                       const JointRecord& record) override;
    const std::vector<std::uint32_t>& awake_bodies() const override { return awake_; }
    void add_to_hash(Hasher& hasher) const override;
    std::size_t memory_bytes() const override;

  private:
    std::vector<std::uint32_t> awake_; // ascending slots of bodies that are not static
};

} // namespace rigor
