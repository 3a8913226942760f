// Checks of motion between events: Newton-Euler equations, kinematics, work, and completeness of
// the records.
#include "run.h"

namespace check {
namespace {

constexpr int kNodes = 5;
/// Added to scales: with it, 1e-9 of the scale is ten times what rounding leaves of a difference.
constexpr double kRounding = 1e-6;
constexpr double kSlow = 0.1; // m/s, rad/s: what is slower is compared with this

/// Of Lobatto quadrature, of order 8.
const std::vector<double> kTimes = {0, (1 - std::sqrt(3.0 / 7)) / 2, 0.5,
                                    (1 + std::sqrt(3.0 / 7)) / 2, 1};

/// The integral up to node k, in a time h, of the polynomial through the values at all nodes, by
/// the quadrature of Gauss with three points, which is exact.
template <class T>
T integral(int k, double h, const T (&values)[kNodes]) {
    T sum = values[0] * 0;
    for (int j = 0; j < kNodes; ++j) {
        double weight = 0;
        for (const int side : {-1, 0, 1})
            weight += (side == 0 ? 8 : 5) / 18.0 *
                      lagrange(kTimes, j, kTimes[k] * (1 + side * std::sqrt(0.6)) / 2);
        sum = sum + values[j] * (weight * kTimes[k] * h);
    }
    return sum;
}

/// A record begins where and when its bodies were left, and its times ascend. Static bodies stay.
void check_continuity(Run& run) {
    const Record& r = run.r;
    for (std::size_t k = 1; k < r.t.size(); ++k)
        run.at(r.t[k]).add("coverage", r.t[k] < r.t[k - 1]);
    for (const Trajectory& b : r.bodies) {
        const Body& body = run.body(b.i);
        const Place here = run.at(r.t[0], b.i);
        const bool is_led = body.type == "kinematic" && !run.is_course(b.i);
        const State& from = b.from();
        const State last = is_led ? run.state_at(b.i, r.t[0]) : run.moving[b.i].now;
        for (std::size_t k = 0; k < b.states.size(); ++k) {
            const State &s = b.states[k], own = is_led ? run.state_at(b.i, r.t[k]) : last;
            here.add("unit vectors", std::abs(length(s.q) - 1));
            if (body.type == "static" || is_led) // nobody moves it but itself
                here.add("continuity",
                         length(s.x - own.x) + difference(s.q, own.q) + length(s.m - own.m),
                         1 + length(s.x) + length(s.m));
        }
        here.add("continuity", length(from.x - last.x), 1 + length(from.x));
        here.add("continuity", difference(from.q, last.q));
        if (!body.is_dynamic()) continue;
        const double inertia = body.tensor.row[0].x + body.tensor.row[1].y;
        here.add("coverage", std::abs(r.t[0] - run.moving[b.i].time));
        here.add("continuity", "continuity", from.m - last.m,
                 sizes(from.m) + Sizes{body.mass, inertia} * kSlow);
    }
}

void check_flight(Run& run) {
    const Trajectory& b = run.r.bodies[0];
    const Body& body = run.body(b.i);
    const double h = run.r.t[1] - run.r.t[0];
    const Screw load = run.user_load(b.i);
    const Vec force = run.weight(b.i) + load.lin;
    const State own = fly(body, b.from(), force, h), &to = b.to();
    const Place here = run.at(run.r.t[1], b.i);
    const bool is_free = body.lock == 0 && body.linear_damping == 0 && body.angular_damping == 0 &&
                         length(load.ang) == 0 && run.r.bodies.size() == 1;
    here.add("coverage", !is_free); // else it does not fly
    here.add("momentum", "angular momentum", to.m - own.m,
             Sizes{h * length(force), 0} + sizes(to.m) * kRounding);
    here.add("kinematics", length(to.x - own.x),
             h * length(b.u[0].lin) + kRounding * (1 + length(to.x)));
    here.add("kinematics", difference(to.q, own.q), h * length(b.u[0].ang) + kRounding);
}

/// Velocities are claimed to 1e-10 m/s. In units of the tolerance.
constexpr double kResolution = 0.1;

/// kg m/s: by how much the momentum of a body, and its angular momentum by the body's extent, may
/// be off.
double unresolved_momentum(const Run& run, std::size_t body) {
    return kResolution * run.body(body).mass;
}

/// The state of a body at every node follows from the first by the integral of the rates.
void check_body(Run& run, const Trajectory& b, double h) {
    Screw u[kNodes], forces[kNodes];
    Quat turning[kNodes];
    Sizes path, change = Sizes{1, run.moving[b.i].extent} * unresolved_momentum(run, b.i);
    for (int k = 0; k < kNodes; ++k) {
        const Load load = run.is_dynamic(b.i) ? b.loads[k] : Load{};
        u[k] = b.u[k], forces[k] = load.sum, turning[k] = rate(b.states[k].q, u[k].ang);
        path = larger(path, sizes(u[k]) * h), change = larger(change, load.size * h);
    }
    for (int k = 1; k < kNodes; ++k) {
        const State &from = b.from(), &to = b.states[k];
        const Place here = run.at(run.r.t[k], b.i);
        const double inner = k + 1 < kNodes ? 100 : 1; // interpolated: known to one order less
        here.add("momentum", "angular momentum", to.m - from.m - integral(k, h, forces),
                 (change + sizes(to.m) * kRounding) * inner);
        here.add("kinematics", length(to.x - from.x - integral(k, h, u).lin),
                 inner * (path.lin + kRounding * (1 + length(to.x))));
        here.add("kinematics", length(to.q - from.q - integral(k, h, turning)),
                 inner * (path.ang + kRounding));
    }
}

/// The kinetic energy of all bodies of a record changes by the work of all forces on them.
void check_energy(Run& run, double h) {
    double change = 0, energy = 0, gross = 0, unresolved = 0, power[kNodes] = {};
    for (const Trajectory& b : run.r.bodies) {
        if (!run.is_dynamic(b.i)) continue;
        const double after = kinetic_energy(run.body(b.i), b.to());
        change += after - kinetic_energy(run.body(b.i), b.from()), energy += after;
        const auto speed = [&](const Screw& u) {
            return length(u.lin) + run.moving[b.i].extent * length(u.ang);
        };
        unresolved +=
            unresolved_momentum(run, b.i) * std::max(speed(b.u[0]), speed(b.u[kNodes - 1]));
        for (int k = 0; k < kNodes; ++k) {
            const Sizes size = b.loads[k].size, u = sizes(b.u[k]);
            power[k] += dot(b.loads[k].sum, b.u[k]);
            gross = std::max(gross, h * (size.lin * u.lin + size.ang * u.ang));
        }
    }
    run.at(run.r.t[0], run.r.bodies[0].i)
        .add("energy", std::abs(change - integral(kNodes - 1, h, power)),
             gross + unresolved + kRounding * energy);
}

void check_motion(Run& run) {
    const std::vector<double>& t = run.r.t;
    const double h = t.back() - t.front();
    for (int k = 0; k < kNodes; ++k)
        run.at(t[k]).add("coverage", std::abs(t[k] - t[0] - h * kTimes[k]));
    for (const Trajectory& b : run.r.bodies)
        if (run.body(b.i).type != "static") check_body(run, b, h);
    check_energy(run, h);
}

void check_rest(Run& run) {
    // Without gravity forces may be rounding alone: those that accelerate by 1e-14 m/s² or so.
    constexpr double kNoAcceleration = 1e-6;
    for (const Trajectory& b : run.r.bodies) {
        if (!run.is_dynamic(b.i)) continue;
        const Place here = run.at(run.r.t[0], b.i);
        const Sizes floor{1, run.moving[b.i].extent};
        here.add("statics", "statics", b.loads[0].sum,
                 b.loads[0].size + floor * (run.body(b.i).mass * kNoAcceleration));
        here.add("statics", length(b.u[0]));
        here.add("continuity", b.moved());
        here.add("continuity", length(b.to().m - b.from().m));
    }
}

/// The run is followed from here on, and not from the start of its scene.
void begin_run(Run& run) {
    run.end = run.r.time;
    for (const Trajectory& b : run.r.bodies) run.moving[b.i].now = b.from();
}

void begin_step(Run& run) {
    run.begin = run.r.time;
    run.at(0).add("coverage", std::abs(run.begin - run.end), 1 + run.begin);
    if (run.steps++ == 0)
        run.first_potential = run.potential_energy();
    else
        run.at(0).add("coverage", run.r.number != run.number + 1);
    run.number = run.r.number;
    run.records = 0;
    run.loads.clear(), run.touching.clear();
    for (Moving& m : run.moving) m.time = 0, m.stretches.clear();
}

void begin_loads(Run& run) {
    run.loads = run.r.loads;
}

void miss(Run& run) {
    run.at(run.r.time).add("coverage", 1);
}

/// All bodies were followed to the end of the step, and the stated sums are those of their states.
void end_step(Run& run) {
    const Record& r = run.r;
    double kinetic = 0, slow = 1e-12, gross = 0;
    Screw sum;
    Sizes size{1e-12, 1e-12};
    for (int i = 0; i < std::ssize(run.moving); ++i) {
        const auto& [x, q, m] = run.moving[i].now;
        if (run.body(i).type != "static")
            run.at(r.duration, i).add("coverage", std::abs(run.moving[i].time - r.duration));
        if (!run.is_dynamic(i)) continue;
        kinetic += kinetic_energy(run.body(i), run.moving[i].now);
        slow += kSlow * length(m.lin); // as for continuity
        gross += length(run.weight(i)) * length(x);
        sum = sum + Screw{m.lin, m.ang + cross(x, m.lin)};
        const double momentum = length(m.lin) + kSlow * run.body(i).mass;
        size = size + Sizes{momentum, length(m.ang) + length(x) * momentum};
    }
    check_penetration(run);
    if (run.header.method == "fast") check_energy_gain(run, kinetic);
    const Place end = run.at(r.duration);
    end.add("sums", std::abs(r.kinetic - kinetic), kinetic + slow);
    end.add("sums", std::abs(r.potential - run.potential_energy()), gross);
    end.add("sums", "sums", Screw{r.momentum, r.angular_momentum} - sum, size);
    end.add("coverage", std::abs(r.duration - run.header.time_step) > 1e-9 * r.duration);
    run.end = run.begin + r.duration;
}

using Check = void (*)(Run&);
const std::map<std::string, std::vector<Check>> kChecks = {
    {"from", {begin_run}},
    {"step", {begin_step}},
    {"loads", {begin_loads}},
    {"flight", {check_flight, check_joints}},
    {"motion", {check_motion, check_contacts, check_joints}},
    {"rest", {check_rest, check_contacts, check_joints}},
    {"impact", {check_impact, check_joints}},
    {"projection", {check_projection, check_joints}},
    {"substep", {check_time_step, check_joints}},
    {"correction", {check_time_step}},
    {"impulses", {check_fast_step}},
    {"unrecorded", {miss}},
    {"sums", {end_step}},
};

} // namespace

void check_record(Run& run, Record record) {
    run.begin_record(std::move(record));
    const std::string& is = run.r.is;
    if (run.r.has_nodes()) {
        run.at(0).add("coverage", (is == "impulses") != (run.header.method == "fast"));
        check_continuity(run);
    }
    for (const Check check : kChecks.at(is)) check(run);
    if (run.r.has_nodes()) run.end_record();
}

} // namespace check
