#include "contact_dynamics/constraint_rows.h"

#include "dynamics/joints/ball.h"
#include "dynamics/joints/distance.h"
#include "dynamics/joints/fixed.h"
#include "dynamics/joints/hinge.h"
#include "dynamics/joints/slider.h"
#include "rigor/rotation.h"

namespace rigor::contact_dynamics {
namespace {

Quatdual rotating(const Quatd& q, const Vec3d& w) {
    const Quatd rate = derivative(q, w);
    return {{q.w, rate.w}, {q.x, rate.x}, {q.y, rate.y}, {q.z, rate.z}};
}

Mat3<Dual> axes_of(const Quatdual& q, const Quatd& frame) {
    const auto axis = [&](const Vec3d& e) { return rotate(q, moving(rotate(frame, e), {})); };
    return {axis({1, 0, 0}), axis({0, 1, 0}), axis({0, 0, 1})};
}

/// The joint where it is, and how it goes on.
JointPose<Dual> pose_of(const JointRecord& joint, const BodyKinematics& a,
                        const BodyKinematics& b) {
    const Quatdual q_a = rotating(a.q, a.w), q_b = rotating(b.q, b.w);
    JointPose<Dual> pose;
    pose.arm_a = rotate(q_a, moving(joint.a.frame.p, {}));
    pose.arm_b = rotate(q_b, moving(joint.b.frame.p, {}));
    pose.gap = moving(b.x, b.v) + pose.arm_b - moving(a.x, a.v) - pose.arm_a;
    pose.axes_a = axes_of(q_a, joint.a.frame.q);
    pose.axes_b = axes_of(q_b, joint.b.frame.q);
    return pose;
}

/// How many freedoms a joint takes away, with their rows.
int constrained_rows(const JointRecord& joint, const JointPose<Dual>& pose, JointRow<Dual>* rows) {
    switch (joint.type) {
        case JointType::ball:
            ball_rows(pose, false, rows);
            return 3;
        case JointType::hinge:
            hinge_rows(pose, rows);
            return 5;
        case JointType::slider:
            slider_rows(pose, rows);
            return 5;
        case JointType::fixed:
            fixed_rows(pose, rows);
            return 6;
        case JointType::distance:
            distance_rows(pose, Dual(joint.length), rows);
            return 1;
        default:
            return 0;
    }
}

ConstraintRow row_of(const JointRow<Dual>& joint, std::uint32_t a, std::uint32_t b,
                     std::span<const BodyKinematics> bodies) {
    const Dual rate = dot(joint.linear, moving(bodies[b].v - bodies[a].v, {})) +
                      dot(joint.angular_b, moving(bodies[b].w, {})) -
                      dot(joint.angular_a, moving(bodies[a].w, {}));
    const Vec3d linear = value_of(joint.linear);
    return {{{{a, -linear, -value_of(joint.angular_a)}, {b, linear, value_of(joint.angular_b)}}},
            rate.rate,
            joint.error.value};
}

} // namespace

double rate(const ConstraintRow& row, std::span<const BodyKinematics> bodies) {
    double sum = 0;
    for (const ConstraintRow::Side& s : row.sides)
        sum += dot(s.linear, bodies[s.body].v) + dot(s.angular, bodies[s.body].w);
    return sum;
}

double rate(const ConstraintRow& row, std::span<const SpatialVector> velocities) {
    double sum = 0;
    for (const ConstraintRow::Side& s : row.sides)
        sum +=
            dot(s.linear, velocities[s.body].linear) + dot(s.angular, velocities[s.body].angular);
    return sum;
}

void add_impulse(const ConstraintRow& row, double lambda, std::span<SpatialVector> impulses) {
    for (const ConstraintRow::Side& s : row.sides) {
        impulses[s.body].linear += s.linear * lambda;
        impulses[s.body].angular += s.angular * lambda;
    }
}

SpatialVector response(const BodyKinematics& body, const SpatialVector& impulse) {
    return {multiply(body.inv_mass, impulse.linear), body.inv_inertia * impulse.angular};
}

ConstraintRow velocity_response(const ConstraintRow& row, std::span<const BodyKinematics> bodies) {
    ConstraintRow result = row;
    for (ConstraintRow::Side& s : result.sides) {
        const SpatialVector velocity = response(bodies[s.body], {s.linear, s.angular});
        s.linear = velocity.linear;
        s.angular = velocity.angular;
    }
    return result;
}

double coupling(const ConstraintRow& row, const ConstraintRow& velocities) {
    double sum = 0;
    for (const ConstraintRow::Side& s : row.sides)
        for (const ConstraintRow::Side& t : velocities.sides)
            if (s.body == t.body) sum += dot(s.linear, t.linear) + dot(s.angular, t.angular);
    return sum;
}

ConstraintRow combine(const ConstraintRow& a, double scale_a, const ConstraintRow& b,
                      double scale_b) {
    ConstraintRow row = a;
    for (std::size_t i = 0; i < 2; ++i) {
        row.sides[i].linear = a.sides[i].linear * scale_a + b.sides[i].linear * scale_b;
        row.sides[i].angular = a.sides[i].angular * scale_a + b.sides[i].angular * scale_b;
    }
    return row;
}

std::array<ConstraintRow, 3> contact_rows(const ContactFrame& frame, std::uint32_t a,
                                          std::uint32_t b, std::span<const BodyKinematics> bodies) {
    const Vec3d arm_a = frame.point - bodies[a].x, arm_b = frame.point_b - bodies[b].x;
    const auto row = [&](const Vec3d& d, double bias_acceleration, double error) {
        return ConstraintRow{
            {{{a, -d, -cross(arm_a, d)}, {b, d, cross(arm_b, d)}}}, bias_acceleration, error};
    };
    return {row(frame.tangent_1, frame.bias_acceleration.x, 0),
            row(frame.tangent_2, frame.bias_acceleration.y, 0),
            row(frame.normal, frame.bias_acceleration.z, frame.gap)};
}

bool is_enforced(const JointRecord& joint) {
    switch (joint.type) {
        case JointType::ball:
        case JointType::hinge:
        case JointType::slider:
        case JointType::fixed:
            return true;
        case JointType::distance:
            return joint.ranges[0].lo == joint.ranges[0].hi;
        default:
            return false;
    }
}

void append_joint_rows(const JointRecord& joint, std::uint32_t a, std::uint32_t b,
                       std::span<const BodyKinematics> bodies, std::vector<ConstraintRow>& rows) {
    std::array<JointRow<Dual>, 6> constrained;
    const int count =
        constrained_rows(joint, pose_of(joint, bodies[a], bodies[b]), constrained.data());
    for (int i = 0; i < count; ++i)
        rows.push_back(row_of(constrained[static_cast<std::size_t>(i)], a, b, bodies));
}

DenseMatrix couplings(std::span<const ConstraintRow> rows, std::span<const ConstraintRow> columns,
                      std::span<const BodyKinematics> bodies) {
    DenseMatrix m(rows.size(), columns.size());
    for (std::size_t j = 0; j < columns.size(); ++j) {
        const ConstraintRow column = velocity_response(columns[j], bodies);
        for (std::size_t i = 0; i < rows.size(); ++i) m(i, j) = coupling(rows[i], column);
    }
    return m;
}

} // namespace rigor::contact_dynamics
