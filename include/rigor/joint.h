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

/// lo <= hi; equal ends lock, infinite ends free.
struct Range {
    double lo = -std::numeric_limits<double>::infinity();
    double hi = std::numeric_limits<double>::infinity();

    friend constexpr bool operator==(const Range&, const Range&) = default;
};

/// A spring by how it swings rather than by its stiffness, so that it suits any mass.
struct SpringDef {
    double frequency_hz = 0;
    double damping_ratio = 0; ///< 1 is critical
};

/// Drives the one freedom of a joint: to a speed, or to a place. Exactly one is given.
struct MotorDef {
    std::optional<double> target_velocity = {};                 ///< m/s or rad/s
    std::optional<double> target_position = {};                 ///< m or rad from the start
    double max_force = std::numeric_limits<double>::infinity(); ///< N or N m
};

/// Shares a point.
struct BallJoint {};

/// Shares a point and an axis: rotates about it.
struct HingeJoint {
    Vec3d axis{0, 0, 1};              ///< unit
    std::optional<Range> limits = {}; ///< rad
    std::optional<MotorDef> motor = {};
};

/// Translates along an axis, without rotation.
struct SliderJoint {
    Vec3d axis{0, 0, 1};              ///< unit
    std::optional<Range> limits = {}; ///< m
    std::optional<MotorDef> motor = {};
};

/// Shares position and orientation.
struct FixedJoint {};

/// Keeps the distance of two points, or keeps it within a range. The point of a is
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

/// Spins about an axle that a carries, sprung along another axis and steered about it.
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

/// A point of a moves along a curve fixed to b, free to rotate about it.
///
/// The curve is a cubic spline through its points, with continuous curvature. Its coordinate is the
/// arc length from the first point to where a is now; on a closed curve whole laps count. a is held
/// at the point of the curve that is nearest to the anchor at the start. The ends of an open curve
/// are limits.
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

/// All points and axes are in the world, at the start. Coordinates of a joint (limits, motor)
/// are those of b seen from a, zero at the start; of a track that of a on the curve of b.
struct JointDef {
    std::string name = {};
    BodyId a = {}, b = {}; ///< a null id is the world itself
    Vec3d anchor = {};
    JointKind kind = {};

    /// Of a hinge, slider or wheel (its travel): pulls its coordinate to zero, or to the motor's
    /// target. Of others: softens the joint itself.
    std::optional<SpringDef> spring = {};
    double friction = 0; ///< the largest force (N) or torque (N m) of dry friction
    double break_force = std::numeric_limits<double>::infinity();
    double break_torque = std::numeric_limits<double>::infinity();
    bool collide = false; ///< whether a and b still collide with each other

    JointType type() const { return static_cast<JointType>(kind.index()); }
};

/// A joint as it is now.
struct JointState {
    Vec3d anchor_a, anchor_b; ///< in the world
    double coordinate = 0;    ///< of its one freedom; of a hinge with all whole turns
    double error = 0;         ///< how far the anchors are from where they should be, m
    Vec3d force, torque;      ///< on b, at its anchor, at the end of the last step
    double speed = 0;         ///< rate of the coordinate, m/s or rad/s
};

} // namespace rigor
