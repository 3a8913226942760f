#include "contact_dynamics/joint_rows.h"

#include <algorithm>
#include <cmath>

#include "contact_dynamics/soft_joint.h"
#include "dynamics/joint_coordinates.h"
#include "dynamics/joint_stiffness.h"
#include "dynamics/joints/ball.h"
#include "dynamics/joints/cone_twist.h"
#include "dynamics/joints/distance.h"
#include "dynamics/joints/fixed.h"
#include "dynamics/joints/hinge.h"
#include "dynamics/joints/rotation_vector.h"
#include "dynamics/joints/slider.h"
#include "dynamics/joints/track.h"
#include "dynamics/joints/wheel.h"
#include "math/trig.h"
#include "numeric/least_norm.h"
#include "rigor/rotation.h"

namespace rigor::contact_dynamics {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kTwoPi = 6.283185307179586;

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

JointFrames frames_of(const JointRecord& joint, const BodyKinematics& a, const BodyKinematics& b) {
    return {Posed{a.x, a.q} * joint.a.frame, Posed{b.x, b.q} * joint.b.frame};
}

bool is_locked(const Range& range) {
    return range.lo == range.hi;
}

/// Whether a spring of the joint softens what it enforces; else it acts along a degree of freedom.
bool spring_softens(const JointRecord& joint) {
    switch (joint.type) {
        case JointType::hinge:
        case JointType::slider:
        case JointType::wheel:
        case JointType::cone_twist:
            return false;
        case JointType::distance:
            return is_locked(joint.ranges[0]);
        default:
            return true;
    }
}

/// The rows of a joint: first those that it enforces, then those of its degrees of freedom, whose
/// errors are their coordinates.
struct RowSet {
    std::array<JointRow<Dual>, 6> rows;
    std::array<Range, 6> ranges;            ///< of the degrees of freedom
    std::array<std::size_t, 6> coordinates; ///< which one each of them is
    std::size_t enforced = 0, dofs = 0;

