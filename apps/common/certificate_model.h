// What a certificate says of a scene: bodies, shapes, materials and joints; and what it cannot.
#pragma once

#include "common/certificate_text.h"
#include "rigor/simulation.h"

namespace rigor::app {

/// Fails with one sentence when a certificate has no words for something in the scene.
Result<void> check_certifiable(const Simulation& simulation);

/// The first line.
std::string certificate_header(const Simulation& simulation, double dt);

} // namespace rigor::app
