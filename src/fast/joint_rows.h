// From joints to blocks of rows, and their impulses back.
#pragma once

#include "fast/body_rows.h"
#include "fast/joint_block.h"
#include "fast/soft.h"

namespace rigor::fast {

/// What is remembered of a joint from step to step.
struct JointMemory {
    std::uint32_t generation = 0;                   ///< of the joint it belongs to
    std::array<float, 6> impulses{};                ///< of hard rows
    std::array<std::array<float, 4>, 6> freedoms{}; ///< drive, friction, low, high
    double angle = 0;                               ///< of a hinge or wheel, whole turns included
    Vec3f force, torque;                            ///< on b, at the anchor, in the last substep
};

/// The memory of the joint in a slot, empty when the slot was another's before.
JointMemory& memory_of(std::vector<JointMemory>& memory, const WorldState& state,
                       std::uint32_t joint);

/// How stiffly a joint takes back its errors: by its spring, if that softens it.
Softness joint_softness(const std::optional<SpringDef>& spring, bool in_chain, float h);

/// A joint that is to be solved, with its bodies.
struct JointTask {
    std::uint32_t joint = 0; ///< slot
    std::uint32_t row_a = 0, row_b = 0;
    JointShape shape;
    bool in_chain = false; ///< whether it is one of many that are joined
};

JointShape shape_of(const JointRecord& joint);

/// Whether it only takes freedoms away: nothing drives, bounds, brakes or softens it.
bool is_rigid(const JointRecord& joint, const JointShape& shape);

/// Its one coordinate, as JointDef has it: that of a hinge with whole turns, given the last one.
double coordinate_of(const WorldState& state, const JointRecord& joint, double last);

template <int W>
void clear(JointBlock<W>& block);

template <int W>
void fill_lane(JointBlock<W>& block, std::size_t lane, const JointTask& task,
               const WorldState& state, const BodyRows& bodies, std::vector<JointMemory>& memories,
               float h);

/// The inertia of bodies that spin, as it is now.
template <int W>
void refill_inertia(JointBlock<W>& block, const BodyRows& bodies);

template <int W>
void keep_impulses(const JointBlock<W>& block, std::size_t lane, JointMemory& memory, float h);

} // namespace rigor::fast
