// Definitions of joints: constraints between two bodies, by the degrees of freedom that they leave.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "rigor/ids.h"
#include "rigor/quat.h"
#include "rigor/vec.h"

namespace rigor {

/// Range of a coordinate, lo <= hi. Equal ends lock it, infinite ends leave it free.
struct Range {
    double lo = -std::numeric_limits<double>::infinity();
    double hi = std::numeric_limits<double>::infinity();

    friend constexpr bool operator==(const Range&, const Range&) = default;
};

/// A spring by frequency and damping ratio instead of stiffness and damping, so that it suits any
/// mass.
struct SpringDef {
    double frequency_hz = 0;
    double damping_ratio = 0; ///< 1 is critical
};

/// Drives the degree of freedom of a joint to a velocity or to a position. Exactly one target is
/// given.
struct MotorDef {
    std::optional<double> target_velocity = {};                 ///< m/s or rad/s
    std::optional<double> target_position = {};                 ///< m or rad from the start
    double max_force = std::numeric_limits<double>::infinity(); ///< N or N m
};

/// The anchors coincide; all rotations are free.
struct BallJoint {};

/// The anchors and an axis coincide: b rotates about the axis (revolute joint).
struct HingeJoint {
    Vec3d axis{0, 0, 1};              ///< unit
    std::optional<Range> limits = {}; ///< rad
    std::optional<MotorDef> motor = {};
};

/// b translates along an axis, without rotation (prismatic joint).
struct SliderJoint {
    Vec3d axis{0, 0, 1};              ///< unit
    std::optional<Range> limits = {}; ///< m
    std::optional<MotorDef> motor = {};
};

/// No relative motion (weld joint).
struct FixedJoint {};

/// Keeps the distance of two points constant or within a range (rod, rope). The point of a is
/// JointDef::anchor.
struct DistanceJoint {
    Vec3d anchor_b = {};             ///< the point of b
    std::optional<Range> range = {}; ///< m; none: the distance at the start
};

/// A ball joint whose axis stays in a cone and whose twist is limited.
struct ConeTwistJoint {
    Vec3d axis{0, 0, 1}; ///< unit: of the cone
    double cone = 0;     ///< half angle, rad
    Range twist = {};    ///< rad
};

/// Each of six degrees of freedom is locked, limited or free.
struct SixDofJoint {
    Quatd frame = {};
    std::array<Range, 6> axes = {}; ///< tx ty tz (m), rx ry rz (rad), in `frame`
};

/// b spins about an axle of a, with suspension along the steering axis and steering about it.
struct WheelJoint {
    Vec3d axis{0, 0, 1};                ///< unit: the axle
    Vec3d steer_axis{0, 0, 1};          ///< unit: of suspension and steering
    std::optional<Range> limits = {};   ///< of the suspension travel, m
    std::optional<MotorDef> motor = {}; ///< of the spin
};

/// Couples the coordinates of two hinges or sliders. It has no bodies of its own.
struct GearJoint {
    JointId a = {}, b = {};
    double ratio = 1; ///< motion of b per motion of a
};

/// A point of a moves along a curve fixed to b; all rotations are free.
///
/// The curve is a cubic spline through its points, with continuous curvature. The coordinate is the
/// arc length from the first point to the current position of a; on a closed curve whole laps are
/// counted. a is attached at the point of the curve that is nearest to the anchor at the start. The
/// ends of an open curve are limits.
struct TrackJoint {
    std::vector<Vec3d> curve = {};      ///< at least two points, three of a closed curve
    bool closed = false;                ///< the last point leads back to the first
    std::optional<Range> limits = {};   ///< arc length, m
    std::optional<MotorDef> motor = {}; ///< along the curve; a target position is an arc length
};

/// The type of a joint with the fields that only this type has.
using JointKind = std::variant<BallJoint, HingeJoint, SliderJoint, FixedJoint, DistanceJoint,
                               ConeTwistJoint, SixDofJoint, WheelJoint, GearJoint, TrackJoint>;

/// The alternatives of JointKind, in the same order.
enum class JointType : std::uint8_t {
    ball,
    hinge,
    slider,
    fixed,
    distance,
    cone_twist,
    six_dof,
    wheel,
    gear,
    track,
};

/// As scene files spell them, by JointType.
inline constexpr std::string_view kJointTypeNames[] = {"ball",     "hinge",      "slider",  "fixed",
                                                       "distance", "cone_twist", "six_dof", "wheel",
                                                       "gear",     "track"};

/// All points and axes are in world coordinates, at the time the joint is added. The coordinate of
/// a joint (limits, motor) is that of b relative to a, zero at that time; of a track it is the arc
/// length of a on the curve of b.
struct JointDef {
    std::string name = {};
    BodyId a = {}, b = {}; ///< a null id is the world itself
    Vec3d anchor = {};
    JointKind kind = {};

    /// Of a hinge, slider or wheel (suspension travel): pulls the coordinate to zero, or to
    /// the target position of the motor. Of any other joint: makes the joint itself soft.
    std::optional<SpringDef> spring = {};
    double friction = 0; ///< the largest force (N) or torque (N m) of dry friction
    double break_force = std::numeric_limits<double>::infinity();
    double break_torque = std::numeric_limits<double>::infinity();
    bool collide = false; ///< whether a and b still collide with each other

    JointType type() const { return static_cast<JointType>(kind.index()); }
};

/// Current state of a joint.
struct JointState {
    Vec3d anchor_a, anchor_b; ///< in the world
    double coordinate = 0;    ///< of its degree of freedom; of a hinge including full turns
    double error = 0;         ///< position error: distance of the anchors from the constraint, m
    Vec3d force, torque;      ///< on b, at its anchor, at the end of the last step
    double speed = 0;         ///< rate of the coordinate, m/s or rad/s
};

} // namespace rigor
