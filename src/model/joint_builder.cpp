#include "model/joint_builder.h"

#include <cmath>

#include "math/number_text.h"
#include "rigor/rotation.h"

namespace rigor {
namespace {

Error invalid(std::string where, std::string message) {
    return {ErrorCode::invalid_value, std::move(where), std::move(message)};
}

constexpr double kHalfTurn = 3.14159265358979323846;

Result<Vec3d> unit(const char* where, const Vec3d& axis) {
    if (std::abs(length(axis) - 1) <= 1e-3) return normalize(axis);
    return invalid(where, "must be a unit vector within 1e-3, got length " + text(length(axis)));
}

Result<void> check_numbers(const JointDef& def) {
    if (!is_finite(def.anchor)) return invalid("anchor", "must be finite");
    if (!is_finite(def.anchor_b)) return invalid("anchor_b", "must be finite");
    if (!(def.friction >= 0 && std::isfinite(def.friction)))
        return invalid("friction", "must be finite and not negative, got " + text(def.friction));
    for (const auto& [where, value] :
         {std::pair("break_force", def.break_force), std::pair("break_torque", def.break_torque)})
        if (!(value > 0)) return invalid(where, "must be positive, got " + text(value));
    if (def.motor)
        if (auto checked = check_motor(*def.motor); !checked) return checked;
    if (def.spring)
        if (auto checked = check_spring(*def.spring); !checked) return checked;
    for (const auto& range : {def.limits, def.range})
        if (range)
            if (auto checked = check_range("limits", *range); !checked) return checked;
    return {};
}

/// The joint's axes in the world: x along the axis of the joint.
Result<Quatd> frame_in_world(const JointDef& def) {
    switch (def.type) {
        case JointType::hinge:
        case JointType::slider:
        case JointType::cone_twist: {
            const Result<Vec3d> axis = unit("axis", def.axis);
            if (!axis) return axis.error();
            return rotation_between(Vec3d{1, 0, 0}, *axis);
        }
        case JointType::wheel: {
            const Result<Vec3d> axle = unit("axis", def.axis);
            if (!axle) return axle.error();
            const Result<Vec3d> steer = unit("steer_axis", def.steer_axis);
            if (!steer) return steer.error();
            const Vec3d across = cross(*steer, *axle);
            if (length(across) < 0.05) return invalid("axis", "must not be parallel to steer_axis");
            const Vec3d y = normalize(across);
            return from_matrix(Mat3d{cross(y, *steer), y, *steer});
        }
        case JointType::six_dof:
            if (std::abs(length(def.frame) - 1) > 1e-3)
                return invalid("frame", "must be a unit quaternion within 1e-3, got length " +
                                            text(length(def.frame)));
            return normalize(def.frame);
        default:
            return Quatd{};
    }
}

Result<void> set_ranges(const JointDef& def, JointRecord& joint) {
    switch (def.type) {
        case JointType::hinge:
        case JointType::slider:
        case JointType::wheel:
            if (def.limits) joint.ranges[0] = *def.limits;
            return {};
        case JointType::cone_twist:
            if (!(def.cone >= 0 && def.cone <= kHalfTurn))
                return invalid("cone", "must be in [0, pi], got " + text(def.cone));
            joint.ranges[0].hi = def.cone;
            joint.ranges[1] = def.twist;
            return check_range("twist", def.twist);
        case JointType::six_dof:
            joint.ranges = def.axes;
            for (const Range& range : def.axes)
                if (auto checked = check_range("axes", range); !checked) return checked;
            return {};
        case JointType::distance: {
            const double now = length(def.anchor_b - def.anchor);
            const Range range = def.range.value_or(Range{now, now});
            if (range.lo < 0)
                return invalid("range", "must not be negative, got " + text(range.lo));
            joint.ranges[0] = range;
            joint.length = range.lo;
            return {};
        }
        default:
            return {};
    }
}

Result<void> set_gear(const WorldState& state, const JointDef& def, JointRecord& joint) {
    if (!(def.gear_ratio != 0 && std::isfinite(def.gear_ratio)))
        return invalid("gear_ratio", "must be finite and not zero, got " + text(def.gear_ratio));
    if (def.gear_a == def.gear_b) return invalid("gear_b", "must be another joint than gear_a");
    for (const auto& [where, id] :
         {std::pair("gear_a", def.gear_a), std::pair("gear_b", def.gear_b)}) {
        const JointRecord* coupled = state.joints.records.find(id);
        if (!coupled) return invalid(where, "must be a joint of this world");
        if (coupled->type != JointType::hinge && coupled->type != JointType::slider)
            return invalid(where, "must be a hinge or a slider");
    }
    joint.gear_a = def.gear_a.index;
    joint.gear_b = def.gear_b.index;
    joint.gear_ratio = def.gear_ratio;
    return {};
}

Posed center_pose(const WorldState& state, BodyId body) {
    if (body.is_null()) return {};
    const BodyMotion& motion = state.bodies.motion[body.index];
    return {motion.x, motion.q};
}

} // namespace

Result<void> check_motor(const MotorDef& motor) {
    if (motor.target_velocity.has_value() == motor.target_position.has_value())
        return invalid("motor", "must have either a target velocity or a target position");
    if (!std::isfinite(motor.target_velocity.value_or(motor.target_position.value_or(0))))
        return invalid("motor", "must have a finite target");
    if (!(motor.max_force >= 0))
        return invalid("motor.max_force", "must not be negative, got " + text(motor.max_force));
    return {};
}

Result<void> check_spring(const SpringDef& spring) {
    if (!(spring.frequency_hz > 0 && std::isfinite(spring.frequency_hz)))
        return invalid("spring.frequency_hz",
                       "must be positive and finite, got " + text(spring.frequency_hz));
    if (!(spring.damping_ratio >= 0 && std::isfinite(spring.damping_ratio)))
        return invalid("spring.damping_ratio",
                       "must be finite and not negative, got " + text(spring.damping_ratio));
    return {};
}

Result<void> check_range(const char* where, const Range& range) {
    if (range.lo <= range.hi) return {};
    return invalid(where, "must ascend, got [" + text(range.lo) + ", " + text(range.hi) + "]");
}

Posed end_pose(const WorldState& state, const JointEnd& end) {
    return center_pose(state, end.body) * end.frame;
}

Result<JointRecord> build_joint(const WorldState& state, const JointDef& def) {
    if (def.type == JointType::track) return invalid("type", "track is not in this build");
    if (auto checked = check_numbers(def); !checked) return checked.error();
    JointRecord joint;
    joint.type = def.type;
    joint.motor = def.motor;
    joint.spring = def.spring;
    joint.friction = def.friction;
    joint.break_force = def.break_force;
    joint.break_torque = def.break_torque;
    joint.collide = def.collide;
    if (def.type == JointType::gear) {
        if (auto set = set_gear(state, def, joint); !set) return set.error();
        return joint;
    }
    if (def.a == def.b) return invalid("b", "must be another body than a");
    if (auto set = set_ranges(def, joint); !set) return set.error();
    const Result<Quatd> frame = frame_in_world(def);
    if (!frame) return frame.error();
    const Vec3d anchor_b = def.type == JointType::distance ? def.anchor_b : def.anchor;
    joint.a = {def.a, inverse(center_pose(state, def.a)) * Posed{def.anchor, *frame}};
    joint.b = {def.b, inverse(center_pose(state, def.b)) * Posed{anchor_b, *frame}};
    return joint;
}

} // namespace rigor
