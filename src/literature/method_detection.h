// Detection of the next contact: the bodies are moved on until two shapes collide.
//
// The time of contact is found by integrating again, from the start of the interval over a shorter
// time, as findCollisionTime of [Galoppo 2007] does. So the bodies are found where the integrator
// puts them, not on a chord between two of its states.
//
// Where the gaps are tested on the way depends on the detection:
//
//     static        nowhere: overlap is found after it happened;
//     substep       in steps of depth/(v_A + v_B) (17) [Kavan 2003, 3.2], then binary search. A
//     pair
//                   that is farther apart than that is tested again when it may have met;
//     advancement   likewise with a depth of half the contact distance, so that nothing is missed;
//     bisection     at the end, then binary search [Galoppo 2007];
//     regula_falsi  at the end, then false position (named in [Kavan 2003, 1.1]).
#pragma once

#include "literature/method_state.h"

namespace rigor::literature {

/// Moves the bodies on to the next contact, or by `max_interval` if there is none, and returns the
/// time that this took. It ends at a time without collision: no gap has reached its bound, which is
/// zero, or for pairs that overlap or rest at the start somewhat below their gap.
///
/// Reads    the pairs, the resting contacts and the motion of the island, and how far the pairs
///          allow bodies to move.
/// Writes   as integrate() and enforce_joints(); the pairs that ended the interval.
/// Order    a minimum over pairs, in the order of the island.
double advance_to_contact(const WorldState& state, const MethodParts& method, double max_interval,
                          MethodMemory& memory, MethodState& step);

/// Integrates over a time h with the joints enforced.
void advance(const WorldState& state, const MethodParts& method, double h, MethodMemory& memory,
             MethodState& step);

} // namespace rigor::literature
