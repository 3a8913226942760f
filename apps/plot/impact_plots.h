// Plots of one impact with friction [Baber 2011].
#pragma once

#include <string>

#include "plot.h"
#include "rigor/impact.h"

namespace rigor::plot {

/// The way through it: u over the normal impulse, along the normal above, sliding below, phases of
/// compression and decompression shaded.
Plot way_through(const ContactImpact& impact, ImpactLaw law, double delta,
                 const std::string& title);

/// All ways that sliding can take with this K and friction, as in figure 4 of [Baber 2011]:
/// rays of constant sliding, the ways from all sides, where they lead, and among them the way of
/// this impact, at a scale at which it begins on the unit circle.
Plot portrait(const ContactImpact& impact, const std::string& title);

} // namespace rigor::plot
