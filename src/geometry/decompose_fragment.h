// Fragment: the part of a solid inside a convex cell, as points with the same convex hull.
//
// A fragment is the surface inside the cell, a soup of polygons, and the corners of the cell that
// are inside the solid. The flat caps where planes cut through the solid are never built: each
// vertex of a cap is on the surface or a corner of the cell. So nothing has to be closed, connected
// or triangulated, no loops with holes arise, and any plane can cut any fragment.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "geometry/decompose_excess.h"
#include "geometry/plane.h"
#include "geometry/query_types.h"
#include "rigor/shape.h"

namespace rigor {

struct Fragment {
    std::vector<Vec3d> points;
    std::vector<std::uint32_t> corners; ///< of polygons, one after another, into points
    std::vector<std::uint32_t> ends;    ///< of each polygon's part of corners
    std::vector<Plane<double>> cell;    ///< the half-spaces of these; unbounded when empty
    Aabb<double> box;                   ///< of the uncut fragment this one comes from

    bool empty() const { return points.empty(); }
};

/// The given triangles of a mesh.
Fragment make_fragment(const std::vector<Vec3d>& vertices,
                       const std::vector<std::array<std::uint32_t, 3>>& triangles);

/// The parts below and above a plane. Points within `tolerance` of the plane are on it: a polygon
/// on the plane bounds the part below when it faces up, and the part above when it faces down, as
/// the solid is behind it.
std::pair<Fragment, Fragment> cut(const Fragment& fragment, const Plane<double>& plane,
                                  double tolerance, const ExcessField& field);

} // namespace rigor
