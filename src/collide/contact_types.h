// Contact manifold: up to four points with one normal, and the cache between queries.
//
// Each point has the features that touch there. They identify the point from one step to the next,
// and give the type of contact.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "collide/distance_types.h"
#include "rigor/pose.h"

namespace rigor {

enum class FeatureKind : std::uint8_t { vertex, edge, face };

/// A vertex, edge or face of a solid, by number. The numbering is in core_faces.h.
class Feature {
  public:
    Feature() = default;
    Feature(FeatureKind kind, std::uint32_t index)
        : value_(static_cast<std::uint32_t>(kind) << 30 | index) {}

    FeatureKind kind() const { return static_cast<FeatureKind>(value_ >> 30); }
    std::uint32_t index() const { return value_ & 0x3fffffffu; }
    std::uint32_t value() const { return value_; }
    friend bool operator==(const Feature&, const Feature&) = default;

  private:
    std::uint32_t value_ = 0;
};

/// A vertex on a face, or two crossing edges. Degenerate cases are rarer: a vertex on a vertex or
/// an edge, and parallel edges.
template <class S>
struct ContactPoint {
    Vec3<S> point_a; ///< on the surface of A, in A's frame
    S separation{};  ///< along the normal; negative for penetration
    Feature feature_a, feature_b;
};

/// Points and normal are in A's frame. The point on B's surface is point_a + normal separation.
template <class S>
struct Manifold {
    Vec3<S> normal; ///< unit, from A to B
    int count = 0;
    std::array<ContactPoint<S>, 4> points;
    ShapePart part_a, part_b;
};

template <class S>
Vec3<S> point_b(const Manifold<S>& manifold, int i) {
    const ContactPoint<S>& point = manifold.points[static_cast<std::size_t>(i)];
    return point.point_a + manifold.normal * point.separation;
}

/// Swaps the roles of A and B; `a_in_b` is the pose of A in B's frame.
template <class S>
void mirror(Manifold<S>& m, const Pose<S>& a_in_b) {
    for (int i = 0; i < m.count; ++i) {
        ContactPoint<S>& point = m.points[static_cast<std::size_t>(i)];
        point.point_a = transform(a_in_b, point_b(m, i));
        std::swap(point.feature_a, point.feature_b);
    }
    m.normal = -rotate(a_in_b.q, m.normal);
    std::swap(m.part_a, m.part_b);
}

template <class S>
struct ContactSettings {
    /// Maximum separation of points: those that may touch during the next step.
    S margin{};
    /// Smaller differences of depth are ignored. A face is preferred to two edges and the last
    /// choice to a new one by this much, so that the choice does not flicker.
    S tolerance{};
    /// The cosine of the angle up to which a face counts as parallel to two touching edges, so that
    /// the manifold has all points over the face and not the crossing of the edges alone. At 1 only
    /// the exact features count; solvers with long steps need a wide base (3 degrees or so).
    S flat_cosine = S(1);
    /// Whether the triangle beyond a valley counts before the solid is over it, as long as it is
    /// within the margin: with long steps a ball would arrive there already deep in it.
    bool sees_valleys = false;
    /// Sine of the angle by which the solids may turn against each other in the next step. Vertices
    /// of surfaces that will be the lowest only then count before.
    S turn{};
};

/// The kind of the best separating axis.
enum class AxisKind : std::uint8_t {
    none,      ///< nothing is known
    direction, ///< along a direction in A's frame
    face_a,    ///< across a face of A
    face_b,    ///< across a face of B
    edges      ///< across an edge of each
};

/// Cache of a query for the next one about the same two convex solids. Initially empty; any motion
/// in between is allowed.
template <class S>
struct ContactMemory {
    AxisKind kind = AxisKind::none;
    Feature a, b;      ///< the faces or edges
    Vec3<S> direction; ///< of the axis, in A's frame, when it was found
    Pose<S> pose;      ///< of B in A when all axes were last tested
};

} // namespace rigor
