// Frictionless complementarity problems over a subset of contacts.
#pragma once

#include <optional>

#include "multi_impact/multi_impact_state.h"
#include "numeric/lcp.h"

namespace rigor::contact_dynamics {

enum class NormalEffort {
    best,  ///< always some result
    proof, ///< no result proves that there is no solution
};

/// Impulses r >= 0 at the contacts `chosen`, with w = A r + q >= 0 and r·w = 0; of several
/// solutions the one of least norm, which preserves symmetry.
std::optional<std::vector<double>> solve_normal(const ImpactProblem& problem,
                                                const std::vector<std::size_t>& chosen,
                                                const std::vector<double>& q,
                                                NormalEffort effort = NormalEffort::best);

} // namespace rigor::contact_dynamics
