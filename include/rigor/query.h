// Queries on a world between steps: ray casts, shape casts, overlaps, nearest points, distances and
// contact regions of two bodies.
//
// Solids are asked, not their surfaces: a ray that starts inside one hits it at once, and a point
// inside one has a negative distance to it. Meshes that are not closed are sheets without an
// inside. Touching counts.
//
// Answers depend on the state of the world alone, neither on what happened before nor on threads:
// where two shapes are equally near, the one with the smaller body id is the answer, then the one
// with the smaller shape id.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <limits>

#include "rigor/ids.h"
#include "rigor/vec.h"

namespace rigor {

/// Whom a query concerns: as between two bodies, each must want the other.
struct QueryFilter {
    std::uint32_t group = ~0u;    ///< bits: the groups the query belongs to, for the bodies' masks
    std::uint32_t mask = ~0u;     ///< bits: the groups it meets
    BodyId ignored = {};          ///< none of its shapes is an answer
    bool include_sensors = false; ///< else sensors are passed through

    /// The last word, if given: false for shapes that are no answer. Asked about any of the shapes
    /// that are left, in any order, and by a batched query from several threads at once.
    std::function<bool(BodyId, ShapeId)> accept = {};
};

/// The points origin + s direction/|direction|, 0 <= s <= max_distance.
struct RayQuery {
    Vec3d origin;
    Vec3d direction; ///< of any length but zero
    double max_distance = std::numeric_limits<double>::infinity();
};

/// A shape of a body. The children of a compound are shapes of their own: see World::shapes().
///
/// The `feature` of the hits below is a part of it: the face of a box or hull, the triangle of a
/// mesh or height field, the piece of a mesh that is split into convex ones.
struct ShapeHit {
    BodyId body;
    ShapeId shape;
    auto operator<=>(const ShapeHit&) const = default;
};

/// Where a ray meets a shape. One that starts inside has distance 0, and the normal points back
/// along the ray.
struct RayCastHit : ShapeHit {
    Vec3d point;
    Vec3d normal; ///< unit, outward
    double distance = 0;
    std::uint32_t feature = 0;
    bool inside = false; ///< the ray starts there

    friend bool operator==(const RayCastHit&, const RayCastHit&) = default;
};

/// Where a moving shape first meets another.
struct ShapeCastHit : ShapeHit {
    Vec3d point;                  ///< of the shape that is hit, at the time it is hit
    Vec3d normal;                 ///< unit, outward from the shape that is hit
    double fraction = 0;          ///< of the displacement
    std::uint32_t feature = 0;    ///< triangle or piece, of what is hit; no face
    std::uint32_t child = 0;      ///< of the moving shape, if it is a compound: which of its leaves
    bool initial_overlap = false; ///< they overlap before anything moves; fraction 0

    friend bool operator==(const ShapeCastHit&, const ShapeCastHit&) = default;
};

/// The point of a surface nearest to a given one.
struct ClosestPointHit : ShapeHit {
    Vec3d point;
    Vec3d normal;        ///< unit, outward
    double distance = 0; ///< negative when the given point is inside
    std::uint32_t feature = 0;

    friend bool operator==(const ClosestPointHit&, const ClosestPointHit&) = default;
};

/// The signed distance of two bodies. point_b - point_a = distance normal, also where they overlap:
/// there point_a is the point of A deepest in B, point_b that of B deepest in A, and moving B by
/// -distance along the normal separates the two shapes.
struct BodyDistance {
    double distance = std::numeric_limits<double>::infinity(); ///< negative: penetration depth
    Vec3d point_a, point_b; ///< of the surfaces; in a periodic world B is the nearest image
    Vec3d normal;           ///< unit, from A to B
    ShapeId shape_a, shape_b;

    friend bool operator==(const BodyDistance&, const BodyDistance&) = default;
};

/// Two shapes that overlap, and by how much.
struct ShapePenetration {
    BodyId body_a, body_b;
    ShapeId shape_a, shape_b;
    double depth = 0; ///< m

    friend bool operator==(const ShapePenetration&, const ShapePenetration&) = default;
};

/// A vertex of the contact region of two shapes: a vertex of one on a face of the other, or two
/// crossing edges; degenerate cases are a vertex on a vertex or edge, and the ends of parallel
/// edges. point_b - point_a = separation normal.
struct ContactRegionPoint {
    Vec3d point_a, point_b; ///< of the surfaces; in a periodic world B is the nearest image
    Vec3d normal;           ///< unit, from A to B
    double separation = 0;  ///< negative: penetration
    ShapeId shape_a, shape_b;

    friend bool operator==(const ContactRegionPoint&, const ContactRegionPoint&) = default;
};

/// A box along the axes of the world.
struct Bounds {
    Vec3d lo, hi;
};

/// A node of a search tree.
struct TreeBox {
    Bounds box;
    int depth = 0;     ///< 0: a root
    bool leaf = false; ///< it holds one shape
};

} // namespace rigor
