#include "run.h"

namespace check {

Run::Run(const Header& h, Findings& f) : header(h), findings(f), moving(h.bodies.size()) {
    for (std::size_t i = 0; i < moving.size(); ++i) {
        moving[i].now = h.bodies[i].start;
        first_potential -= dot(weight(int(i)), moving[i].now.x);
        for (const Shape& shape : h.bodies[i].shapes) {
            moving[i].pieces.push_back(shape.sensor ? std::vector<Piece>{} : pieces_of(shape));
            for (const Piece& p : moving[i].pieces.back())
                moving[i].extent = std::max(moving[i].extent, length(p.middle) + p.extent);
        }
    }
}

State Run::state(const Record& at, std::size_t node, int i) const {
    const auto found = std::find(at.bodies.begin(), at.bodies.end(), i);
    return i < 0 ? State{} : at.states[node][std::size_t(found - at.bodies.begin())];
}

Velocity Run::velocity_of(const Record& at, std::size_t node, int i) const {
    const bool stands = i < 0 || body(i).type == "static";
    return stands ? Velocity{} : velocity(body(i), state(at, node, i));
}

Velocity Run::relative(const Record& at, std::size_t node, const Link& link, Vec point) const {
    const Velocity a = velocity_of(at, node, link.a), b = velocity_of(at, node, link.b);
    const Vec at_a = a.v + cross(a.w, point - state(at, node, link.a).x);
    return {b.v + cross(b.w, point - state(at, node, link.b).x) - at_a, b.w - a.w};
}

Load link_load(const Run& run, const Record& record, std::size_t node, int body) {
    Load load;
    const Vec x = run.state(record, node, body).x;
    for (const std::vector<Link>* links : {&record.contacts, &record.joints})
        for (const Link& link : *links) {
            if (link.a != body && link.b != body) continue;
            const auto& [point, normal, w] = link.at[node];
            const double sign = link.b == body ? 1 : -1;
            load.sum.force += w.force * sign;
            load.sum.torque += (cross(point - x, w.force) + w.torque) * sign;
            load.force += length(w.force);
            load.torque += length(point - x) * length(w.force) + length(w.torque);
        }
    return load;
}

Load full_load(const Run& run, const Record& record, std::size_t node, int i, double seconds) {
    const Body& body = run.body(i);
    const State s = run.state(record, node, i);
    Load load = link_load(run, record, node, i);
    for (const Wrench& w : {Wrench{run.weight(i), {}}, run.load(i),
                            Wrench{s.p * -body.linear_damping, s.l * -body.angular_damping}}) {
        load.sum.force += w.force * seconds, load.sum.torque += w.torque * seconds;
        load.force += length(w.force) * seconds, load.torque += length(w.torque) * seconds;
    }
    load.sum = unlocked(body, load.sum);
    return load;
}

void advance(Run& run, const Record& record) {
    for (std::size_t i = 0; i < record.bodies.size(); ++i) {
        const int which = record.bodies[i];
        const bool is_driven = run.body(which).type == "kinematic";
        if (!run.is_dynamic(which) && !(is_driven && record.is == "flight")) continue;
        Moving& m = run.moving[std::size_t(which)];
        m.now = record.states.back()[i];
        m.time = record.t.back();
        Stretch stretch{record.is == "flight", record.t, {}, run.weight(which), run.record};
        stretch.force += run.load(which).force;
        for (const auto& states : record.states) stretch.states.push_back(states[i]);
        if (record.t.back() > record.t.front()) m.stretches.push_back(std::move(stretch));
    }
    for (const Link& c : record.contacts) {
        const bool in_order = c.a < c.b;
        const std::size_t a = std::size_t(c.a), b = std::size_t(c.b);
        const std::size_t i = c.shapes[0], j = c.shapes[1];
        run.touching.insert({run.record, std::min(a, b), std::max(a, b)});
        const Vec n = c.at.back().normal * (in_order ? 1 : -1);
        const auto local = [&](int which) {
            return rotate(conjugate(run.state(record, c.at.size() - 1, which).q), n);
        };
        if (in_order)
            run.directions[{a, i, 0, b, j, 0}] = {local(c.a), local(c.b)};
        else
            run.directions[{b, j, 0, a, i, 0}] = {local(c.b), local(c.a)};
    }
}

std::vector<Stretch>::const_iterator stretch_at(const Run& run, int body, double t) {
    const std::vector<Stretch>& all = run.moving[std::size_t(body)].stretches;
    return std::lower_bound(all.begin(), all.end(), t,
                            [](const Stretch& s, double time) { return s.t.back() < time; });
}

State state_at(const Run& run, int body, double t) {
    const Moving& m = run.moving[std::size_t(body)];
    auto s = stretch_at(run, body, t);
    if (m.stretches.empty()) return m.now;
    if (s == m.stretches.end()) --s;
    if (s->is_flight) return fly(run.body(body), s->states[0], s->force, t - s->t[0]);
    State at{{}, {0, 0, 0, 0}, s->states[0].p, s->states[0].l};
    for (std::size_t j = 0; j < s->t.size(); ++j) {
        double weight = 1;
        for (std::size_t k = 0; k < s->t.size(); ++k)
            if (k != j) weight *= (t - s->t[k]) / (s->t[j] - s->t[k]);
        at.x += s->states[j].x * weight;
        at.q = at.q + s->states[j].q * weight;
    }
    at.q = unit(at.q);
    return at;
}

} // namespace check
