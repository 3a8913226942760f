#include "resting/resting_forces_lp.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/deadline.h"
#include "numeric/lp.h"

namespace rigor::contact_dynamics {
namespace {

constexpr double kVanishing = 1e-8; // an acceleration, over the largest without forces

// Everything over its largest number: the tolerances of the simplex method are absolute.
struct Scaled {
    DenseMatrix m;
    std::vector<double> b;
    double unit = 0;  ///< of the forces; 0 where there is nothing to do
    double slack = 0; ///< by which all accelerations may differ
};

Scaled scale(const DenseMatrix& m, std::span<const double> b) {
    double largest_m = 0, largest_b = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
        largest_b = std::max(largest_b, std::abs(b[i]));
        for (std::size_t j = 0; j < b.size(); ++j)
            largest_m = std::max(largest_m, std::abs(m(i, j)));
    }
    Scaled scaled{m, {b.begin(), b.end()}};
    if (!(largest_m > 0) || !(largest_b > 0)) return scaled;
    for (std::size_t i = 0; i < b.size(); ++i) {
        scaled.b[i] /= largest_b;
        for (std::size_t j = 0; j < b.size(); ++j) scaled.m(i, j) /= largest_m;
    }
    scaled.unit = largest_b / largest_m;
    return scaled;
}

// The least sum of f >= 0 with M f >= -b. Of a contact that stays the row is an equation, written
// as a second inequality; of one that vanishes the column is zero. Empty when there is none.
std::vector<double> least_sum(const Scaled& p, const std::vector<bool>& stays,
                              const std::vector<bool>& vanishes) {
    if (deadline_has_passed()) return {};
    const std::size_t n = p.b.size();
    const std::size_t equations =
        static_cast<std::size_t>(std::count(stays.begin(), stays.end(), true));
    DenseMatrix a(n + equations, n);
    std::vector<double> right;
    for (std::size_t i = 0; i < n; ++i) {
        right.push_back(-p.b[i] - p.slack);
        for (std::size_t j = 0; j < n; ++j) a(i, j) = vanishes[j] ? 0 : p.m(i, j);
    }
    for (std::size_t i = 0; i < n; ++i) {
        if (!stays[i]) continue;
        for (std::size_t j = 0; j < n; ++j) a(right.size(), j) = -a(i, j);
        right.push_back(p.b[i] - p.slack);
    }
    const LpResult result = solve_lp(std::vector<double>(n, 1.0), a, right);
    return result.status == LpStatus::optimal ? result.x : std::vector<double>{};
}

std::vector<double> find_forces(const Scaled& p) {
    const std::size_t n = p.b.size();
    const std::vector<bool> none(n, false), all(n, true);
    if (const std::vector<double> f = least_sum(p, all, none); !f.empty()) return f;

    const std::vector<double> approximate = least_sum(p, none, none);
    if (approximate.empty()) return {};
    std::vector<bool> stays, vanishes;
    for (const double a : accelerations(p.m, p.b, approximate)) {
        vanishes.push_back(a > kVanishing);
        stays.push_back(!(a > kVanishing));
    }
    const std::vector<double> exact = least_sum(p, stays, vanishes);
    return exact.empty() ? approximate : exact;
}

/// Contacts that hold a body twice agree to the last digits only, and it may take forces without
/// bounds to make them agree: then they need not.
std::vector<double> find_bounded_forces(Scaled p) {
    constexpr double kMaxMeanForce =
        1e4; // a contact, where the largest of weights and couplings are 1
    for (const double slack : {1e-11, 1e-9, 1e-7, 1e-5, 1e-3}) {
        p.slack = slack;
        const std::vector<double> f = find_forces(p);
        const double sum = std::accumulate(f.begin(), f.end(), 0.0);
        if (!f.empty() && sum <= kMaxMeanForce * static_cast<double>(f.size())) return f;
    }
    return {};
}

} // namespace

std::vector<double> accelerations(const DenseMatrix& m, std::span<const double> b,
                                  std::span<const double> f) {
    std::vector<double> a(b.begin(), b.end());
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < f.size(); ++j) a[i] += m(i, j) * f[j];
    return a;
}

std::vector<double> lp_forces(const DenseMatrix& m, std::span<const double> b) {
    const Scaled scaled = scale(m, b);
    if (scaled.unit == 0) return std::vector<double>(b.size(), 0.0);
    std::vector<double> f = find_bounded_forces(scaled);
    for (double& x : f) x = std::max(x, 0.0) * scaled.unit;
    return f;
}

} // namespace rigor::contact_dynamics
