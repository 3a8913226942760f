// Merging of pieces whose union is nearly convex, which undoes unnecessary cuts.
#pragma once

#include <vector>

#include "geometry/decompose_excess.h"
#include "geometry/hull.h"

namespace rigor {

struct ConvexPiece {
    std::vector<Vec3d> points; ///< all points that the piece must contain
    Hull<double> hull;         ///< of some of them
    double excess = 0;         ///< upper bound
    double volume = 0;
};

/// Merges two pieces at a time, those first that add least volume, as long as the excess of the
/// merged piece is at most `search.enough`. The order of the others stays.
void merge_pieces(std::vector<ConvexPiece>& pieces, ExcessField& field, const ExcessSearch& search,
                  double tolerance);

} // namespace rigor
