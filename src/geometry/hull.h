// Convex hull with half-edge topology, optionally with rounded edges.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "geometry/plane.h"
#include "geometry/query_types.h"
#include "rigor/pose.h"

namespace rigor {

/// A face is a plane and a loop of half-edges, counterclockwise seen from outside.
template <class S>
struct HullFace {
    Plane<S> plane;
    std::uint32_t first = 0; ///< half-edges first .. first + count - 1
    std::uint32_t count = 0;
};

/// One side of an edge: it leaves `origin` and has `face` on its left. The next half-edge of the
/// loop is its successor in the list, and the first of the face after the last.
struct HalfEdge {
    std::uint32_t origin = 0;
    std::uint32_t twin = 0;
    std::uint32_t face = 0;
};

/// From v0 to v1, `left` being the face that runs along it in this direction.
struct HullEdge {
    std::uint32_t v0 = 0, v1 = 0;
    std::uint32_t left = 0, right = 0;
    std::uint32_t half_edge = 0; ///< the one in `left`; its twin has a larger index
};

/// All points within `rounding` of the core, a polyhedron without coplanar adjacent faces. All
/// members describe the core; `outer_plane` gives the planes of the rounded solid.
template <class S>
struct Hull {
    std::vector<Vec3<S>> vertices;
    std::vector<HullFace<S>> faces;
    std::vector<HalfEdge> half_edges; ///< face by face, in loop order
    std::vector<HullEdge> edges;
    std::vector<std::uint32_t> neighbor_starts; ///< of vertex v: [v] .. [v + 1] in `neighbors`
    std::vector<std::uint32_t> neighbors;       ///< vertices one edge away, in order around v
    std::vector<std::uint32_t> outgoing;        ///< of each vertex, a half-edge that leaves it
    std::array<std::uint32_t, 6> extremes{};    ///< farthest vertices along +x -x +y -y +z -z
    Vec3<S> center;                             ///< centroid of the core
    S inner_radius{};                           ///< of a ball about the center, within the core
    S rounding{};

    std::uint32_t next(std::uint32_t half_edge) const {
        const HullFace<S>& face = faces[half_edges[half_edge].face];
        const std::uint32_t i = half_edge + 1;
        return i == face.first + face.count ? face.first : i;
    }
    const Vec3<S>& origin(std::uint32_t half_edge) const {
        return vertices[half_edges[half_edge].origin];
    }
    std::span<const std::uint32_t> neighbors_of(std::uint32_t vertex) const {
        return std::span(neighbors).subspan(neighbor_starts[vertex],
                                            neighbor_starts[vertex + 1] - neighbor_starts[vertex]);
    }
};

template <class S>
S radius_of(const Hull<S>& hull) {
    return hull.rounding;
}

/// The plane of a face of the rounded hull.
template <class S>
Plane<S> outer_plane(const Hull<S>& hull, std::uint32_t face) {
    const Plane<S>& plane = hull.faces[face].plane;
    return {plane.normal, plane.offset + hull.rounding};
}

/// The index of the core vertex farthest along a direction. Above a few dozen vertices by hill
/// climbing along edges, which on a convex surface ends at the maximum.
template <class S>
std::uint32_t support_vertex(const Hull<S>& hull, const Vec3<S>& direction);

template <class S>
Vec3<S> support(const Hull<S>& hull, const Vec3<S>& direction);
template <class S>
Vec3<S> core_support(const Hull<S>& hull, const Vec3<S>& direction);
template <class S>
Aabb<S> bounds(const Hull<S>& hull, const Pose<S>& pose);
template <class S>
S bounding_radius(const Hull<S>& hull, const Vec3<S>& center);
template <class S>
std::optional<RayHit<S>> cast_ray(const Hull<S>& hull, const Ray<S>& ray);
template <class S>
SurfacePoint<S> closest_point(const Hull<S>& hull, const Vec3<S>& point);

Hull<float> to_float(const Hull<double>& hull);

} // namespace rigor
