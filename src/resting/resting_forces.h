// Normal forces at resting contacts without friction: accelerations of separation are
// a = M f + b, and forces are sought with
//
//     (a)  M f + b >= 0,   (b)  f >= 0,   (c)  f·(M f + b) = 0
//
// [Baber 2006, 3.4]: bodies do not accelerate into each other, forces push, and a contact that
// parts, a *vanishing* one, has no force. Normals have unit length, those of crossing edges too,
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
