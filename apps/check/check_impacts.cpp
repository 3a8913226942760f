// Impacts, projections and time steps: what impulses may do.
#include "impact_path.h"
#include "run.h"

namespace check {
namespace {

/// Momenta change by the impulses of contacts and joints, and by forces that act for `seconds`.
void check_impulses(Run& run, const Record& record, double seconds) {
    for (std::size_t i = 0; i < record.bodies.size(); ++i) {
        const int which = record.bodies[i];
        if (!run.is_dynamic(which)) continue;
        const State &from = record.states[0][i], &to = record.states[1][i];
        const Load load = full_load(run, record, 0, which, seconds);
        constexpr double kRounding = 1e-5; // with it, the tolerance is ten times rounding
        const Place here = run.place(record.t[0], which);
        run.add(law::impulse, length(to.p - from.p - load.sum.force),
                load.force + kRounding * (length(to.p) + length(from.p)), here);
        run.add(law::impulse, length(to.l - from.l - load.sum.torque),
                load.torque + kRounding * (length(to.l) + length(from.l)), here);
    }
}

double energy(const Run& run, const Record& record, std::size_t node) {
    double sum = 0;
    for (std::size_t i = 0; i < record.bodies.size(); ++i)
        sum += kinetic_energy(run.body(record.bodies[i]), record.states[node][i]);
    return sum;
}

double moved(const Record& record, std::size_t i) {
    const State &from = record.states[0][i], &to = record.states[1][i];
    return length(to.x - from.x) + length(to.q - from.q);
}

/// How an impulse at one contact changes the velocity there, along the axes t1, t2 and the normal.
Mat response(const Run& run, const Record& record, const Link& hit, const Mat& axes) {
    Mat k;
    for (const int which : {hit.a, hit.b}) {
        if (!run.is_dynamic(which)) continue;
        const State s = run.state(record, 0, which);
        const Vec arm = hit.at[0].point - s.x;
        for (int j = 0; j < 3; ++j) {
            const Wrench w = unlocked(run.body(which), {axes.row[j], cross(arm, axes.row[j])});
            const Velocity u = velocity(run.body(which), {s.x, s.q, w.force, w.torque});
            const Vec du = axes * (u.v + cross(u.w, arm));
            for (int i = 0; i < 3; ++i) k.row[i][j] += du[i];
        }
    }
    return k;
}

/// One contact alone: it is followed through its impact, and must end where it was recorded.
void check_single(Run& run, const Record& record, const Link& hit) {
    const auto& [point, normal, wrench] = hit.at[0];
    const Place here = run.place(record.t[0], hit.a, hit.b);
    const double e = hit.restitution;
    if (record.law == "energetic")
        run.add(law::restitution, std::abs(record.work[1] + e * e * record.work[0]),
                -record.work[0], here);
    const Vec u0 = run.relative(record, 0, hit, point).v,
              u1 = run.relative(record, 1, hit, point).v;
    if (hit.friction[1] == 0 && record.approach == 0) // all laws agree
        run.add(law::restitution, std::abs(dot(u1 + u0 * e, normal)), length(u0), here);
    if (!record.joints.empty()) return; // they respond, too
    const Vec t1 = unit(across(std::abs(normal.x) < 0.7 ? Vec{1, 0, 0} : Vec{0, 1, 0}, normal));
    const Mat axes{{t1, cross(normal, t1), normal}};
    const ImpactResult own =
        follow_impact(response(run, record, hit, axes), axes * u0 - Vec{0, 0, record.approach},
                      hit.friction[1], e, record.law);
    if (!own.is_certain) return;
    run.add(law::restitution, length(own.impulse - axes * wrench.force), length(wrench.force),
            here);
    run.add(law::restitution, std::abs(own.compression - record.work[0]), -own.compression, here);
}

/// Several contacts without friction: elastic ones keep the energy, inelastic ones do not part.
void check_multiple(Run& run, const Record& record, const std::vector<const Link*>& hits) {
    const auto all = [&](auto test) { return std::all_of(hits.begin(), hits.end(), test); };
    const Place here = run.place(record.t[0], hits[0]->a, hits[0]->b);
    if (!all([](const Link* c) { return c->friction[1] == 0; })) return;
    const double before = energy(run, record, 0);
    if (all([](const Link* c) { return c->restitution == 1; }))
        run.add(law::restitution, std::abs(energy(run, record, 1) - before), before, here);
    if (!all([](const Link* c) { return c->restitution == 0; })) return;
    for (const Link* c : hits) {
        const auto& [point, normal, wrench] = c->at[0];
        if (length(wrench.force) < 1e-9 * largest_force(record)) continue;
        run.add(law::restitution, std::abs(dot(run.relative(record, 1, *c, point).v, normal)),
                1e-3 + length(run.relative(record, 0, *c, point).v), here);
    }
}

/// The product of an impulse with the velocity that it acts along, before or after.
double rate(const Run& run, const Record& record, std::size_t node, const Link& link,
            const Wrench& w) {
    const Velocity u = run.relative(record, node, link, link.at[0].point);
    return dot(w.force, u.v) + dot(w.torque, u.w);
}

/// Of an impulse: its product with the mean of the velocities before and after.
double work(const Run& run, const Record& record, const Link& link, const Wrench& w) {
    return 0.5 * (rate(run, record, 0, link, w) + rate(run, record, 1, link, w));
}

/// The limit of a joint does not bounce: all of its work is that of compression.
void check_limit(Run& run, const Record& record, const Link& joint, const Wrench& w) {
    const Place here = run.place(record.t[0], joint.a, joint.b);
    const double before = rate(run, record, 0, joint, w);
    run.add(law::restitution, std::abs(rate(run, record, 1, joint, w)), std::abs(before), here);
    run.add(law::restitution, std::abs(record.work[0] - 0.5 * before), std::abs(before), here);
    run.add(law::restitution, std::abs(record.work[1]), std::abs(before), here);
}

} // namespace

void check_impact(Run& run, const Record& record) {
    check_impulses(run, record, 0);
    const double scale = largest_force(record), before = energy(run, record, 0);
    double fastest = 0, all_work = 0;
    std::vector<const Link*> hits;
    bool bounces = false;
    for (const Link& c : record.contacts) {
        const Vec u = run.relative(record, 0, c, c.at[0].point).v;
        fastest = std::max(fastest, record.approach - dot(u, c.at[0].normal));
        bounces = bounces || c.restitution > 0;
        if (length(c.at[0].wrench.force) > 0) hits.push_back(&c);
    }
    const bool is_slow = fastest <= run.header.restitution_threshold * (1 + 1e-9);
    for (const Link& c : record.contacts) {
        check_material(run, record, c, bounces || !is_slow);
        check_contact_place(run, record, c, 0);
        check_cone(run, record, c, 0, c.friction[1], scale);
        const double after = dot(run.relative(record, 1, c, c.at[0].point).v, c.at[0].normal);
        run.add(law::separation, std::max(0.0, -after), fastest + 1, // 1e-9 m/s counts as none
                run.place(record.t[0], c.a, c.b));
        all_work += work(run, record, c, c.at[0].wrench);
    }
    std::vector<std::pair<const Link*, const Wrench*>> limits;
    for (const Link& joint : record.joints)
        for (const Action& limit : joint.actions) {
            const Wrench& w = limit.at[0];
            all_work += work(run, record, joint, w);
            if (length(w.force) + length(w.torque) > 0) limits.emplace_back(&joint, &w);
        }
    for (std::size_t i = 0; i < record.bodies.size(); ++i)
        run.add(law::continuity, moved(record, i), run.place(record.t[0], record.bodies[i]));
    const Place here = run.place(record.t[0], record.bodies.front(), record.bodies.back());
    const double gain = energy(run, record, 1) - before;
    run.add(law::loss, std::max(0.0, gain - scale * record.approach), before, here);
    run.add(law::loss, std::abs(gain - all_work), before, here);
    const bool is_single =
        record.law == "energetic" || record.law == "poisson" || record.law == "newton";
    if (is_single && hits.size() == 1 && limits.empty())
        check_single(run, record, *hits[0]);
    else if (is_single && hits.empty() && limits.size() == 1)
        check_limit(run, record, *limits[0].first, *limits[0].second);
    else if (is_single || record.contacts.size() + record.joints.size() == 1)
        run.add(law::restitution, 1, here); // no rule of several contacts for one
    else if (!hits.empty())
        check_multiple(run, record, hits);
}

/// What is too slow to be followed is taken off: by impulses that add no energy, at contacts whose
/// velocities were below the threshold.
void check_projection(Run& run, const Record& record) {
    check_impulses(run, record, 0);
    for (std::size_t i = 0; i < record.bodies.size(); ++i)
        run.add(law::place, moved(record, i), run.place(record.t[0], record.bodies[i]));
    const double before = energy(run, record, 0), gain = energy(run, record, 1) - before;
    run.add(law::loss, std::max(0.0, gain), before + 1e-6,
            run.place(record.t[0], record.bodies[0]));
    for (const Link& c : record.contacts) {
        const Vec u = run.relative(record, 0, c, c.at[0].point).v, n = c.at[0].normal;
        run.add(law::projection, c.sticks ? length(u) : std::abs(dot(u, n)),
                run.place(record.t[0], c.a, c.b));
    }
}

/// Time stepping: impulses for a whole step, after which bodies move with their new velocities; or
/// a correction of poses, which has no impulses. What a body is moved by beyond that is told.
void check_time_step(Run& run, const Record& record) {
    const double h = record.t[1] - record.t[0], scale = largest_force(record);
    check_impulses(run, record, h);
    for (std::size_t i = 0; i < record.bodies.size(); ++i) {
        if (!run.is_dynamic(record.bodies[i])) continue;
        const Velocity u = velocity(run.body(record.bodies[i]), record.states[1][i]);
        const Vec path = record.states[1][i].x - record.states[0][i].x;
        run.add(law::moved, length(path - u.v * h), run.place(record.t[0], record.bodies[i]));
    }
    for (const Link& c : record.contacts) {
        check_material(run, record, c, true);
        run.add(law::units, std::abs(length(c.at[0].normal) - 1), run.place(record.t[0], c.a, c.b));
        check_cone(run, record, c, 0, std::max(c.friction[0], c.friction[1]), scale);
    }
}

} // namespace check
