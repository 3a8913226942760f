// Where two solids touch, and what is remembered of it.
//
// A manifold is up to four points with one normal. Its points carry the features that meet there:
// they name a point from one step to the next, and say what kind of contact it is.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "collide/distance_types.h"
#include "rigor/pose.h"

namespace rigor {

enum class FeatureKind : std::uint8_t { vertex, edge, face };

/// A vertex, edge or face of a solid, by number. What the numbers mean is told in core_faces.h.
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

/// A vertex on a face, or two edges that cross. Rarer are the degenerate cases: a vertex on a
/// vertex or an edge, and edges in parallel.
template <class S>
struct ContactPoint {
    Vec3<S> point_a; ///< on the surface of A, in A's frame
    S separation{};  ///< along the normal; negative when they overlap there
    Feature feature_a, feature_b;
};

/// Points lie in A's frame, as does the normal. The point on B's surface is
/// point_a + normal separation.
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

/// Makes the manifold that B sees, whose frame A has in B's place.
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
    /// Points up to this far apart count: what may touch during the step to come.
    S margin{};
    /// Differences of depth below it do not matter. A face is preferred to two edges and what was
    /// chosen last time to something new by as much; so the choice does not flicker.
    S tolerance{};
};

/// How the two solids were found to be separated best.
enum class AxisKind : std::uint8_t {
    none,      ///< nothing is known
    direction, ///< along a direction in A's frame
    face_a,    ///< across a face of A
    face_b,    ///< across a face of B
    edges      ///< across an edge of each
};

/// What one query leaves for the next about the same two convex solids. Start from an empty one;
/// any motion between is fine.
template <class S>
struct ContactMemory {
    AxisKind kind = AxisKind::none;
    Feature a, b;      ///< the faces or edges
    Vec3<S> direction; ///< of the axis, in A's frame, when it was found
    Pose<S> pose;      ///< of B in A when all axes were last looked at
};

} // namespace rigor
