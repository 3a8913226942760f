// Checks of steps of `fast`: momenta, friction, joints, sleep, overlap and energy, within the
// bounds that it claims.
//
// Impulses are those of a whole step, in floats, and arms turn meanwhile: linear momenta alone are
// held to them.
#include "run.h"

namespace check {
namespace {

// Of momenta, beside the impulses: with the bound of the law 5e-7, some eight roundings of
// velocities in floats (6e-8 each). A slow touch of a fast body changes its momentum by little
// more.
constexpr double kRounding = 5e-3;

/// p1 - p0 = impulses + (weight + load) h - damping, which acts on what p is in between.
void check_momentum(Run& run, const Record& record, std::size_t i, double h) {
    const int which = record.bodies[i];
    const State &from = record.states[0][i], &to = record.states[1][i];
    const Load load = full_load(run, record, 0, which, h);
    const double damped = run.body(which).linear_damping * h * (length(to.p) + length(from.p));
    run.add(law::step, std::max(0.0, length(to.p - from.p - load.sum.force) - damped),
            load.force + kRounding * (length(to.p) + length(from.p)), run.place(0, which));
}

/// A body moves by its velocities, and by those that correct overlaps, 4 m/s at most.
void check_path(Run& run, const Record& record, std::size_t i, double h) {
    constexpr double kCorrection = 4; // m/s
    const int which = record.bodies[i];
    const State &from = record.states[0][i], &to = record.states[1][i];
    const double m = run.body(which).mass;
    const double speed =
        std::max(length(from.p), length(to.p)) / m + length(run.weight(which)) * h / m;
    run.add(law::path, length(to.x - from.x), h * (speed + kCorrection), run.place(0, which));
}

/// What falls asleep was slow, stops, and stays.
void check_sleep(Run& run, const Record& record, std::size_t i, double h) {
    const int which = record.bodies[i];
    const State &from = record.states[0][i], &to = record.states[1][i];
    const Velocity u = velocity(run.body(which), from);
    const double moved = std::max(0.0, length(to.x - from.x) - h * run.header.claims.sleep_speed);
    const bool stops = length(to.p) + length(to.l) == 0;
    run.add(law::sleep, stops ? std::max({length(u.v), length(u.w), moved / h}) : HUGE_VAL,
            run.header.claims.sleep_speed, run.place(0, which));
}

} // namespace

void check_fast_step(Run& run, const Record& record) {
    const double h = record.t[1] - record.t[0], scale = largest_force(record);
    const std::set<int> asleep(record.asleep.begin(), record.asleep.end());
    for (std::size_t i = 0; i < record.bodies.size(); ++i) {
        if (!run.is_dynamic(record.bodies[i])) continue;
        if (asleep.count(record.bodies[i])) {
            check_sleep(run, record, i, h);
        } else {
            check_momentum(run, record, i, h);
            check_path(run, record, i, h);
        }
    }
    for (const Link& c : record.contacts) {
        const auto& [point, normal, wrench] = c.at[0];
        const Place here = run.place(0, c.a, c.b);
        const double push = dot(wrench.force, normal);
        const double rub = length(across(wrench.force, normal));
        check_material(run, record, c, true);
        run.add(law::units, std::abs(length(normal) - 1), here);
        run.add(law::float_cone,
                std::max({0.0, -push, rub - std::max(c.friction[0], c.friction[1]) * push}), scale,
                here);
    }
    for (const Joint& joint : run.header.joints)
        run.add(law::drift, joint_error(run, record, 1, joint), run.header.claims.joint,
                run.place(h, joint.a, joint.b));
}

/// The energy of all bodies grows over the least so far by no more than is claimed. What was
/// exchanged is the largest kinetic energy, or change of the potential one.
void check_energy_gain(Run& run, double kinetic, double potential, const Place& where) {
    const Claims& claims = run.header.claims;
    if (!(claims.energy > 0)) return;
    const double total = kinetic + potential;
    double weight = 0;
    for (std::size_t i = 0; i < run.moving.size(); ++i) weight += length(run.weight(int(i)));
    run.least_energy = std::min(run.least_energy, total);
    run.exchanged = std::max({run.exchanged, kinetic, std::abs(potential - run.first_potential)});
    run.add(law::gain, total - run.least_energy,
            claims.energy * run.exchanged + claims.lift * weight + 1e-12, where);
}

} // namespace check
