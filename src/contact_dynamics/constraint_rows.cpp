#include "contact_dynamics/constraint_rows.h"

#include "dynamics/joints/ball.h"
#include "dynamics/joints/distance.h"
#include "dynamics/joints/fixed.h"
#include "dynamics/joints/hinge.h"
#include "dynamics/joints/slider.h"
#include "rigor/rotation.h"

namespace rigor::contact_dynamics {
namespace {

Quatdual turning(const Quatd& q, const Vec3d& w) {
    const Quatd rate = derivative(q, w);
    return {{q.w, rate.w}, {q.x, rate.x}, {q.y, rate.y}, {q.z, rate.z}};
}

Mat3<Dual> axes_of(const Quatdual& q, const Quatd& frame) {
    const auto axis = [&](const Vec3d& e) { return rotate(q, moving(rotate(frame, e), {})); };
    return {axis({1, 0, 0}), axis({0, 1, 0}), axis({0, 0, 1})};
}

/// The joint where it is, and how it goes on.
JointPose<Dual> pose_of(const JointRecord& joint, const BodyMoment& a, const BodyMoment& b) {
    const Quatdual q_a = turning(a.q, a.w), q_b = turning(b.q, b.w);
    JointPose<Dual> pose;
    pose.arm_a = rotate(q_a, moving(joint.a.frame.p, {}));
    pose.arm_b = rotate(q_b, moving(joint.b.frame.p, {}));
    pose.gap = moving(b.x, b.v) + pose.arm_b - moving(a.x, a.v) - pose.arm_a;
    pose.axes_a = axes_of(q_a, joint.a.frame.q);
    pose.axes_b = axes_of(q_b, joint.b.frame.q);
    return pose;
}

/// How many freedoms a joint takes away, with their rows.
int taken_rows(const JointRecord& joint, const JointPose<Dual>& pose, JointRow<Dual>* rows) {
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

Row row_of(const JointRow<Dual>& joint, std::uint32_t a, std::uint32_t b,
           std::span<const BodyMoment> bodies) {
    const Dual rate = dot(joint.linear, moving(bodies[b].v - bodies[a].v, {})) +
                      dot(joint.angular_b, moving(bodies[b].w, {})) -
                      dot(joint.angular_a, moving(bodies[a].w, {}));
    const Vec3d linear = value_of(joint.linear);
    return {{{{a, -linear, -value_of(joint.angular_a)}, {b, linear, value_of(joint.angular_b)}}},
            rate.rate,
            joint.error.value};
}

} // namespace

double rate(const Row& row, std::span<const BodyMoment> bodies) {
    double sum = 0;
    for (const Row::Side& s : row.sides)
        sum += dot(s.linear, bodies[s.body].v) + dot(s.angular, bodies[s.body].w);
    return sum;
}

double rate(const Row& row, std::span<const Push> velocities) {
    double sum = 0;
    for (const Row::Side& s : row.sides)
        sum +=
            dot(s.linear, velocities[s.body].linear) + dot(s.angular, velocities[s.body].angular);
    return sum;
}

void push(const Row& row, double lambda, std::span<Push> pushes) {
    for (const Row::Side& s : row.sides) {
        pushes[s.body].linear += s.linear * lambda;
        pushes[s.body].angular += s.angular * lambda;
    }
}

Push response(const BodyMoment& body, const Push& push) {
    return {multiply(body.inv_mass, push.linear), body.inv_inertia * push.angular};
}

Row moved(const Row& row, std::span<const BodyMoment> bodies) {
    Row result = row;
    for (Row::Side& s : result.sides) {
        const Push velocity = response(bodies[s.body], {s.linear, s.angular});
        s.linear = velocity.linear;
        s.angular = velocity.angular;
    }
    return result;
}

double coupling(const Row& row, const Row& moved) {
    double sum = 0;
    for (const Row::Side& s : row.sides)
        for (const Row::Side& t : moved.sides)
            if (s.body == t.body) sum += dot(s.linear, t.linear) + dot(s.angular, t.angular);
    return sum;
}

Row combine(const Row& a, double scale_a, const Row& b, double scale_b) {
    Row row = a;
    for (std::size_t i = 0; i < 2; ++i) {
        row.sides[i].linear = a.sides[i].linear * scale_a + b.sides[i].linear * scale_b;
        row.sides[i].angular = a.sides[i].angular * scale_a + b.sides[i].angular * scale_b;
    }
    return row;
}

std::array<Row, 3> contact_rows(const ContactFrame& frame, std::uint32_t a, std::uint32_t b,
                                std::span<const BodyMoment> bodies) {
    const Vec3d arm_a = frame.point - bodies[a].x, arm_b = frame.point_b - bodies[b].x;
    const auto row = [&](const Vec3d& d, double drift, double error) {
        return Row{{{{a, -d, -cross(arm_a, d)}, {b, d, cross(arm_b, d)}}}, drift, error};
    };
    return {row(frame.tangent_1, frame.drift.x, 0), row(frame.tangent_2, frame.drift.y, 0),
            row(frame.normal, frame.drift.z, frame.gap)};
}

bool is_kept(const JointRecord& joint) {
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

void add_joint_rows(const JointRecord& joint, std::uint32_t a, std::uint32_t b,
                    std::span<const BodyMoment> bodies, std::vector<Row>& rows) {
    std::array<JointRow<Dual>, 6> taken;
    const int count = taken_rows(joint, pose_of(joint, bodies[a], bodies[b]), taken.data());
    for (int i = 0; i < count; ++i)
        rows.push_back(row_of(taken[static_cast<std::size_t>(i)], a, b, bodies));
}

DenseMatrix couplings(std::span<const Row> rows, std::span<const Row> columns,
                      std::span<const BodyMoment> bodies) {
    DenseMatrix m(rows.size(), columns.size());
    for (std::size_t j = 0; j < columns.size(); ++j) {
        const Row column = moved(columns[j], bodies);
        for (std::size_t i = 0; i < rows.size(); ++i) m(i, j) = coupling(rows[i], column);
    }
    return m;
}

} // namespace rigor::contact_dynamics
