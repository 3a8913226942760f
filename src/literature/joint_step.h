// Joints under the methods of the literature, whose texts have none: impulses transmit through them
// (ContactProblem), and over each interval they give their own: what they enforce, and limits,
// motors, springs and friction along the degrees of freedom that they leave.
//
// The interval was integrated without the joints. Impulses P along rows J, with W = J M⁻¹ Jᵀ, then
// change the rates by W P and the positions by θ h W P, as the integrator moves bodies under a
// force P/h: θ is 1 for kick and drift, which moves by the new velocity, 1/2 for methods of higher
// order, and 0 for the explicit Euler method. The rows are those of the place where such an impulse
// acts: at the start, the middle or the end of the interval.
//
//     what joints enforce   C at the end as at the start. With θ = 1 this is SHAKE, and RATTLE with
//                           the projection of velocities that follows [Andersen 1983]
//     a motor, friction     the rate at the end, by at most F h
//     a spring              -k (s + h (u₁ - u₀)/4) - c (u₀ + u₁)/2, with the coordinate s at that
//                           place: the implicit midpoint rule for θ = 1/2, and conjugate to it for
//                           the others. It keeps the energy, whatever the stiffness
//     a limit               is not passed at the end; what it stopped stays
//
// They are of order 2 in the interval where the integrator is. A spring by its force at the end of
// the interval, or a limit that brings back with a speed, would be of order 1: the first damps at a
// rate of h ω²/2, after the second bodies drift away from the limit.
#pragma once

#include "literature/method_parts.h"
#include "literature/method_state.h"

namespace rigor::literature {

/// Applies the impulses of the joints over the interval h that was just integrated without them,
/// and projects what is left of the drift of positions and velocities.
///
/// Reads    the joints of the island, and the motion at the start of the interval.
/// Writes   its motion; the entry `joints` of the ledgers.
/// Order    one system of all joints, in the order of their slots.
///
/// What had passed a limit before is brought back over the step.
void enforce_joints(const WorldState& state, const MethodParts& method,
                    std::span<const BodyMotion> start, double h, MethodState& step);

} // namespace rigor::literature
