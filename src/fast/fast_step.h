// The fast pipeline: one step of many bodies.
#pragma once

#include "fast/step_data.h"

namespace rigor::fast {

/// Advances the world by dt, or by fewer substeps when a deadline passes between them; returns the
/// time advanced.
///
///     find pairs             broadphase: shapes whose bounds have come to overlap
///     update contacts        narrowphase: manifolds, recycled while bodies hardly move
///     wake islands           that something awake touches
///     prepare constraints    contacts and joints into colored blocks of lanes
///     solve constraints      substeps: integrate, warm start, solve, relax; then restitution
///     store impulses         for the next warm start; contact events; broken joints
///     finalize bodies        solver bodies back to the state; ledgers; quarantine
///     integrate free bodies  in double, as if there were no contacts
///     continuous collision   stops fast bodies where they would pass through something
///     sleep islands          that have been at rest for a while
///
/// The outcome is in scratch.outcome.
double step(const StepContext& context, Memory& memory, Scratch& scratch, double dt);

} // namespace rigor::fast
