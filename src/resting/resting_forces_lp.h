// Resting contact forces by linear programs: [Baber 2006], "Finding the Vanishing Contact Points".
#pragma once

#include <span>
#include <vector>

#include "numeric/matrix.h"

namespace rigor::contact_dynamics {

/// 1. Guess that no contact vanishes, and solve M f = -b with f >= 0.
/// 2. If that cannot be, find the least sum of forces with M f >= -b. It does little work, so where
///    it leaves an acceleration the contact is guessed to vanish: f_i = 0 there, and the row stays
///    an inequality; elsewhere it is an equation. Solve again.
/// 3. If that cannot be either, the forces of 2 serve: (a) and (b) hold, (c) does not, and a little
///    energy is added.
///
/// Of several solutions one with the least sum, at a corner of the polytope: a beam on three
/// pillars rests on one or two of them. Empty where not even (a) and (b) can be had.
std::vector<double> lp_forces(const DenseMatrix& m, std::span<const double> b);

/// M f + b.
std::vector<double> accelerations(const DenseMatrix& m, std::span<const double> b,
                                  std::span<const double> f);

} // namespace rigor::contact_dynamics
