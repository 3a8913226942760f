// Contacts with nearly the same normal, put together as one manifold of four points.
//
// Neighboring triangles of a surface have contacts at their common vertices. Each as a manifold of
// its own they would be many rows for one contact, and the force would be divided among them by
// chance.
#pragma once

#include <vector>

#include "collide/contact_types.h"

namespace rigor {

/// Marks a part that is several triangles. The features of such a manifold are numbered through the
/// whole surface: a vertex and a face by its own number, an edge by 3 t + e.
constexpr std::uint32_t kManyTriangles = 0x80000000u;

/// A contact point with a normal of its own. Points and normal are in A's frame, the normal from A
/// to B.
template <class S>
struct FeatureContact {
    Vec3<S> point_a, normal;
    S separation{};
    Feature feature_a, feature_b;

    Vec3<S> middle() const { return point_a + normal * (separation * S(0.5)); }
};

/// Cosine of the angle within which contacts make one manifold where not each of them must be
/// exact.
template <class S>
constexpr S kOneNormal = S(0.9962);

/// How contacts become manifolds.
template <class S>
struct GroupSettings {
    S one_normal{};   ///< least cosine between the normals of a manifold
    S same_place{};   ///< points nearer than this are one
    S tolerance{};    ///< of depths, for the choice of four
    bool all = false; ///< all points count, in as many manifolds as they need
};

/// Appends the manifolds, the deepest first. Reorders the contacts. The parts of a manifold are
/// marked as several triangles, with a number that stays the same while its normal hardly changes.
template <class S>
void group_by_normal(std::vector<FeatureContact<S>>& contacts, const GroupSettings<S>& settings,
                     std::vector<Manifold<S>>& out);

} // namespace rigor
