// Wrenches of contacts on the bodies of an island.
#pragma once

#include <vector>

#include "contact_dynamics/island.h"

namespace rigor::literature {

using namespace contact_dynamics;

/// By index of the body in the island. The parts are kept apart because the ledger has an entry for
/// each of them.
struct ContactWrenches {
    std::vector<SpatialVector> normal, friction;
    std::vector<Vec3d> forces = {}; ///< on b, world axes, by contact of the island
};

} // namespace rigor::literature
