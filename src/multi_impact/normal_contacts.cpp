#include "multi_impact/normal_contacts.h"

namespace rigor::contact_dynamics {

std::optional<std::vector<double>> solve_normal(const ImpactProblem& problem,
                                                const std::vector<std::size_t>& chosen,
                                                const std::vector<double>& q, NormalEffort effort) {
    if (chosen.size() == 1)
        return std::vector{std::max(-q[0] / problem.w.diagonal(chosen[0]).cz.z, 0.0)};
    constexpr std::size_t kAbsent = SIZE_MAX;
    std::vector<std::size_t> place(problem.u.size(), kAbsent);
    for (std::size_t k = 0; k < chosen.size(); ++k) place[chosen[k]] = k;
    DenseMatrix a(chosen.size(), chosen.size());
    for (std::size_t k = 0; k < chosen.size(); ++k)
        for (const BlockEntry& entry : problem.w.row(chosen[k]))
            if (place[entry.column] != kAbsent) a(k, place[entry.column]) = entry.block.cz.z;
    LcpResult result = solve_lcp_least_norm(a, q);
    if (result.status == LcpStatus::solved) return std::move(result.z);
    if (effort == NormalEffort::proof) return {};
    // Rounding made it unsolvable. Descent on the energy is then the best approximation.
    return std::move(solve_lcp_gauss_seidel(a, q).z);
}

} // namespace rigor::contact_dynamics
