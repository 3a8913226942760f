// Detection of all contacts that may close within a substep.
//
// Reads    the motion of all bodies.
// Writes   the contacts and pairs of the world, and the bounds of the pair predictor.
// Order    pairs in the order in which the broadphase found them, sorted within each search.
#pragma once

#include "faithful/moreau/moreau_data.h"

namespace rigor::faithful {

/// Finds the contacts that may close within `h` seconds or are closer than `margin`.
void detect_contacts(MoreauData& data, double h, double margin);

} // namespace rigor::faithful
