// Planes along which a fragment may be worth cutting.
#pragma once

#include <vector>

#include "geometry/decompose_fragment.h"
#include "geometry/hull.h"
#include "geometry/mesh.h"
#include "geometry/plane.h"

namespace rigor {

/// An edge where the surface bends inward: there a cut takes a dent away.
struct ConcaveEdge {
    Vec3d middle;
    Vec3d left, right; ///< normals of its triangles
    double weight = 0; ///< length times bend
};

std::vector<ConcaveEdge> concave_edges(const TriangleMesh<double>& mesh);

/// In a fixed order and without repeats: planes through the solid's point nearest to `farthest`,
/// the point of the hull that is worst; planes of and between the faces at the heaviest concave
/// edges in the cell; planes across the axes and the principal axes, evenly spaced.
std::vector<Plane<double>> candidate_planes(const Fragment& fragment, const Hull<double>& hull,
                                            const Vec3d& farthest,
                                            const std::vector<ConcaveEdge>& edges,
                                            const ExcessField& field);

/// A few planes across the axes only.
std::vector<Plane<double>> coarse_planes(const Hull<double>& hull);

} // namespace rigor
