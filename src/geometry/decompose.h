// Convex decomposition of a closed mesh into a union of convex pieces.
//
// After [Mamou 2016] and [Wei 2022]: split by planes until every piece is nearly convex, then merge
// pieces whose union is nearly convex. Two things are new. The concavity of a piece is bounded, not
// sampled: see decompose_excess.h. And pieces are cut as triangle soups (lists of triangles without
// connectivity), without caps, so that no cut can fail: see decompose_fragment.h.
// docs/design/decomposition.md has the reasons.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "geometry/hull.h"
#include "geometry/mesh.h"
#include "rigor/result.h"

namespace rigor {

/// Incremented whenever the same mesh may give other pieces: it is part of the key of caches.
inline constexpr std::uint64_t kDecompositionVersion = 2;

struct DecomposeProgress {
    std::size_t pieces = 0;  ///< so far
    std::size_t waiting = 0; ///< of these, those still too concave
};

struct DecomposeOptions {
    /// Maximum distance of a piece's points from the solid, as a fraction of the diagonal of the
    /// mesh's box. At least kFinestConcavity.
    double concavity = 0.05;
    std::size_t max_pieces = 256;
    /// Called before each cut; returning false stops with the pieces so far.
    std::function<bool(const DecomposeProgress&)> progress = {};
};

inline constexpr double kFinestConcavity = 0.002;

struct Decomposition {
    /// The vertices of each piece, valid for make_hull, in the order they were found.
    std::vector<std::vector<Vec3d>> pieces;
    /// No point of a piece is farther from the solid than this fraction of the diagonal.
    double concavity = 0;
    /// One sentence when that is more than requested; else empty.
    std::string warning;
};

/// With c the requested concavity times the diagonal of the mesh's box:
///   - no point of a piece is farther than c from the solid (unless `warning` says otherwise), so
///     holes, gaps and cavities wider than 2c stay open;
///   - no point of the solid is farther than c/10 from the nearest piece, and none is outside,
///     except for rounding, where a piece needs at most 64 vertices to contain its part.
/// The same mesh gives the same pieces. The cost is bounded by max_pieces, not by the shape: planes
/// are chosen on at most 6,000 triangles, and all triangles are cut once for each level of the
/// splitting.
///
/// Fails when the mesh is not closed, encloses no volume or the concavity is not from 0 to 1.
Result<Decomposition> decompose(const TriangleMesh<double>& mesh, const DecomposeOptions& options);

using ConvexPieces = std::vector<std::shared_ptr<const Hull<double>>>;

/// The pieces of a soup at a concavity, computed by the first call and then shared during the
/// lifetime of the soup, as in shared_mesh.
Result<std::shared_ptr<const ConvexPieces>> shared_pieces(
    const std::shared_ptr<const TriangleSoup>& soup, double concavity);

/// The cached result of shared_pieces; null when it is not computed yet.
std::shared_ptr<const ConvexPieces> known_pieces(const std::shared_ptr<const TriangleSoup>& soup,
                                                 double concavity);

/// Sets the cached result of shared_pieces, for pieces stored in a file. Fails, changing nothing,
/// when a piece has no hull.
Result<void> share_pieces(const std::shared_ptr<const TriangleSoup>& soup, double concavity,
                          const std::vector<std::vector<Vec3d>>& pieces);

} // namespace rigor
