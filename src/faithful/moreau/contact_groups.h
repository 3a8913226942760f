// Groups of contacts and joints that are independent contact problems.
//
// Reads    the bodies, contacts and joints of the world.
// Writes   the groups.
// Order    groups by their first contact, then by their first joint; contacts and joints of a group
//          in the order of the world. Groups share no body that responds to impulses, so the order
//          in which they are solved does not matter.
#pragma once

#include "contact_dynamics/impulse_work.h"

namespace rigor::faithful {

using namespace contact_dynamics;

struct ContactGroup {
    Island island;
    std::vector<std::uint32_t> world_index; ///< of each body of the island, in the world
    // Solution of a substep, by contact:
    std::vector<ContactFrame> frames;
    std::vector<Vec3d> impulses;         ///< along tangents and normal, on b
    std::vector<Vec3d> start_velocities; ///< relative, before the impulses
    /// All impulses of the substep. They act together, so their work is known at its end.
    std::vector<RowImpulse> applied;
};

std::vector<ContactGroup> contact_groups(const WorldState& state, const Island& world);

void apply_impulses(const WorldState& state, std::span<const RowImpulse> impulses,
                    ContactGroup& group);

/// Writes the motion of a group back to the world.
void store_motion(const WorldState& state, const ContactGroup& group, Island& world);

} // namespace rigor::faithful
