// Where the bodies of an island touch, or nearly.
#pragma once

#include "contact_dynamics/island.h"

namespace rigor::contact_dynamics {

/// The shape of a slot, seen from its body's center of mass in principal axes.
Posed in_body(const WorldState& state, std::uint32_t shape);
std::uint32_t body_of(const WorldState& state, std::uint32_t shape);

/// How far two shapes are apart.
struct Separation {
    double gap = 0; ///< signed, exact also where they nearly touch
    Vec3d normal;   ///< from a to b; of convex shapes that of a plane between them
};
Separation separation(const WorldState& state, const ShapePair& pair, const BodyMotion& a,
                      const BodyMotion& b);

/// All points of a pair within a margin, as contacts of the island; their modes are not decided.
void find_contacts(const WorldState& state, Island& island, const ShapePair& pair, double margin,
                   std::vector<Contact>& out);

/// Finds the contacts of all pairs of an island anew: those that touch, and those that may within
/// `ahead` seconds. What was known of those that touched is kept. Returns how much the touching
/// ones differ from those before: the largest distance from a point to one of the others.
double look(const WorldState& state, const Laws& laws, double ahead, Island& island);

} // namespace rigor::contact_dynamics
