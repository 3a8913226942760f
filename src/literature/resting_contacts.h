// Forces of resting contacts: by linear program, complementarity problem or penalty springs.
#pragma once

#include "literature/penalty_springs.h"

namespace rigor::literature {

/// The tangential spring of a contact that existed in the last step.
struct FrictionSpring {
    ShapePair shapes;
    std::uint64_t features = 0;
    Vec3d stretch; ///< of b against a, world, m
};

/// Wrenches on the bodies of an island, by index.
struct ContactWrenches {
    std::vector<SpatialVector> normal, friction;
};

/// Wrenches of the resting contacts of an island at this instant. `springs` and `stretches` are
/// used by the rule `penalty` only.
ContactWrenches resting_wrenches(const WorldState& state, const MethodParts& method,
                                 const Island& island, std::span<const ContactSpring> springs,
                                 std::span<const FrictionSpring> stretches);

/// The tangential springs after a time h.
std::vector<FrictionSpring> updated_friction_springs(
    const WorldState& state, const MethodParts& method, const Island& island,
    std::span<const ContactSpring> springs, std::span<const FrictionSpring> stretches, double h);

} // namespace rigor::literature
