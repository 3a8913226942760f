// Checks of steps of `fast`: momenta, friction, joints, sleep, overlap and energy, within the
// bounds that it claims.
//
// Impulses are those of a whole step, in floats, and arms turn meanwhile: linear momenta alone are
// held to them.
#include "run.h"

namespace check {

/// p1 - p0 = impulses + (weight + load) h - damping, which acts on what p is in between. A body
/// moves by its velocities, and by those that correct overlaps, 4 m/s at most.
static void check_awake(Run& run, const Trajectory& b, double h) {
    // Of momenta, beside the impulses: with the bound of the law 5e-7, some eight roundings of
    // velocities in floats (6e-8 each). A slow touch of a fast body changes its momentum by little
    // more.
    constexpr double kRounding = 5e-3, kCorrection = 4; // m/s
    const Vec p0 = b.from().m.lin, p1 = b.to().m.lin;
    const double both = length(p1) + length(p0), m = run.body(b.i).mass;
    const Place here = run.at(0, b.i);
    here.add("step momentum",
             length(p1 - p0 - b.loads[0].sum.lin) - run.body(b.i).linear_damping * h * both,
             b.loads[0].size.lin + kRounding * both);
    const double speed = std::max(length(p0), length(p1)) / m + length(run.weight(b.i)) * h / m;
    here.add("path", length(b.to().x - b.from().x), h * (speed + kCorrection));
}

/// What falls asleep was slow, stops, and stays.
static void check_sleep(Run& run, const Trajectory& b, double h) {
    const double slow = run.header.claims.sleep_speed;
    const double path = length(b.to().x - b.from().x) - h * slow;
    const double fastest = std::max({length(b.u[0].lin), length(b.u[0].ang), path / h});
    run.at(0, b.i).add("sleep", length(b.to().m) == 0 ? fastest : HUGE_VAL, slow);
}

void check_fast_step(Run& run) {
    const Record& r = run.r;
    const double h = r.t[1] - r.t[0], scale = run.largest_force();
    for (const Trajectory& b : r.bodies)
        if (run.is_dynamic(b.i)) {
            const bool is_asleep = std::count(r.asleep.begin(), r.asleep.end(), b.i) > 0;
            (is_asleep ? check_sleep : check_awake)(run, b, h);
        }
    for (const Link& c : r.contacts) {
        check_material(run, c, true);
        run.at(0, c).add("unit vectors", std::abs(length(c.at[0].normal) - 1));
        const double friction = std::max(c.friction[0], c.friction[1]);
        run.at(0, c).add("cone of floats", beyond_cone(c.at[0], friction), scale);
    }
    for (const Joint& joint : run.header.joints)
        run.at(h, joint.a, joint.b)
            .add("joint error", joint_error(run, joint, 1), run.header.claims.joint);
}

/// The energy of all bodies grows over the least so far by no more than is claimed. What was
/// exchanged is the largest kinetic energy, or change of the potential one.
void check_energy_gain(Run& run, double kinetic) {
    const Claims& claims = run.header.claims;
    if (!(claims.energy > 0)) return;
    const double potential = run.potential_energy(), total = kinetic + potential;
    double weight = 0;
    for (int i = 0; i < std::ssize(run.moving); ++i) weight += length(run.weight(i));
    run.least_energy = std::min(run.least_energy, total);
    run.exchanged = std::max({run.exchanged, kinetic, std::abs(potential - run.first_potential)});
    run.at(run.r.duration)
        .add("energy gain", total - run.least_energy,
             claims.energy * run.exchanged + claims.lift * weight + 1e-12);
}

} // namespace check
