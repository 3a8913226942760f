// Bodies that left a periodic cell come back in on its other side.
#pragma once

#include "model/world_state.h"

namespace rigor {

/// Does nothing without a cell. Bodies that joints hold together are moved together, by the first
/// of them; what a joint holds to the world, or to a static body, stays where it is.
void wrap_into_cell(WorldState& state);

} // namespace rigor
