#include "run.h"

namespace check {

Run::Run(const Header& h) : header(h), moving(h.bodies.size()) {
    world.type = "static";
    for (std::size_t i = 0; i < moving.size(); ++i) {
        moving[i].now = h.bodies[i].start;
        for (const Shape& shape : h.bodies[i].shapes) {
            moving[i].pieces.push_back(shape.sensor ? std::vector<Piece>{} : pieces_of(shape));
            for (const Piece& p : moving[i].pieces.back())
                moving[i].extent = std::max(moving[i].extent, length(p.middle) + p.extent);
        }
    }
}

State Run::state(int i, int node) const {
    for (const Trajectory& b : r.bodies)
        if (b.i == i) return b.states[node];
    return i < 0 ? State{} : throw std::out_of_range("body");
}

/// Of contacts and joints, and of gravity, forces of the user and damping for `seconds`.
static Load load_on(const Run& run, const Trajectory& b, int node, double seconds) {
    const State& s = b.states[node];
    Load load;
    const auto add = [&](const Screw& w, Sizes size) { load = {load.sum + w, load.size + size}; };
    for (const std::vector<Link>* links : {&run.r.contacts, &run.r.joints})
        for (const Link& link : *links) {
            if (link.a != b.i && link.b != b.i) continue;
            const Screw& w = link.at.at(node).wrench;
            const Vec arm = link.at[node].point - s.x;
            add(Screw{w.lin, cross(arm, w.lin) + w.ang} * (link.b == b.i ? 1 : -1),
                {length(w.lin), length(arm) * length(w.lin) + length(w.ang)});
        }
    const Body& body = run.body(b.i);
    const Screw damping{s.m.lin * -body.linear_damping, s.m.ang * -body.angular_damping};
    for (const Screw& w : {Screw{run.weight(b.i), {}}, run.user_load(b.i), damping})
        add(w * seconds, sizes(w) * seconds);
    load.sum = unlocked(body, load.sum);
    return load;
}

void Run::begin_record(Record next) {
    r = std::move(next);
    ++records;
    if (!r.has_nodes()) return;
    const int nodes = static_cast<int>(r.t.size()), loaded = nodes == 5 ? 5 : 1;
    const bool has_forces = r.is == "motion" || r.is == "rest"; // else impulses
    for (Trajectory& b : r.bodies) {
        for (const State& s : b.states) b.u.push_back(velocity(body(b.i), s));
        for (int k = 0; k < loaded && is_dynamic(b.i); ++k)
            b.loads.push_back(load_on(*this, b, k, has_forces ? 1 : r.t.back() - r.t.front()));
    }
    const auto velocity_at = [&](int i, int node, Vec point) {
        const State s = state(i, node);
        const Screw u = velocity(body(i), s);
        return Screw{u.lin + cross(u.ang, point - s.x), u.ang};
    };
    for (std::vector<Link>* links : {&r.contacts, &r.joints})
        for (Link& link : *links)
            for (int k = 0; k < loaded; ++k) {
                Link::At& at = link.at.at(k);
                const auto relative = [&](int node) {
                    return velocity_at(link.b, node, at.point) -
                           velocity_at(link.a, node, at.point);
                };
                at.u = relative(k), at.after = relative(nodes - 1);
            }
}

void Run::end_record() {
    const bool is_flight = r.is == "flight";
    for (const Trajectory& b : r.bodies) {
        if (!is_dynamic(b.i) && !is_course(b.i)) continue;
        moving[b.i].now = b.to();
        moving[b.i].time = r.t.back();
        const Vec force = weight(b.i) + user_load(b.i).lin;
        if (r.t.back() > r.t.front())
            moving[b.i].stretches.push_back({records, is_flight, force, r.t, b.states});
    }
    for (const Link& c : r.contacts) { // directions of contacts part their shapes from then on
        std::array<int, 6> key{c.a, c.shapes[0], 0, c.b, c.shapes[1], 0};
        Vec n = c.at.back().normal;
        if (c.a > c.b) key = {c.b, c.shapes[1], 0, c.a, c.shapes[0], 0}, n = -n;
        const auto local = [&](int i) {
            return rotate(conjugate(state(i, static_cast<int>(c.at.size()) - 1).q), n);
        };
        touching.insert({records, key[0], key[3]});
        parted[key] = {local(key[0]), local(key[3])};
    }
}

std::vector<Stretch>::const_iterator Run::stretch_at(int i, double t) const {
    const auto ends_before = [](const Stretch& s, double time) { return s.t.back() < time; };
    const std::vector<Stretch>& all = moving[i].stretches;
    return std::lower_bound(all.begin(), all.end(), t, ends_before);
}

State Run::state_at(int i, double t) const {
    const Moving& m = moving[i];
    if (m.stretches.empty()) return m.now;
    const auto found = stretch_at(i, t);
    const Stretch& s = found == m.stretches.end() ? m.stretches.back() : *found;
    if (s.is_flight) return fly(body(i), s.states[0], s.force, t - s.t[0]);
    State at{{}, {0, 0, 0, 0}, s.states[0].m};
    for (std::size_t j = 0; j < s.t.size(); ++j) {
        const double weight = lagrange(s.t, j, t);
        at.x += s.states[j].x * weight;
        at.q = at.q + s.states[j].q * weight;
    }
    at.q = unit(at.q);
    return at;
}

double lagrange(const std::vector<double>& times, std::size_t one, double t) {
    double value = 1;
    for (std::size_t k = 0; k < times.size(); ++k)
        if (k != one) value *= (t - times[k]) / (times[one] - times[k]);
    return value;
}

double Run::potential_energy() const {
    double sum = 0;
    for (int i = 0; i < std::ssize(moving); ++i) sum -= dot(weight(i), moving[i].now.x);
    return sum;
}

double Run::largest_force() const {
    double largest = 1e-300;
    for (const Link& c : r.contacts)
        for (const Link::At& at : c.at) largest = std::max(largest, length(at.wrench.lin));
    return largest;
}

Screw unlocked(const Body& body, Screw wrench) {
    for (int i = 0; i < 3; ++i) {
        if (body.lock >> i & 1) wrench.lin[i] = 0;
        if (body.lock >> (i + 3) & 1) wrench.ang[i] = 0;
    }
    return wrench;
}

Screw velocity(const Body& body, const State& state) {
    if (body.type == "static") return {};
    if (!body.is_dynamic()) return state.m;
    const Mat axes = matrix(state.q);
    Mat inertia = axes * body.tensor * transpose(axes);
    Vec l = state.m.ang;
    for (int i = 0; i < 3; ++i) {
        if (!(body.lock >> (i + 3) & 1)) continue;
        for (int j = 0; j < 3; ++j) inertia.row[i][j] = inertia.row[j][i] = i == j;
        l[i] = 0;
    }
    return {state.m.lin * (1 / body.mass), inverse(inertia) * l};
}

double kinetic_energy(const Body& body, const State& state) {
    return body.is_dynamic() ? 0.5 * dot(state.m, velocity(body, state)) : 0;
}

/// Turns a free body, or one that turns at a constant rate. In its own axes l' = l x w and
/// q' = q w / 2 are products of Taylor series, whose coefficients follow one from the other.
static Quat turn(const Body& body, const State& from, double time) {
    constexpr int kOrder = 22;
    const bool is_free = body.is_dynamic();
    const Mat inverse_inertia =
        is_free ? inverse(body.tensor) : Mat{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    Quat q = from.q;
    const double steps = std::ceil(4 * length(velocity(body, from).ang) * std::abs(time));
    if (!(steps < 4000)) return q; // 1,000 rad: too fast to be followed
    const double h = time / std::max(steps, 1.0);
    for (int step = 0; step < std::max(steps, 1.0); ++step) {
        Vec l[kOrder + 1] = {rotate(conjugate(q), from.m.ang)}, w[kOrder];
        Quat series[kOrder + 1] = {q};
        double power = 1;
        for (int k = 0; k < kOrder; ++k) {
            w[k] = inverse_inertia * l[k];
            Vec dl;
            Quat dq{0, 0, 0, 0};
            for (int j = 0; j <= k; ++j) {
                const Vec& turned = w[k - j];
                if (is_free) dl += cross(l[j], turned);
                dq = dq + series[j] * Quat{0, turned.x, turned.y, turned.z} * 0.5;
            }
            l[k + 1] = dl * (1.0 / (k + 1)), series[k + 1] = dq * (1.0 / (k + 1));
            power *= h;
            q = q + series[k + 1] * power;
        }
        q = unit(q);
    }
    return q;
}

State fly(const Body& body, const State& from, Vec force, double time) {
    State to{from.x + velocity(body, from).lin * time, turn(body, from, time), from.m};
    if (body.is_dynamic()) {
        to.x += force * (0.5 * time * time / body.mass);
        to.m.lin += force * time;
    }
    return to;
}

} // namespace check
