#include "contact_dynamics/initial_overlap.h"

#include <algorithm>
#include <cmath>

#include "base/disjoint_sets.h"
#include "contact_dynamics/contact_detection.h"
#include "contact_dynamics/pair_prediction.h"

namespace rigor::contact_dynamics {
namespace {

// Of the radius of a ball within a solid: overlaps that are left as they are placed, and those that
// moving bodies apart may leave.
constexpr double kSmallOverlap = 1e-3, kLeftOverlap = 1e-4;
constexpr int kMaxOverlapRounds = 1000;

/// Bodies that move as one, by index of the island.
struct LinkedBodies {
    std::vector<std::uint32_t> group_of;
    std::vector<std::vector<std::uint32_t>> members; ///< by group
    std::vector<Vec3d> inv_mass;                     ///< likewise, per axis; zero if held

    LinkedBodies(const WorldState& state, const Island& island)
        : group_of(island.bodies.size()),
          members(island.bodies.size()),
          inv_mass(island.bodies.size()) {
        DisjointSets sets(island.bodies.size());
        for (const IslandJoint& joint : island.joints)
            for (const std::uint32_t other : {joint.b, joint.c, joint.d})
                sets.unite(joint.a, other);
        for (std::uint32_t i = 0; i < group_of.size(); ++i) {
            group_of[i] = sets.find(i);
            members[group_of[i]].push_back(i);
        }
        const std::vector<BodyKinematics> bodies = kinematics_of(state, island);
        for (std::uint32_t g = 0; g < members.size(); ++g)
            for (int axis = 0; axis < 3; ++axis) inv_mass[g][axis] = joint_inverse(bodies, g, axis);
    }

  private:
    double joint_inverse(std::span<const BodyKinematics> bodies, std::uint32_t group,
                         int axis) const {
        double mass = 0;
        for (const std::uint32_t i : members[group]) {
            const double inverse = bodies[i].inv_mass[axis];
            if (!(inverse > 0)) return 0;
            mass += 1 / inverse;
        }
        return mass > 0 ? 1 / mass : 0;
    }
};

class OverlapResolver {
  public:
    OverlapResolver(const WorldState& state, std::span<const std::uint32_t> placed, double small,
                    ThreadTeam& team, Island& island)
        : state_(state),
          team_(team),
          island_(island),
          linked_(state, island),
          predictor_(state),
          may_move_(island.bodies.size(), false),
          was_moved_(island.bodies.size(), false),
          index_of_(state.bodies.slot_count(), 0),
          small_(small) {
        for (std::uint32_t i = 0; i < island.bodies.size(); ++i)
            if (island.bodies[i] != kWorldBody) {
                index_of_[island.bodies[i]] = i;
                update_bounds(i);
            }
        for (const std::uint32_t body : placed) may_move_[index_of_[body]] = true;
    }

    /// False if nothing overlaps.
    bool run() {
        bool moved = false;
        for (int sweep = 0; sweep < kMaxOverlapRounds && !deadline_has_passed(); ++sweep) {
            find_pairs();
            bool any = false;
            for (const OverlapPair& pair : pairs_) any = separate(pair) || any;
            if (!any) break;
            moved = true;
        }
        return moved;
    }

  private:
    struct OverlapPair {
        ShapePair shapes;
        std::uint32_t a = 0, b = 0; ///< in the island
        double small_overlap = 0, left_overlap = 0;
    };

    void update_bounds(std::uint32_t i) {
        const std::uint32_t body = island_.bodies[i];
        if (state_.bodies.traits[body].type == BodyType::static_body) return;
        if (predictor_.shapes(body).empty()) return;
        predictor_.set_center_bounds(body, {island_.motion[i].x, island_.motion[i].x});
    }

    double inner_radius(std::uint32_t shape) const {
        const double radius = inscribed_ball(state_.shapes[shape].geometry).radius;
        return radius > 0 ? radius : std::numeric_limits<double>::infinity();
    }

    void find_pairs() {
        for (const ShapePair& shapes : predictor_.find_new_pairs(team_)) {
            const double radius = std::min(inner_radius(shapes.a), inner_radius(shapes.b));
            if (!std::isfinite(radius)) continue; // sheets have no depth
            pairs_.push_back({shapes, index_of_[body_of(state_, shapes.a)],
                              index_of_[body_of(state_, shapes.b)],
                              std::max(kSmallOverlap * radius, small_), kLeftOverlap * radius});
        }
        std::sort(pairs_.begin(), pairs_.end(),
                  [](const auto& x, const auto& y) { return x.shapes < y.shapes; });
    }

    /// Whether a pair overlapped.
    bool separate(const OverlapPair& pair) {
        const std::uint32_t a = linked_.group_of[pair.a], b = linked_.group_of[pair.b];
        if (a == b || (!may_move_[pair.a] && !may_move_[pair.b]) || deadline_has_passed())
            return false;
        const Separation now =
            separation(state_, pair.shapes, island_.motion[pair.a], island_.motion[pair.b]);
        const bool was_moved = was_moved_[a] || was_moved_[b];
        if (!(now.gap < -(was_moved ? pair.left_overlap : pair.small_overlap))) return false;
        // Of solids at one place no direction is the shortest.
        const Vec3d n = length(now.normal) > 0.5 ? now.normal : Vec3d{1, 0, 0};
        const Vec3d share_a = multiply(linked_.inv_mass[a], n),
                    share_b = multiply(linked_.inv_mass[b], n);
        const double response = dot(n, share_a + share_b);
        if (!(response > 0)) return false;
        move(a, share_a * (now.gap / response));
        move(b, share_b * (-now.gap / response));
        return true;
    }

    void move(std::uint32_t group, const Vec3d& by) {
        if (by == Vec3d{}) return;
        was_moved_[group] = true;
        for (const std::uint32_t i : linked_.members[group]) {
            island_.motion[i].x += by;
            may_move_[i] = true;
            update_bounds(i);
        }
    }

    const WorldState& state_;
    ThreadTeam& team_;
    Island& island_;
    LinkedBodies linked_;
    PairPredictor predictor_;
    std::vector<bool> may_move_;          // placed, or moved by those that were
    std::vector<bool> was_moved_;         // by group
    std::vector<std::uint32_t> index_of_; // in the island, by slot
    std::vector<OverlapPair> pairs_;
    double small_;
};

} // namespace

bool resolve_initial_overlap(const WorldState& state, std::span<const std::uint32_t> placed,
                             double small, ThreadTeam& team, Island& island) {
    return OverlapResolver(state, placed, small, team, island).run();
}

} // namespace rigor::contact_dynamics
