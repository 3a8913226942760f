#include "fast/collect_joints.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "dynamics/angular_velocity.h"
#include "dynamics/joint_coordinates.h"

namespace rigor::fast {
namespace {

/// Whether a spins far faster than b about the axis of their hinge.
bool a_spins(const StepData& step, const JointRecord& joint, const JointConstraint& hinge) {
    const SolverBodies& bodies = step.scratch.bodies;
    const Vec3f axis = cast<float>(rotate(joint_frames(step.state, joint).a.q, Vec3d{1, 0, 0}));
    const float a = dot(angular_velocity(bodies[hinge.body_a]), axis),
                b = dot(angular_velocity(bodies[hinge.body_b]), axis);
    return std::abs(a) > 1 && std::abs(a) > 2 * std::abs(b);
}

/// Whether a body is nearly a point mass: an impulse at its anchor turns it rather than moves it.
bool is_point(const StepData& step, const JointEnd& end) {
    constexpr double kLongArm = 30; // in squared radii of gyration
    if (end.body.is_null()) return false;
    const BodyInertia& inertia = step.state.bodies.inertia[end.body.index];
    return length_squared(end.frame.p) * max_component(inertia.inv_moments) >
           kLongArm * inertia.inv_mass;
}

bool has_locked_turns(const StepData& step, const JointEnd& end) {
    if (end.body.is_null()) return false;
    return (step.state.bodies.traits[end.body.index].lock & kRotationLocks) != 0;
}

JointConstraint constraint_of(StepData& step, std::uint32_t slot) {
    const JointRecord& joint = step.state.joints[slot];
    JointConstraint constraint{slot, step.solver_body(joint.a.body.index),
                               step.solver_body(joint.b.body.index), layout_of(joint)};
    constraint.layout.drifts_early = is_point(step, joint.a) || is_point(step, joint.b);
    constraint.layout.is_locked =
        has_locked_turns(step, joint.a) || has_locked_turns(step, joint.b);
    if (joint.type == JointType::hinge)
        constraint.layout.a_spins = a_spins(step, joint, constraint);
    return constraint;
}

void mark_has_joints(SolverBodies& bodies, const JointConstraint& joint) {
    for (const SolverBodyIndex body : {joint.body_a, joint.body_b})
        if (body.responds_to_impulses()) bodies.has_joints[body.index()] = 1;
}

/// Something other than rigid joints and springs acts on the bodies.
void mark_not_smooth(SolverBodies& bodies, const JointConstraint& joint) {
    bodies.only_smooth_joints[joint.body_a.index()] = 0;
    bodies.only_smooth_joints[joint.body_b.index()] = 0;
}

/// Whether nothing but equality rows and springs can act in this step: it is smooth, and its limits
/// are farther away than its bodies can come.
bool acts_smoothly(const StepData& step, const JointConstraint& joint) {
    const JointRecord& record = step.state.joints[joint.joint];
    if (joint.layout.dofs == 0) return true;
    if (!is_smooth_within_limits(record, joint.layout)) return false;
    if (record.type == JointType::track) return false;
    constexpr double kLeastRoom = 0.02; // m, rad
    const JointFrames frames = joint_frames(step.state, record);
    double speed = 0, reach = 1; // an angle changes by as much as bodies turn
    for (const SolverBodyIndex i : {joint.body_a, joint.body_b}) {
        const SolverBody& body = step.scratch.bodies[i];
        speed += static_cast<double>(length(linear_velocity(body)));
        const std::uint32_t slot = step.scratch.bodies.body_slot[i.index()];
        if (slot == UINT32_MAX) continue;
        const Vec3d& center = step.state.bodies.motion[slot].x;
        reach = std::max({reach, length(frames.a.p - center), length(frames.b.p - center)});
    }
    for (const SolverBodyIndex i : {joint.body_a, joint.body_b})
        speed += reach * static_cast<double>(length(angular_velocity(step.scratch.bodies[i])));
    double angle = memory_of(step.memory.joints, step.state, joint.joint).angle;
    const std::array<double, 6> x = joint_coordinates(record, frames, angle);
    return is_within_limits(record, joint.layout, x, kLeastRoom + 2 * step.dt * speed);
}

void add_joints(StepData& step) {
    Scratch& scratch = step.scratch;
    scratch.joints.clear();
    scratch.track_joints.clear();
    scratch.joint_layouts.clear();
    step.memory.joints.resize(step.state.joints.slot_count());
    for (const std::uint32_t slot : step.memory.sleep.awake_joints) {
        if (step.state.joints[slot].type == JointType::gear) continue;
        JointConstraint joint = constraint_of(step, slot);
        if (!joint.body_a.responds_to_impulses() && !joint.body_b.responds_to_impulses()) continue;
        mark_has_joints(scratch.bodies, joint);
        if (!acts_smoothly(step, joint)) {
            joint.layout.has_limit_rows = has_limits_alone(step.state.joints[slot], joint.layout);
            if (!joint.layout.has_limit_rows) mark_not_smooth(scratch.bodies, joint);
        }
        if (joint.layout.type == JointType::track) {
            scratch.track_joints.push_back(joint);
            continue;
        }
        scratch.joints.push_back(joint);
    }
}

} // namespace

void collect_layouts(Scratch& scratch) {
    std::vector<std::uint64_t>& layouts = scratch.joint_layouts;
    layouts.clear();
    for (const JointConstraint& joint : scratch.joints)
        if (std::find(layouts.begin(), layouts.end(), joint.layout.key()) == layouts.end())
            layouts.push_back(joint.layout.key());
}

namespace {

void add_gears(StepData& step) {
    Scratch& scratch = step.scratch;
    scratch.gear_joints.clear();
    for (const std::uint32_t slot : step.memory.sleep.awake_joints) {
        const JointRecord& gear = step.state.joints[slot];
        if (gear.type != JointType::gear) continue;
        const GearedJoints geared{slot, constraint_of(step, gear.gear_a),
                                  constraint_of(step, gear.gear_b), gear.spring.has_value()};
        if (geared.responding_body().is_null()) continue;
        for (const JointConstraint& joint : {geared.driving, geared.driven}) {
            mark_has_joints(scratch.bodies, joint);
            if (geared.is_soft) mark_not_smooth(scratch.bodies, joint);
        }
        scratch.gear_joints.push_back(geared);
    }
}

/// All bodies that a gear acts on are of one group.
void unite_geared(const GearedJoints& gear, DisjointSets& groups) {
    const SolverBodyIndex first = gear.responding_body();
    for (const JointConstraint& joint : {gear.driving, gear.driven})
        for (const SolverBodyIndex body : {joint.body_a, joint.body_b})
            if (body.responds_to_impulses()) groups.unite(first.index(), body.index());
}

/// Sets the flag of all bodies of a group to the `value` that one of them has.
void spread(Scratch& scratch, std::uint8_t value, std::vector<std::uint8_t>& flags) {
    DisjointSets& groups = scratch.joint_groups;
    for (std::uint32_t i = 1; i < flags.size(); ++i)
        if (flags[i] == value) flags[groups.find(i)] = value;
    for (std::uint32_t i = 1; i < flags.size(); ++i) flags[i] = flags[groups.find(i)];
}

std::uint32_t group_of(Scratch& scratch, const JointConstraint& joint) {
    const SolverBodyIndex body = joint.body_a.responds_to_impulses() ? joint.body_a : joint.body_b;
    return scratch.joint_groups.find(body.index());
}

void find_company(Scratch& scratch) {
    constexpr std::uint8_t kFew = 4; // bodies
    std::vector<std::uint8_t>&sizes = scratch.group_sizes, &joint_counts = scratch.group_joints;
    sizes.assign(scratch.bodies.size(), 0);
    joint_counts.assign(scratch.bodies.size(), 0);
    for (std::uint32_t i = 1; i < sizes.size(); ++i) {
        std::uint8_t& size = sizes[scratch.joint_groups.find(i)];
        if (size <= kFew) ++size;
    }
    const auto lists = {&scratch.joints, &scratch.track_joints};
    for (const std::vector<JointConstraint>* joints : lists)
        for (const JointConstraint& joint : *joints) {
            std::uint8_t& count = joint_counts[group_of(scratch, joint)];
            if (count < 2) ++count;
        }
    // Hinges that are swept over disturb each other's axes. Two that corrected their errors as
    // stiffly as one alone threw a double pendulum on a kinematic body away within 3 s. Loops that
    // contacts press on must hold.
    const auto touches = [&](SolverBodyIndex i) {
        return i.responds_to_impulses() && scratch.bodies.has_contacts[i.index()] != 0;
    };
    constexpr std::uint8_t kTouched = 4; // beside the count, which is 2 at most
    for (const JointConstraint& joint : scratch.joints)
        if (touches(joint.body_a) || touches(joint.body_b))
            joint_counts[group_of(scratch, joint)] |= kTouched;
    for (const JointConstraint& joint : scratch.joints)
        if (joint_counts[group_of(scratch, joint)] == 2) sizes[group_of(scratch, joint)] = kFew + 1;
    for (const JointConstraint& joint : scratch.joints)
        joint_counts[group_of(scratch, joint)] &= kTouched - 1;
    for (std::vector<JointConstraint>* joints : lists)
        for (JointConstraint& joint : *joints) {
            const std::uint32_t group = group_of(scratch, joint);
            const bool is_alone =
                joint_counts[group] == 1 && scratch.bodies.only_smooth_joints[group] != 0;
            joint.company = sizes[group] > kFew ? JointCompany::chain
                            : is_alone          ? JointCompany::alone
                                                : JointCompany::few;
            joint.layout.repeats = joint.layout.is_sprung && joint_counts[group] > 1 &&
                                   scratch.bodies.only_smooth_joints[group] != 0;
            // Not of wheels: the circle of a steered car was 17 % off with it.
            if (scratch.bodies.has_contacts[group] != 0 && joint.layout.type != JointType::wheel)
                joint.layout.drifts_early = true;
        }
}

/// How much of the effective mass of a joint is that of body i, of the other one j: nearly all of
/// it, if j is heavy.
float share_of(const SolverBodies& bodies, SolverBodyIndex i, SolverBodyIndex j) {
    const SolverMass &a = bodies.mass_of(i), &b = bodies.mass_of(j);
    const auto trace = [](const Sym3f& t) { return t.xx + t.yy + t.zz; };
    const auto part = [](float x, float y) { return x > 0 ? x / (x + y) : 0.0f; };
    return std::max(part(a.inv_mass, b.inv_mass), part(trace(a.inv_inertia), trace(b.inv_inertia)));
}

/// The rates at which springs that share bodies act together: their squares add up, and dampers.
void find_spring_rates(StepData& step) {
    std::vector<std::array<float, 2>>& sums = step.scratch.spring_rates;
    sums.assign(step.scratch.bodies.size(), {});
    const auto for_ends = [&](JointConstraint& joint, const auto& visit) {
        if (!joint.layout.repeats) return;
        visit(joint, joint.body_a, joint.body_b);
        visit(joint, joint.body_b, joint.body_a);
    };
    for (JointConstraint& joint : step.scratch.joints)
        for_ends(joint, [&](const JointConstraint& of, SolverBodyIndex i, SolverBodyIndex j) {
            if (!i.responds_to_impulses()) return;
            const SpringDef spring = spring_of(step.state.joints[of.joint]);
            const float share = share_of(step.scratch.bodies, i, j);
            const auto w = static_cast<float>(2 * std::numbers::pi * spring.frequency_hz);
            sums[i.index()][0] += share * w * w;
            sums[i.index()][1] += share * 2 * static_cast<float>(spring.damping_ratio) * w;
        });
    for (JointConstraint& joint : step.scratch.joints)
        for_ends(joint, [&](JointConstraint& of, SolverBodyIndex i, SolverBodyIndex) {
            if (!i.responds_to_impulses()) return;
            const auto& [square, decay] = sums[i.index()];
            of.spring_rate = std::max({of.spring_rate, std::sqrt(square), decay});
        });
}

} // namespace

void collect_joints(StepData& step) {
    Scratch& scratch = step.scratch;
    add_joints(step);
    add_gears(step);
    scratch.joint_groups.reset(scratch.bodies.size());
    if (scratch.joints.empty() && scratch.track_joints.empty()) return;
    for (const std::vector<JointConstraint>* joints : {&scratch.joints, &scratch.track_joints})
        for (const JointConstraint& joint : *joints)
            if (joint.body_a.responds_to_impulses() && joint.body_b.responds_to_impulses())
                scratch.joint_groups.unite(joint.body_a.index(), joint.body_b.index());
    for (const GearedJoints& gear : scratch.gear_joints) unite_geared(gear, scratch.joint_groups);
    // Forces are integrated in one go if anything but smooth joints acts on one of a group.
    spread(scratch, 0, scratch.bodies.only_smooth_joints);
    spread(scratch, 1, scratch.bodies.has_contacts);
    find_company(scratch);
    find_spring_rates(step);
    collect_layouts(scratch);
}

} // namespace rigor::fast
