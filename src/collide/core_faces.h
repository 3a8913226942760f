// Faces, edges and vertices of cores: the contact features.
//
// Their numbering, for Feature:
//
//   box       vertex: bit i is set where coordinate i is positive. Face: 2 i for +i, 2 i + 1
//             for -i. Edge along axis i: 4 i + (bit i+1 of its vertices) + 2 (bit i+2), cyclic.
//   hull      vertex and face as in Hull. Edge: the lower one of its two half-edges.
//   triangle  vertex 0 to 2. Edge i from vertex i to i + 1. Face 0 is the front, 1 the back.
//   segment   vertex 0 above, 1 below; edge 0.
//   cylinder  caps as polygons of kRimVertices vertices that rotate with the body, the upper ones
//             first, then the lower ones; one more for the lowest point of a tilted cap. Face 0 is
//             the upper cap, 1 the lower. The line of the mantle that faces a direction is edge
//             kMantle.
//   cone      the same; its apex is vertex 0 and it has only the lower cap.
//   point     vertex 0.
#pragma once

#include "base/inline_vector.h"
#include "collide/contact_types.h"
#include "collide/core.h"

namespace rigor {

inline constexpr std::uint32_t kRimVertices = 8;
inline constexpr std::uint32_t kMantle = 64;

template <class S>
struct Corner {
    Vec3<S> p;
    std::uint32_t vertex = 0;
    std::uint32_t edge = 0; ///< to the next vertex
};

/// A face, counterclockwise seen from outside; or an edge of two vertices, or a single vertex.
template <class S>
struct FacePolygon {
    InlineVector<Corner<S>, 16> corners;
    Vec3<S> normal; ///< of a face: unit, outward; else zero
    std::uint32_t face = 0;

    bool is_face() const { return corners.size() > 2; }
};

/// Of the features of a core that are farthest along a direction, the face whose normal is most
/// parallel to it. Curved sides and segments give an edge, points a vertex.
template <class S>
void face_along(const Core<S>& core, const Vec3<S>& direction, FacePolygon<S>& out);

/// A face by number, of a core with flat ones.
template <class S>
void face_polygon(const Core<S>& core, std::uint32_t face, FacePolygon<S>& out);

/// The two ends of an edge.
template <class S>
struct EdgeEnds {
    Corner<S> from, to;
};

/// The ends of an edge by number, of a core with straight ones; in no particular order.
template <class S>
EdgeEnds<S> edge_ends(const Core<S>& core, std::uint32_t edge);

/// The direction of an edge at a point of it: a unit. Rims are curved edges, and the mantle of a
/// cylinder or cone has an edge through each of its points.
template <class S>
Vec3<S> edge_direction(const Core<S>& core, std::uint32_t edge, const Vec3<S>& point);

/// The edge farthest along a direction normal to it, of a core with straight edges.
template <class S>
std::uint32_t edge_along(const Core<S>& core, const Vec3<S>& direction);

} // namespace rigor
