// Distance of a triangle surface (mesh or height field) to a convex solid or another surface.
//
// The minimum over all triangles that may be nearest, found by tree traversal. That is exact as
// long as the two do not overlap. Where they do:
//
// - An open mesh is a sheet, and a triangle may be left on either side.
// - A closed mesh and the ground of a height field are solid, and a triangle must be left on its
// outer side: by the minimum translation if that leads there, else along its normal, along the
// direction out of another triangle, or out of the hull of all overlapped triangles, whichever is
// shortest. A solid completely inside, which touches no triangle, is measured along the normal of
// the nearest surface point, down to its own far side. So the depth is continuous as it sinks in.
//
// The depth is the maximum over all triangles, not the minimum translation out of the whole
// surface, which no local method knows; and where a triangle is left along its normal, `point_a` is
// on its plane, perhaps outside the triangle.
#pragma once

#include "collide/convex_distance.h"
#include "geometry/height_field.h"
#include "geometry/mesh.h"

namespace rigor {

/// Whether a surface bounds a solid, or is a sheet.
template <class S>
bool is_solid(const TriangleMesh<S>& mesh) {
    return mesh.closed;
}
template <class S>
bool is_solid(const HeightField<S>&) {
    return true;
}

/// The surface is A. `first` is the initial triangle, best the nearest one of the last query.
template <class S>
Distance<S> surface_distance(const TriangleMesh<S>& a, const Core<S>& b, const Pose<S>& b_in_a,
                             std::uint32_t first = 0);
template <class S>
Distance<S> surface_distance(const HeightField<S>& a, const Core<S>& b, const Pose<S>& b_in_a,
                             std::uint32_t first = 0);

/// Whether one of two surfaces that nowhere touch is inside the other.
template <class S, class SurfaceA, class SurfaceB>
bool is_one_inside(const SurfaceA& a, const SurfaceB& b, const Pose<S>& b_in_a);

/// Of two meshes that are apart, by both trees at once. Else each triangle of B that may be nearest
/// against A: for queries, not for an inner loop.
template <class S, class SurfaceA, class SurfaceB>
Distance<S> surface_pair_distance(const SurfaceA& a, const SurfaceB& b, const Pose<S>& b_in_a);

} // namespace rigor
