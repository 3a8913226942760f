// Contact impulses of a group over a substep, with friction and restitution.
//
// Reads    the contacts of the group, its motion now and at the start of the substep.
// Writes   the momenta of the group, its solution, and the solver statistics.
// Order    contacts in the order of the group.
//
// A contact bounces if it closes within half of the substep [Jean 1999]. Any other contact may
// close its gap but not penetrate, so no position correction lifts bodies out of each other.
// Bodies rotate during the substep, so the gap at its end is not linear in the velocities: it is
// evaluated, and its deviation from the linear prediction is fed back as an offset. Impulses alone
// separate the bodies, so momentum is conserved.
#pragma once

#include "faithful/moreau/contact_groups.h"
#include "faithful/moreau/moreau_data.h"
#include "numeric/friction_problem.h"

namespace rigor::faithful {

void solve_contact_impulses(MoreauData& data, ContactGroup& group, double h);

/// Solves to the tolerance that fits the size of the problem, and records the residual.
FrictionResult solve_contact_problem(const FrictionProblem& problem, StepStatistics& statistics,
                                     std::span<const Vec3d> guess = {});

} // namespace rigor::faithful
