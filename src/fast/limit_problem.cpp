#include "fast/limit_problem.h"

#include <algorithm>
#include <cmath>

namespace rigor::fast {
namespace {

// Of redundant limits, over their response: so that they share a load.
constexpr double kCompliance = 1e-7;
// A rate is no violation if it is this part of those that impulses made of it.
constexpr double kRoundoff = 1e-10;

} // namespace

void NonnegativeProblem::resize(std::size_t count) {
    a_.assign(count * count, 0);
    b.assign(count, 0);
    u.assign(count, 0);
}

void NonnegativeProblem::solve() {
    const std::size_t n = b.size();
    u.assign(n, 0);
    acting_.clear();
    scale_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        a(i, i) *= 1 + kCompliance;
        scale_[i] = a(i, i) > 0 ? 1 / std::sqrt(a(i, i)) : 0;
    }
    const std::size_t most = 10 + 3 * n;
    for (std::size_t k = 0; k < most && improve(); ++k) {}
}

/// Lets the limit act that would be passed most. Returns whether there is one.
bool NonnegativeProblem::improve() {
    const std::size_t n = b.size();
    std::size_t worst = n;
    double least = 0;
    for (std::size_t i = 0; i < n; ++i) {
        if (std::find(acting_.begin(), acting_.end(), i) != acting_.end()) continue;
        double rate = b[i], size = std::abs(b[i]);
        for (std::size_t j = 0; j < n; ++j) {
            rate += a(i, j) * u[j];
            size += std::abs(a(i, j) * u[j]);
        }
        if (rate * scale_[i] < least && rate < -kRoundoff * size) {
            least = rate * scale_[i];
            worst = i;
        }
    }
    if (worst == n) return false;
    acting_.push_back(static_cast<std::uint32_t>(worst));
    while (!acting_.empty()) {
        solve_for_acting();
        // As far as none of them pulls.
        double part = 1;
        for (std::size_t k = 0; k < acting_.size(); ++k)
            if (next_[k] <= 0) {
                const double now = u[acting_[k]];
                part = std::min(part, now > 0 ? now / (now - next_[k]) : 0.0);
            }
        for (std::size_t k = 0; k < acting_.size(); ++k) {
            double& value = u[acting_[k]];
            value += part * (next_[k] - value);
            if (next_[k] <= 0 && !(value > kRoundoff * std::abs(next_[k]))) value = 0;
        }
        if (part == 1) return true;
        std::erase_if(acting_, [&](std::uint32_t i) { return u[i] == 0; });
    }
    return true;
}

/// Cholesky's factors of the rows that act, and their solution.
void NonnegativeProblem::solve_for_acting() {
    const std::size_t n = acting_.size();
    factor_.assign(n * n, 0);
    next_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = a(acting_[i], acting_[j]);
            for (std::size_t k = 0; k < j; ++k) sum -= factor_[i * n + k] * factor_[j * n + k];
            if (j < i) {
                factor_[i * n + j] = sum * factor_[j * n + j];
            } else {
                const double least = kCompliance * a(acting_[i], acting_[i]);
                factor_[i * n + i] = 1 / std::sqrt(std::max({sum, least, 1e-300})); // the inverse
            }
        }
        double sum = -b[acting_[i]];
        for (std::size_t k = 0; k < i; ++k) sum -= factor_[i * n + k] * next_[k];
        next_[i] = sum * factor_[i * n + i];
    }
    for (std::size_t i = n; i-- > 0;) {
        next_[i] *= factor_[i * n + i];
        for (std::size_t k = 0; k < i; ++k) next_[k] -= factor_[i * n + k] * next_[i];
    }
}

LimitProblem::Limit* LimitProblem::find(std::uint32_t joint, std::uint32_t dof) {
    for (Limit& limit : limits)
        if (limit.joint == joint && limit.dof == dof) return &limit;
    return nullptr;
}

// The change z of an impulse leaves open - z = side * u of it, and the rate r - A z.
void LimitProblem::solve() {
    const std::size_t n = limits.size();
    problem_.resize(n);
    const auto response = [&](std::size_t i, std::size_t j) {
        return limits[std::max(i, j)].responses[std::min(i, j)];
    };
    const auto side = [&](std::size_t i) { return static_cast<double>(limits[i].side); };
    for (std::size_t i = 0; i < n; ++i) {
        double rate = limits[i].rate;
        for (std::size_t j = 0; j < n; ++j) {
            rate -= response(i, j) * limits[j].open;
            problem_.a(i, j) = side(i) * response(i, j) * side(j);
        }
        problem_.b[i] = side(i) * rate;
    }
    problem_.solve();
    for (std::size_t i = 0; i < n; ++i) limits[i].change = limits[i].open - side(i) * problem_.u[i];
}

} // namespace rigor::fast
