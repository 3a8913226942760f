// Solver bodies back to the state; quarantine of non-finite bodies; work to the ledgers.
#pragma once

#include "fast/step_data.h"

namespace rigor::fast {

/// The stage "finalize bodies".
///
/// Reads    solver bodies after the last substep, results of contact constraints.
/// Writes   poses and momenta of dynamic bodies; the ledgers of the world and of its islands. A
///          body whose new state would not be finite stays where it was, is stopped, and is
///          quarantined.
/// Order    bodies in any order; sums, quarantine and ledgers in the order of the solver bodies.
void finalize_bodies(StepData& step);

} // namespace rigor::fast