    void enforce(std::size_t count) { enforced += count; }
    /// The next row is that of a coordinate. One that is locked comes before all others.
    void add_dof(std::size_t coordinate, double value, const Range& range) {
        JointRow<Dual>& row = rows[enforced + dofs];
        row.error = Dual(is_locked(range) ? value - range.lo : value);
        if (is_locked(range)) return enforce(1);
        coordinates[dofs] = coordinate;
        ranges[dofs++] = range;
    }
};

RowSet cone_twist_set(const JointRecord& joint, const JointPose<Dual>& pose,
                      const std::array<double, 6>& x) {
    RowSet set;
    std::array<JointRow<Dual>, 6> rows;
    cone_twist_rows(pose, rows.data());
    std::copy(rows.begin(), rows.begin() + 3, set.rows.begin());
    set.enforce(3);
    const bool has_cone = joint.ranges[0].hi > 0;
    if (!has_cone) {
        align_rows(pose.axes_a.cx, pose.axes_b.cx, pose.axes_a.cy, pose.axes_a.cz,
                   set.rows.data() + 3);
        set.enforce(2);
    }
    set.rows[set.enforced] = rows[4];
    set.add_dof(1, x[1], joint.ranges[1]);
    if (!has_cone) return set;
    set.rows[set.enforced + set.dofs] = rows[3];
    set.add_dof(0, x[0], joint.ranges[0]);
    return set;
}

/// Rates of the coordinates of rotation are those of the rotation vector, unless one axis is free.
RowSet six_dof_set(const JointRecord& joint, const JointPose<Dual>& pose,
                   const std::array<double, 6>& x) {
    RowSet set;
    const SixDofShape shape = soft_shape(joint);
    if (is_soft(joint))
        soft_six_dof_rows(pose, shape, set.rows.data());
    else
        six_dof_rows(pose, shape, set.rows.data());
    set.enforce(static_cast<std::size_t>(shape.locked_count()));
    for (int i = 0; i < 6; ++i) {
        if (!shape.is_bounded(i)) continue;
        JointRow<Dual>& row = set.rows[set.enforced + set.dofs];
        if (i >= 3 && shape.locked_turns() != 2) row = rotation_vector_row(pose, i - 3);
        const auto axis = static_cast<std::size_t>(i);
        set.add_dof(axis, x[set.dofs], joint.ranges[axis]);
    }
    return set;
}

RowSet row_set(const JointRecord& joint, const JointPose<Dual>& pose,
               const std::array<double, 6>& x) {
    RowSet set;
    JointRow<Dual>* const rows = set.rows.data();
    const bool gives_way = joint.type == JointType::ball || joint.type == JointType::fixed;
    if (gives_way && is_soft(joint)) return six_dof_set(joint, pose, x);
    switch (joint.type) {
        case JointType::hinge:
            hinge_rows(pose, rows);
            set.enforce(5);
            set.add_dof(0, x[0], joint.ranges[0]);
            break;
        case JointType::slider:
            slider_rows(pose, rows);
            set.enforce(5);
            set.add_dof(0, x[0], joint.ranges[0]);
            break;
        case JointType::fixed:
            fixed_rows(pose, rows);
            set.enforce(6);
            break;
        case JointType::distance:
            distance_rows(pose, Dual(joint.length), rows);
            set.add_dof(0, x[0], joint.ranges[0]);
            break;
        case JointType::cone_twist:
            return cone_twist_set(joint, pose, x);
        case JointType::six_dof:
            return six_dof_set(joint, pose, x);
        case JointType::wheel: {
            const SinCos<double> steer = sin_cos(joint.steer);
            wheel_rows(pose, Dual(steer.sin), Dual(steer.cos), rows);
            set.enforce(4);
            set.add_dof(0, x[0], joint.ranges[0]);
            set.add_dof(1, x[1], {});
            break;
        }
        default:
            ball_rows(pose, false, rows);
            set.enforce(3);
    }
    return set;
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

RowSet track_set(const JointRecord& joint, const BodyKinematics& a, const BodyKinematics& b,
                 double& way) {
    RowSet set;
    const TrackCurve::Place place = track_place(joint, frames_of(joint, a, b), way);
    track_rows(pose_of(joint, a, b), place, track_normals(place.tangent), set.rows.data());
    set.enforce(2);
    set.add_dof(0, place.s, joint.ranges[0]);
    return set;
}

/// The rows of a joint between two bodies. `angle` is the last one, and then the current one.
RowSet rows_between(const JointRecord& joint, const BodyKinematics& a, const BodyKinematics& b,
                    double& angle) {
    if (joint.type == JointType::track) return track_set(joint, a, b, angle);
    const std::array<double, 6> x = joint_coordinates(joint, frames_of(joint, a, b), angle);
    return row_set(joint, pose_of(joint, a, b), x);
}

/// The row of the one degree of freedom of a hinge or slider, even a locked one.
ConstraintRow dof_row(const JointRecord& joint, std::uint32_t a, std::uint32_t b,
                      std::span<const BodyKinematics> bodies, double last_angle) {
    const RowSet set = rows_between(joint, bodies[a], bodies[b], last_angle);
    ConstraintRow row = row_of(set.rows[5], a, b, bodies);
    row.error += set.dofs == 0 ? joint.ranges[0].lo : 0;
    return row;
}

std::array<BodyKinematics, 2> kinematics_of_ends(const WorldState& state,
                                                 const JointRecord& joint) {
    const auto kinematics = [&](const JointEnd& end) {
        return end.body.is_null() ? BodyKinematics{}
                                  : kinematics_of(state.bodies, end.body.index,
                                                  state.bodies.motion[end.body.index]);
    };
    return {kinematics(joint.a), kinematics(joint.b)};
}

/// Motion of the driven joint beyond ratio times that of the driving one.
ConstraintRow gear_row(const WorldState& state, const IslandJoint& joint,
                       std::span<const BodyKinematics> bodies) {
    const JointRecord& gear = state.joints[joint.joint];
    const ConstraintRow driving =
        dof_row(state.joints[gear.gear_a], joint.a, joint.b, bodies, joint.angle);
    ConstraintRow row =
        dof_row(state.joints[gear.gear_b], joint.c, joint.d, bodies, joint.driven_angle);
    row.error -= gear.gear_offset + gear.gear_ratio * driving.error;
    row.bias_acceleration -= gear.gear_ratio * driving.bias_acceleration;
    for (const ConstraintRow::Side& s : driving.sides())
        row.all_sides[row.side_count++] = {s.body, s.linear * -gear.gear_ratio,
                                           s.angular * -gear.gear_ratio};
    return row;
}

/// Inverse of the change of the rate by a unit impulse along the row, with the reactions of the
/// rows that the joint enforces.
double effective_mass(const ConstraintRow& row, std::span<const ConstraintRow> enforced,
                      std::span<const BodyKinematics> bodies) {
    const std::array<ConstraintRow, 1> one{row};
    double inverse = couplings(one, one, bodies)(0, 0);
    if (!enforced.empty()) {
        const DenseMatrix across = couplings(enforced, one, bodies);
        std::vector<double> target(enforced.size()), held(enforced.size());
        for (std::size_t i = 0; i < enforced.size(); ++i) target[i] = across(i, 0);
        LeastNormSolver(couplings(enforced, enforced, bodies), true).solve(target, held);
        for (std::size_t i = 0; i < enforced.size(); ++i) inverse -= held[i] * target[i];
    }
    return inverse > 0 ? 1 / inverse : 0;
}

/// Whether anything can act along the degrees of freedom of a joint.
bool has_actions(const JointRecord& joint) {
    return joint.motor || joint.spring || joint.friction > 0 ||
           std::any_of(joint.ranges.begin(), joint.ranges.end(), is_bounded);
}

/// Springs, motors and friction along a coordinate of a joint. A wheel has its suspension spring
/// along the first and its motor about the second.
class DofActions {
  public:
    DofActions(const JointRecord& joint, std::size_t coordinate) : joint_(joint) {
        const bool wheel = joint.type == JointType::wheel;
        springs_ = joint.spring && !spring_softens(joint) && coordinate == 0;
        drives_ = joint.motor && coordinate == (wheel ? 1u : 0u);
        rubs_ = joint.friction > 0 && (!wheel || coordinate == 1);
    }

    bool any() const { return springs_ || drives_ || rubs_; }

    /// `mass` is asked for where a spring needs it.
    template <class Mass>
    void add_to(JointDof& dof, const Mass& mass) const {
        const bool servo = drives_ && joint_.motor->target_position;
        if (springs_ || servo) {
            dof.spring = spring_of(springs_ ? *joint_.spring : kServo, mass());
            dof.has_soft_limits = joint_.type == JointType::distance && !drives_;
            if (drives_) {
                dof.spring->rest = joint_.motor->target_position.value_or(0);
                dof.spring->rest_rate = joint_.motor->target_velocity.value_or(0);
                dof.spring->max_force = joint_.motor->max_force;
            }
        } else if (drives_) {
            dof.motor = RateDrive{*joint_.motor->target_velocity, joint_.motor->max_force};
        }
        if (!rubs_) return;
        if (dof.motor && dof.motor->target_rate == 0)
            dof.motor->max_force += joint_.friction;
        else
            dof.friction = RateDrive{0, joint_.friction};
    }

  private:
    const JointRecord& joint_;
    bool springs_ = false, drives_ = false, rubs_ = false;
};

} // namespace

bool is_soft(const JointRecord& joint) {
    return joint.spring && spring_softens(joint);
}

JointSpring spring_of(const SpringDef& def, double mass) {
    const double w = kTwoPi * def.frequency_hz;
    return {mass * w * w, 2 * def.damping_ratio * mass * w, 0, 0, kInfinity};
}

JointConstraintRows joint_constraint_rows(const WorldState& state, const IslandJoint& joint,
                                          std::span<const BodyKinematics> bodies) {
    const JointRecord& record = state.joints[joint.joint];
    JointConstraintRows result;
    if (record.type == JointType::gear) {
        result.rows.push_back(gear_row(state, joint, bodies));
    } else {
        double angle = joint.angle;
        const RowSet set = rows_between(record, bodies[joint.a], bodies[joint.b], angle);
        for (std::size_t i = 0; i < set.enforced; ++i)
            result.rows.push_back(row_of(set.rows[i], joint.a, joint.b, bodies));
    }
    if (is_soft(record)) result.springs = soft_joint_springs(state, record, bodies, result.rows);
    return result;
}

std::vector<JointDof> joint_dofs(const WorldState& state, const IslandJoint& joint,
                                 std::span<const BodyKinematics> bodies) {
    std::vector<JointDof> dofs;
    const JointRecord& record = state.joints[joint.joint];
    if (record.type == JointType::gear || !has_actions(record)) return dofs;
    double angle = joint.angle;
    const RowSet set = rows_between(record, bodies[joint.a], bodies[joint.b], angle);
    std::vector<ConstraintRow> enforced;
    for (std::size_t i = 0; i < set.enforced; ++i)
        enforced.push_back(row_of(set.rows[i], joint.a, joint.b, bodies));
    for (std::size_t i = 0; i < set.dofs; ++i) {
        const DofActions actions(record, set.coordinates[i]);
        if (!actions.any() && !is_bounded(set.ranges[i])) continue;
        JointDof& dof = dofs.emplace_back();
        dof.row = row_of(set.rows[set.enforced + i], joint.a, joint.b, bodies);
        dof.coordinate = dof.row.error;
        dof.range = set.ranges[i];
        actions.add_to(dof, [&] {
            return record.spring_mass > 0 && set.coordinates[i] == 0
                       ? record.spring_mass
                       : effective_mass(dof.row, enforced, bodies);
        });
    }
    return dofs;
}

std::array<ConstraintRow, 3> ball_friction_rows(const IslandJoint& joint) {
    std::array<ConstraintRow, 3> rows;
    for (int i = 0; i < 3; ++i) {
        Vec3d axis;
        axis[i] = 1;
        rows[static_cast<std::size_t>(i)] = {{{{joint.a, {}, -axis}, {joint.b, {}, axis}}}};
    }
    return rows;
}

void update_angles(const WorldState& state, std::span<const BodyKinematics> bodies,
                   IslandJoint& joint) {
    const JointRecord& record = state.joints[joint.joint];
    const auto update = [&](const JointRecord& r, std::uint32_t a, std::uint32_t b, double& angle) {
        joint_coordinates(r, frames_of(r, bodies[a], bodies[b]), angle);
    };
    if (record.type != JointType::gear) return update(record, joint.a, joint.b, joint.angle);
    update(state.joints[record.gear_a], joint.a, joint.b, joint.angle);
    update(state.joints[record.gear_b], joint.c, joint.d, joint.driven_angle);
}

Vec3d anchor_on_b(const WorldState& state, const IslandJoint& joint,
                  std::span<const BodyKinematics> bodies) {
    const JointRecord& record = state.joints[joint.joint];
    const BodyKinematics &a = bodies[joint.a], &b = bodies[joint.b];
    if (record.type == JointType::gear) return b.x;
    if (record.type == JointType::track) return a.x + rotate(a.q, record.a.frame.p);
    return b.x + rotate(b.q, record.b.frame.p);
}

double spring_mass(const WorldState& state, const JointRecord& record) {
    const bool is_rod = record.type == JointType::distance;
    if (record.type == JointType::gear || (spring_softens(record) && !is_rod)) return 0;
    const std::array<BodyKinematics, 2> bodies = kinematics_of_ends(state, record);
    double angle = 0;
    const RowSet set = rows_between(record, bodies[0], bodies[1], angle);
    std::vector<ConstraintRow> enforced;
    for (std::size_t i = 0; i < set.enforced; ++i)
        enforced.push_back(row_of(set.rows[i], 0, 1, bodies));
    if (is_rod && set.enforced == 1) return effective_mass(enforced[0], {}, bodies);
    for (std::size_t i = 0; i < set.dofs; ++i)
        if (set.coordinates[i] == 0)
            return effective_mass(row_of(set.rows[set.enforced + i], 0, 1, bodies), enforced,
                                  bodies);
    return 0;
}

double coordinate_speed(const WorldState& state, const JointRecord& record, double angle) {
    if (record.type == JointType::gear) return 0;
    const std::array<BodyKinematics, 2> bodies = kinematics_of_ends(state, record);
    const RowSet set = rows_between(record, bodies[0], bodies[1], angle);
    for (std::size_t i = 0; i < set.dofs; ++i)
        if (set.coordinates[i] == 0)
            return rate(row_of(set.rows[set.enforced + i], 0, 1, bodies), bodies);
    return 0;
}

} // namespace rigor::contact_dynamics
