// Wraps bodies that left a periodic cell to its other side.
#pragma once

#include "model/world_state.h"

namespace rigor {

/// Does nothing without a cell. Jointed bodies are moved together, by the first of them; a group
/// with a joint to the world, or to a static body, stays.
void wrap_into_cell(WorldState& state);

} // namespace rigor
