// Simultaneous impacts at several contacts, in contact coordinates: u+ = u + W r, where W includes
// joints and everything else that transmits impulses.
//
// Each contact has three coordinates: two tangents, then the normal, along which u is positive for
// separating bodies and r for compressive impulses.
#pragma once

#include <vector>

#include "numeric/block_matrix.h"
#include "rigor/impact.h"
#include "rigor/settings.h"

namespace rigor::contact_dynamics {

struct ImpactProblem {
    BlockMatrix w;
    std::vector<Vec3d> u;
    std::vector<double> friction, restitution;
};

struct MultiImpactSettings {
    MultiImpact multi = MultiImpact::reflections;
    ImpactLaw law = ImpactLaw::energetic;
    double delta = 1e-3; ///< of laws that step in p
    /// m/s: a slower approach is none, nor is one below 1e-12 of the fastest velocity there is.
    double threshold = 1e-12;
    int max_rounds = 10'000;
    /// Of propagation: the first contact of the list that approaches, as in [Baber 2006], rather
    /// than the fastest.
    bool in_order = false;
};

struct ImpactsOutcome {
    std::vector<Vec3d> r, u; ///< impulses, and velocities after
    int impulses = 0;        ///< how many were applied
    int rounds = 0;
    /// The outcome would be another one in another order: some two contacts that took part make a
    /// wedge, in the metric of kinetic energy, whose angle is not pi/n.
    bool ambiguous = false;
    bool converged = true; ///< false: after max_rounds some still approach
    double energy = 0;     ///< change of kinetic energy
};

/// Where one contact approaches, and none does after it was hit, `law` decides alone and nothing is
/// allocated but the result. Else propagation goes on by `law`; the other two find all normal
/// impulses as if there were no friction, then friction that takes as much energy as impulses of
/// at most mu times the normal ones can, and begin again while contacts approach.
ImpactsOutcome solve_impacts(const ImpactProblem& problem,
                             const MultiImpactSettings& settings = {});

} // namespace rigor::contact_dynamics
