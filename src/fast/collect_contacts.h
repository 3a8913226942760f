// Collects the contact manifolds and sensor overlaps of a step, and makes constraints of them.
#pragma once

#include "fast/step_data.h"

namespace rigor::fast {

/// Part of the stage "prepare constraints".
///
/// Reads    active pairs and their manifolds.
/// Writes   contact constraints; the solver bodies they need; sensor events; bodies near an
///          immovable one. Calls the hook that modifies contacts.
/// Order    serial, in the order of the pairs.
void collect_contacts(StepData& step);

} // namespace rigor::fast
