#include "contact_dynamics/event_step.h"

namespace rigor::contact_dynamics {

void WorkBook::book(const WorldState& state, const Island& island) {
    std::uint32_t first = kTheWorld;
    for (const std::uint32_t body : island.bodies) {
        if (!is_mover(state, body)) continue;
        if (first == kTheWorld)
            first = body;
        else
            together.push_back({first, body});
    }
    if (first != kTheWorld) rigor::add(by_body[first], island.works);
}

void WorkBook::add(const WorkBook& other) {
    for (std::size_t i = 0; i < by_body.size(); ++i) rigor::add(by_body[i], other.by_body[i]);
    together.insert(together.end(), other.together.begin(), other.together.end());
}

} // namespace rigor::contact_dynamics
