#include "literature/penalty_springs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "contact_dynamics/contact_problem.h"
#include "math/trig.h"

namespace rigor::literature {
namespace {

/// Joints are left out: they only take motion away from contacts.
Island without_joints(const Island& island) {
    Island without;
    without.bodies = island.bodies;
    without.motion = island.motion;
    return without;
}

double reduced_mass(const BodyKinematics& a, const BodyKinematics& b) {
    const double inverse = max_component(a.inv_mass) + max_component(b.inv_mass);
    return inverse > 0 ? 1 / inverse : 0;
}

/// The damping ratio with which a spring gives back e of the speed.
double damping_ratio(double restitution) {
    if (restitution <= 0) return 1;
    const double l = log(std::min(restitution, 1.0));
    return -l / std::sqrt(std::numbers::pi * std::numbers::pi + l * l);
}

/// A bound of how much an impulse along the surface moves along it.
double tangential_bound(const Mat3d& w) {
    return std::max(std::abs(w(0, 0)) + std::abs(w(0, 1)), std::abs(w(1, 0)) + std::abs(w(1, 1)));
}

// Pressed with all others a spring swings at the rate ω with ω² = Σ W_ij k_j. The damper for a
// ratio ζ is 2 ζ k/ω; under a ball that is 2 ζ sqrt(k m). Others that push the other way, as those
// on top of a body, could make ω nothing: it is at least that of half the spring by itself.
void set_damping(std::span<ContactSpring> springs, const BlockMatrix& w,
                 std::span<const Contact> contacts) {
    for (std::size_t i = 0; i < springs.size(); ++i) {
        double normal_rate_squared = 0, tangential_rate_squared = 0;
        for (const BlockEntry& entry : w.row(i)) {
            const double k = springs[entry.column].stiffness;
            normal_rate_squared += entry.block(2, 2) * k;
            tangential_rate_squared += tangential_bound(entry.block) * k;
        }
        const double k = springs[i].stiffness;
        const double rate_squared = std::max(0.5 * w.diagonal(i)(2, 2) * k, normal_rate_squared);
        const double ratio = damping_ratio(contacts[i].material.restitution);
        if (rate_squared > 0) springs[i].damping = 2 * ratio * k / std::sqrt(rate_squared);
        if (tangential_rate_squared > 0)
            springs[i].tangential_damping = 2 * k / std::sqrt(tangential_rate_squared);
    }
}

// Momentum first, then position, is stable where 2 h γ + h² ω² < 4 with the largest eigenvalues γ
// of W times the dampers and ω² of W times the springs: sums over rows are bounds of them. A
// quarter is left for what is not linear.
double max_stable_time_step(std::span<const ContactSpring> springs, const BlockMatrix& w) {
    double max_step = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < springs.size(); ++i) {
        Vec3d damping_sum, rate_squared;
        for (const BlockEntry& entry : w.row(i)) {
            const auto& [k, damping, tangential_damping] = springs[entry.column];
            const Mat3d size{abs(entry.block.cx), abs(entry.block.cy), abs(entry.block.cz)};
            damping_sum += (size.cx + size.cy) * tangential_damping + size.cz * damping;
            rate_squared += (size.cx + size.cy + size.cz) * k;
        }
        for (int row = 0; row < 3; ++row) {
            const double sum = damping_sum[row] + std::sqrt(damping_sum[row] * damping_sum[row] +
                                                            3 * rate_squared[row]);
            if (sum > 0) max_step = std::min(max_step, 3 / sum);
        }
    }
    return max_step;
}

} // namespace

ContactSprings contact_springs(const WorldState& state, const MethodParts& method,
                               const Island& island) {
    constexpr double kStepsPerRadian = 10; // of the swing of a body on one spring
    const double g = length(state.gravity) > 0 ? length(state.gravity) : 9.81;
    ContactSprings springs;
    springs.max_time_step = std::sqrt(method.penalty_depth / g) / kStepsPerRadian;
    if (island.contacts.empty()) return springs;
    const ContactProblem problem(state, without_joints(island), island.contacts);
    for (const Contact& c : island.contacts) {
        const double mass = reduced_mass(problem.bodies()[c.a], problem.bodies()[c.b]);
        springs.at.push_back({mass * g / method.penalty_depth});
    }
    const BlockMatrix w = problem.matrix();
    set_damping(springs.at, w, island.contacts);
    springs.max_time_step = std::min(springs.max_time_step, max_stable_time_step(springs.at, w));
    return springs;
}

} // namespace rigor::literature
