// Continuous collision detection (CCD): fast bodies are stopped at their time of impact.
#pragma once

#include "fast/step_data.h"

namespace rigor::fast {

/// The stage "continuous collision": after bodies have moved.
///
/// Reads    where bodies were and are. Only those are swept that moved or turned by more than half
///          the thickness of one of their shapes: slower ones cannot pass through anything. And of
///          these, those that had an obstacle within their bounds, or left them.
/// Writes   the poses of bodies that passed through one that does not respond to impulses, or, if
///          they are `continuous`, through anything: back to the time of impact. They keep their
///          momentum; the next step finds them in contact. Those that were in contact already have
///          not been held by it: the obstacle takes their approach, and they go on for the rest of
///          the step. The ledger counts this as impacts.
/// Order    bodies are independent: each is swept against where the others went before any is put
///          back.
///
/// Shapes in contact at the beginning of the step are left to their contacts. Of these only a ball
/// within the innermost quarter is swept, which no contact lets pass.
void stop_fast_bodies(StepData& step);

} // namespace rigor::fast
