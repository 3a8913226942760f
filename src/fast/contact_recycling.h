// Contact recycling and warm starting: a manifold is reused while its bodies hardly move; when
// rebuilt, it takes over the impulses of matching points.
#pragma once

#include "fast/collision_shape_cache.h"
#include "fast/contact_pair.h"

namespace rigor::fast {

/// Where the two shapes of a pair and the centers of mass of their bodies are now.
struct PairPlacement {
    Posef pose;                             ///< of B in A
    Quatf rotation_a, rotation_b;           ///< of the shapes, to world
    Vec3f center_a, center_b;               ///< of mass, from the origin of shape A, world axes
    float convex_radius_a, convex_radius_b; ///< CollisionShape::convex_radius
    float max_approach = 0; ///< by which the distance of the shapes may shrink in this step
    float least_turn = 1;   ///< half of the angle from which a manifold turns with both its bodies
};

/// `max_approach` is left to the caller.
PairPlacement placement_of(const CollisionShape& a, const CollisionShape& b);

/// A contact manifold in world axes, without impulses.
void build_manifold(const Manifold<float>& local, const PairPlacement& placement,
                    ContactManifold& manifold);
/// The inverse of build_manifold(): in the frame of shape A.
Manifold<float> local_manifold(const ContactManifold& manifold, const PairPlacement& placement);

/// Gives a new manifold the impulses of the one before. Points match by their features, or else
/// by a distance less than `max_distance`.
void match_impulses(const ContactManifold& before, float max_distance, ContactManifold& manifold);

/// Sets the separations of a manifold to those at another placement than that of its points.
void set_separations(ContactManifold& manifold, const PairPlacement& placement);

/// Records where the shapes were when the manifolds of a pair were computed, and with what margin.
void store_placement(ContactPair& pair, const PairPlacement& placement, float margin);

/// Whether the manifolds of the last step can be used again; if so, updates their separations.
/// The radii are those of the shapes about their origins, 0 of unbounded ones; `size` is the
/// smallest extent of the smaller shape.
bool recycle(PairStore& store, ContactPair& pair, const PairPlacement& placement, float radius_a,
             float radius_b, float size);

/// Whether two shapes are still more than `margin` apart because they have not moved enough to
/// close the gap.
bool still_separated(const ContactPair& pair, const PairPlacement& placement, float radius_a,
                     float radius_b, float margin);

} // namespace rigor::fast
