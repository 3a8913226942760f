// Waking of islands that something awake touches.
#pragma once

#include "fast/step_data.h"

namespace rigor::fast {

/// The islands that something awake touches, or will within dt, ascending: they must be awake at
/// the impact, or they would stop it like walls.
std::vector<std::uint32_t> touched_islands(const WorldState& state, const Sleep& sleep,
                                           const PairStore& store, double dt);

/// The stage "wake islands".
///
/// Reads    manifolds of awake with sleeping bodies.
/// Writes   what is awake; the list of woken bodies.
/// Order    serial, by island.
void wake_touched_islands(StepData& step);

} // namespace rigor::fast
