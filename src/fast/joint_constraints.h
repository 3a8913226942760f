// Fills joint blocks from joints with motors, springs and limits, and stores impulses back.
#pragma once

#include "fast/joint_block.h"
#include "fast/soft_constraint.h"

namespace rigor::fast {

/// What is kept of a joint from step to step.
struct JointMemory {
    std::uint32_t generation = 0;               ///< of the joint it belongs to
    std::array<float, 6> impulses{};            ///< of equality rows; of a track a vector
    std::array<std::array<float, 4>, 6> dofs{}; ///< impulses: drive, friction, lower, upper
    double angle = 0;     ///< of a hinge or wheel, whole turns included; of a track its way
    Vec3f force, torque;  ///< on B, at the anchor, in the last substep
    bool a_spins = false; ///< JointLayout::a_spins of the rows that the impulses belong to
    float substep = 0;    ///< in which the impulses were applied, s; 0: there are none
};

/// The memory of the joint in a slot, cleared when the slot belonged to another joint before.
JointMemory& memory_of(std::vector<JointMemory>& memory, const WorldState& state,
                       std::uint32_t joint);

/// How many joints are solved together with a joint. One of a system is as good as alone.
enum class JointCompany : std::uint8_t { alone, few, chain };

/// Of the equality rows: that of the spring, if there is one, which acts before the motion only.
Softness joint_softness(const std::optional<SpringDef>& spring, JointCompany company, float h);

/// A joint in this step, with the solver bodies it acts on: the unit that is colored.
struct JointConstraint {
    std::uint32_t joint = 0; ///< slot
    SolverBodyIndex body_a, body_b;
    JointLayout layout;
    JointCompany company = JointCompany::few;
    float spring_rate = 0; ///< at which its spring and those of its bodies act together, 1/s
    // Set when impulses are stored:
    float work = 0;     ///< J
    Vec3f impulse = {}; ///< linear, on B
};

JointLayout layout_of(const JointRecord& joint);

/// Whether the spring of a joint softens its equality rows, or the limits of a distance, which make
/// an elastic cord; else it drives a degree of freedom.
bool spring_softens(const JointRecord& joint, const JointLayout& layout);

/// The spring or position motor of a joint with is_sprung.
SpringDef spring_of(const JointRecord& joint);

/// Whether it has equality rows and springs only, without friction, and without motors but those
/// that are springs: position motors.
bool is_smooth_within_limits(const JointRecord& joint, const JointLayout& layout);
/// Whether nothing but limits acts along its degrees of freedom.
bool has_limits_alone(const JointRecord& joint, const JointLayout& layout);
/// Whether all coordinates have some room, in m or rad, before they reach a limit. Those of a cord
/// are its spring.
bool is_within_limits(const JointRecord& joint, const JointLayout& layout,
                      const std::array<double, 6>& coordinates, double room);

/// A block of which no lane does anything. Rows that joints of this layout do not have are left as
/// they were: with those and the factors a block of balls would be twice the memory.
template <int W>
void reset_block(JointBlock<W>& block, const JointLayout& layout);

template <int W>
void fill_lane(JointBlock<W>& block, std::size_t lane, const JointConstraint& constraint,
               const WorldState& state, const SolverBodies& bodies,
               std::vector<JointMemory>& memories, float h);

} // namespace rigor::fast
