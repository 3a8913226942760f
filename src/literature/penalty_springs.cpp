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
    Island loose;
    loose.bodies = island.bodies;
    loose.motion = island.motion;
    return loose;
}

double reduced_mass(const BodyMoment& a, const BodyMoment& b) {
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
double along(const Mat3d& w) {
    return std::max(std::abs(w(0, 0)) + std::abs(w(0, 1)), std::abs(w(1, 0)) + std::abs(w(1, 1)));
}

// Pressed with all others a spring swings at the rate ω with ω² = Σ W_ij k_j. The damper for a
// ratio ζ is 2 ζ k/ω; under a ball that is 2 ζ sqrt(k m). Others that push the other way, as those
// on top of a body, could make ω nothing: it is at least that of half the spring by itself.
void add_dampers(std::span<ContactSpring> springs, const BlockMatrix& w,
                 std::span<const Contact> contacts) {
    for (std::size_t i = 0; i < springs.size(); ++i) {
        double together = 0, sideways = 0;
        for (const BlockEntry& entry : w.row(i)) {
            const double k = springs[entry.column].stiffness;
            together += entry.block(2, 2) * k;
            sideways += along(entry.block) * k;
        }
        const double k = springs[i].stiffness;
        const double square = std::max(0.5 * w.diagonal(i)(2, 2) * k, together);
        const double ratio = damping_ratio(contacts[i].material.restitution);
        if (square > 0) springs[i].damper = 2 * ratio * k / std::sqrt(square);
        if (sideways > 0) springs[i].along_damper = 2 * k / std::sqrt(sideways);
    }
}

// Momentum first, then position, is stable where 2 h γ + h² ω² < 4 with the largest eigenvalues γ
// of W times the dampers and ω² of W times the springs: sums over rows are bounds of them. A
// quarter is left for what is not linear.
double longest_stable_step(std::span<const ContactSpring> springs, const BlockMatrix& w) {
    double longest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < springs.size(); ++i) {
        Vec3d damping, square;
        for (const BlockEntry& entry : w.row(i)) {
            const auto& [k, damper, along_damper] = springs[entry.column];
            const Mat3d size{abs(entry.block.cx), abs(entry.block.cy), abs(entry.block.cz)};
            damping += (size.cx + size.cy) * along_damper + size.cz * damper;
            square += (size.cx + size.cy + size.cz) * k;
        }
        for (int row = 0; row < 3; ++row) {
            const double sum =
                damping[row] + std::sqrt(damping[row] * damping[row] + 3 * square[row]);
            if (sum > 0) longest = std::min(longest, 3 / sum);
        }
    }
    return longest;
}

} // namespace

ContactSprings contact_springs(const WorldState& state, const Assembly& method,
                               const Island& island) {
    constexpr double kStepsPerRadian = 10; // of the swing of a body on one spring
    const double g = length(state.gravity) > 0 ? length(state.gravity) : 9.81;
    ContactSprings springs;
    springs.longest_step = std::sqrt(method.penalty_depth / g) / kStepsPerRadian;
    if (island.contacts.empty()) return springs;
    const ContactProblem problem(state, without_joints(island), island.contacts);
    for (const Contact& c : island.contacts) {
        const double mass = reduced_mass(problem.bodies()[c.a], problem.bodies()[c.b]);
        springs.at.push_back({mass * g / method.penalty_depth});
    }
    const BlockMatrix w = problem.matrix();
    add_dampers(springs.at, w, island.contacts);
    springs.longest_step = std::min(springs.longest_step, longest_stable_step(springs.at, w));
    return springs;
}

} // namespace rigor::literature
