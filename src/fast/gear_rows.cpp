#include "fast/gear_rows.h"

#include <algorithm>
#include <cmath>

namespace rigor::fast {
namespace {

double squared_arm(const JointBlock<1>& block) {
    constexpr double kLeastArm = 1e-3; // m
    if (block.layout.type != JointType::slider) return 1;
    const Vec3f a = vector_at<1>(block.current_anchor_a, 0),
                b = vector_at<1>(block.current_anchor_b, 0);
    return static_cast<double>(dot(a, a) + dot(b, b)) + kLeastArm * kLeastArm;
}

/// What an error of the driven coordinate is measured by: as an angle of the joint that turns less.
double unit_of(const GearConstraint& gear) {
    const auto ratio = static_cast<double>(gear.ratio);
    return std::sqrt(std::max(squared_arm(gear.driven), ratio * ratio * squared_arm(gear.driving)));
}

/// Of an error that is there already the part that a substep removes.
double removed(const GearConstraint& gear, double part, const JointSolveSettings& settings) {
    const double most =
        static_cast<double>(gear.driven.max_bias_velocity[0]) / static_cast<double>(settings.inv_h);
    return std::clamp(part * static_cast<double>(gear.error), -most, most);
}

} // namespace

void push(const GearConstraint& gear, const SolverBodies& masses, SolverBody* bodies) {
    for (const GearConstraint::BodyRow& row : gear.rows) {
        const SolverMass& mass = masses.mass_of(row.body);
        const Vec3f v = row.linear * mass.inv_mass, w = mass.inv_inertia * row.angular;
        bodies[row.body.index()].velocity = {v.x, v.y, v.z, w.x, w.y, w.z, 0, 0};
    }
}

// Where the joints and the gears before it leave a gear no freedom its pivot is roundoff. Such a
// gear gives way, as rows of loops do.
void factor_gear(std::span<GearConstraint> gears, std::size_t i, const SolverBody* pushed) {
    constexpr double kRedundant = 1e-5; // of the response without joints
    GearConstraint& gear = gears[i];
    gear.factors.assign(i + 1, 0);
    const auto entry = [&](std::size_t j) {
        double s = rate_of(gears[j], pushed);
        for (std::size_t k = 0; k < gear.coupled.size(); ++k)
            s -= static_cast<double>(gears[j].coupled[k]) * static_cast<double>(gear.carried[k]);
        return s;
    };
    // L D Lᵀ: of the rows before, factors[j] is 1/D.
    std::vector<double>& l = gear.factors;
    for (std::size_t j = 0; j < i; ++j) {
        l[j] = entry(j);
        for (std::size_t k = 0; k < j; ++k)
            l[j] -= l[k] * gears[j].factors[k]; // l[k] is L D as yet
    }
    const double alone = rate_of(gear, pushed);
    double pivot = entry(i);
    for (std::size_t j = 0; j < i; ++j) {
        const double with_pivot = l[j];
        l[j] *= gears[j].factors[j];
        pivot -= l[j] * with_pivot;
    }
    const double least = kRedundant * alone;
    const double redundant = least * least / (least * least + pivot * pivot);
    gear.compliance = alone > 0 ? kLoopCompliance * alone * redundant : 0;
    const double whole = std::max(pivot, 0.0) + gear.compliance;
    l[i] = whole > 0 ? 1 / whole : 0;
}

void solve_gears(std::span<GearConstraint> gears) {
    for (std::size_t i = 0; i < gears.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            gears[i].residual -= gears[i].factors[j] * gears[j].residual;
    for (std::size_t i = gears.size(); i-- > 0;) {
        gears[i].residual *= gears[i].factors[i];
        for (std::size_t j = i + 1; j < gears.size(); ++j)
            gears[i].residual -= gears[j].factors[i] * gears[j].residual;
    }
}

void find_gear_residuals(std::span<GearConstraint> gears, const SolverBody* bodies,
                         const JointSolveSettings& settings) {
    for (GearConstraint& gear : gears) {
        gear.residual = rate_of(gear, bodies);
        if (settings.use_bias)
            gear.residual += removed(gear, 1, settings) * static_cast<double>(settings.inv_h);
    }
}

void add_compliance(std::span<GearConstraint> gears, const JointSolveSettings& settings) {
    for (GearConstraint& gear : gears) {
        const float before = settings.use_bias ? 0 : gear.second_half;
        gear.residual += gear.compliance * static_cast<double>(gear.impulse - before);
    }
}

float find_gear_errors_ahead(std::span<GearConstraint> gears, const SolverBodies& bodies,
                             const SolverBody* ahead, const JointSolveSettings& settings) {
    double largest = 0;
    const auto inv_h = static_cast<double>(settings.inv_h);
    for (GearConstraint& gear : gears) {
        const double left = static_cast<double>(gear.error) -
                            removed(gear, static_cast<double>(settings.correction), settings);
        const double error = error_ahead(gear, bodies, ahead, 1 / settings.inv_h) - left +
                             gear.compliance * static_cast<double>(gear.impulse) / inv_h;
        gear.residual = error * inv_h;
        const double angle = error / unit_of(gear);
        largest = std::max(largest, angle * angle);
    }
    return static_cast<float>(largest);
}

void subtract_gear_impulses(std::span<GearConstraint> gears, SolverBodies& bodies) {
    for (GearConstraint& gear : gears) {
        const auto change = static_cast<float>(-gear.residual);
        gear.impulse += change;
        apply_impulse(gear, change, bodies);
    }
}

} // namespace rigor::fast
