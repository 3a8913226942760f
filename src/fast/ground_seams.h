// Grounds that lie side by side are one surface, see collide/seams.h.
#pragma once

#include "fast/narrowphase.h"

namespace rigor::fast {

/// Part of the stage "contacts".
///
/// Reads    the touches of convex pairs of which one answers to impulses and the other does not.
/// Writes   those that are seams.
/// Order    serial, by shape of the mover.
void mend_ground_seams(const WorldState& state, const NearShapes& shapes, PairStore& store);

} // namespace rigor::fast
