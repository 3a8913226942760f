// Micro-collisions: Mirtich's device against sinking, named in [Baber 2006, 3.1] and used by
// `baber2011`.
//
// A body at rest is carried by a train of micro-collisions, impacts that are slower than a fall
// through the contact distance. Their restitution is raised the more, the closer the bodies are: it
// is 1 in the lower half of the contact distance, and that of the materials at its upper end.
//
// One contact after another is not enough where a body has several. Four corners of a box that
// lands flat: impulses at two of them, each with e = 1, stop the other two dead, and the box as a
// whole has e = 0 and sinks. So all contacts that approached are made to separate at
//
//     u_i >= -e_i u_i(before),   p_i >= 0,   p_i (u_i + e_i u_i(before)) = 0 ,
//
// by additional impulses p_i. That is Newton's law for all contacts at once; it adds no energy:
// with these impulses alone the change is the sum of p_i (1 - e_i) u_i(before)/2 <= 0.
//
// Slower and slower impacts would follow each other faster and faster. So an approach counts as no
// slower than a least speed, that of half the longest interval between micro-collisions in free
// fall: a body at rest hops by some micrometers. That adds energy, up to m u²/2 at that speed.
#pragma once

#include "multi_impact/impact_problem.h"

namespace rigor::literature {

/// The restitution of a micro-collision at a gap.
double micro_restitution(double restitution, double gap, double contact_distance);

/// The least speed of approach that micro-collisions count with, m/s.
double least_micro_speed(double gravity, double contact_distance);

/// The longest interval between micro-collisions, s: several in a fall through the contact
/// distance.
double micro_interval(double gravity, double contact_distance);

/// Adds the impulses p_i, and friction of at most mu p_i against the slip that is left, to an
/// outcome. Contacts that approached faster than `slow_speed` of the problem are left as they are.
///
/// Reads    the velocities before, and the slow restitution of the problem.
/// Writes   impulses and velocities of the outcome.
/// Order    sweeps over the contacts in their order.
void prevent_sinking(const contact_dynamics::ImpactProblem& problem, double least_speed,
                     contact_dynamics::ImpactsOutcome& outcome);

} // namespace rigor::literature
