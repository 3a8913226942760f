// Simultaneous impacts at several contacts, in contact coordinates: u+ = u + W r, where W includes
// joints and everything else that transmits impulses.
//
// Each contact has three coordinates: two tangents, then the normal, along which u is positive for
// separating bodies and r for compressive impulses.
#pragma once

#include <cstdint>
#include <vector>

#include "numeric/block_matrix.h"
#include "rigor/impact.h"
#include "rigor/settings.h"

namespace rigor::contact_dynamics {

struct ImpactProblem {
    BlockMatrix w;
    std::vector<Vec3d> u;
    std::vector<double> friction, restitution;
    /// Where given: the restitution of contacts that approach more slowly than `slow_speed`, m/s.
    /// Reflections take the speed at the start.
    std::vector<double> slow_restitution = {};
    double slow_speed = 0;
};

struct MultiImpactSettings {
    MultiImpact multi = MultiImpact::reflections;
    ImpactLaw law = ImpactLaw::energetic;
    ImpulseStep delta = {}; ///< of laws that step in p
    /// Laws that step in p are replaced by their closed form where both bodies move in a plane
    /// [Baber 2011, 5.2].
    bool planar_in_plane = false;
    /// m/s: a slower approach is ignored, as is one below 1e-12 of the largest velocity.
    double threshold = 1e-12;
    int max_rounds = 10'000;
    /// For propagation: the first approaching contact of the list, as in [Baber 2006], rather than
    /// the fastest.
    bool in_order = false;
};

struct ImpactsOutcome {
    std::vector<Vec3d> r, u; ///< impulses, and velocities after
    int impulses = 0;        ///< number of applied impulses
    int rounds = 0;
    std::uint64_t products = 0; ///< of blocks of W with impulses applied: a measure of the work
    /// The outcome depends on the order of contacts: some two contacts that took part form a wedge,
    /// in the metric of kinetic energy, whose angle is not pi/n.
    bool ambiguous = false;
    bool converged = true; ///< false: some contacts still approach after max_rounds
    double energy = 0;     ///< change of kinetic energy
};

/// Where one contact approaches, and none does after its impact, `law` alone is used and nothing is
/// allocated but the result. Otherwise propagation continues by `law`; the other two rules find all
/// normal impulses as if there were no friction, then the friction that dissipates the most energy
/// with impulses of at most mu times the normal ones, and repeat while contacts approach.
ImpactsOutcome solve_impacts(const ImpactProblem& problem,
                             const MultiImpactSettings& settings = {});

} // namespace rigor::contact_dynamics
