// Candidate cutting planes of a fragment.
#pragma once

#include <vector>

#include "geometry/decompose_fragment.h"
#include "geometry/hull.h"
#include "geometry/mesh.h"
#include "geometry/plane.h"

namespace rigor {

/// A concave edge: a cut there removes a concavity.
struct ConcaveEdge {
    Vec3d middle;
    Vec3d left, right; ///< normals of its triangles
    double weight = 0; ///< length times dihedral angle
};

std::vector<ConcaveEdge> concave_edges(const TriangleMesh<double>& mesh);

/// In a fixed order and without duplicates: planes through the solid's point nearest to `farthest`,
/// the point of the hull with the largest excess; planes of and between the faces at the concave
/// edges of largest weight in the cell; planes normal to the axes and the principal axes, evenly
/// spaced.
std::vector<Plane<double>> candidate_planes(const Fragment& fragment, const Hull<double>& hull,
                                            const Vec3d& farthest,
                                            const std::vector<ConcaveEdge>& edges,
                                            const ExcessField& field);

/// A few planes normal to the axes only.
std::vector<Plane<double>> coarse_planes(const Hull<double>& hull);

} // namespace rigor
