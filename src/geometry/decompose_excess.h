// Concavity of a convex piece: the largest distance of its points to the solid.
//
// Sampling would miss maxima between the samples. Instead the space around the solid is an octree,
// each cell of which stores the signed distance d of its center to the solid. Distance is
// 1-Lipschitz, so within a cell of half diagonal r it is at most d + r. The cells that touch the
// piece are processed in the order of this bound, and split, until the bound is tight enough
// [Shubert 1972]. The tree depends on the solid alone, so each distance is computed once for all
// pieces; it is refined only where queried, as in [Frisken 2000].
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "geometry/hull.h"
#include "geometry/mesh.h"

namespace rigor {

/// The concavity lies between the two.
struct Excess {
    double lower = 0;
    double upper = 0;
    Vec3d farthest; ///< where the distance is `lower`
};

/// Termination criteria of a search.
struct ExcessSearch {
    double enough = 0;           ///< as soon as the excess is at most this,
    double too_much = 0;         ///< or more than this,
    std::size_t cells = 1 << 20; ///< or after this many cells
};

class ExcessField {
  public:
    /// Cells are split down to a half diagonal of `finest`. The mesh must be closed and outlive
    /// this.
    ExcessField(const TriangleMesh<double>& mesh, double finest);

    /// Negative inside.
    double distance(const Vec3d& point) const;
    Excess excess(const Hull<double>& piece, const ExcessSearch& search);

    const TriangleMesh<double>& mesh() const { return mesh_; }

  private:
    struct Node {
        double distance = 0;
        std::uint32_t children = 0; ///< the first of eight, 0 for none
    };
    struct Cell {
        double bound = 0;
        std::uint32_t node = 0;
        double half = 0; ///< of an edge
        Vec3d center;
    };
    class Search;

    void plant();
    bool split(const Cell& cell);

    const TriangleMesh<double>& mesh_;
    double finest_;
    Cell root_;
    std::vector<Node> nodes_;
};

} // namespace rigor
