#include "dynamics/joint_coordinates.h"

#include <cmath>
#include <limits>

#include "math/trig.h"
#include "model/joint_builder.h"
#include "rigor/rotation.h"

namespace rigor {
namespace {

constexpr double kTurn = 6.283185307179586;

/// The twist of B against A about axis i of their frames, in the swing-twist decomposition.
double twist_angle(const Quatd& a_to_b, int i) {
    const double part = i == 0 ? a_to_b.x : i == 1 ? a_to_b.y : a_to_b.z;
    return 2 * atan2(part, a_to_b.w);
}

/// The angle that differs from `angle` by whole turns and lies nearest to `last`.
double unwound(double angle, double last) {
    return angle + kTurn * std::round((last - angle) / kTurn);
}

double along(const JointFrames& frames, const Vec3d& axis) {
    return dot(rotate(frames.a.q, axis), frames.gap());
}

/// The angle between the two x axes.
double swing(const JointFrames& frames) {
    const Vec3d x = rotate(frames.a.q, Vec3d{1, 0, 0}), y = rotate(frames.b.q, Vec3d{1, 0, 0});
    return atan2(length(cross(x, y)), dot(x, y));
}

/// The spin of a wheel, seen from its steered axle.
double spin(const JointFrames& frames, double steer) {
    return twist_angle(conjugate(from_axis_angle(Vec3d{0, 0, 1}, steer)) * frames.a_to_b(), 0);
}

Vec3d unit_axis(std::size_t i) {
    return {i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0};
}

void six_dof_coordinates(const JointFrames& frames, const SixDofShape& shape, double* out) {
    for (std::size_t i = 0; i < 3; ++i)
        if (shape.is_bounded(static_cast<int>(i))) *out++ = along(frames, unit_axis(i));
    const Vec3d turned = to_rotation_vector(frames.a_to_b());
    for (int i = 0; i < 3; ++i) {
        if (!shape.is_bounded(3 + i)) continue;
        const double twist = unwound(twist_angle(frames.a_to_b(), i), 0);
        *out++ = shape.locked_turns() == 2 ? twist : turned[i];
    }
}

} // namespace

TrackCurve::Place track_place(const JointRecord& joint, const JointFrames& frames, double& way) {
    const TrackCurve::Place place =
        joint.track->nearest_from(inverse_transform(frames.b, frames.a.p), joint.track_start + way);
    way = place.s - joint.track_start;
    return place;
}

bool is_bounded(const Range& range) {
    return range.lo > -std::numeric_limits<double>::infinity() ||
           range.hi < std::numeric_limits<double>::infinity();
}

SixDofShape six_dof_shape(const JointRecord& joint) {
    SixDofShape shape;
    for (std::size_t i = 0; i < 6; ++i) {
        const Range& range = joint.ranges[i];
        const auto bit = static_cast<std::uint8_t>(1u << i);
        if (range.lo == range.hi)
            shape.locked |= bit;
        else if (is_bounded(range))
            shape.bounded |= bit;
    }
    return shape;
}

JointFrames joint_frames(const WorldState& state, const JointRecord& joint) {
    return {end_pose(state, joint.a), end_pose(state, joint.b)};
}

std::array<double, 6> joint_coordinates(const JointRecord& joint, const JointFrames& frames,
                                        double& angle) {
    std::array<double, 6> x{};
    switch (joint.type) {
        case JointType::hinge:
            x[0] = angle = unwound(twist_angle(frames.a_to_b(), 0), angle);
            break;
        case JointType::slider:
            x[0] = along(frames, {1, 0, 0});
            break;
        case JointType::distance:
            x[0] = length(frames.gap());
            break;
        case JointType::cone_twist:
            x[0] = swing(frames);
            x[1] = unwound(twist_angle(frames.a_to_b(), 0), 0);
            break;
        case JointType::wheel:
            x[0] = along(frames, {0, 0, 1});
            x[1] = angle = unwound(spin(frames, joint.steer), angle);
            break;
        case JointType::six_dof:
            six_dof_coordinates(frames, six_dof_shape(joint), x.data());
            break;
        case JointType::track:
            x[0] = track_place(joint, frames, angle).s;
            break;
        default:
            break;
    }
    return x;
}

double first_coordinate(const WorldState& state, const JointRecord& joint, double last) {
    return joint_coordinates(joint, joint_frames(state, joint), last)[0];
}

} // namespace rigor
