// A contact manifold as the solver takes it, kept from step to step.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "base/prefetch.h"
#include "collide/contacts.h"

namespace rigor::fast {

/// A convex radius: the core of the shape is curved itself.
inline constexpr float kCurved = -1;

/// The combined material of two surfaces.
struct SurfacePair {
    float static_friction = 0, kinetic_friction = 0;
    float restitution = 0;
    float rolling = 0, torsion = 0; ///< lengths
};

/// A point of a manifold, half-way between the two surfaces.
struct ManifoldPoint {
    Vec3f anchor_a;               ///< from the center of mass of A, world axes
    float initial_separation = 0; ///< when the manifold was built
    float separation = 0;         ///< now
    Feature feature_a, feature_b; ///< identify the point from step to step
    float impulse = 0;            ///< of the last substep: for the warm start
    float total_impulse = 0;      ///< of the whole last step: for reports
};

/// In world axes, as they were when it was built.
///
/// Its points are points of both bodies. While the bodies hardly move it is recycled: normal and
/// anchors stay, only the separations follow [Catto 2025]. So a pile at rest is solved with the
/// same constraints step after step, and a trembling box does not push its neighbors about with a
/// trembling normal.
///
/// 288 bytes; of the many with one point the first 180 are all that is read.
struct ContactManifold {
    Vec3f normal; ///< from A to B
    std::int16_t count = 0;
    bool slides = true;           ///< under kinetic friction; else it sticks, under static friction
    Quatf rotation_a, rotation_b; ///< of the shapes, to world, when it was built
    Vec3f center_offset;          ///< from the center of mass of B to that of A, then
    float convex_radius_a = 0, convex_radius_b = 0; ///< CollisionShape::convex_radius
    Vec3f friction;                                 ///< impulse of the last substep, world axes
    float twist = 0;                                ///< likewise, about the normal
    Vec3f rolling;                                  ///< likewise, against rolling
    Vec3f total_friction;                           ///< of the whole last step: for reports
    SurfacePair surface;
    ShapePart part_a, part_b;
    std::array<ManifoldPoint, 4> points;

    std::span<ManifoldPoint> used() { return {points.data(), static_cast<std::size_t>(count)}; }
    std::span<const ManifoldPoint> used() const {
        return {points.data(), static_cast<std::size_t>(count)};
    }
    /// From the center of mass of B.
    Vec3f anchor_b(const ManifoldPoint& point) const { return point.anchor_a + center_offset; }
};
static_assert(sizeof(ManifoldPoint) == 9 * sizeof(float) && sizeof(ContactManifold) == 288,
              "the memory of a pile is counted in these");

/// Whether a contact moves with a feature: a vertex, or the ball around it.
inline bool carries_contact(Feature feature, float convex_radius) {
    return feature.kind() == FeatureKind::vertex && convex_radius != kCurved;
}
/// How much of the motion of a point is that of B. Unknown for crossing edges and for rims.
inline std::optional<float> share_of_b(const ContactManifold& manifold,
                                       const ManifoldPoint& point) {
    const float radius_a = manifold.convex_radius_a, radius_b = manifold.convex_radius_b;
    const bool by_a = carries_contact(point.feature_a, radius_a),
               by_b = carries_contact(point.feature_b, radius_b);
    if (!by_a && !by_b) return std::nullopt;
    if (by_a != by_b) return by_b ? 1.0f : 0.0f;
    const float sum = radius_a + radius_b;
    return sum > 0 ? radius_a / sum : 0.5f;
}

/// As much as most manifolds use: one point.
inline void prefetch_manifold(const ContactManifold& manifold) {
    prefetch(manifold, offsetof(ContactManifold, points) + sizeof(ManifoldPoint));
}

} // namespace rigor::fast
