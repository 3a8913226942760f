// Initial parts of a mesh, from which its convex decomposition starts.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "geometry/mesh.h"

namespace rigor {

using Triangles = std::vector<std::array<std::uint32_t, 3>>;

/// The triangles of a closed mesh in groups whose boxes do not overlap, so that no two groups bound
/// a common solid; in the order of their first triangles. One group when there would be more than
/// `max_groups`.
std::vector<Triangles> separate_parts(const TriangleMesh<double>& mesh, std::size_t max_groups);

/// At most `max_count` triangles that approximate the given ones, by vertex clustering: vertices in
/// one cell of a grid are replaced by the first of them, with a grid as coarse as necessary
/// [Rossignac 1993]. The result need not be closed.
Triangles coarsen(const std::vector<Vec3d>& vertices, const Triangles& triangles,
                  std::size_t max_count);

} // namespace rigor
