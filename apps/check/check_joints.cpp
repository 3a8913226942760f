// Checks of joints: position errors, directions of forces, bounds of limits, motors and friction,
// and that ideal joints do no work.
#include "run.h"

namespace check {
namespace {

/// A joint as one of its bodies carries it, from where it was at the start.
struct End {
    Vec anchor, axis;
    Quat turned;
};

struct Ends {
    End a, b;

    /// Angle of b about the axis, or its travel along it, from the start.
    double coordinate(const Joint& joint) const {
        if (joint.type == "slider") return dot(b.anchor - a.anchor, a.axis);
        const Quat q = conjugate(a.turned) * b.turned;
        return 2 * std::atan2(dot(q.v(), joint.axis) * (q.w < 0 ? -1 : 1), std::abs(q.w));
    }
};

Ends ends_of(const Run& run, const Record& record, std::size_t node, const Joint& joint) {
    const auto end = [&](int i, Vec anchor) {
        if (i < 0) return End{anchor, joint.axis, {}};
        const State now = run.state(record, node, i), &start = run.body(i).start;
        const Quat turned = now.q * conjugate(start.q);
        return End{now.x + rotate(turned, anchor - start.x), rotate(turned, joint.axis), turned};
    };
    return {end(joint.a, joint.anchor), end(joint.b, joint.anchor_b)};
}

/// Whether the coordinate is bounded, and less than a whole turn.
bool has_limits(const Joint& joint) {
    if (joint.limits.empty() || joint.type == "distance") return false;
    return joint.type == "slider" || joint.limits[1] - joint.limits[0] < 6;
}

double place_error(const Joint& joint, const Ends& ends) {
    const auto& [a, b] = ends;
    const Vec gap = b.anchor - a.anchor;
    double error = length(gap);
    if (joint.type == "distance") {
        const double start = length(joint.anchor_b - joint.anchor);
        const Pair2 range =
            joint.limits.empty() ? Pair2{start, start} : Pair2{joint.limits[0], joint.limits[1]};
        error = std::max({0.0, range[0] - length(gap), length(gap) - range[1]});
    }
    if (joint.type == "hinge") error += length(a.axis - b.axis);
    if (joint.type == "slider") error = length(across(gap, a.axis));
    if (joint.type == "slider" || joint.type == "fixed")
        error += 2 * length((conjugate(a.turned) * b.turned).v());
    if (joint.type == "cone_twist") // the cosine is known to 1e-16, the angle then to 1e-8
        error += std::max(0.0, std::cos(joint.cone) - dot(a.axis, b.axis));
    if (!has_limits(joint)) return error;
    const double x = ends.coordinate(joint);
    return error + std::max({0.0, joint.limits[0] - x, x - joint.limits[1]});
}

/// The part of a force that is along what the joint leaves free.
double free_part(const Joint& joint, const Ends& ends, const Wrench& w) {
    if (joint.type == "ball" || joint.type == "cone_twist") return length(w.torque);
    if (joint.type == "hinge") return std::abs(dot(w.torque, ends.a.axis));
    if (joint.type == "slider") return std::abs(dot(w.force, ends.a.axis));
    if (joint.type == "fixed") return 0;
    return length(w.torque) + length(across(w.force, unit(ends.b.anchor - ends.a.anchor)));
}

double power(const Wrench& w, const Velocity& u) {
    return dot(w.force, u.v) + dot(w.torque, u.w);
}

/// A limit pushes inwards and does no work; a motor has its rate, or pushes as hard as it can
/// towards it; friction is bounded, and dissipates.
void check_action(Run& run, const Record& record, const Joint& joint, const Ends& ends,
                  const Action& action, std::size_t node, const Velocity& u, double scale) {
    const Wrench& w = action.at[node];
    const Place here = run.place(record.t[node], joint.a, joint.b);
    const double size = length(w.force) + length(w.torque),
                 speed = 1e-3 + length(u.v) + length(u.w);
    const auto along = [&](Vec force, Vec torque) {
        return dot(joint.type == "slider" ? force : torque, ends.a.axis);
    };
    const double push = along(w.force, w.torque);
    const bool is_impulse = record.is == "impact" || record.is == "projection";
    if (action.kind == "limit") {
        if (!is_impulse) run.add(law::action, std::abs(power(w, u)), scale * speed, here);
        if (!has_limits(joint) || size < 1e-9 * scale || record.is == "projection") return;
        const double x = ends.coordinate(joint);
        const double low = std::abs(x - joint.limits[0]), high = std::abs(x - joint.limits[1]);
        run.add(law::action, std::max(0.0, low < high ? -push : push), scale, here);
        return run.add(law::action, std::min(low, high), here);
    }
    if (is_impulse) return;
    run.add(law::action, std::max(0.0, size - action.max), action.max, here);
    if (action.kind == "friction")
        run.add(law::action, std::max(0.0, power(w, u)), scale * speed, here);
    const double beyond = along(u.v, u.w) - action.target;
    if (action.kind != "motor" || std::abs(beyond) < 1e-8) return;
    run.add(law::action, std::abs(push + std::copysign(action.max, beyond)), action.max, here);
}

/// At one node. Of an impulse the work is that of the mean of the velocities before and after.
void check_joint(Run& run, const Record& record, const Link& load, std::size_t node) {
    const Joint& joint = run.header.joints[std::size_t(load.joint)];
    const Ends ends = ends_of(run, record, node, joint);
    const Place here = run.place(record.t[node], joint.a, joint.b);
    const auto& [point, normal, wrench] = load.at[node];
    run.add(law::joint, place_error(joint, ends), here);
    run.add(law::joint, length(point - ends.b.anchor), here);
    Velocity u = run.relative(record, node, load, point);
    if (record.is == "impact" || record.is == "projection") {
        const Velocity after = run.relative(record, 1, load, point);
        u = {(u.v + after.v) * 0.5, (u.w + after.w) * 0.5};
    }
    const double scale = length(wrench.force) + length(wrench.torque) + 1e-12;
    Wrench ideal = wrench;
    for (const Action& action : load.actions) {
        ideal.force += -action.at[node].force, ideal.torque += -action.at[node].torque;
        check_action(run, record, joint, ends, action, node, u, scale);
    }
    run.add(law::reaction, free_part(joint, ends, ideal), scale, here);
    double speed = 1e-3;
    for (const int i : {joint.a, joint.b})
        speed +=
            length(run.velocity_of(record, node, i).v) + length(run.velocity_of(record, node, i).w);
    const bool may_be_loose = joint.type == "distance" && !joint.limits.empty();
    if (!may_be_loose) run.add(law::ideal, std::abs(power(ideal, u)), scale * speed, here);
}

} // namespace

double joint_error(const Run& run, const Record& record, std::size_t node, const Joint& joint) {
    return place_error(joint, ends_of(run, record, node, joint));
}

/// Every joint of the bodies of a record is there: what is left out would not be checked.
void check_joints(Run& run, const Record& record) {
    std::set<int> listed;
    for (const Link& load : record.joints) {
        listed.insert(load.joint);
        for (std::size_t k = 0; k < load.at.size(); ++k) check_joint(run, record, load, k);
    }
    for (std::size_t j = 0; j < run.header.joints.size(); ++j)
        for (const int i : {run.header.joints[j].a, run.header.joints[j].b}) {
            const bool moves =
                run.is_dynamic(i) && std::count(record.bodies.begin(), record.bodies.end(), i);
            if (moves) run.add(law::coverage, !listed.count(int(j)), run.place(record.t[0], i));
        }
}

} // namespace check
