// Checks of motion between events: Newton-Euler equations, kinematics, work, and completeness of
// the records.
#include "run.h"

namespace check {
namespace {

constexpr std::size_t kNodes = 5;
/// Added to scales: with it, 1e-9 of the scale is ten times what rounding leaves of a difference.
constexpr double kRounding = 1e-6;
constexpr double kSlow = 0.1; // m/s, rad/s: what is slower is compared with this

/// a[k][j] is the integral up to node k of the polynomial that is 1 at node j and 0 at the others.
/// The last row is Lobatto quadrature, of order 8.
struct Quadrature {
    double node[kNodes] = {0, (1 - std::sqrt(3.0 / 7)) / 2, 0.5, (1 + std::sqrt(3.0 / 7)) / 2, 1};
    double a[kNodes][kNodes] = {};

    Quadrature() {
        for (std::size_t j = 0; j < kNodes; ++j) {
            double c[kNodes] = {1}; // its coefficients, a factor at a time
            for (std::size_t m = 0, degree = 0; m < kNodes; ++m) {
                if (m == j) continue;
                const double width = node[j] - node[m];
                for (std::size_t i = ++degree; i > 0; --i)
                    c[i] = (c[i - 1] - node[m] * c[i]) / width;
                c[0] *= -node[m] / width;
            }
            for (std::size_t k = 0; k < kNodes; ++k)
                for (std::size_t i = 0; i < kNodes; ++i)
                    a[k][j] += c[i] * std::pow(node[k], double(i + 1)) / double(i + 1);
        }
    }
    template <class F>
    auto integral(std::size_t k, double h, F f) const {
        auto sum = f(0) * (a[k][0] * h);
        for (std::size_t j = 1; j < kNodes; ++j) sum = sum + f(j) * (a[k][j] * h);
        return sum;
    }
};
const Quadrature kQuadrature;

/// A record begins where and when its bodies were left, and its times ascend.
void check_continuity(Run& run, const Record& record) {
    for (std::size_t k = 1; k < record.t.size(); ++k)
        run.add(law::coverage, record.t[k] < record.t[k - 1], run.place(record.t[k]));
    for (std::size_t i = 0; i < record.bodies.size(); ++i) {
        const int which = record.bodies[i];
        const Body& body = run.body(which);
        const Moving& m = run.moving[std::size_t(which)];
        const Place here = run.place(record.t[0], which);
        for (const auto& states : record.states)
            run.add(law::units, std::abs(length(states[i].q) - 1), here);
        const bool is_driven = body.type == "kinematic";
        const State from = record.states[0][i];
        const State last =
            is_driven && record.is != "flight" ? state_at(run, which, record.t[0]) : m.now;
        run.add(law::continuity, length(from.x - last.x), 1 + length(from.x), here);
        run.add(law::continuity, difference(from.q, last.q), here);
        if (body.type == "static")
            for (const auto& states : record.states)
                run.add(law::continuity,
                        length(states[i].x - last.x) + difference(states[i].q, last.q), here);
        if (!run.is_dynamic(which)) continue;
        const double inertia = body.tensor.row[0].x + body.tensor.row[1].y;
        run.add(law::coverage, std::abs(record.t[0] - m.time), here);
        run.add(law::continuity, length(from.p - last.p), length(from.p) + kSlow * body.mass, here);
        run.add(law::continuity, length(from.l - last.l), length(from.l) + kSlow * inertia, here);
    }
}

void check_flight(Run& run, const Record& record) {
    const int which = record.bodies[0];
    const Body& body = run.body(which);
    const State &from = record.states[0][0], &to = record.states[1][0];
    const double h = record.t[1] - record.t[0];
    const Vec force = run.weight(which) + run.load(which).force;
    const State own = fly(body, from, force, h);
    const Velocity u = velocity(body, from);
    const Place here = run.place(record.t[1], which);
    const bool is_free = body.lock == 0 && body.linear_damping == 0 && body.angular_damping == 0 &&
                         length(run.load(which).torque) == 0 && record.bodies.size() == 1;
    run.add(law::coverage, !is_free, here); // else it does not fly
    run.add(law::momentum, length(to.p - own.p), h * length(force) + kRounding * length(to.p),
            here);
    run.add(law::angular, length(to.l - own.l), kRounding * length(to.l), here);
    run.add(law::kinematics, length(to.x - own.x), h * length(u.v) + kRounding * (1 + length(to.x)),
            here);
    run.add(law::kinematics, difference(to.q, own.q), h * length(u.w) + kRounding, here);
}

/// Velocities are claimed to 1e-10 m/s; to less where slip is about to end, since friction turns
/// there faster than any integrator follows. In units of the tolerance.
double resolution(const Run& run, const Record& record) {
    double slowest = HUGE_VAL;
    for (const Link& c : record.contacts)
        for (std::size_t k = 0; k < kNodes && !c.sticks; ++k) {
            const Vec u = run.relative(record, k, c, c.at[k].point).v;
            slowest = std::min(slowest, length(across(u, c.at[k].normal)));
        }
    return 0.1 + std::min(20.0, 5e-5 / slowest);
}

/// Body i of a record: its state at every node follows from the first by the integral of the rates.
void check_body(Run& run, const Record& record, std::size_t i) {
    const int which = record.bodies[i];
    const double h = record.t.back() - record.t.front();
    Velocity u[kNodes];
    Load loads[kNodes];
    double v = 0, w = 0, force = resolution(run, record) * run.body(which).mass; // scales
    double torque = force * run.moving[std::size_t(which)].extent;
    for (std::size_t k = 0; k < kNodes; ++k) {
        u[k] = run.velocity_of(record, k, which);
        if (run.is_dynamic(which)) loads[k] = full_load(run, record, k, which);
        v = std::max(v, h * length(u[k].v)), w = std::max(w, h * length(u[k].w));
        force = std::max(force, h * loads[k].force), torque = std::max(torque, h * loads[k].torque);
    }
    const State& from = record.states[0][i];
    for (std::size_t k = 1; k < kNodes; ++k) {
        const State& to = record.states[k][i];
        const auto sum = [&](auto f) { return kQuadrature.integral(k, h, f); };
        const Vec dx = sum([&](std::size_t j) { return u[j].v; });
        const Vec dp = sum([&](std::size_t j) { return loads[j].sum.force; });
        const Vec dl = sum([&](std::size_t j) { return loads[j].sum.torque; });
        const Quat dq = sum([&](std::size_t j) { return rate(record.states[j][i].q, u[j].w); });
        const Place here = run.place(record.t[k], which);
        // Inner nodes are interpolated: they are known to one order less.
        const double inner = k + 1 < kNodes ? 100 : 1;
        run.add(law::momentum, length(to.p - from.p - dp),
                inner * (force + kRounding * length(to.p)), here);
        run.add(law::angular, length(to.l - from.l - dl),
                inner * (torque + kRounding * length(to.l)), here);
        run.add(law::kinematics, length(to.x - from.x - dx),
                inner * (v + kRounding * (1 + length(to.x))), here);
        run.add(law::kinematics, length(to.q - from.q - dq), inner * (w + kRounding), here);
    }
}

/// The kinetic energy of all bodies of a record changes by the work of all forces on them.
void check_energy(Run& run, const Record& record) {
    const double h = record.t.back() - record.t.front();
    double change = 0, energy = 0, gross = 0, power[kNodes] = {};
    for (std::size_t i = 0; i < record.bodies.size(); ++i) {
        const int which = record.bodies[i];
        if (!run.is_dynamic(which)) continue;
        const double after = kinetic_energy(run.body(which), record.states[kNodes - 1][i]);
        change += after - kinetic_energy(run.body(which), record.states[0][i]), energy += after;
        for (std::size_t k = 0; k < kNodes; ++k) {
            const Velocity u = run.velocity_of(record, k, which);
            const Load f = full_load(run, record, k, which);
            power[k] += dot(f.sum.force, u.v) + dot(f.sum.torque, u.w);
            gross = std::max(gross, h * (f.force * length(u.v) + f.torque * length(u.w)));
        }
    }
    gross += resolution(run, record) * energy;
    const double work =
        kQuadrature.integral(kNodes - 1, h, [&](std::size_t j) { return power[j]; });
    run.add(law::energy, std::abs(change - work), gross + kRounding * energy,
            run.place(record.t[0], record.bodies[0]));
}

void check_motion(Run& run, const Record& record) {
    const double h = record.t.back() - record.t.front();
    for (std::size_t k = 0; k < kNodes; ++k)
        run.add(law::coverage, std::abs(record.t[k] - record.t[0] - h * kQuadrature.node[k]),
                run.place(record.t[k]));
    for (std::size_t i = 0; i < record.bodies.size(); ++i)
        if (run.body(record.bodies[i]).type != "static") check_body(run, record, i);
    check_energy(run, record);
}

void check_rest(Run& run, const Record& record) {
    for (std::size_t i = 0; i < record.bodies.size(); ++i) {
        const int which = record.bodies[i];
        if (!run.is_dynamic(which)) continue;
        const State &from = record.states[0][i], &to = record.states[1][i];
        const Load load = full_load(run, record, 0, which);
        const Velocity u = velocity(run.body(which), from);
        const Place here = run.place(record.t[0], which);
        // Without gravity forces may be rounding alone: those that accelerate by 1e-14 m/s² or so.
        constexpr double kNoAcceleration = 1e-6;
        const double floor = run.body(which).mass * kNoAcceleration;
        const double extent = run.moving[std::size_t(which)].extent;
        run.add(law::statics, length(load.sum.force), load.force + floor, here);
        run.add(law::statics, length(load.sum.torque), load.torque + floor * extent, here);
        run.add(law::statics, length(u.v) + length(u.w), here);
        run.add(law::continuity, length(to.x - from.x) + length(to.q - from.q), here);
        run.add(law::continuity, length(to.p - from.p) + length(to.l - from.l), here);
    }
}

/// The run is followed from here on, and not from the start of its scene.
void begin_run(Run& run, const Record& record) {
    run.end = record.time;
    run.first_potential = 0;
    for (std::size_t i = 0; i < run.moving.size(); ++i) {
        run.moving[i].now = record.states[0][i];
        run.first_potential -= dot(run.weight(int(i)), run.moving[i].now.x);
    }
}

void begin_step(Run& run, const Record& record) {
    run.begin = record.time;
    run.add(law::coverage, std::abs(run.begin - run.end), 1 + run.begin, run.place(0));
    run.record = 0;
    run.loads.clear(), run.touching.clear();
    for (Moving& m : run.moving) m.time = 0, m.stretches.clear();
}

/// All bodies were followed to the end of the step, and the stated sums are those of their states.
void end_step(Run& run, const Record& record) {
    run.end = run.begin + record.duration;
    const Place end = run.place(record.duration);
    double kinetic = 0, slow = 1e-12, potential = 0, gross = 0, gross_p = 0, gross_l = 0;
    Vec p, l;
    for (std::size_t i = 0; i < run.moving.size(); ++i) {
        const int which = int(i);
        const State& s = run.moving[i].now;
        if (run.body(which).type == "static") continue;
        run.add(law::coverage, std::abs(run.moving[i].time - record.duration),
                run.place(record.duration, which));
        if (!run.is_dynamic(which)) continue;
        kinetic += kinetic_energy(run.body(which), s);
        slow += kSlow * length(s.p); // as for continuity
        potential -= dot(run.weight(which), s.x);
        p += s.p, l += s.l + cross(s.x, s.p);
        gross += length(run.weight(which)) * length(s.x);
        const double size = length(s.p) + kSlow * run.body(which).mass;
        gross_p += size, gross_l += length(s.l) + length(s.x) * size;
    }
    check_penetration(run, record.duration);
    if (run.header.method == "fast") check_energy_gain(run, kinetic, potential, end);
    run.add(law::sums, std::abs(record.kinetic - kinetic), kinetic + slow, end);
    run.add(law::sums, std::abs(record.potential - potential), gross, end);
    run.add(law::sums, length(record.momentum - p), gross_p + 1e-12, end);
    run.add(law::sums, length(record.angular_momentum - l), gross_l + 1e-12, end);
}

} // namespace

void check_record(Run& run, const Record& record) {
    ++run.record;
    if (record.is == "from") return begin_run(run, record);
    if (record.is == "step") return begin_step(run, record);
    if (record.is == "loads") return void(run.loads = record.loads);
    if (record.is == "sums") return end_step(run, record);
    if (record.is == "unrecorded") return run.add(law::coverage, 1, run.place(record.time));
    run.add(law::coverage, (record.is == "impulses") != (run.header.method == "fast"),
            run.place(0));
    check_continuity(run, record);
    if (record.is == "flight") check_flight(run, record);
    if (record.is == "motion") check_motion(run, record);
    if (record.is == "rest") check_rest(run, record);
    if (record.is == "motion" || record.is == "rest") check_contacts(run, record);
    if (record.is == "impact") check_impact(run, record);
    if (record.is == "projection") check_projection(run, record);
    if (record.is == "impulses")
        check_fast_step(run, record);
    else if (record.is != "correction")
        check_joints(run, record);
    if (record.is == "substep" || record.is == "correction") check_time_step(run, record);
    advance(run, record);
}

} // namespace check
