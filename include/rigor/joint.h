// Definitions of joints: what holds two bodies together, and how much freedom it leaves them.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "rigor/ids.h"
#include "rigor/quat.h"
#include "rigor/vec.h"

namespace rigor {

enum class JointType : std::uint8_t {
    ball,       ///< shares a point
    hinge,      ///< shares a point and an axis: turns about it
    slider,     ///< slides along an axis, never turns
    fixed,      ///< shares everything
    distance,   ///< keeps two points at a length, or within a range of lengths
    cone_twist, ///< a ball whose axis stays in a cone and whose twist is limited
    six_dof,    ///< each of six freedoms locked, limited or free
    wheel,      ///< turns about an axle that is sprung and steered along another axis
    gear,       ///< couples the motion of two hinges or sliders
    track,      ///< a point of a rides on a curve fixed to b
};

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
    std::optional<double> target_velocity;                      ///< m/s or rad/s
    std::optional<double> target_position;                      ///< m or rad from the start
    double max_force = std::numeric_limits<double>::infinity(); ///< N or N m
};

/// All points and axes are in the world, at the start. Coordinates of a joint (limits, motor)
/// are those of b seen from a, zero at the start.
struct JointDef {
    std::string name;
    JointType type = JointType::ball;
    BodyId a, b; ///< a null id is the world itself

    Vec3d anchor;              ///< of a `distance` joint: the point of a
    Vec3d anchor_b;            ///< of a `distance` joint: the point of b; else equal to `anchor`
    Vec3d axis{0, 0, 1};       ///< unit: hinge, slider, wheel axle, the axis of a cone
    Vec3d steer_axis{0, 0, 1}; ///< unit: the way a wheel is sprung, and about which it steers
    Quatd frame;               ///< of a six_dof joint

    std::optional<Range> limits; ///< hinge: rad; slider, wheel (its travel), track: m
    std::optional<Range> range;  ///< of a `distance` joint, m; none: the distance at the start
    double cone = 0;             ///< half angle, rad
    Range twist;                 ///< rad
    std::array<Range, 6> axes;   ///< of a six_dof joint: tx ty tz (m), rx ry rz (rad), in `frame`

    JointId gear_a, gear_b; ///< the joints a gear couples
    double gear_ratio = 1;  ///< motion of gear_b per motion of gear_a

    std::vector<Vec3d> curve;  ///< of a track: at least two points, joined smoothly
    bool curve_closed = false; ///< the last point leads back to the first

    std::optional<MotorDef> motor;
    /// Of a hinge, slider or wheel (its travel): pulls its coordinate to zero, or to the motor's
    /// target. Of others: softens the joint itself.
    std::optional<SpringDef> spring;
    double friction = 0; ///< the largest force (N) or torque (N m) of dry friction
    double break_force = std::numeric_limits<double>::infinity();
    double break_torque = std::numeric_limits<double>::infinity();
    bool collide = false; ///< whether a and b still meet each other
};

/// A joint as it is now.
struct JointState {
    Vec3d anchor_a, anchor_b; ///< in the world
    double coordinate = 0;    ///< of its one freedom; of a hinge with all whole turns
    double error = 0;         ///< how far the anchors are from where they should be, m
    Vec3d force, torque;      ///< on b, at its anchor, at the end of the last step
};

} // namespace rigor
