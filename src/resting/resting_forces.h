// Normal forces at frictionless resting contacts, an LCP. Separation accelerations are
// a = M f + b, and the forces satisfy
//
//     (a)  M f + b >= 0,   (b)  f >= 0,   (c)  f·(M f + b) = 0
//
// [Baber 2006, 3.4]: bodies do not accelerate into each other, forces only push, and a separating
// contact (a *vanishing* one) has no force. Normals have unit length, also those of crossing edges,
// since forces of different contacts are added up and compared.
#pragma once

#include <span>
#include <vector>

#include "numeric/matrix.h"
#include "rigor/settings.h"

namespace rigor::contact_dynamics {

struct RestingForces {
    std::vector<double> f;
    std::vector<bool> vanishing; ///< the contact parts
    /// Which of the conditions hold, to 1e-8 of the largest acceleration and force.
    bool no_approach = false, no_pull = false, no_work = false;

    bool all_hold() const { return no_approach && no_pull && no_work; }
};

/// By the rules `lp` (a linear program with a guess which contacts vanish, as [Baber 2006] has it)
/// or `lcp` (the exact solution, and of several the shortest).
///
/// Forces of zero, with what that leaves of the conditions, where the rule finds none.
RestingForces resting_forces(RestingRule rule, const DenseMatrix& m, std::span<const double> b);

} // namespace rigor::contact_dynamics
