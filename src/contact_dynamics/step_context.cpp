#include "contact_dynamics/step_context.h"

namespace rigor::contact_dynamics {

void StepWork::record(const WorldState& state, const Island& island) {
    std::uint32_t first = kWorldBody;
    for (const std::uint32_t body : island.bodies) {
        if (!responds_to_impulses(state, body)) continue;
        if (first == kWorldBody)
            first = body;
        else
            interacting_pairs.push_back({first, body});
    }
    if (first != kWorldBody) rigor::add(by_body[first], island.work);
}

void StepWork::add(const StepWork& other) {
    for (std::size_t i = 0; i < by_body.size(); ++i) rigor::add(by_body[i], other.by_body[i]);
    interacting_pairs.insert(interacting_pairs.end(), other.interacting_pairs.begin(),
                             other.interacting_pairs.end());
}

} // namespace rigor::contact_dynamics
