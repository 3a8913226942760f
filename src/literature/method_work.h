// The work ledger of a step: what impulses, joints and gravity did to each body.
//
// Impulses and displacements are accounted by what they are (impulse_work.h), not by what they do
// to the energy. The work of forces is integrated along with the motion (method_integration.h),
// except that of gravity, which follows from the whole way.
#pragma once

#include "contact_dynamics/impulse_work.h"
#include "literature/method_state.h"

namespace rigor::literature {

/// Adds work by body, as apply_impulses() returns it, to the ledgers.
void record_work(std::span<const WorkLedger> by_body, MethodState& step);

/// Records the work of displacements that separate bodies.
///
/// Reads    the motion before them and that of the island.
/// Writes   the entry `contact_normal` of the work of each body.
/// Order    bodies are independent of each other.
void record_displacement(const WorldState& state, std::span<const BodyMotion> before,
                         MethodState& step);

/// Records the work of gravity in a step.
///
/// Reads    the centers of mass of all slots at the start, and the bodies as written back.
/// Writes   the entry `gravity` of the work of each dynamic body.
/// Order    bodies are independent of each other.
void record_gravity_work(const WorldState& state, std::span<const Vec3d> start, StepWork& work);

} // namespace rigor::literature
