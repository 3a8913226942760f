// Narrowphase: the manifolds of one pair of shapes, with the impulses of the last step.
#pragma once

#include "fast/contact_recycling.h"

namespace rigor::fast {

/// Differences of depth that do not matter, of the size of the smaller shape.
inline constexpr float kDepthTolerance = 1e-3f;
inline constexpr float kFlatCosine = 0.9986f; // 3 degrees: ContactSettings::flat_cosine

/// Two shapes, where they are, and which points to look for.
struct PairQuery {
    const Shape<float>&a, &b;
    const PairPlacement& placement;
    ContactSettings<float> settings;
};

/// The combined material of a pair.
SurfacePair surface_of(const WorldState& state, const ContactPair& pair);

/// Whether two shapes may have several manifolds. A mesh has one with a plane: there it is as good
/// as its convex hull.
bool is_composite(const Shape<float>& a, const Shape<float>& b);

/// Whether a shape, or a child of it, is a mesh that is not convex, or a height field.
bool has_surface(const Shape<float>& shape);

/// All manifolds of a composite pair.
void update_composite(CompositeContact& composite, const PairQuery& query);

/// The manifold of two convex shapes, or of one and a plane, in the frame of A. `manifold` is the
/// last one. Without points, sets the gap of the pair.
void find_manifold(ContactPair& pair, const PairQuery& query, Manifold<float>& manifold);

} // namespace rigor::fast
