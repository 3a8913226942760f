// Convex decomposition: a closed mesh as a union of convex pieces.
//
// In the spirit of [Mamou 2016] and [Wei 2022]: split by planes until every piece is nearly convex,
// then join what turned out to be convex together. Two things are our own. How concave a piece is
// gets *bounded*, not sampled: see decompose_excess.h. And pieces are cut as soups, without caps,
// so that no cut can fail: see decompose_fragment.h. docs/design/decomposition.md has the reasons.
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

/// Changes whenever the same mesh may give other pieces: it is part of the key of caches.
inline constexpr std::uint64_t kDecompositionVersion = 2;

struct DecomposeProgress {
    std::size_t pieces = 0;  ///< so far
    std::size_t waiting = 0; ///< of these, those that are still too concave
};

struct DecomposeOptions {
    /// How far a piece may reach out of the solid, as a fraction of the diagonal of the mesh's
    /// box. Less than kFinestConcavity counts as that.
    double concavity = 0.05;
    std::size_t max_pieces = 256;
    /// Called before each cut; false ends the work with the pieces there are.
    std::function<bool(const DecomposeProgress&)> progress = {};
};

inline constexpr double kFinestConcavity = 0.002;

struct Decomposition {
    /// The corners of each piece, fit for make_hull, in the order they were found.
    std::vector<std::vector<Vec3d>> pieces;
    /// No point of a piece is farther from the solid than this fraction of the diagonal.
    double concavity = 0;
    /// One sentence when that is more than was wanted; else empty.
    std::string warning;
};

/// With c the wanted concavity times the diagonal of the mesh's box:
///   - no point of a piece is farther than c from the solid (unless `warning` says otherwise), so
///     holes, gaps and cavities wider than 2c stay open;
///   - no point of the solid is farther than c/10 from the nearest piece, and none is outside, but
///   for
///     rounding, where a piece needs no more than 64 corners to hold its part.
/// The same mesh gives the same pieces. The cost is bounded by max_pieces, not by the shape: planes
/// are chosen on at most 6,000 triangles, and all triangles are cut once for each level of the
/// splitting.
///
/// Fails when the mesh is not closed, encloses no volume or the concavity is not from 0 to 1.
Result<Decomposition> decompose(const TriangleMesh<double>& mesh, const DecomposeOptions& options);

using ConvexPieces = std::vector<std::shared_ptr<const Hull<double>>>;

/// The pieces of a soup at a concavity, worked out by the first who asks and then shared by all for
/// as long as the soup lives, as shared_mesh does.
Result<std::shared_ptr<const ConvexPieces>> shared_pieces(
    const std::shared_ptr<const TriangleSoup>& soup, double concavity);

/// What shared_pieces would answer at once; null when there is work to do first.
std::shared_ptr<const ConvexPieces> known_pieces(const std::shared_ptr<const TriangleSoup>& soup,
                                                 double concavity);

/// Says what shared_pieces shall answer from now on: for pieces that were kept in a file. Fails,
/// changing nothing, when a piece has no hull.
Result<void> share_pieces(const std::shared_ptr<const TriangleSoup>& soup, double concavity,
                          const std::vector<std::vector<Vec3d>>& pieces);

} // namespace rigor
