#include "literature/method_separation.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "base/deadline.h"
#include "contact_dynamics/constraint_projection.h"
#include "contact_dynamics/contact_detection.h"
#include "contact_dynamics/contact_problem.h"
#include "literature/method_work.h"
#include "literature/pair_gaps.h"
#include "rigor/rotation.h"

namespace rigor::literature {
namespace {

std::vector<ShapePair> sorted(std::vector<ShapePair> pairs) {
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

bool contains(std::span<const ShapePair> ascending, const ShapePair& pair) {
    return std::binary_search(ascending.begin(), ascending.end(), pair);
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

/// Marks the bodies that these pairs push, directly or through others: what they push in turn is
/// connected by contacts and joints of movable bodies.
std::vector<bool> pushed_bodies(const WorldState& state, const Island& island,
                                std::span<const Contact> contacts,
                                std::span<const ShapePair> chosen) {
    std::vector<bool> pushed(island.bodies.size());
    const auto is_movable = [&](std::uint32_t i) {
        return responds_to_impulses(state, island.bodies[i]);
    };
    for (const Contact& c : contacts)
        if (contains(chosen, c.shapes)) {
            pushed[c.a] = pushed[c.a] || is_movable(c.a);
            pushed[c.b] = pushed[c.b] || is_movable(c.b);
        }
    bool grows = true;
    const auto connect = [&](std::uint32_t a, std::uint32_t b) {
        if (pushed[a] == pushed[b] || !is_movable(a) || !is_movable(b)) return;
        pushed[a] = pushed[b] = grows = true;
    };
    while (grows) {
        grows = false;
        for (const Contact& c : contacts) connect(c.a, c.b);
        for (const IslandJoint& joint : island.joints) connect(joint.a, joint.b);
    }
    return pushed;
}

/// The contacts nearby, and how far each has to open.
struct NearContacts {
    std::vector<Contact> contacts;
    std::vector<double> needed;

    NearContacts(const WorldState& state, double distance, double margin,
                 std::span<const ShapePair> chosen, Island& island) {
        std::vector<Contact> all;
        for (const ShapePair& pair : island.pairs) {
            if (deadline_has_passed()) return;
            find_contacts(state, island, pair, margin, all);
        }
        const std::vector<bool> pushed = pushed_bodies(state, island, all, chosen);
        const std::vector<BodyKinematics> bodies = kinematics_of(state, island);
        for (const Contact& c : all) {
            if (!pushed[c.a] && !pushed[c.b]) continue;
            const double missing = distance - frame_of(c, bodies).gap;
            contacts.push_back(c);
            needed.push_back(contains(chosen, c.shapes) ? missing : std::min(missing, 0.0));
        }
    }
    bool any_needed() const {
        return std::any_of(needed.begin(), needed.end(), [](double x) { return x > 0; });
    }
};

std::vector<SeparationRow> separation_rows(const WorldState& state, const NearContacts& near,
                                           const Island& island) {
    const std::vector<BodyKinematics> bodies = kinematics_of(state, island);
    std::vector<SeparationRow> rows;
    for (std::size_t i = 0; i < near.contacts.size(); ++i) {
        const Contact& c = near.contacts[i];
        const Vec3d normal = frame_of(c, bodies).normal;
        const SeparationRow row{c.a,
                                c.b,
                                normal,
                                near.needed[i],
                                multiply(bodies[c.a].inv_mass, normal),
                                multiply(bodies[c.b].inv_mass, normal),
                                0};
        if (!(dot(row.normal, row.share_a + row.share_b) > 0)) continue;
        if (is_parallel(rows, row)) // the points of one manifold
            rows.back().needed = std::max(rows.back().needed, row.needed);
        else
            rows.push_back(row);
    }
    return rows;
}

/// By index of the body: a translation, and where joints need it a rotation vector.
using Displacements = std::vector<SpatialVector>;

/// Projected Gauss-Seidel on the multipliers, over-relaxed after some sweeps: the contacts of a
/// stack depend on each other. None where bodies are wedged in.
std::optional<Displacements> least_displacement(std::vector<SeparationRow> rows, std::size_t bodies,
                                                double tolerance) {
    constexpr int kMaxSweeps = 10'000, kPlainSweeps = 5;
    constexpr double kOverRelaxation = 1.8;
    Displacements x(bodies);
    for (int sweep = 0; sweep < kMaxSweeps && !deadline_has_passed(); ++sweep) {
        const double relaxation = sweep < kPlainSweeps ? 1 : kOverRelaxation;
        double worst = 0;
        for (SeparationRow& row : rows) {
            const double missing = row.needed - dot(row.normal, x[row.b].linear - x[row.a].linear);
            const double response = dot(row.normal, row.share_a + row.share_b);
            const double step = std::max(relaxation * missing / response, -row.multiplier);
            row.multiplier += step;
            x[row.a].linear -= row.share_a * step;
            x[row.b].linear += row.share_b * step;
            worst = std::max(worst, missing);
        }
        if (worst <= tolerance) return x;
    }
    return {};
}

/// Likewise with joints, which the text does not have: the bodies move as small impulses at the
/// contacts would move them, since one on a hinge can only be separated by turning it.
std::optional<Displacements> least_displacement_with_joints(const WorldState& state,
                                                            const Island& island,
                                                            std::span<const Contact> contacts,
                                                            std::span<const double> needed,
                                                            double tolerance) {
    constexpr int kMaxSweeps = 1000;
    const ContactProblem problem(state, island, contacts);
    const BlockMatrix w = problem.matrix();
    std::vector<Vec3d> impulses(w.rows());
    for (int sweep = 0; sweep < kMaxSweeps && !deadline_has_passed(); ++sweep) {
        double worst = 0;
        for (std::size_t i = 0; i < contacts.size(); ++i) {
            double missing = needed[i];
            for (const BlockEntry& entry : w.row(i))
                missing -= entry.block(2, 2) * impulses[entry.column].z;
            const double response = w.diagonal(i)(2, 2);
            if (!(response > 0)) continue;
            impulses[i].z += std::max(missing / response, -impulses[i].z);
            worst = std::max(worst, missing);
        }
        if (worst > tolerance) continue;
        Displacements x = problem.body_impulses(impulses);
        for (std::size_t i = 0; i < x.size(); ++i) {
            const BodyKinematics& body = problem.bodies()[i];
            x[i] = {multiply(body.inv_mass, x[i].linear), body.inv_inertia * x[i].angular};
        }
        return x;
    }
    return {};
}

double largest(const Displacements& displacements) {
    double most = 0;
    for (const SpatialVector& x : displacements) most = std::max(most, length(x.linear));
    return most;
}

/// Whether a pair overlaps that did not before, or more than it did. Joints shift others by a
/// rounding error.
bool any_worse(std::span<const double> before, std::span<const double> after) {
    constexpr double kRounding = 1e-12;
    for (std::size_t i = 0; i < before.size(); ++i)
        if (!(after[i] > 0) && (before[i] > 0 || after[i] < before[i] - kRounding)) return true;
    return false;
}

/// Moves the bodies by as much of their displacements as lets no pair overlap: a mesh may be in the
/// way where no contact was near, and joints bend the way.
bool displace(const WorldState& state, const PairGaps& gaps, const Displacements& displacements,
              MethodState& step) {
    Island& island = step.island;
    const std::vector<double> before = gaps.of(island);
    const Island start = island;
    const std::vector<WorkLedger> work_before = step.work;
    for (double share = 1; share > 1e-3 && !deadline_has_passed(); share *= 0.5) {
        for (std::size_t i = 0; i < displacements.size(); ++i) {
            BodyMotion& m = island.motion[i];
            m.x = start.motion[i].x + displacements[i].linear * share;
            if (displacements[i].angular != Vec3d{})
                m.q = normalize(from_rotation_vector(displacements[i].angular * share) *
                                start.motion[i].q);
        }
        record_displacement(state, start.motion, step);
        if (!island.joints.empty()) record_work(project_constraints(state, island), step);
        if (!any_worse(before, gaps.of(island))) return true;
        island = start;
        step.work = work_before;
    }
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
    std::set<ShapePair> known;
    const auto add_pair = [&](const ShapePair& pair) {
        if (known.insert(pair).second) pairs.push_back(pair);
    };
    for (const Contact& c : step.island.contacts) add_pair(c.shapes);
    const std::vector<BodyKinematics> bodies = kinematics_of(state, step.island);
    for (const Contact& c : step.contacts)
        if (!(frame_of(c, bodies).gap > 0)) add_pair(c.shapes);
    for (const ShapePair& pair : step.blocked) {
        if (deadline_has_passed()) break;
        const bool was_hit =
            std::any_of(step.impulses.begin() + static_cast<std::ptrdiff_t>(impulses_before),
                        step.impulses.end(),
                        [&](const ContactImpulse& impulse) { return impulse.shapes == pair; });
        if (!was_hit) add_pair(pair);
    }
    return pairs;
}

namespace {

/// Whether a shape of the pair is on a movable body that a joint holds.
bool is_jointed(const WorldState& state, const PairGaps& gaps, const Island& island,
                const ShapePair& pair) {
    const auto is_held = [&](std::size_t body) {
        if (!responds_to_impulses(state, island.bodies[body])) return false;
        return std::any_of(
            island.joints.begin(), island.joints.end(),
            [&](const IslandJoint& joint) { return joint.a == body || joint.b == body; });
    };
    return is_held(gaps.body_of(pair.a)) || is_held(gaps.body_of(pair.b));
}

bool separate_group(const WorldState& state, const MethodParts& method,
                    const std::vector<ShapePair>& pairs, bool are_jointed, MethodState& step) {
    constexpr int kMaxRounds = 12;
    constexpr double kTolerance = 0.01; // of the distance
    Island& island = step.island;
    const PairGaps gaps(state, island);
    bool moved = false;
    double distance = method.separation_distance, margin = 2 * distance;
    const std::vector<ShapePair> chosen = sorted(pairs);
    for (int round = 0; round < kMaxRounds && !deadline_has_passed(); ++round) {
        const NearContacts near(state, distance, margin, chosen, island);
        if (!near.any_needed()) break;
        const std::optional<Displacements> x =
            are_jointed ? least_displacement_with_joints(state, island, near.contacts, near.needed,
                                                         kTolerance * distance)
                        : least_displacement(separation_rows(state, near, island),
                                             island.bodies.size(), kTolerance * distance);
        if (x && 2 * largest(*x) > margin) { // others may be in the way farther off
            margin = 4 * largest(*x);
        } else if (x && displace(state, gaps, *x, step)) {
            moved = true;
            if (are_apart(gaps, pairs, distance, island)) break;
        } else { // wedged in: less may be possible
            distance *= 0.5;
        }
    }
    return moved;
}

} // namespace

bool separate(const WorldState& state, const MethodParts& method,
              const std::vector<ShapePair>& pairs, MethodState& step) {
    const PairGaps gaps(state, step.island);
    std::vector<ShapePair> free, jointed;
    for (const ShapePair& pair : pairs)
        (is_jointed(state, gaps, step.island, pair) ? jointed : free).push_back(pair);
    const bool moved = !free.empty() && separate_group(state, method, free, false, step);
    return (!jointed.empty() && separate_group(state, method, jointed, true, step)) || moved;
}

double separation_time(const MethodParts& method) {
    return 0.01 * method.separation_distance / std::max(method.resting_speed, 1e-3);
}

} // namespace rigor::literature
