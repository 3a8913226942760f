// Free motion of bodies that no constraint acts on.
#pragma once

#include "fast/step_data.h"

namespace rigor::fast {

/// The stage "integrate free bodies".
///
/// Reads    which bodies have solver bodies that respond to impulses.
/// Writes   poses and momenta of all others that are awake, kinematic ones included, in double; the
///          ledgers.
/// Order    bodies are independent; their work is added up in the order of blocks of bodies.
void integrate_free_bodies(StepData& step);

} // namespace rigor::fast
