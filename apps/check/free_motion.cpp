#include "free_motion.h"

namespace check {
namespace {

/// Turns a free body, or one that turns at a constant rate. In its own axes l' = l x w and
/// q' = q w / 2 are products of series, whose coefficients follow one from the other.
Quat turn(const Body& body, const State& from, double time) {
    constexpr int kOrder = 22;
    const bool free = body.is_dynamic();
    const Mat inverse_inertia =
        free ? inverse(body.tensor) : Mat{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    Quat q = from.q;
    const double speed = length(free ? velocity(body, from).w : from.l);
    const double wanted = std::ceil(4 * speed * std::abs(time));
    if (!(wanted < 4000)) return q; // 1,000 rad: too fast to be followed
    const int steps = std::max(1, static_cast<int>(wanted));
    const double h = time / steps;
    for (int step = 0; step < steps; ++step) {
        std::array<Vec, kOrder + 1> l, w;
        std::array<Quat, kOrder + 1> series;
        l[0] = rotate(conjugate(q), from.l), series[0] = q;
        double power = 1;
        Quat sum = q;
        for (int k = 0; k < kOrder; ++k) {
            const auto at = [&](int i) { return i; };
            w[at(k)] = inverse_inertia * l[at(k)];
            Vec dl;
            Quat dq{0, 0, 0, 0};
            for (int j = 0; j <= k; ++j) {
                if (free) dl += cross(l[at(j)], w[at(k - j)]);
                const Vec& rate = w[at(k - j)];
                dq = dq + series[at(j)] * Quat{0, rate.x, rate.y, rate.z} * 0.5;
            }
            l[at(k + 1)] = dl * (1.0 / (k + 1)), series[at(k + 1)] = dq * (1.0 / (k + 1));
            power *= h;
            sum = sum + series[at(k + 1)] * power;
        }
        q = unit(sum);
    }
    return q;
}

} // namespace

Wrench unlocked(const Body& body, Wrench wrench) {
    for (int i = 0; i < 3; ++i) {
        if (body.lock >> i & 1) wrench.force[i] = 0;
        if (body.lock >> (i + 3) & 1) wrench.torque[i] = 0;
    }
    return wrench;
}

Velocity velocity(const Body& body, const State& state) {
    if (!body.is_dynamic()) return {state.p, state.l};
    const Mat axes = matrix(state.q);
    Mat inertia = axes * body.tensor * transpose(axes);
    Vec l = state.l;
    for (int i = 0; i < 3; ++i) {
        if (!(body.lock >> (i + 3) & 1)) continue;
        for (int j = 0; j < 3; ++j) inertia.row[i][j] = inertia.row[j][i] = i == j;
        l[i] = 0;
    }
    return {state.p * (1 / body.mass), inverse(inertia) * l};
}

double kinetic_energy(const Body& body, const State& state) {
    if (!body.is_dynamic()) return 0;
    const Velocity u = velocity(body, state);
    return 0.5 * (dot(state.p, u.v) + dot(state.l, u.w));
}

State fly(const Body& body, const State& from, Vec force, double time) {
    State to = from;
    const Velocity u = velocity(body, from);
    to.x += u.v * time;
    if (body.is_dynamic()) {
        to.x += force * (0.5 * time * time / body.mass);
        to.p += force * time;
    }
    to.q = turn(body, from, time);
    return to;
}

} // namespace check
