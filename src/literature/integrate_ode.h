// The motion of all bodies as one ordinary differential equation, by explicit Euler or RK4.
//
// The state vector has 13 numbers (x, q, p, L) for each body [Galoppo 2007], then 3 for its work,
// then 3 for the impulse of each contact: they are integrated along with the motion, so they have
// the same order of accuracy.
#pragma once

#include "literature/body_wrenches.h"

namespace rigor::literature {

/// Integrates over a time h with `euler` or `rk4`.
///
/// Reads    the force model, at each stage of the integrator.
/// Writes   the motion of the island; the work of the forces and the impulses of its contacts.
/// Order    bodies in the order of the island; stages in that of the integrator.
void integrate_ode(const ForceModel& model, double h, Island& island, IntervalRecord& record);

} // namespace rigor::literature
