// Impacts, projections and time steps: what impulses may do.
#include "run.h"

namespace check {
namespace {

/// The first length of a stretch, at most `most`, at which `passed` holds; it does at `most`.
template <class Passed>
double first_length(double most, Passed passed) {
    double low = 0, high = most;
    for (int i = 0; i < 80; ++i) (passed((low + high) / 2) ? high : low) = (low + high) / 2;
    return high;
}

/// One contact on its way through an impact with friction, integrated independently along the
/// normal impulse [Keller 1986]. Axes are two tangents, then the normal.
struct Impact {
    Mat k;  ///< maps an impulse to the change of the relative velocity
    Vec u0; ///< before: u0.z < 0
    double friction, e;
    std::string law;                         ///< energetic, poisson or newton
    Vec p = {};                              ///< the impulse so far
    double compression = 0, restitution = 0; ///< works of its normal part, while u.z < 0 and after
    double compressed = 0;                   ///< normal impulse while u.z < 0
    bool compresses = true;

    Vec u() const { return u0 + k * p; }
    double slip() const { return std::hypot(u().x, u().y); }
    /// Whether the law ends the impact here.
    bool is_over() const {
        if (compresses) return false;
        if (law == "newton") return u().z + e * u0.z >= 0;
        if (law == "poisson") return p.z - compressed * (1 + e) >= 0;
        return restitution + e * e * compression >= 0;
    }
    Impact after(Vec dp, double work) const {
        Impact next = *this;
        next.p += dp;
        (compresses ? next.compression : next.restitution) += work;
        if (compresses) next.compressed += dp.z;
        return next;
    }
    /// Sliding: friction is largest and acts against the slip. As a function of s with dp = |u_T|
    /// ds the slip decays and never ends, and nothing is singular. One step of Runge and Kutta,
    /// with the work u.z dp.z.
    Impact slide(double ds) const {
        constexpr double kShares[] = {0, 0.5, 0.5, 1}, kWeights[] = {1, 2, 2, 1};
        Vec sum, rate;
        double work = 0;
        for (int i = 0; i < 4; ++i) {
            const Vec v = u0 + k * (p + rate * (ds * kShares[i]));
            rate = {-friction * v.x, -friction * v.y, std::hypot(v.x, v.y)};
            sum += rate * kWeights[i];
            work += kWeights[i] * v.z * rate.z;
        }
        return after(sum * (ds / 6), ds / 6 * work);
    }
    /// Along a straight way u is linear, and so the work is exact.
    Impact straight(Vec d, double normal) const {
        return after(d * normal, u().z * normal + 0.5 * (k * d).z * normal * normal);
    }
    /// To the end without slip; none if friction cannot hold it.
    std::optional<Impact> stick() const {
        const double a = k.row[0].x, b = k.row[0].y, c = k.row[1].y, det = a * c - b * b;
        const double x = k.row[0].z, y = k.row[1].z;
        Vec d{0, 0, 1};
        if (friction > 0) {
            if (!(det > 1e-12 * a * c)) return std::nullopt;
            d = {-(c * x - b * y) / det, -(a * y - b * x) / det, 1};
            if (std::hypot(d.x, d.y) > friction) return std::nullopt;
        }
        const double slope = (k * d).z;
        if (!(slope > 0)) return std::nullopt;
        Impact at = compresses ? straight(d, -u().z / slope) : *this;
        at.compresses = false;
        const auto is_over = [&](double normal) { return at.straight(d, normal).is_over(); };
        if (is_over(0)) return at;
        double most = length(u0) / slope;
        while (!is_over(most)) most *= 2;
        return at.straight(d, first_length(most, is_over));
    }
    /// The end; none where the path is too delicate to be followed this way.
    std::optional<Impact> follow() const {
        // The direction of the slip turns, and its speed falls, at no more than this rate.
        const double fastest =
            friction * (k.row[0].x + k.row[1].y) + std::hypot(k.row[0].z, k.row[1].z);
        const double h = 0.005 / fastest;
        Impact at = *this;
        for (int step = 0; step < 200'000; ++step) {
            if (friction == 0 || at.slip() < 1e-11 * length(u0)) return at.stick();
            const auto has_passed = [&](double ds) {
                const Impact next = at.slide(ds);
                return (next.u().z >= 0) == at.compresses || next.is_over();
            };
            const bool turns = has_passed(h);
            at = at.slide(turns ? first_length(h, has_passed) : h);
            if (at.is_over()) return at;
            if (turns) at.compresses = !at.compresses;
            if (at.is_over()) return at;
        }
        return std::nullopt;
    }
};

/// Momenta change by the impulses of contacts and joints, and by forces in the meantime.
void check_impulses(Run& run) {
    constexpr double kRounding = 1e-5; // with it, the tolerance is ten times rounding
    for (const Trajectory& b : run.r.bodies)
        if (run.is_dynamic(b.i))
            run.at(run.r.t[0], b.i)
                .add("impact momentum", "impact momentum", b.to().m - b.from().m - b.loads[0].sum,
                     b.loads[0].size + (sizes(b.to().m) + sizes(b.from().m)) * kRounding);
}

Pair2 kinetic_energies(const Run& run) {
    Pair2 sum{};
    for (const Trajectory& b : run.r.bodies)
        for (const int k : {0, 1}) sum[k] += kinetic_energy(run.body(b.i), b.states[k]);
    return sum;
}

/// How an impulse at one contact changes the velocity there, along the axes t1, t2 and the normal.
Mat response(const Run& run, const Link& hit, const Mat& axes) {
    Mat k;
    for (const int which : {hit.a, hit.b}) {
        if (!run.is_dynamic(which)) continue;
        const State s = run.state(which, 0);
        const Vec arm = hit.at[0].point - s.x;
        for (int j = 0; j < 3; ++j) {
            const Screw w = unlocked(run.body(which), {axes.row[j], cross(arm, axes.row[j])});
            const Screw u = velocity(run.body(which), {s.x, s.q, w});
            const Vec du = axes * (u.lin + cross(u.ang, arm));
            for (int i = 0; i < 3; ++i) k.row[i][j] += du[i];
        }
    }
    return k;
}

/// An impulse is known to what rounding leaves of the momenta around, ten times over: a bounce of
/// 1e-9 m/s is a difference of velocities that are much larger.
double rounding_of_impulse(const Run& run, const Link& hit) {
    constexpr double kRounding = 1e-15;
    double momentum = 0;
    for (const int which : {hit.a, hit.b}) {
        if (!run.is_dynamic(which)) continue;
        const Screw u = velocity(run.body(which), run.state(which, 0));
        momentum +=
            run.body(which).mass *
            (length(u.lin) + run.moving[static_cast<std::size_t>(which)].extent * length(u.ang));
    }
    return kRounding * momentum;
}

/// One contact alone: it is followed through its impact, and must end where it was recorded.
void check_single(Run& run, const Link& hit) {
    const Record& r = run.r;
    const Link::At& at = hit.at[0];
    const Vec normal = at.normal, impulse = at.wrench.lin, u0 = at.u.lin;
    const Place here = run.at(r.t[0], hit);
    const double e = hit.restitution;
    if (r.law == "energetic")
        here.add("restitution", std::abs(r.work[1] + e * e * r.work[0]), -r.work[0]);
    if (hit.friction[1] == 0 && r.approach == 0) // all laws agree
        here.add("restitution", std::abs(dot(at.after.lin + u0 * e, normal)), length(u0));
    if (!r.joints.empty()) return; // they respond, too
    const Vec t1 = unit(across(std::abs(normal.x) < 0.7 ? Vec{1, 0, 0} : Vec{0, 1, 0}, normal));
    const Mat axes{{t1, cross(normal, t1), normal}};
    const Vec u = axes * u0 - Vec{0, 0, r.approach};
    const auto own = Impact{response(run, hit, axes), u, hit.friction[1], e, r.law}.follow();
    if (!own) return;
    const double rounding = rounding_of_impulse(run, hit);
    const auto beyond = [](double error, double known) { return std::max(error - known, 0.0); };
    here.add("restitution", beyond(length(own->p - axes * impulse), rounding), length(impulse));
    here.add("restitution", beyond(std::abs(own->compression - r.work[0]), rounding * length(u)),
             -own->compression);
}

/// The limit of a joint does not bounce: all of its work is that of compression.
void check_limit(Run& run, const Link& joint, const Screw& impulse) {
    const Place here = run.at(run.r.t[0], joint);
    const double before = dot(impulse, joint.at[0].u), size = std::abs(before);
    here.add("restitution", std::abs(dot(impulse, joint.at[0].after)), size);
    here.add("restitution", std::abs(run.r.work[0] - 0.5 * before), size);
    here.add("restitution", std::abs(run.r.work[1]), size);
}

/// Several contacts without friction: elastic ones keep the energy, inelastic ones do not part.
void check_multiple(Run& run, const std::vector<const Link*>& hits) {
    const auto all = [&](auto test) { return std::all_of(hits.begin(), hits.end(), test); };
    const Place here = run.at(run.r.t[0], *hits[0]);
    if (!all([](const Link* c) { return c->friction[1] == 0; })) return;
    const auto [before, after] = kinetic_energies(run);
    if (all([](const Link* c) { return c->restitution == 1; }))
        here.add("restitution", std::abs(after - before), before);
    if (!all([](const Link* c) { return c->restitution == 0; })) return;
    for (const Link* c : hits)
        if (length(c->at[0].wrench.lin) >= 1e-9 * run.largest_force())
            here.add("restitution", std::abs(dot(c->at[0].after.lin, c->at[0].normal)),
                     1e-3 + length(c->at[0].u.lin));
}

/// By one contact or limit alone its impact law decides, by several a rule of multiple impacts.
void check_law(Run& run) {
    const Record& r = run.r;
    std::vector<const Link*> hits;
    std::vector<std::pair<const Link*, const Screw*>> limits;
    for (const Link& c : r.contacts)
        if (length(c.at[0].wrench) > 0) hits.push_back(&c);
    for (const Link& joint : r.joints)
        for (const Action& limit : joint.actions)
            if (length(limit.at.at(0)) > 0) limits.emplace_back(&joint, &limit.at.at(0));
    const bool is_single = r.law == "energetic" || r.law == "poisson" || r.law == "newton";
    const double work = std::abs(r.work[0]) + std::abs(r.work[1]);
    if (!is_single) run.at(r.t[0], r.bodies[0].i).add("restitution", work); // known of one alone
    if (is_single && hits.size() == 1 && limits.empty())
        check_single(run, *hits[0]);
    else if (is_single && hits.empty() && limits.size() == 1)
        check_limit(run, *limits[0].first, *limits[0].second);
    else if (is_single || r.contacts.size() + r.joints.size() == 1)
        run.at(r.t[0], r.bodies.front().i, r.bodies.back().i).add("restitution", 1);
    else if (!hits.empty())
        check_multiple(run, hits);
}

} // namespace

void check_impact(Run& run) {
    const Record& r = run.r;
    check_impulses(run);
    const double scale = run.largest_force();
    double fastest = 0, work = 0;
    bool bounces = false;
    for (const Link& c : r.contacts) {
        fastest = std::max(fastest, r.approach - dot(c.at[0].u.lin, c.at[0].normal));
        bounces = bounces || c.restitution > 0;
    }
    const bool is_slow = fastest <= run.header.restitution_threshold * (1 + 1e-9);
    // Of an impulse: its product with the mean of the velocities before and after.
    const auto add_work = [&](const Link::At& at, const Screw& impulse) {
        work += 0.5 * (dot(impulse, at.u) + dot(impulse, at.after));
    };
    for (const Link& c : r.contacts) {
        const Link::At& at = c.at[0];
        const Place here = run.at(r.t[0], c);
        check_material(run, c, bounces || !is_slow);
        check_contact_place(run, c, 0);
        here.add("cone", beyond_cone(at, c.friction[1]), scale);
        here.add("separation", -dot(at.after.lin, at.normal), fastest + 1); // 1e-9 m/s is none
        add_work(at, at.wrench);
    }
    for (const Link& joint : r.joints)
        for (const Action& limit : joint.actions) add_work(joint.at[0], limit.at.at(0));
    for (const Trajectory& b : r.bodies) run.at(r.t[0], b.i).add("continuity", b.moved());
    const Place here = run.at(r.t[0], r.bodies.front().i, r.bodies.back().i);
    const auto [before, after] = kinetic_energies(run);
    here.add("impact energy", after - before - scale * r.approach, before);
    here.add("impact energy", std::abs(after - before - work), before);
    check_law(run);
}

/// What is too slow to be followed is taken off: by impulses that add no energy, at contacts whose
/// velocities were below the threshold.
void check_projection(Run& run) {
    const Record& r = run.r;
    check_impulses(run);
    for (const Trajectory& b : r.bodies) run.at(r.t[0], b.i).add("contact place", b.moved());
    const auto [before, after] = kinetic_energies(run);
    run.at(r.t[0], r.bodies[0].i).add("impact energy", after - before, before + 1e-6);
    for (const Link& c : r.contacts) {
        const Vec u = c.at[0].u.lin;
        run.at(r.t[0], c).add("projection",
                              c.sticks ? length(u) : std::abs(dot(u, c.at[0].normal)));
    }
}

/// Time stepping: impulses for a whole step, after which bodies move with their new velocities; or
/// a correction of poses, which has no impulses. What a body is moved by beyond that is told.
void check_time_step(Run& run) {
    const Record& r = run.r;
    check_impulses(run);
    for (const Trajectory& b : r.bodies) {
        const Vec path = b.to().x - b.from().x;
        if (run.is_dynamic(b.i))
            run.at(r.t[0], b.i).add("displacement", length(path - b.u[1].lin * (r.t[1] - r.t[0])));
    }
    for (const Link& c : r.contacts) {
        const Place here = run.at(r.t[0], c);
        check_material(run, c, true);
        here.add("unit vectors", std::abs(length(c.at[0].normal) - 1));
        here.add("cone", beyond_cone(c.at[0], std::max(c.friction[0], c.friction[1])),
                 run.largest_force());
    }
}

} // namespace check
