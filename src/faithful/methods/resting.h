// What holds bodies that rest, as forces: by linear program, complementarity problem or springs.
#pragma once

#include "faithful/island.h"
#include "faithful/methods/assembly.h"

namespace rigor::faithful {

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

/// The forces on bodies at this moment; those of the contacts of the island that rest.
ContactPushes resting_pushes(const WorldState& state, const Assembly& method,
                             const Island& island, std::span<const FrictionSpring> springs);

/// How the springs are after a time h.
std::vector<FrictionSpring> stretched(const WorldState& state, const Assembly& method,
                                      const Island& island, std::span<const FrictionSpring> springs,
                                      double h);

/// The fastest that penalty springs of this world swing, rad/s.
double spring_rate(const WorldState& state, const Assembly& method);

} // namespace rigor::faithful
