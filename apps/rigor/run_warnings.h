// Warnings of a run: a time step too long for the scene, bodies that begin in each other, bodies
// that should break and do not, energy from nowhere, and crowds.
#pragma once

#include "run_summary.h"

namespace rigor::app {

/// Before the first step. What `fast` is not made for fails under --strict.
void warn_of_time_step(const Simulation& simulation, RunSummary& summary);

/// Before the first step, from the pairs of shapes that overlap then, the deepest first.
void warn_of_overlap(const World& world, const std::vector<ShapePenetration>& overlaps,
                     RunSummary& summary);

/// After each step: bodies that should have broken and stayed whole.
void note_fractures(const Simulation& simulation, RunSummary& summary);

/// After the last step, from the ledger of the run. Contacts that nothing drives take energy away,
/// and so do joints without motor and spring, unless bodies begin where joints do not fit.
void warn_of_energy_gain(const Simulation& simulation, RunSummary& summary);

/// After the last step: pairs of shapes in crowds that steps left unresolved.
void warn_of_crowds(RunSummary& summary);

} // namespace rigor::app
