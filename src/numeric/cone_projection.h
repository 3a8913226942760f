// Cone projection: of all solutions of a linear system that lie in friction cones, the one nearest
// to a guess.
#pragma once

#include <span>
#include <vector>

#include "numeric/matrix.h"

namespace rigor {

/// What is asked of one unknown, or of three.
struct ConeBlock {
    enum class Kind : unsigned char {
        free,
        nonnegative,
        friction, ///< three unknowns: |first two| <= mu times the third
    };
    Kind kind = Kind::free;
    std::size_t first = 0; ///< index of its first unknown
    double mu = 0;
};

/// Replaces x by the nearest point with A x = b that lies in all cones. The blocks cover all
/// unknowns. Returns the residual |b - A x|, largest component, relative to the largest |b|; it
/// does not vanish where there is no such point. The result is in the cones to rounding in any
/// case.
double project_on_cones(const DenseMatrix& a, std::span<const double> b,
                        std::span<const ConeBlock> cones, std::span<double> x);

} // namespace rigor
