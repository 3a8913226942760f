// Elimination order of a group of joints, and the blocks of its factors L D Lᵀ.
//
// Joints are the nodes of a graph; those that share a body which responds to impulses are coupled.
// The node with the fewest neighbors is eliminated first, so chains and trees have no fill: one
// block below the diagonal for each joint. The plan depends on nothing but what couples what.
#pragma once

#include <cstdint>
#include <vector>

namespace rigor::fast {

/// One joint of a group: what the plan depends on.
struct LinkedJoint {
    static constexpr std::uint16_t kNoBody = UINT16_MAX; ///< one that does not respond

    std::uint64_t layout = 0;     ///< JointLayout::key()
    std::uint16_t a = 0, b = 0;   ///< bodies, numbered within the group
    std::uint8_t system_rows = 0; ///< equality rows, and limits that are rows
    bool is_soft = false;         ///< whether they are a spring, and so no part of the system
    bool repeats = false;         ///< JointLayout::repeats
    bool has_limits = false;      ///< JointLayout::has_limit_rows

    friend bool operator==(const LinkedJoint&, const LinkedJoint&) = default;
    std::uint8_t rows() const { return is_soft ? 0 : system_rows; }
};

/// Of rows of loops, over their response to a unit impulse: see joint_system_rows.cpp.
inline constexpr double kLoopCompliance = 1e-4;

struct EliminationPlan {
    static constexpr std::size_t kMaxJoints = 128;

    /// In the order of elimination.
    struct Node {
        std::uint32_t joint = 0; ///< in the group
        std::uint32_t rows = 0;
        std::uint32_t diagonal = 0;       ///< where its block of values begins: rows x rows
        std::uint32_t solution = 0;       ///< where its part of the right-hand side begins
        std::uint32_t begin = 0, end = 0; ///< of its column, in `blocks`
        std::uint32_t targets = 0;        ///< where those of its column begin
    };
    /// A block of the factor below the diagonal.
    struct Block {
        std::uint32_t node = 0, values = 0; ///< of its row; rows of the node x rows of the column
    };
    /// A body that two joints share. Its part of the matrix is added to a block.
    struct Coupling {
        std::uint32_t row = 0, column = 0, values = 0; ///< nodes, block
        bool row_is_b = false, column_is_b = false;    ///< which end of the joints the body is
    };

    std::vector<LinkedJoint> joints;
    std::vector<Node> nodes;
    std::vector<Block> blocks; ///< in a column ascending
    std::vector<Coupling> couplings;
    /// The values that blocks i and j <= i of a column update, row by row of a triangle.
    std::vector<std::uint32_t> targets;
    std::uint32_t value_count = 0; ///< of matrix and right-hand side
    /// Pivots far below this part of their diagonal entry belong to redundant rows.
    double least_pivot = 0;
    bool has_loop = false;   ///< so that rows may be redundant
    bool repeats = false;    ///< whether springs must agree with it
    bool has_limits = false; ///< whether some rows are limits
    bool pays = false;       ///< whether it is better than joint by joint, without much fill

    /// One joint, which is solved exactly by itself, too, but not until it fits.
    bool is_single() const { return nodes.size() == 1; }
};

/// Makes the plan for the `joints` that it has.
void make_plan(EliminationPlan& plan);

} // namespace rigor::fast
