// Plots of one impact with friction [Baber 2011].
#pragma once

#include <string>

#include "plot.h"
#include "rigor/impact.h"

namespace rigor::plot {

/// The path of an impact: u over the normal impulse, the normal velocity above, the sliding
/// velocity below, with phases of compression and decompression shaded.
Plot plot_impact_path(const ContactImpact& impact, ImpactLaw law, double delta,
                      const std::string& title);

/// Phase portrait of the sliding velocity for this K and friction, as in figure 4 of [Baber 2011]:
/// rays of constant sliding direction, trajectories from all sides, their limits, and among them
/// the trajectory of this impact, scaled to begin on the unit circle.
Plot portrait(const ContactImpact& impact, const std::string& title);

} // namespace rigor::plot
