#include "fast/joint_constraints.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <numbers>

#include "dynamics/joint_coordinates.h"
#include "dynamics/joint_stiffness.h"
#include "fast/empty_block.h"
#include "fast/lane_columns.h"
#include "math/trig.h"
#include "rigor/rotation.h"

namespace rigor::fast {
namespace {

// Part of an error that is corrected in a substep by a joint among a few. Alone it corrects all.
constexpr float kCorrection = 0.3f;
// Softness of joints in chains, which would oscillate if they were stiffer: frequency times h, and
// damping far beyond critical.
constexpr float kChainHertz = 0.18f, kChainDamping = 5;
constexpr float kMaxBiasVelocity = 10; // m/s, rad/s: a joint far apart does not snap back

std::uint8_t count_bits(std::uint8_t bits) {
    return static_cast<std::uint8_t>(__builtin_popcount(bits));
}

/// The limits of degree of freedom i.
Range range_of(const JointRecord& joint, const JointLayout& layout, std::size_t i) {
    if (joint.type != JointType::six_dof) return joint.ranges[i];
    for (std::size_t axis = 0; axis < 6; ++axis)
        if (layout.six_dof.is_bounded(static_cast<int>(axis)) && i-- == 0)
            return joint.ranges[axis];
    return {};
}

Softness softness_of(const SpringDef& spring, float h) {
    return make_spring(static_cast<float>(spring.frequency_hz),
                       static_cast<float>(spring.damping_ratio), h);
}

float clamped(double x) {
    return static_cast<float>(
        std::clamp(x, -static_cast<double>(kUnlimited), static_cast<double>(kUnlimited)));
}

/// The spring of a joint in a group whose forces are split, or not. Of what begins a substep; what
/// ends it is set.
template <int W>
Softness set_spring(JointBlock<W>& block, std::size_t lane, const SpringDef& spring, float together,
                    float h) {
    if (block.first_half_share[lane] == 1) return softness_of(spring, h);
    const SplitSpring split =
        make_split_spring(static_cast<float>(spring.frequency_hz),
                          static_cast<float>(spring.damping_ratio), h, together);
    block.end_mass_scale[lane] = split.end_mass_scale;
    block.end_impulse_scale[lane] = split.end_impulse_scale;
    block.end_kept[lane] = split.end_kept;
    block.end_share[lane] = 1 - split.end_kept;
    return split.first;
}

/// How much impulse a spring gives for a rate, by the effective mass it has.
float gain_of(const Softness& soft) {
    return soft.mass_scale / std::max(soft.impulse_scale, 1e-9f);
}

/// The matrix of soft rows.
template <int W>
void set_stiffness(JointBlock<W>& block, std::size_t lane, const WorldState& state,
                   const JointRecord& joint, const Softness& soft) {
    RestMass rest;
    if (block.layout.type == JointType::distance) {
        rest.mass[0] = joint.spring_mass;
        rest.inverse[0] = 1 / joint.spring_mass;
    } else {
        rest = rest_mass(state, joint, block.layout.six_dof);
    }
    const auto gain = static_cast<double>(gain_of(soft));
    for (std::size_t i = 0; i < rest.mass.size(); ++i) {
        block.gains[i][lane] = static_cast<float>(rest.mass[i] * gain);
        block.compliance[i][lane] = static_cast<float>(rest.inverse[i] / gain);
    }
}

/// The motor and the spring of a degree of freedom. A position motor without a spring is stiff.
template <int W>
void set_drive(JointBlock<W>& block, typename JointBlock<W>::Dof& f, std::size_t lane,
               const std::optional<MotorDef>& motor, const std::optional<SpringDef>& spring,
               double spring_mass, float together, float h) {
    Softness soft{0, 1, 0};
    const bool is_servo = motor && motor->target_position;
    if (spring || is_servo) {
        soft = set_spring<W>(block, lane, spring.value_or(kServo), together, h);
        if (spring_mass > 0)
            block.spring_gain[lane] = gain_of(soft) * static_cast<float>(spring_mass);
    }
    f.drive_bias_rate[lane] = soft.bias_rate;
    f.drive_mass_scale[lane] = soft.mass_scale;
    f.drive_impulse_scale[lane] = soft.impulse_scale;
    f.target[lane] = motor ? clamped(motor->target_position.value_or(0)) : 0;
    f.speed[lane] = motor ? clamped(motor->target_velocity.value_or(0)) : 0;
    const double max_impulse = motor ? motor->max_force * static_cast<double>(h)
                                     : (spring ? static_cast<double>(kUnlimited) : 0.0);
    f.max_drive_impulse[lane] = clamped(max_impulse);
}

template <int W>
void fill_dofs(JointBlock<W>& block, std::size_t lane, const JointRecord& joint,
               const JointLayout& layout, const std::array<double, 6>& x, const JointMemory& memory,
               float scale, float together, float h) {
    const bool wheel = joint.type == JointType::wheel;
    const std::optional<SpringDef> spring =
        spring_softens(joint, layout) ? std::nullopt : joint.spring;
    for (std::size_t i = 0; i < layout.dofs; ++i) {
        auto& f = block.dofs[i];
        const Range range = range_of(joint, layout, i);
        f.coordinate[lane] = f.start[lane] = clamped(x[i]);
        f.lower_limit[lane] = clamped(range.lo);
        f.upper_limit[lane] = clamped(range.hi);
        // A wheel has its suspension spring along the first and its motor about the second.
        const bool drives = i == (wheel ? 1u : 0u) && joint.type != JointType::six_dof;
        set_drive<W>(block, f, lane, drives ? joint.motor : std::nullopt,
                     i == 0 ? spring : std::nullopt, i == 0 ? joint.spring_mass : 0, together, h);
        const bool brakes = !wheel || i == 1;
        // The bounds of a ball joint are components of one: see direct_ball_friction().
        const double bound = joint.type == JointType::ball ? std::numbers::inv_sqrt3 : 1;
        f.max_friction_impulse[lane] =
            brakes ? clamped(bound * joint.friction * static_cast<double>(h)) : 0;
        if (layout.has_limit_rows) continue;
        f.drive_impulse[lane] = memory.dofs[i][0] * scale;
        f.friction_impulse[lane] = memory.dofs[i][1] * scale;
        f.lower_impulse[lane] = memory.dofs[i][2] * scale;
        f.upper_impulse[lane] = memory.dofs[i][3] * scale;
    }
}

/// Of limits that are rows: positive at the lower one.
template <int W>
void fill_limit_impulses(JointBlock<W>& block, std::size_t lane, const JointMemory& memory,
                         float scale) {
    for (std::size_t i = 0; i < block.layout.dofs; ++i) {
        auto& row = block.rows[block.layout.equality_rows + i];
        row.impulse[lane] = (memory.dofs[i][2] - memory.dofs[i][3]) * scale;
        row.second_half[lane] = row.impulse[lane] * block.first_half_share[lane];
        block.dofs[i].side[lane] = row.impulse[lane] > 0 ? 1 : row.impulse[lane] < 0 ? -1 : 0;
    }
}

/// A range of no width removes a degree of freedom, and one without bounds is nothing: then it is a
/// ball joint, a hinge or a fixed one.
JointLayout cone_twist_layout(const JointRecord& joint) {
    JointLayout layout;
    layout.type = JointType::cone_twist;
    layout.is_sprung = joint.spring || (joint.motor && joint.motor->target_position);
    layout.equality_rows = 3;
    layout.dofs = 2;
    if (joint.motor || joint.spring || joint.friction > 0) return layout;
    const bool is_straight = joint.ranges[0].hi == 0;
    const bool may_twist = !is_bounded(joint.ranges[1]);
    const bool is_fixed = joint.ranges[1].lo == 0 && joint.ranges[1].hi == 0;
    const auto become = [&](JointType type, std::uint8_t rows) {
        layout.type = type;
        layout.equality_rows = rows;
        layout.dofs = 0;
    };
    if (is_straight && is_fixed) become(JointType::fixed, 6);
    if (is_straight && may_twist) become(JointType::hinge, 5);
    if (joint.ranges[0].hi >= std::numbers::pi && may_twist) become(JointType::ball, 3);
    return layout;
}

} // namespace

SpringDef spring_of(const JointRecord& joint) {
    return joint.spring.value_or(kServo);
}

bool spring_softens(const JointRecord& joint, const JointLayout& layout) {
    const bool is_cord = joint.type == JointType::distance && !joint.motor;
    return joint.spring && (layout.dofs == 0 || is_cord || joint.type == JointType::ball ||
                            joint.type == JointType::six_dof || joint.type == JointType::track);
}

namespace {

JointLayout rigid_layout_of(const JointRecord& joint) {
    JointLayout layout;
    layout.type = joint.type;
    layout.is_sprung = joint.spring || (joint.motor && joint.motor->target_position);
    const bool acts = joint.motor || joint.spring || joint.friction > 0;
    const auto one_dof = static_cast<std::uint8_t>(acts || is_bounded(joint.ranges[0]) ? 1 : 0);
    switch (joint.type) {
        case JointType::hinge:
        case JointType::slider:
            layout.equality_rows = 5;
            layout.dofs = one_dof;
            break;
        case JointType::fixed:
            layout.equality_rows = 6;
            break;
        case JointType::distance:
            layout.dofs = joint.ranges[0].lo == joint.ranges[0].hi ? 0 : 1;
            layout.equality_rows = layout.dofs == 0 ? 1 : 0;
            break;
        case JointType::cone_twist:
            return cone_twist_layout(joint);
        case JointType::wheel:
            layout.equality_rows = 4;
            layout.dofs = 2;
            break;
        case JointType::track:
            layout.equality_rows = 2;
            layout.dofs = joint.motor || joint.friction > 0 || is_bounded(joint.ranges[0]) ? 1 : 0;
            break;
        case JointType::six_dof:
            layout.six_dof = six_dof_shape(joint);
            layout.equality_rows = count_bits(layout.six_dof.locked);
            layout.dofs = count_bits(layout.six_dof.bounded);
            break;
        default:
            layout.equality_rows = 3;
            layout.dofs = joint.friction > 0 ? 3 : 0;
    }
    return layout;
}

/// Rows along and about the axes of a, so that they are gradients of functions of the pose.
void soften(const JointRecord& joint, JointLayout& layout) {
    if (layout.type == JointType::ball || layout.type == JointType::fixed) {
        layout.six_dof = soft_shape(joint);
        layout.type = JointType::six_dof;
    }
    layout.has_stiffness = layout.type == JointType::six_dof ||
                           (layout.type == JointType::distance && joint.spring_mass > 0);
}

} // namespace

JointLayout layout_of(const JointRecord& joint) {
    JointLayout layout = rigid_layout_of(joint);
    const bool rubs = joint.type == JointType::ball && layout.dofs > 0;
    if (layout.equality_rows > 0 && !rubs && spring_softens(joint, layout) &&
        joint.type != JointType::track)
        soften(joint, layout);
    return layout;
}

bool is_smooth_within_limits(const JointRecord& joint, const JointLayout& layout) {
    if (joint.friction > 0) return false;
    const bool drive_is_spring = layout.is_sprung && !spring_softens(joint, layout);
    return !joint.motor || (drive_is_spring && joint.type != JointType::wheel);
}

bool has_limits_alone(const JointRecord& joint, const JointLayout& layout) {
    if (layout.dofs == 0 || joint.motor || joint.spring || joint.friction > 0) return false;
    return joint.type != JointType::wheel && joint.type != JointType::track;
}

bool is_within_limits(const JointRecord& joint, const JointLayout& layout,
                      const std::array<double, 6>& coordinates, double room) {
    if (layout.type == JointType::distance && spring_softens(joint, layout)) return true;
    for (std::size_t i = 0; i < layout.dofs; ++i) {
        const Range range = range_of(joint, layout, i);
        if (!(range.lo + room < coordinates[i] && coordinates[i] < range.hi - room)) return false;
    }
    return true;
}

JointMemory& memory_of(std::vector<JointMemory>& memory, const WorldState& state,
                       std::uint32_t joint) {
    const std::uint32_t generation = state.joints.records.pool().id_at(joint).generation;
    if (memory[joint].generation != generation)
        memory[joint] = {generation, {}, {}, 0, {}, {}, false, 0};
    return memory[joint];
}

Softness joint_softness(const std::optional<SpringDef>& spring, JointCompany company, float h) {
    if (spring) return softness_of(*spring, h);
    if (company == JointCompany::chain) return make_soft(kChainHertz / h, kChainDamping, h);
    return {(company == JointCompany::alone ? 1 : kCorrection) / h, 1, 0};
}

template <int W>
void reset_block(JointBlock<W>& block, const JointLayout& layout) {
    const JointBlock<W>& empty = empty_block<JointBlock<W>>();
    using Block = JointBlock<W>;
    const auto copy = [&](std::size_t begin, std::size_t end) {
        std::memcpy(reinterpret_cast<std::byte*>(&block) + begin,
                    reinterpret_cast<const std::byte*>(&empty) + begin, end - begin);
    };
    const std::size_t rows = std::size_t{layout.equality_rows} + layout.dofs;
    copy(0, offsetof(Block, rows) + rows * sizeof(typename Block::Row));
    copy(offsetof(Block, dofs), offsetof(Block, dofs) + layout.dofs * sizeof(typename Block::Dof));
    copy(offsetof(Block, spring_second_half), sizeof(Block));
    if (layout.has_stiffness) block.gains = block.compliance = {};
}

namespace {

/// Where an end of a ball joint is; nothing reads its axes.
Posed ball_end(const WorldState& state, const JointEnd& end) {
    if (end.body.is_null()) return {end.frame.p, {}};
    const BodyMotion& motion = state.bodies.motion[end.body.index];
    return {motion.x + rotate(motion.q, end.frame.p), {}};
}

JointFrames frames_of(const WorldState& state, const JointRecord& joint,
                      const JointLayout& layout) {
    if (layout.type != JointType::ball) return joint_frames(state, joint);
    return {ball_end(state, joint.a), ball_end(state, joint.b)};
}

} // namespace

namespace {

template <int W>
void fill_frames(JointBlock<W>& block, std::size_t lane, const JointRecord& joint,
                 const JointFrames& ends, const WorldState& state) {
    const auto center = [&](const JointEnd& end, const Posed& frame) {
        return end.body.is_null() ? frame.p : state.bodies.motion[end.body.index].x;
    };
    set<W>(block.anchor_a, lane, cast<float>(ends.a.p - center(joint.a, ends.a)));
    set<W>(block.anchor_b, lane, cast<float>(ends.b.p - center(joint.b, ends.b)));
    set<W>(block.gap, lane, cast<float>(ends.gap()));
    set<W>(block.frame_a, lane, cast<float>(ends.a.q));
    set<W>(block.frame_b, lane, cast<float>(ends.b.q));
    block.length[lane] = static_cast<float>(joint.length);
    if (joint.type == JointType::wheel) {
        const SinCos<double> steer = sin_cos(joint.steer);
        block.steer_sine[lane] = static_cast<float>(steer.sin);
        block.steer_cosine[lane] = static_cast<float>(steer.cos);
    }
}

/// Rows about two axes of the body that spins: where the other one does now, the torque is kept.
void follow_spinning_end(const JointFrames& ends, bool a_spins, JointMemory& memory) {
    if (memory.a_spins == a_spins) return;
    const Quatd &from = memory.a_spins ? ends.b.q : ends.a.q,
                &to = memory.a_spins ? ends.a.q : ends.b.q;
    const Vec3d torque = rotate(conjugate(to) * from,
                                Vec3d{0, double{memory.impulses[3]}, double{memory.impulses[4]}});
    memory.impulses[3] = static_cast<float>(torque.y);
    memory.impulses[4] = static_cast<float>(torque.z);
    memory.a_spins = a_spins;
}

} // namespace

template <int W>
void fill_lane(JointBlock<W>& block, std::size_t lane, const JointConstraint& constraint,
               const WorldState& state, const SolverBodies& bodies,
               std::vector<JointMemory>& memories, float h) {
    const JointRecord& joint = state.joints[constraint.joint];
    JointMemory& memory = memory_of(memories, state, constraint.joint);
    const JointFrames ends = frames_of(state, joint, constraint.layout);
    block.layout = constraint.layout;
    block.body_a[lane] = constraint.body_a;
    block.body_b[lane] = constraint.body_b;
    fill_frames<W>(block, lane, joint, ends, state);

    const SolverMass &a = bodies.mass_of(constraint.body_a), &b = bodies.mass_of(constraint.body_b);
    block.inv_mass_a[lane] = a.inv_mass;
    block.inv_mass_b[lane] = b.inv_mass;
    set<W>(block.inv_inertia_a, lane, a.inv_inertia);
    set<W>(block.inv_inertia_b, lane, b.inv_inertia);
    block.turns = block.turns || a.turns || b.turns;

    const auto is_smooth = [&](SolverBodyIndex i) {
        return !i.responds_to_impulses() || bodies.only_smooth_joints[i.index()] != 0;
    };
    block.first_half_share[lane] =
        is_smooth(constraint.body_a) && is_smooth(constraint.body_b) ? 0.5f : 1.0f;
    const bool is_soft = spring_softens(joint, constraint.layout);
    block.relax_scale[lane] = is_soft ? 0.0f : 1.0f;
    const Softness soft = is_soft
                              ? set_spring<W>(block, lane, *joint.spring, constraint.spring_rate, h)
                              : joint_softness({}, constraint.company, h);
    block.bias_rate[lane] = soft.bias_rate;
    block.mass_scale[lane] = soft.mass_scale;
    block.impulse_scale[lane] = soft.impulse_scale;
    if (constraint.layout.has_stiffness) {
        set_stiffness<W>(block, lane, state, joint, soft);
        block.mass_scale[lane] = 1;
        block.impulse_scale[lane] = 0;
    } else if (is_soft && constraint.layout.dofs > 0) {
        block.spring_gain[lane] = gain_of(soft) * static_cast<float>(joint.spring_mass);
    }
    block.max_bias_velocity[lane] = is_soft ? kUnlimited : kMaxBiasVelocity;
    follow_spinning_end(ends, constraint.layout.a_spins, memory);
    // Of forces that go on.
    const float scale = memory.substep > 0 ? h / memory.substep : 1;
    for (std::size_t i = 0; i < constraint.layout.equality_rows; ++i) {
        block.rows[i].impulse[lane] = memory.impulses[i] * scale;
        block.rows[i].second_half[lane] =
            block.rows[i].impulse[lane] * block.first_half_share[lane];
    }
    const std::array<double, 6> x = joint_coordinates(joint, ends, memory.angle);
    if (constraint.layout.has_limit_rows) fill_limit_impulses<W>(block, lane, memory, scale);
    fill_dofs<W>(block, lane, joint, constraint.layout, x, memory, scale, constraint.spring_rate,
                 h);
}

#define RIGOR_INSTANTIATE(W)                                                                   \
    template void reset_block(JointBlock<W>&, const JointLayout&);                             \
    template void fill_lane(JointBlock<W>&, std::size_t, const JointConstraint&,               \
                            const WorldState&, const SolverBodies&, std::vector<JointMemory>&, \
                            float);
RIGOR_INSTANTIATE(1)
RIGOR_INSTANTIATE(4)
RIGOR_INSTANTIATE(8)
#undef RIGOR_INSTANTIATE

} // namespace rigor::fast
