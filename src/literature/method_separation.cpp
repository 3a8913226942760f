#include "literature/method_separation.h"

#include <algorithm>
#include <cmath>

#include "contact_dynamics/contact_detection.h"
#include "contact_dynamics/resolve_event.h"
#include "literature/pair_gaps.h"

namespace rigor::literature {
namespace {

bool contains(std::span<const ShapePair> pairs, const ShapePair& pair) {
    return std::find(pairs.begin(), pairs.end(), pair) != pairs.end();
}

/// n (x_b - x_a) >= needed.
struct SeparationRow {
    std::uint32_t a = 0, b = 0;
    Vec3d normal;
    double needed = 0;
    Vec3d share_a, share_b; ///< displacements by one unit of the multiplier
    double multiplier = 0;
};

/// Whether the last row keeps the same bodies apart in the same direction.
bool is_parallel(std::span<const SeparationRow> rows, const SeparationRow& row) {
    return !rows.empty() && rows.back().a == row.a && rows.back().b == row.b &&
           dot(rows.back().normal, row.normal) > 1 - 1e-15;
}

std::vector<SeparationRow> separation_rows(const WorldState& state, double distance, double margin,
                                           const std::vector<ShapePair>& chosen, Island& island) {
    std::vector<Contact> contacts;
    for (const ShapePair& pair : island.pairs) find_contacts(state, island, pair, margin, contacts);
    const std::vector<BodyKinematics> bodies = kinematics_of(state, island);
    std::vector<SeparationRow> rows;
    for (const Contact& c : contacts) {
        const ContactFrame frame = frame_of(c, bodies);
        const double missing = distance - frame.gap;
        const double needed = contains(chosen, c.shapes) ? missing : std::min(missing, 0.0);
        const auto share = [&](std::uint32_t i) {
            return Vec3d{bodies[i].inv_mass.x * frame.normal.x,
                         bodies[i].inv_mass.y * frame.normal.y,
                         bodies[i].inv_mass.z * frame.normal.z};
        };
        const SeparationRow row{c.a, c.b, frame.normal, needed, share(c.a), share(c.b), 0};
        if (!(dot(row.normal, row.share_a + row.share_b) > 0)) continue;
        if (is_parallel(rows, row)) // the points of one manifold
            rows.back().needed = std::max(rows.back().needed, needed);
        else
            rows.push_back(row);
    }
    return rows;
}

/// Projected Gauss-Seidel on the multipliers, over-relaxed after some sweeps: the contacts of a
/// stack depend on each other. Where bodies are wedged in there is no solution, and the sweeps end
/// without one.
std::vector<Vec3d> least_displacement(std::vector<SeparationRow>& rows, std::size_t bodies,
                                      double tolerance) {
    constexpr int kMaxSweeps = 1000, kPlainSweeps = 5;
    constexpr double kOverRelaxation = 1.6;
    std::vector<Vec3d> x(bodies);
    for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
        const double relaxation = sweep < kPlainSweeps ? 1 : kOverRelaxation;
        double worst = 0;
        for (SeparationRow& row : rows) {
            const double missing = row.needed - dot(row.normal, x[row.b] - x[row.a]);
            const double response = dot(row.normal, row.share_a + row.share_b);
            const double step = std::max(relaxation * missing / response, -row.multiplier);
            row.multiplier += step;
            x[row.a] -= row.share_a * step;
            x[row.b] += row.share_b * step;
            worst = std::max(worst, missing);
        }
        if (worst <= tolerance) break;
    }
    return x;
}

double largest(std::span<const Vec3d> displacements) {
    double most = 0;
    for (const Vec3d& x : displacements) most = std::max(most, length(x));
    return most;
}

/// Whether a pair overlaps that did not before, or more than it did.
bool any_worse(std::span<const double> before, std::span<const double> after) {
    for (std::size_t i = 0; i < before.size(); ++i)
        if (!(after[i] > 0) && after[i] < before[i]) return true;
    return false;
}

/// Moves the bodies by as much of their displacements as lets no pair overlap: a mesh may be in the
/// way where no contact was near.
bool displace(const PairGaps& gaps, std::span<const Vec3d> displacements, Island& island) {
    const std::vector<double> before = gaps.of(island);
    const std::vector<BodyMotion> start = island.motion;
    for (double share = 1; share > 1e-3; share *= 0.5) {
        for (std::size_t i = 0; i < displacements.size(); ++i)
            island.motion[i].x = start[i].x + displacements[i] * share;
        if (!any_worse(before, gaps.of(island))) return true;
    }
    island.motion = start;
    return false;
}

/// Whether all these pairs are at least half of the distance apart.
bool are_apart(const PairGaps& gaps, const std::vector<ShapePair>& pairs, double distance,
               const Island& island) {
    return std::all_of(pairs.begin(), pairs.end(), [&](const ShapePair& pair) {
        return gaps.at(pair, island) >= 0.5 * distance;
    });
}

} // namespace

std::vector<ShapePair> pairs_to_separate(const WorldState& state, const MethodState& step,
                                         std::size_t impulses_before) {
    std::vector<ShapePair> pairs;
    const auto add_pair = [&](const ShapePair& pair) {
        if (!contains(pairs, pair)) pairs.push_back(pair);
    };
    for (const Contact& c : step.island.contacts) add_pair(c.shapes);
    const std::vector<BodyKinematics> bodies = kinematics_of(state, step.island);
    for (const Contact& c : step.contacts)
        if (!(frame_of(c, bodies).gap > 0)) add_pair(c.shapes);
    for (const ShapePair& pair : step.blocked) {
        const bool was_hit =
            std::any_of(step.impulses.begin() + static_cast<std::ptrdiff_t>(impulses_before),
                        step.impulses.end(),
                        [&](const ContactImpulse& impulse) { return impulse.shapes == pair; });
        if (!was_hit) add_pair(pair);
    }
    return pairs;
}

bool separate(const WorldState& state, const MethodParts& method,
              const std::vector<ShapePair>& pairs, MethodState& step) {
    constexpr int kMaxRounds = 30; // joints take back a part of each
    constexpr double kTolerance = 0.01;
    const double distance = method.separation_distance;
    Island& island = step.island;
    const PairGaps gaps(state, island);
    bool moved = false;
    double margin = 2 * distance;
    for (int round = 0; round < kMaxRounds; ++round) {
        std::vector<SeparationRow> rows = separation_rows(state, distance, margin, pairs, island);
        if (std::none_of(rows.begin(), rows.end(),
                         [&](const SeparationRow& row) { return row.needed > 0; }))
            break;
        const std::vector<Vec3d> x =
            least_displacement(rows, island.bodies.size(), kTolerance * distance);
        if (2 * largest(x) > margin) { // others may be in the way farther off
            margin = 4 * largest(x);
            continue;
        }
        if (!displace(gaps, x, island)) break;
        moved = true;
        if (!island.joints.empty()) project_constraints(state, island, &WorkLedger::joints);
        if (are_apart(gaps, pairs, distance, island)) break;
    }
    return moved;
}

double separation_time(const MethodParts& method) {
    return 0.01 * method.separation_distance / std::max(method.resting_speed, 1e-3);
}

} // namespace rigor::literature
