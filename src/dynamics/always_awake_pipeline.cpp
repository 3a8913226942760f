#include "dynamics/always_awake_pipeline.h"

#include <algorithm>

namespace rigor {

void AlwaysAwakePipeline::body_added(const WorldState& state, std::uint32_t body) {
    if (state.bodies.traits[body].type == BodyType::static_body) return;
    awake_.insert(std::lower_bound(awake_.begin(), awake_.end(), body), body);
}

void AlwaysAwakePipeline::body_removed(const WorldState&, std::uint32_t body) {
    const auto found = std::lower_bound(awake_.begin(), awake_.end(), body);
    if (found != awake_.end() && *found == body) awake_.erase(found);
}

void AlwaysAwakePipeline::joint_added(const WorldState&, std::uint32_t) {}
void AlwaysAwakePipeline::joint_removed(const WorldState&, std::uint32_t, const JointRecord&) {}

/// Nothing: the awake bodies follow from the state.
void AlwaysAwakePipeline::add_to_hash(Hasher&) const {}

std::size_t AlwaysAwakePipeline::memory_bytes() const {
    return awake_.capacity() * sizeof(std::uint32_t);
}

} // namespace rigor
