// Integration of all bodies over an interval without impacts.
#pragma once

#include "literature/method_state.h"

namespace rigor::literature {

/// Integrates over a time h under external forces and those of the resting contacts.
///
/// Reads    external forces, the resting contacts and their springs.
/// Writes   the motion and time of the island; the work of the forces; the impulses of contacts,
/// and
///          the hits of springs; the stretch of the tangential springs; the statistics, where
///          resting forces were given up.
/// Order    bodies in the order of the island.
///
/// Forces that maintain contacts do no work. Redundant contacts agree to the last digits only, and
/// may be made to agree by forces without bounds. Where the bodies have gained more energy than the
/// external forces can give them in this time, the interval is integrated again without resting
/// forces, and counted as unsolved.
void integrate(const WorldState& state, const MethodParts& method, double h, MethodMemory& memory,
               MethodState& step);

/// The motion of a body, given by its slot, after a time h under external forces alone: as
/// integrate() moves a body that no joint and no resting force couples to others.
BodyMotion integrate_free_body(const WorldState& state, const MethodParts& method,
                               std::uint32_t body, const BodyMotion& motion, double h);

/// Whether a resting rule acts by forces, which couple the bodies of an interval.
bool has_resting_forces(RestingRule rule);

/// The longest interval that the resting rule allows: springs are integrated in several steps of
/// each oscillation, and micro-collisions repeat several times in each fall through the contact
/// distance. `dt`, the step, for the other rules.
double max_time_step(const WorldState& state, const MethodParts& method, const MethodState& step,
                     double dt);

} // namespace rigor::literature
