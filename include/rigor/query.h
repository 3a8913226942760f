// Queries on a world between steps: ray casts, shape casts, overlaps, nearest points, distances and
// contact regions of two bodies.
//
// Shapes are solids: a ray that starts inside one hits it at distance 0, and a point inside one has
// a negative distance. Open meshes are sheets without an inside. Touching counts as a hit.
//
// Results depend on the state of the world alone, neither on its history nor on threads: of two
// equally near shapes the one with the smaller body id is returned, then the one with the smaller
// shape id.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <limits>

#include "rigor/ids.h"
#include "rigor/vec.h"

namespace rigor {

/// Query filter: as between two bodies, the group of each must be in the mask of the other.
struct QueryFilter {
    std::uint32_t group = ~0u;    ///< bits: the groups the query belongs to, for the bodies' masks
    std::uint32_t mask = ~0u;     ///< bits: the groups that the query can hit
    BodyId ignored = {};          ///< its shapes are never hit
    bool include_sensors = false; ///< otherwise sensors are ignored

    /// Optional callback that returns false for shapes to ignore. It is called for shapes that
    /// passed the other filters, in any order, and by batched queries from several threads at once.
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

/// Hit of a ray cast. A ray that starts inside a shape has distance 0, and a normal that points
/// back along the ray.
struct RayCastHit : ShapeHit {
    Vec3d point;
    Vec3d normal; ///< unit, outward
    double distance = 0;
    std::uint32_t feature = 0;
    bool inside = false; ///< the ray starts inside the shape

    friend bool operator==(const RayCastHit&, const RayCastHit&) = default;
};

/// First hit of a shape cast.
struct ShapeCastHit : ShapeHit {
    Vec3d point;                  ///< on the shape that is hit, at the time of impact
    Vec3d normal;                 ///< unit, outward from the shape that is hit
    double fraction = 0;          ///< of the displacement
    std::uint32_t feature = 0;    ///< triangle or convex piece that is hit; faces are not reported
    std::uint32_t child = 0;      ///< of the moving shape, if it is a compound: which of its leaves
    bool initial_overlap = false; ///< the shapes overlap at the start; fraction 0

    friend bool operator==(const ShapeCastHit&, const ShapeCastHit&) = default;
};

/// Closest point of a surface to a given point.
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

/// An axis-aligned bounding box (AABB) in world axes.
struct Bounds {
    Vec3d lo, hi;
};

/// A node of the query broadphase (AABB tree).
struct TreeBox {
    Bounds box;
    int depth = 0;     ///< 0: a root
    bool leaf = false; ///< it holds one shape
};

} // namespace rigor
