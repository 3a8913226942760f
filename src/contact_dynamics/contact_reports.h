// What is told of a step: hits, and contacts as they are at its end.
#pragma once

#include "contact_dynamics/island.h"
#include "rigor/events.h"

namespace rigor::contact_dynamics {

ContactSide side_of(const WorldState& state, std::uint32_t shape);

/// Those at this speed or more, of each pair in the order in which they happened.
std::vector<ContactHit> hits_of(const WorldState& state, const Story& story, double speed);

/// Forces as impulses of a step of `dt`.
void add_views(const WorldState& state, const Island& island, double dt,
               std::vector<ContactView>& views);

} // namespace rigor::contact_dynamics
