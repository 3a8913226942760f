#include "literature/micro_collisions.h"

#include <algorithm>
#include <cmath>

namespace rigor::literature {

using namespace contact_dynamics;

namespace {

/// A contact that is to separate at a speed.
struct RaisedContact {
    std::size_t i = 0;
    double target = 0, impulse = 0;
};

std::vector<RaisedContact> raised_contacts(const ImpactProblem& problem, double least_speed) {
    std::vector<RaisedContact> raised;
    for (std::size_t i = 0; i < problem.u.size(); ++i) {
        const double u = problem.u[i].z;
        if (u < 0 && u > -problem.slow_speed)
            raised.push_back({i, problem.slow_restitution[i] * std::max(-u, least_speed)});
    }
    return raised;
}

void apply(const ImpactProblem& problem, std::size_t i, const Vec3d& impulse,
           ImpactsOutcome& outcome) {
    outcome.r[i] += impulse;
    for (const BlockEntry& entry : problem.w.row(i))
        outcome.u[entry.column] += transpose_multiply(entry.block, impulse);
    ++outcome.impulses;
}

/// The impulse against the slip of a contact, of at most `limit`.
Vec3d friction_impulse(const Mat3d& k, const Vec3d& u, double limit) {
    const double slip = std::sqrt(u.x * u.x + u.y * u.y);
    if (!(slip > 0) || !(limit > 0)) return {};
    const Vec3d along{u.x / slip, u.y / slip, 0};
    return along * -std::min(slip / dot(along, k * along), limit);
}

} // namespace

double micro_restitution(double restitution, double gap, double contact_distance) {
    return std::max(restitution, std::clamp(2 * (1 - gap / contact_distance), 0.0, 1.0));
}

double micro_interval(double gravity, double contact_distance) {
    constexpr double kIntervalsPerFall = 5;
    return std::sqrt(2 * contact_distance / gravity) / kIntervalsPerFall;
}

double least_micro_speed(double gravity, double contact_distance) {
    return gravity > 0 ? 0.5 * gravity * micro_interval(gravity, contact_distance) : 0;
}

void prevent_sinking(const ImpactProblem& problem, double least_speed, ImpactsOutcome& outcome) {
    constexpr int kMaxSweeps = 100;
    constexpr double kTolerance = 0.01; // of the fastest target
    std::vector<RaisedContact> raised = raised_contacts(problem, least_speed);
    double fastest = 0;
    for (const RaisedContact& contact : raised) fastest = std::max(fastest, contact.target);
    for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
        double missing = 0;
        for (auto& [i, target, impulse] : raised) {
            const double lacks = target - outcome.u[i].z;
            missing = std::max(missing, lacks);
            const double step = std::max(lacks / problem.w.diagonal(i)(2, 2), -impulse);
            if (step == 0) continue;
            impulse += step;
            apply(problem, i, {0, 0, step}, outcome);
        }
        if (missing <= kTolerance * fastest) break;
    }
    for (const auto& [i, target, impulse] : raised)
        apply(problem, i,
              friction_impulse(problem.w.diagonal(i), outcome.u[i], problem.friction[i] * impulse),
              outcome);
}

} // namespace rigor::literature
