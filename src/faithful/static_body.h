// Static bodies, the world itself included, whose motion never changes during a step.
#pragma once

#include "contact_dynamics/island.h"

namespace rigor::faithful {

using namespace contact_dynamics;

inline bool is_static(const WorldState& state, std::uint32_t body) {
    return body == kWorldBody || state.bodies.traits[body].type == BodyType::static_body;
}

} // namespace rigor::faithful
