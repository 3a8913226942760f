#include "literature/single_pass.h"

#include <algorithm>
#include <cmath>

namespace rigor::literature {

using namespace contact_dynamics;

std::vector<Vec3d> single_pass_impulses(const ImpactProblem& problem,
                                        std::span<const ContactFrame> frames,
                                        double baumgarte_rate) {
    std::vector<Vec3d> u = problem.u, impulses(u.size());
    const auto apply_at = [&](std::size_t i, const Vec3d& impulse) {
        impulses[i] += impulse;
        for (const BlockEntry& entry : problem.w.row(i))
            u[entry.column] += problem.w.at(entry.column, i) * impulse;
    };
    for (std::size_t i = 0; i < u.size(); ++i) {
        const Mat3d& k = problem.w.diagonal(i);
        const double bias_velocity = baumgarte_rate * std::max(-frames[i].gap, 0.0);
        const double normal =
            std::max((-(1 + problem.restitution[i]) * u[i].z + bias_velocity) / k(2, 2), 0.0);
        apply_at(i, {0, 0, normal});
        const double slip = std::sqrt(u[i].x * u[i].x + u[i].y * u[i].y);
        if (!(slip > 0)) continue;
        const Vec3d along{u[i].x / slip, u[i].y / slip, 0};
        const double stop = slip / dot(along, k * along);
        apply_at(i, along * -std::min(stop, problem.friction[i] * normal));
    }
    return impulses;
}

} // namespace rigor::literature
