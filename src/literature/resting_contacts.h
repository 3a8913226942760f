// What holds bodies that rest, as forces: by linear program, complementarity problem or springs.
#pragma once

#include "literature/penalty_springs.h"

namespace rigor::literature {

/// The spring along the surface at a contact that was there in the last step.
struct FrictionSpring {
    ShapePair shapes;
    std::uint64_t features = 0;
    Vec3d stretch; ///< of b against a, world, m
};

/// By place in the island.
struct ContactPushes {
    std::vector<Push> normal, friction;
};

/// The forces on bodies at this moment; those of the contacts of the island that rest. Springs are
/// asked for under `penalty` alone.
ContactPushes resting_pushes(const WorldState& state, const Assembly& method, const Island& island,
                             std::span<const ContactSpring> springs,
                             std::span<const FrictionSpring> stretches);

/// How far springs along the surface are stretched after a time h.
std::vector<FrictionSpring> stretched(const WorldState& state, const Assembly& method,
                                      const Island& island, std::span<const ContactSpring> springs,
                                      std::span<const FrictionSpring> stretches, double h);

} // namespace rigor::literature
