#include "model/joint_builder.h"

#include <algorithm>
#include <cmath>

#include "base/invalid_value.h"
#include "math/number_text.h"
#include "rigor/rotation.h"

namespace rigor {
namespace {

constexpr double kHalfTurn = 3.14159265358979323846;

Result<Vec3d> unit(const char* where, const Vec3d& axis) {
    if (std::abs(length(axis) - 1) <= 1e-3) return normalize(axis);
    return invalid(where, "must be a unit vector within 1e-3, got length " + text(length(axis)));
}

Result<void> check_numbers(const JointDef& def) {
    if (!is_finite(def.anchor)) return invalid("anchor", "must be finite");
    if (!(def.friction >= 0 && std::isfinite(def.friction)))
        return invalid("friction", "must be finite and not negative, got " + text(def.friction));
    for (const auto& [where, value] :
         {std::pair("break_force", def.break_force), std::pair("break_torque", def.break_torque)})
        if (!(value > 0)) return invalid(where, "must be positive, got " + text(value));
    if (def.spring) return check_spring(*def.spring);
    return {};
}

/// Adds to a record what is special to a kind of joint: ranges of its coordinates, motor, and the
/// axes of its frame in the world, x along the axis of the joint. A kind without an overload does
/// not compile.
class KindBuilder {
  public:
    KindBuilder(const WorldState& state, const JointDef& def, JointRecord& joint)
        : anchor_a(def.anchor), anchor_b(def.anchor), state_(state), def_(def), joint_(joint) {}

    Vec3d anchor_a, anchor_b; ///< where the joint holds on to the bodies, in the world
    Quatd frame;

    Result<void> operator()(const BallJoint&) { return {}; }
    Result<void> operator()(const FixedJoint&) { return {}; }
    Result<void> operator()(const HingeJoint& hinge) { return set_driven_axis(hinge); }
    Result<void> operator()(const SliderJoint& slider) { return set_driven_axis(slider); }

    Result<void> operator()(const DistanceJoint& distance) {
        if (!is_finite(distance.anchor_b)) return invalid("anchor_b", "must be finite");
        const double now = length(distance.anchor_b - def_.anchor);
        const Range range = distance.range.value_or(Range{now, now});
        if (auto checked = check_range("range", range); !checked) return checked;
        if (range.lo < 0) return invalid("range", "must not be negative, got " + text(range.lo));
        joint_.ranges[0] = range;
        joint_.length = range.lo;
        anchor_b = distance.anchor_b;
        return {};
    }

    Result<void> operator()(const ConeTwistJoint& shoulder) {
        if (!(shoulder.cone >= 0 && shoulder.cone <= kHalfTurn))
            return invalid("cone", "must be in [0, pi], got " + text(shoulder.cone));
        if (auto checked = check_range("twist", shoulder.twist); !checked) return checked;
        joint_.ranges[0].hi = shoulder.cone;
        joint_.ranges[1] = shoulder.twist;
        return set_axis(shoulder.axis);
    }

    Result<void> operator()(const SixDofJoint& six_dof) {
        for (const Range& range : six_dof.axes) {
            if (auto checked = check_range("axes", range); !checked) return checked;
            if (range.lo == range.hi && range.lo != 0)
                return invalid("axes", "must lock an axis at 0, where it is at the start, got " +
                                           text(range.lo));
        }
        if (std::abs(length(six_dof.frame) - 1) > 1e-3)
            return invalid("frame", "must be a unit quaternion within 1e-3, got length " +
                                        text(length(six_dof.frame)));
        joint_.ranges = six_dof.axes;
        frame = normalize(six_dof.frame);
        return {};
    }

    Result<void> operator()(const WheelJoint& wheel) {
        if (auto set = set_limits_and_motor(wheel.limits, wheel.motor); !set) return set;
        const Result<Vec3d> axle = unit("axis", wheel.axis);
        if (!axle) return axle.error();
        const Result<Vec3d> steer = unit("steer_axis", wheel.steer_axis);
        if (!steer) return steer.error();
        const Vec3d across = cross(*steer, *axle);
        if (length(across) < 0.05) return invalid("axis", "must not be parallel to steer_axis");
        const Vec3d y = normalize(across);
        frame = from_matrix(Mat3d{cross(y, *steer), y, *steer});
        return {};
    }

