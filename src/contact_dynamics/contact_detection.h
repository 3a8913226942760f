// Contact detection between the bodies of an island: exact manifolds, kept up to date between
// events.
#pragma once

#include "collide/distance_types.h"
#include "contact_dynamics/island.h"

namespace rigor::contact_dynamics {

/// Pose of a shape relative to its body's center of mass, in principal axes.
Posed in_body(const WorldState& state, std::uint32_t shape);
std::uint32_t body_of(const WorldState& state, std::uint32_t shape);

/// Signed distance of two shapes.
struct Separation {
    double gap = 0; ///< negative: penetration; exact also for nearly touching shapes
    Vec3d normal;   ///< from a to b; for convex shapes the normal of a separating plane
};
/// The result does not depend on `cache`, which makes the next query of two meshes cheaper.
Separation separation(const WorldState& state, const ShapePair& pair, const BodyMotion& a,
                      const BodyMotion& b, DistanceCache<double>* cache = nullptr);

/// Appends all contact points of a pair within a margin; their modes are not decided.
void find_contacts(const WorldState& state, Island& island, const ShapePair& pair, double margin,
                   std::vector<Contact>& out);

/// Detects the contacts of all pairs of an island: those that touch, and those that may within
/// `horizon` seconds. Touching contacts keep the mode and force of the matching previous contact.
/// Returns how much the touching contacts changed: the largest distance from a contact to the
/// closest one of the other list. Contacts that were not there before begin at a gap of `begin` or
/// less.
double update_contacts(const WorldState& state, const Laws& laws, double horizon, double begin,
                       Island& island);

} // namespace rigor::contact_dynamics
