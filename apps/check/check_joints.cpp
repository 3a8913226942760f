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

Ends ends_of(const Run& run, const Joint& joint, int node) {
    const auto end = [&](int i, Vec anchor) {
        const State now = run.state(i, node), &start = run.body(i).start;
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

/// How far a number is out of a range, or minus how far it is inside.
double beyond(double x, double low, double high) {
    return std::max(low - x, x - high);
}

double place_error(const Joint& joint, const Ends& ends) {
    const auto& [a, b] = ends;
    const std::string& type = joint.type;
    const Vec gap = b.anchor - a.anchor;
    double error = length(type == "slider" ? across(gap, a.axis) : gap);
    if (type == "distance") {
        const double start = length(joint.anchor_b - joint.anchor);
        const bool has_range = !joint.limits.empty();
        error = std::max(0.0, beyond(length(gap), has_range ? joint.limits[0] : start,
                                     has_range ? joint.limits[1] : start));
    }
    if (type == "hinge") error += length(a.axis - b.axis);
    if (type == "slider" || type == "fixed")
        error += 2 * length((conjugate(a.turned) * b.turned).v());
    if (type == "cone_twist") // the cosine is known to 1e-16, the angle then to 1e-8
        error += std::max(0.0, std::cos(joint.cone) - dot(a.axis, b.axis));
    if (has_limits(joint))
        error += std::max(0.0, beyond(ends.coordinate(joint), joint.limits[0], joint.limits[1]));
    return error;
}

/// The part of a force that is along what the joint leaves free.
double free_part(const Joint& joint, const Ends& ends, const Screw& w) {
    if (joint.type == "ball" || joint.type == "cone_twist") return length(w.ang);
    if (joint.type == "hinge") return std::abs(dot(w.ang, ends.a.axis));
    if (joint.type == "slider") return std::abs(dot(w.lin, ends.a.axis));
    if (joint.type == "fixed") return 0;
    return length(w.ang) + length(across(w.lin, unit(ends.b.anchor - ends.a.anchor)));
}

/// A limit pushes inwards and does no work; a motor has its rate, or pushes as hard as it can
/// towards it; friction is bounded, and dissipates.
void check_action(const Place& here, const Record& r, const Joint& joint, const Ends& ends,
                  const Action& action, const Screw& w, const Screw& u, double scale) {
    const bool is_impulse = r.is == "impact" || r.is == "projection";
    const double work_scale = scale * (1e-3 + length(u));
    const auto along = [&](const Screw& s) {
        return dot(joint.type == "slider" ? s.lin : s.ang, ends.a.axis);
    };
    if (action.kind == "limit") {
        if (!is_impulse) here.add("joint action", std::abs(dot(w, u)), work_scale);
        // Of a cone and twist, which of the two it is, is not told.
        if (!has_limits(joint) || joint.type == "cone_twist") return;
        if (length(w) < 1e-9 * scale || r.is == "projection") return;
        const double x = ends.coordinate(joint);
        const double low = std::abs(x - joint.limits[0]), high = std::abs(x - joint.limits[1]);
        here.add("joint action", low < high ? -along(w) : along(w), scale);
        here.add("joint action", std::min(low, high));
    } else if (!is_impulse) {
        const bool is_motor = action.kind == "motor" && !joint.motor.empty();
        const double target =
            is_motor ? joint.motor[0] : 0; // a motor at rest has the friction, too
        const double max =
            is_motor ? joint.motor[1] + (target == 0 ? joint.friction : 0) : joint.friction;
        here.add("joint action", std::abs(action.max - max), max);
        here.add("joint action", std::abs(action.target - target));
        here.add("joint action", length(w) - action.max, action.max);
        if (action.kind == "friction") here.add("joint action", dot(w, u), work_scale);
        const double faster = along(u) - action.target;
        if (action.kind == "motor" && std::abs(faster) >= 1e-8)
            here.add("joint action", std::abs(along(w) + std::copysign(action.max, faster)),
                     action.max);
    }
}

/// At one node. Of an impulse the work is that of the mean of the velocities before and after.
void check_joint(Run& run, const Link& load, int node) {
    const Joint& joint = run.header.joints[load.joint];
    const Ends ends = ends_of(run, joint, node);
    const Place here = run.at(run.r.t[node], load);
    const Link::At& at = load.at[node];
    here.add("joint place", place_error(joint, ends));
    here.add("joint place", length(at.point - ends.b.anchor));
    const bool is_impulse = run.r.is == "impact" || run.r.is == "projection";
    const Screw u = is_impulse ? (at.u + at.after) * 0.5 : at.u;
    const double scale = length(at.wrench) + 1e-12;
    Screw ideal = at.wrench;
    for (const Action& action : load.actions) {
        ideal = ideal - action.at.at(node);
        check_action(here, run.r, joint, ends, action, action.at.at(node), u, scale);
    }
    here.add("joint force", free_part(joint, ends, ideal), scale);
    double speed = 1e-3;
    for (const int i : {joint.a, joint.b})
        speed += length(velocity(run.body(i), run.state(i, node)));
    const bool may_be_loose = joint.type == "distance" && !joint.limits.empty();
    if (!may_be_loose) here.add("joint work", std::abs(dot(ideal, u)), scale * speed);
}

} // namespace

double joint_error(const Run& run, const Joint& joint, int node) {
    return place_error(joint, ends_of(run, joint, node));
}

/// Every joint of the bodies of a record is there: what is left out would not be checked.
void check_joints(Run& run) {
    std::set<int> listed;
    for (const Link& load : run.r.joints) {
        listed.insert(load.joint);
        for (int k = 0; k < std::ssize(load.at); ++k) check_joint(run, load, k);
    }
    for (int j = 0; j < std::ssize(run.header.joints); ++j)
        for (const Trajectory& b : run.r.bodies) {
            const Joint& joint = run.header.joints[j];
            if (run.is_dynamic(b.i) && (b.i == joint.a || b.i == joint.b))
                run.at(run.r.t[0], b.i).add("coverage", !listed.count(j));
        }
}

} // namespace check