    Result<void> operator()(const GearJoint& gear) {
        if (!(gear.ratio != 0 && std::isfinite(gear.ratio)))
            return invalid("gear.ratio", "must be finite and not zero, got " + text(gear.ratio));
        if (def_.friction > 0)
            return invalid("friction", "does not act on a gear: give it to the joints it couples");
        if (gear.a == gear.b) return invalid("gear.b", "must be another joint than gear.a");
        for (const auto& [where, id] : {std::pair("gear.a", gear.a), std::pair("gear.b", gear.b)}) {
            const JointRecord* coupled = state_.joints.records.find(id);
            if (!coupled) return invalid(where, "must be a joint of this world");
            if (coupled->type != JointType::hinge && coupled->type != JointType::slider)
                return invalid(where, "must be a hinge or a slider");
        }
        joint_.gear_a = gear.a.index;
        joint_.gear_b = gear.b.index;
        joint_.gear_ratio = gear.ratio;
        return {};
    }

    Result<void> operator()(const TrackJoint& track) {
        if (auto set = set_limits_and_motor(track.limits, track.motor); !set) return set;
        const Vec3d origin = track.curve.empty() ? Vec3d{} : track.curve[0];
        std::vector<Vec3d> points = track.curve;
        for (Vec3d& point : points) point -= origin;
        Result<TrackCurve> curve = TrackCurve::make(std::move(points), track.closed);
        if (!curve) return curve.error();
        const Result<Range> range = track_range(*curve, joint_.ranges[0]);
        if (!range) return range.error();
        joint_.ranges[0] = *range;
        const TrackCurve::Place start = curve->nearest(def_.anchor - origin);
        joint_.track_start = start.s;
        joint_.track = std::make_shared<const TrackCurve>(std::move(*curve));
        anchor_a = origin + start.position;
        anchor_b = origin;
        return {};
    }

  private:
    Result<void> set_axis(const Vec3d& given) {
        const Result<Vec3d> axis = unit("axis", given);
        if (!axis) return axis.error();
        frame = rotation_between(Vec3d{1, 0, 0}, *axis);
        return {};
    }

    Result<void> set_limits_and_motor(const std::optional<Range>& limits,
                                      const std::optional<MotorDef>& motor) {
        if (motor)
            if (auto checked = check_motor(*motor); !checked) return checked;
        if (limits) {
            if (auto checked = check_range("limits", *limits); !checked) return checked;
            joint_.ranges[0] = *limits;
        }
        joint_.motor = motor;
        return {};
    }

    template <class Kind>
    Result<void> set_driven_axis(const Kind& kind) {
        if (auto set = set_limits_and_motor(kind.limits, kind.motor); !set) return set;
        return set_axis(kind.axis);
    }

    const WorldState& state_;
    const JointDef& def_;
    JointRecord& joint_;
};

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

Result<Range> track_range(const TrackCurve& curve, const Range& limits) {
    if (curve.is_closed()) return limits;
    const Range range{std::max(limits.lo, 0.0), std::min(limits.hi, curve.length())};
    if (range.lo <= range.hi) return range;
    return invalid("limits", "must lie on the track, from 0 to " + text_short(curve.length()) +
                                 " m, got [" + text(limits.lo) + ", " + text(limits.hi) + "]");
}

Result<void> check_range(const char* where, const Range& range) {
    if (range.lo <= range.hi) return {};
    return invalid(where, "must ascend, got [" + text(range.lo) + ", " + text(range.hi) + "]");
}

Posed end_pose(const WorldState& state, const JointEnd& end) {
    return center_pose(state, end.body) * end.frame;
}

Result<JointRecord> build_joint(const WorldState& state, const JointDef& def) {
    if (auto checked = check_numbers(def); !checked) return checked.error();
    JointRecord joint;
    joint.type = def.type();
    joint.spring = def.spring;
    joint.friction = def.friction;
    joint.break_force = def.break_force;
    joint.break_torque = def.break_torque;
    joint.collide = def.collide;
    const bool has_bodies = joint.type != JointType::gear;
    if (has_bodies && def.a == def.b) return invalid("b", "must be another body than a");
    KindBuilder kind(state, def, joint);
    if (auto built = std::visit(kind, def.kind); !built) return built.error();
    if (!has_bodies) return joint;
    joint.a = {def.a, inverse(center_pose(state, def.a)) * Posed{kind.anchor_a, kind.frame}};
    joint.b = {def.b, inverse(center_pose(state, def.b)) * Posed{kind.anchor_b, kind.frame}};
    return joint;
}

} // namespace rigor
