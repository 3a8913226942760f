// The work ledger of a step: what impulses, joints and gravity did to each body.
//
// Impulses and projections are accounted by the kinetic energy before and after them. The work of
// forces is integrated along with the motion (method_integration.h), except that of gravity, which
// follows from the whole way.
#pragma once

#include "literature/method_state.h"

namespace rigor::literature {

/// Kinetic energy by index of the body in the island; zero for bodies with infinite mass.
std::vector<double> kinetic_energies(const WorldState& state, const Island& island);

/// Records the change of kinetic energy in an entry of the ledgers.
///
/// Reads    the motion of the island; the energies `before`.
/// Writes   `entry` of the work of each body.
/// Order    bodies are independent of each other.
void record_energy_change(const WorldState& state, std::span<const double> before,
                          double WorkLedger::*entry, MethodState& step);

/// Records the work of gravity in a step.
///
/// Reads    the centers of mass of all slots at the start, and the bodies as written back.
/// Writes   the entry `gravity` of the work of each dynamic body.
/// Order    bodies are independent of each other.
void record_gravity_work(const WorldState& state, std::span<const Vec3d> start, StepWork& work);

} // namespace rigor::literature
