#include "resting/resting_forces.h"

#include <algorithm>
#include <cmath>

#include "numeric/lcp.h"
#include "resting/resting_forces_lp.h"

namespace rigor::contact_dynamics {
namespace {

constexpr double kTolerance = 1e-8;

std::vector<double> forces_by(RestingRule rule, const DenseMatrix& m, std::span<const double> b) {
    if (rule == RestingRule::lp) return lp_forces(m, b);
    const LcpResult result = solve_lcp_least_norm(m, b);
    return result.status == LcpStatus::solved ? result.z : std::vector<double>{};
}

double largest(std::span<const double> v) {
    double result = 0;
    for (const double x : v) result = std::max(result, std::abs(x));
    return result;
}

} // namespace

RestingForces resting_forces(RestingRule rule, const DenseMatrix& m, std::span<const double> b) {
    RestingForces result;
    if (m.rows() != b.size() || m.columns() != b.size()) return result;
    result.f = forces_by(rule, m, b);
    result.f.resize(b.size(), 0.0);
    const std::vector<double> a = accelerations(m, b, result.f);
    const double zero_a = kTolerance * largest(b), zero_f = kTolerance * largest(result.f);
    result.no_approach = result.no_pull = result.no_work = true;
    for (std::size_t i = 0; i < a.size(); ++i) {
        result.vanishing.push_back(a[i] > zero_a);
        result.no_approach = result.no_approach && a[i] >= -zero_a;
        result.no_pull = result.no_pull && result.f[i] >= -zero_f;
        result.no_work = result.no_work && (a[i] <= zero_a || result.f[i] <= zero_f);
    }
    return result;
}

} // namespace rigor::contact_dynamics
