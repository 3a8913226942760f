// Forces of penalty springs at contacts, and the stretch of the tangential springs.
//
// A contact that overlaps is pushed apart by its normal spring and damper, never pulled together:
//
//     f_n = max(-k gap - c u_n, 0)
//     f_t = -k stretch - c_t u_t,   |f_t| <= mu f_n
//
// with the static coefficient while the contact sticks. A tangential spring that reaches this limit
// slips: from then on the kinetic coefficient is the limit, and its stretch is shortened to what
// that can hold, until less than that is needed and it sticks again. The springs are the only state
// that a method keeps from step to step.
#pragma once

#include "literature/contact_wrenches.h"
#include "literature/penalty_springs.h"

namespace rigor::literature {

/// The tangential spring of a contact that existed in the last step.
struct FrictionSpring {
    ShapePair shapes;
    std::uint64_t features = 0;
    Vec3d stretch; ///< of b against a, world, m
    bool slips = false;
};

/// Wrenches of the springs at this instant. `springs` are in the order of the island's contacts.
ContactWrenches spring_wrenches(const WorldState& state, const MethodParts& method,
                                const Island& island, std::span<const ContactSpring> springs,
                                std::span<const FrictionSpring> stretches);

/// The tangential springs after a time h; none unless the resting rule is `penalty`.
std::vector<FrictionSpring> updated_friction_springs(
    const WorldState& state, const MethodParts& method, const Island& island,
    std::span<const ContactSpring> springs, std::span<const FrictionSpring> stretches, double h);

} // namespace rigor::literature
