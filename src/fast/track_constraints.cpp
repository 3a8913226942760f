#include "fast/track_constraints.h"

#include <algorithm>

#include "dynamics/joint_coordinates.h"
#include "fast/lane_columns.h"
#include "fast/store_joint_impulses.h"
#include "math/dual.h"
#include "rigor/rotation.h"

namespace rigor::fast {
namespace {

Quatd rotation_of(const SolverBody& body) {
    const std::array<float, 8>& d = body.displacement;
    return cast<double>(Quatf{d[6], d[3], d[4], d[5]});
}

float relative(double coordinate, double reference) {
    return static_cast<float>(std::clamp(coordinate - reference, -static_cast<double>(kUnlimited),
                                         static_cast<double>(kUnlimited)));
}

/// Normals as near to the last ones as can be, so that impulses of the last substep keep their
/// directions.
TrackNormals next_normals(const Vec3d& tangent, const Vec3d& last) {
    constexpr double kNearlyAlong = 0.9;
    if (std::abs(dot(tangent, last)) > kNearlyAlong) return track_normals(tangent);
    return track_normals(tangent, last);
}

/// The pose as it goes on with these velocities.
JointPose<Dual> moving_pose(const JointPose<double>& pose, const SolverBody& a,
                            const SolverBody& b) {
    const Vec3d w_a = cast<double>(angular_velocity(a)), w_b = cast<double>(angular_velocity(b));
    const Vec3d v_a = cast<double>(linear_velocity(a)), v_b = cast<double>(linear_velocity(b));
    const auto turning = [](const Vec3d& v, const Vec3d& w) { return moving(v, cross(w, v)); };
    JointPose<Dual> now;
    now.arm_a = turning(pose.arm_a, w_a);
    now.arm_b = turning(pose.arm_b, w_b);
    now.gap = moving(pose.gap, v_b + cross(w_b, pose.arm_b) - v_a - cross(w_a, pose.arm_a));
    now.axes_b = {turning(pose.axes_b.cx, w_b), turning(pose.axes_b.cy, w_b),
                  turning(pose.axes_b.cz, w_b)};
    return now;
}

/// Where the displacements of its bodies take it.
JointPose<double> pose_at(const TrackConstraint& track, const SolverBody& a, const SolverBody& b) {
    JointPose<double> pose;
    pose.arm_a = rotate(rotation_of(a), track.anchor_a);
    pose.arm_b = rotate(rotation_of(b), track.anchor_b);
    pose.gap = track.gap + cast<double>(translation(b) - translation(a)) +
               (pose.arm_b - track.anchor_b) - (pose.arm_a - track.anchor_a);
    pose.axes_b = to_matrix(rotation_of(b) * track.frame_b);
    return pose;
}

/// Change of the rate of a row at constant velocities.
double bias_acceleration(const JointRow<Dual>& row, const SolverBody& a, const SolverBody& b) {
    return dot(rate_of(row.linear), cast<double>(linear_velocity(b) - linear_velocity(a))) +
           dot(rate_of(row.angular_b), cast<double>(angular_velocity(b))) -
           dot(rate_of(row.angular_a), cast<double>(angular_velocity(a)));
}

} // namespace

TrackConstraint make_track(const JointConstraint& constraint, const WorldState& state,
                           const SolverBodies& bodies, std::vector<JointMemory>& memories,
                           float h) {
    const JointRecord& joint = state.joints[constraint.joint];
    const JointFrames ends = joint_frames(state, joint);
    const auto center = [&](const JointEnd& end, const Posed& frame) {
        return end.body.is_null() ? frame.p : state.bodies.motion[end.body.index].x;
    };
    TrackConstraint track;
    track.joint = constraint.joint;
    reset_block<1>(track.block, constraint.layout);
    fill_lane<1>(track.block, 0, constraint, state, bodies, memories, h);
    const JointMemory& memory = memories[constraint.joint];
    track.curve = joint.track.get();
    track.start = joint.track_start;
    track.reference = joint.track_start + memory.angle;
    track.anchor_a = ends.a.p - center(joint.a, ends.a);
    track.anchor_b = ends.b.p - center(joint.b, ends.b);
    track.gap = ends.gap();
    track.frame_b = ends.b.q;
    track.place = track.curve->nearest_from(inverse_transform(ends.b, ends.a.p), track.reference);
    track.normals = track_normals(track.place.tangent);
    // The memory has the impulse as a vector in the frame of the curve.
    const Vec3d across =
        cast<double>(Vec3f{memory.impulses[0], memory.impulses[1], memory.impulses[2]});
    const float scale = memory.substep > 0 ? h / memory.substep : 1;
    track.block.rows[0].impulse[0] = scale * static_cast<float>(dot(across, track.normals.first));
    track.block.rows[1].impulse[0] = scale * static_cast<float>(dot(across, track.normals.second));
    JointBlock<1>::Dof& f = track.block.dofs[0];
    f.lower_limit[0] = relative(joint.ranges[0].lo, track.reference);
    f.upper_limit[0] = relative(joint.ranges[0].hi, track.reference);
    if (joint.motor && joint.motor->target_position)
        f.target[0] = relative(*joint.motor->target_position, track.reference);
    return track;
}

void update_rows(TrackConstraint& track, const SolverBodies& bodies, float moved_for) {
    JointBlock<1>& block = track.block;
    update_inertia<1>(&block, 1, bodies.mass.data());
    const SolverBody &a = bodies[block.body_a[0]], &b = bodies[block.body_b[0]];
    JointPose<double>& pose = track.pose;
    pose = pose_at(track, a, b);
    track.place =
        track.curve->nearest_from(transpose_multiply(pose.axes_b, -pose.gap), track.place.s);
    track.normals = next_normals(track.place.tangent, track.normals.first);
    JointRow<double> rows[3];
    track_rows(pose, track.place, track.normals, rows);
    JointRow<float> single[3];
    for (int i = 0; i < 3; ++i)
        single[i] = {cast<float>(rows[i].linear), cast<float>(rows[i].angular_a),
                     cast<float>(rows[i].angular_b), static_cast<float>(rows[i].error)};
    set_rows(block, single, moved_for);
    set<1>(block.current_anchor_a, 0, cast<float>(pose.arm_a));
    set<1>(block.current_anchor_b, 0, cast<float>(pose.arm_b - pose.gap)); // where a is held
    block.dofs[0].coordinate[0] = relative(track.place.s, track.reference);
}

double find_drift(TrackConstraint& track, const SolverBodies& bodies, const SolverBody* ahead,
                  float h) {
    constexpr double kLeastArm = 0.1; // m
    JointBlock<1>& block = track.block;
    const std::uint32_t a = block.body_a[0].index(), b = block.body_b[0].index();
    const JointPose<double> pose = pose_at(track, ahead[a], ahead[b]);
    const TrackCurve::Place place =
        track.curve->nearest_from(transpose_multiply(pose.axes_b, -pose.gap), track.place.s);
    const Vec3d last[] = {track.normals.first, track.normals.second};
    const Vec3d away = transpose_multiply(pose.axes_b, -pose.gap) - place.position;
    double change = 0;
    for (std::size_t i = 0; i < 2; ++i) {
        auto& row = block.rows[i];
        // Along the normal that has turned with the tangent.
        const Vec3d n = last[i] - place.tangent * dot(last[i], place.tangent);
        const double then = -dot(n, away) / length(n);
        const auto along = [&](const std::array<Column<1>, 3>& v) {
            return cast<double>(vector_at<1>(v, 0));
        };
        const SolverBody &of_a = bodies.bodies[a], &of_b = bodies.bodies[b];
        const double rate =
            dot(along(row.linear), cast<double>(linear_velocity(of_b) - linear_velocity(of_a))) +
            dot(along(row.angular_b), cast<double>(angular_velocity(of_b))) -
            dot(along(row.angular_a), cast<double>(angular_velocity(of_a)));
        const double drift =
            (then - static_cast<double>(row.error[0])) / static_cast<double>(h) - rate;
        change = std::max(change, std::abs(drift - static_cast<double>(row.drift[0])));
        row.drift[0] = static_cast<float>(drift);
    }
    return change * static_cast<double>(h) / (kLeastArm + length(pose.arm_a));
}

void predict_drift(TrackConstraint& track, const SolverBodies& bodies, float h) {
    const SolverBody &a = bodies[track.block.body_a[0]], &b = bodies[track.block.body_b[0]];
    const JointPose<Dual> pose = moving_pose(track.pose, a, b);
    JointRow<Dual> rows[3];
    track_rows(pose, track.place, track.normals, rows);
    const double most = 0.5 * length(rate_of(pose.gap)); // a turn by more than that is not small
    for (std::size_t i = 0; i < 2; ++i) {
        const double drift = 0.5 * static_cast<double>(h) * bias_acceleration(rows[i], a, b);
        track.block.rows[i].drift[0] = static_cast<float>(std::clamp(drift, -most, most));
    }
}

void store_impulses(const TrackConstraint& track, JointMemory& memory, float h) {
    store_impulses<1>(track.block, 0, memory, h);
    const Vec3f across = cast<float>(track.normals.first) * track.block.rows[0].impulse[0] +
                         cast<float>(track.normals.second) * track.block.rows[1].impulse[0];
    memory.impulses = {across.x, across.y, across.z};
    memory.angle = track.place.s - track.start;
}

} // namespace rigor::fast
