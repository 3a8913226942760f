#include "literature/single_pass.h"

#include <algorithm>
#include <cmath>

#include "base/deadline.h"

namespace rigor::literature {

using namespace contact_dynamics;

namespace {

/// Impulses so far, and the velocities that they leave.
struct ImpulsePass {
    const ImpactProblem& problem;
    std::vector<Vec3d> u = problem.u, impulses = std::vector<Vec3d>(problem.u.size());

    void apply(std::size_t i, const Vec3d& impulse) {
        impulses[i] += impulse;
        for (const BlockEntry& entry : problem.w.row(i))
            u[entry.column] += problem.w.at(entry.column, i) * impulse;
    }
};

} // namespace

std::vector<Vec3d> single_pass_impulses(const ImpactProblem& problem,
                                        std::span<const ContactFrame> frames, double baumgarte_rate,
                                        double ignored_speed) {
    ImpulsePass pass{problem};
    const std::vector<Vec3d>& u = pass.u;
    for (std::size_t i = 0; i < u.size() && !deadline_has_passed(); ++i) {
        if (ignored_speed > 0 && u[i].z >= -ignored_speed) continue;
        const Mat3d& k = problem.w.diagonal(i);
        const double bias_velocity = baumgarte_rate * std::max(-frames[i].gap, 0.0);
        const double wanted = std::max(-problem.restitution[i] * u[i].z, bias_velocity);
        const double normal = std::max((wanted - u[i].z) / k(2, 2), 0.0);
        pass.apply(i, {0, 0, normal});
        const double slip = std::sqrt(u[i].x * u[i].x + u[i].y * u[i].y);
        if (!(slip > 0)) continue;
        const Vec3d along{u[i].x / slip, u[i].y / slip, 0};
        const double stop = slip / dot(along, k * along);
        pass.apply(i, along * -std::min(stop, problem.friction[i] * normal));
    }
    return std::move(pass.impulses);
}

std::vector<Vec3d> signed_impulses(const ImpactProblem& problem,
                                   std::span<const ContactFrame> frames) {
    ImpulsePass pass{problem};
    for (std::size_t i = 0; i < pass.u.size() && !deadline_has_passed(); ++i)
        if (frames[i].gap < 0)
            pass.apply(
                i,
                {0, 0, -(1 + problem.restitution[i]) * pass.u[i].z / problem.w.diagonal(i)(2, 2)});
    return std::move(pass.impulses);
}

} // namespace rigor::literature
