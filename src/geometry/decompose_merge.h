// Joining pieces that are convex enough together: what the cuts took apart without need.
#pragma once

#include <vector>

#include "geometry/decompose_excess.h"
#include "geometry/hull.h"

namespace rigor {

struct ConvexPiece {
    std::vector<Vec3d> points; ///< all that the piece has to hold
    Hull<double> hull;         ///< of some of them
    double excess = 0;         ///< at most
    double volume = 0;
};

/// Joins two pieces at a time, those first that add least volume, as long as the excess of the
/// joint piece is found to be at most `search.enough`. The order of the rest stays.
void merge_pieces(std::vector<ConvexPiece>& pieces, ExcessField& field, const ExcessSearch& search,
                  double tolerance);

} // namespace rigor
