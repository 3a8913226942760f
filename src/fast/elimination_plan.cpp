#include "fast/elimination_plan.h"

#include <algorithm>
#include <array>
#include <bitset>

namespace rigor::fast {
namespace {

constexpr std::uint32_t kNone = UINT32_MAX;
// Blocks below the diagonal for each joint, beyond which iteration is cheaper.
constexpr std::size_t kMaxFill = 4;
// Light links between heavy bodies have pivots as small as the ratio of the masses.
constexpr double kLeastPivot = 1e-9;

class Planner {
  public:
    explicit Planner(EliminationPlan& plan) : plan_(plan) {}

    void make() {
        plan_.nodes.clear();
        plan_.blocks.clear();
        plan_.couplings.clear();
        plan_.targets.clear();
        plan_.value_count = 0;
        plan_.pays = plan_.joints.size() <= EliminationPlan::kMaxJoints;
        if (!plan_.pays) return;
        connect();
        order();
        plan_.pays = plan_.nodes.size() > 1 && plan_.blocks.size() <= kMaxFill * plan_.nodes.size();
        if (!plan_.pays && !plan_.is_single()) return;
        plan_.least_pivot = kLeastPivot;
        plan_.has_loop = has_loop();
        plan_.repeats = std::any_of(plan_.joints.begin(), plan_.joints.end(),
                                    [](const LinkedJoint& joint) { return joint.repeats; });
        plan_.has_limits = std::any_of(plan_.joints.begin(), plan_.joints.end(),
                                       [](const LinkedJoint& joint) { return joint.has_limits; });
        place_values();
        find_couplings();
        find_targets();
    }

  private:
    using Set = std::bitset<EliminationPlan::kMaxJoints>;

    static bool share(const LinkedJoint& i, const LinkedJoint& j) {
        const auto is_of = [&](std::uint16_t body) {
            return body != LinkedJoint::kNoBody && (body == j.a || body == j.b);
        };
        return is_of(i.a) || is_of(i.b);
    }

    /// Whether there are more joints than a tree on the ground would have.
    bool has_loop() const {
        std::bitset<2 * EliminationPlan::kMaxJoints> bodies;
        for (const LinkedJoint& joint : plan_.joints)
            for (const std::uint16_t body : {joint.a, joint.b})
                if (body != LinkedJoint::kNoBody) bodies[body] = true;
        return plan_.nodes.size() > bodies.count();
    }

    void connect() {
        const std::vector<LinkedJoint>& joints = plan_.joints;
        for (std::size_t i = 0; i < joints.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                if (joints[i].rows() > 0 && joints[j].rows() > 0 && share(joints[i], joints[j]))
                    neighbors_[i][j] = neighbors_[j][i] = true;
    }

    /// Each time the joint with the fewest neighbors left, the first of these. Its neighbors become
    /// neighbors of each other.
    void order() {
        node_of_.fill(kNone);
        Set left;
        for (std::size_t i = 0; i < plan_.joints.size(); ++i) left[i] = plan_.joints[i].rows() > 0;
        while (left.any() && plan_.blocks.size() <= kMaxFill * plan_.joints.size()) {
            std::size_t best = 0, fewest = SIZE_MAX;
            for (std::size_t i = 0; i < plan_.joints.size(); ++i) {
                if (!left[i]) continue;
                const std::size_t count = (neighbors_[i] & left).count();
                if (count < fewest) fewest = count, best = i;
            }
            eliminate(best, left);
        }
        sort_columns();
    }
    /// The nodes of the rows are known once all have been numbered.
    void sort_columns() {
        for (EliminationPlan::Block& block : plan_.blocks) block.node = node_of_[block.node];
        for (const EliminationPlan::Node& node : plan_.nodes)
            std::sort(plan_.blocks.begin() + node.begin, plan_.blocks.begin() + node.end,
                      [](const auto& i, const auto& j) { return i.node < j.node; });
    }
    void eliminate(std::size_t joint, Set& left) {
        left[joint] = false;
        const Set rest = neighbors_[joint] & left;
        node_of_[joint] = static_cast<std::uint32_t>(plan_.nodes.size());
        EliminationPlan::Node node;
        node.joint = static_cast<std::uint32_t>(joint);
        node.rows = plan_.joints[joint].rows();
        node.begin = static_cast<std::uint32_t>(plan_.blocks.size());
        for (std::size_t i = 0; i < plan_.joints.size(); ++i) {
            if (!rest[i]) continue;
            plan_.blocks.push_back({static_cast<std::uint32_t>(i), 0});
            neighbors_[i] |= rest;
            neighbors_[i][i] = false;
        }
        node.end = static_cast<std::uint32_t>(plan_.blocks.size());
        plan_.nodes.push_back(node);
    }

    void place_values() {
        std::uint32_t& count = plan_.value_count;
        for (EliminationPlan::Node& node : plan_.nodes) {
            node.diagonal = count;
            count += node.rows * node.rows;
            node.solution = count;
            count += node.rows;
            for (std::uint32_t b = node.begin; b < node.end; ++b) {
                plan_.blocks[b].values = count;
                count += plan_.nodes[plan_.blocks[b].node].rows * node.rows;
            }
        }
    }

    /// The values of the block of a row and a column that is eliminated before it.
    std::uint32_t values_of(std::uint32_t row, std::uint32_t column) const {
        const EliminationPlan::Node& node = plan_.nodes[column];
        for (std::uint32_t b = node.begin; b < node.end; ++b)
            if (plan_.blocks[b].node == row) return plan_.blocks[b].values;
        return kNone;
    }

    void find_couplings() {
        const auto count = static_cast<std::uint32_t>(plan_.nodes.size());
        for (std::uint32_t column = 0; column < count; ++column) {
            const LinkedJoint& j = plan_.joints[plan_.nodes[column].joint];
            for (std::uint32_t row = column + 1; row < count; ++row) {
                const LinkedJoint& i = plan_.joints[plan_.nodes[row].joint];
                if (!share(i, j)) continue;
                const std::uint32_t values = values_of(row, column);
                for (const bool row_is_b : {false, true})
                    for (const bool column_is_b : {false, true}) {
                        const std::uint16_t body = row_is_b ? i.b : i.a;
                        if (body != LinkedJoint::kNoBody && body == (column_is_b ? j.b : j.a))
                            plan_.couplings.push_back({row, column, values, row_is_b, column_is_b});
                    }
            }
        }
    }

    void find_targets() {
        for (EliminationPlan::Node& node : plan_.nodes) {
            node.targets = static_cast<std::uint32_t>(plan_.targets.size());
            for (std::uint32_t i = node.begin; i < node.end; ++i) {
                const std::uint32_t row = plan_.blocks[i].node;
                for (std::uint32_t j = node.begin; j < i; ++j)
                    plan_.targets.push_back(values_of(row, plan_.blocks[j].node));
                plan_.targets.push_back(plan_.nodes[row].diagonal);
            }
        }
    }

    EliminationPlan& plan_;
    std::array<Set, EliminationPlan::kMaxJoints> neighbors_{};
    std::array<std::uint32_t, EliminationPlan::kMaxJoints> node_of_{};
};

} // namespace

void make_plan(EliminationPlan& plan) {
    Planner(plan).make();
}

} // namespace rigor::fast
