// How a manifold becomes rows of the world, is kept while its bodies hardly move, and hands its
// impulses on when it is made anew.
#pragma once

#include "fast/contact_pair.h"
#include "fast/near_shape.h"

namespace rigor::fast {

/// Where the two shapes and the centers of their bodies are now.
struct Places {
    Posef pose;               ///< of B in A
    Quatf turn_a, turn_b;     ///< of the shapes, to world
    Vec3f center_a, center_b; ///< of the bodies, seen from the origin of shape A, in world axes
    float round_a, round_b;   ///< NearShape::round
    float way = 0;            ///< how far the two may approach each other in this step
};

/// `way` is left to the caller.
Places places_of(const NearShape& a, const NearShape& b);

/// Turns a manifold into rows of the world as it is now, without impulses.
void freeze(const Manifold<float>& manifold, const Places& places, Touch& touch);
/// The manifold that a touch was made from, in the frame of shape A.
Manifold<float> manifold_of(const Touch& touch, const Places& places);
/// Gives a touch the impulses of the one before: of points by name, or else by place within
/// `reach`.
void carry_over(const Touch& before, float reach, Touch& touch);
/// Notes where the shapes were when the touches of a pair were looked for, and how far apart points
/// were looked for.
void note_places(ContactPair& pair, const Places& places, float margin);

/// Whether the last manifolds still do; then their separations are brought up to date. `radius` is
/// that of the smaller shape about its origin, `size` its smallest extent.
bool keep(PairStore& store, ContactPair& pair, const Places& places, float radius, float size);

/// Whether two shapes that were apart still are, by more than `margin`: they have not moved enough
/// to close the gap. `radius_b` is that of shape B about its own origin.
bool still_apart(const ContactPair& pair, const Places& places, float radius_b, float margin);

} // namespace rigor::fast
