// Checks of non-penetration: distances at the nodes of all motions, and bounds in between.
#include "run.h"

namespace check {
namespace {

constexpr double kResolution = 5e-7; // m: how far surfaces may move between two looks

/// Bodies of which one moves, and that neither a joint nor a filter keeps from colliding.
bool can_meet(const Run& run, int a, int b) {
    const Body &first = run.body(a), &second = run.body(b);
    if (!first.is_dynamic() && !second.is_dynamic()) return false;
    if (!(first.group & second.mask) || !(second.group & first.mask)) return false;
    return std::none_of(run.header.joints.begin(), run.header.joints.end(), [&](const Joint& j) {
        return !j.collide && std::minmax(j.a, j.b) == std::minmax(a, b);
    });
}

/// Of any point of a body between two times: speeds at the nodes, and half as much again.
double speed_bound(const Run& run, int i, double begin, double end) {
    const Moving& m = run.moving[i];
    double speed = 0;
    for (auto s = run.stretch_at(i, begin); s != m.stretches.end() && s->t.front() < end; ++s)
        for (const State& state : s->states) {
            const Screw u = velocity(run.body(i), state);
            if (s->t.back() > begin)
                speed = std::max(speed, length(u.lin) + length(u.ang) * m.extent);
        }
    return 1.5 * speed;
}

/// A lower bound of the distance of two bodies, or `enough` if they are farther apart. Directions
/// that parted two pieces before are tried first, as they turn with either body.
double distance_at(Run& run, int a, int b, double t, double enough) {
    const State sa = run.state_at(a, t), sb = run.state_at(b, t);
    const Pose pa{sa.x, sa.q}, pb{sb.x, sb.q};
    double least = enough;
    const auto compare = [&](const Piece& p, const Piece& q, std::array<int, 6> key) {
        const Vec apart = pb.x + rotate(pb.q, q.middle) - pa.x - rotate(pa.q, p.middle);
        if (length(apart) - p.extent - q.extent >= least) return;
        std::array<Vec, 2>& known = run.parted[key];
        double found = -HUGE_VAL;
        for (const Vec& n : {rotate(pa.q, known[0]), rotate(pb.q, known[1])})
            if (dot(n, n) > 0.5) found = std::max(found, separation(p, pa, q, pb, n));
        if (found >= least) return;
        const std::optional<Vec> n = separating_direction(p, pa, q, pb);
        const double best = n ? separation(p, pa, q, pb, *n) : -HUGE_VAL;
        if (best > found) known = {rotate(conjugate(pa.q), *n), rotate(conjugate(pb.q), *n)};
        least = std::min(least, std::max(best, found));
    };
    const auto &shapes_a = run.moving[a].pieces, &shapes_b = run.moving[b].pieces;
    for (int i = 0; i < std::ssize(shapes_a); ++i)
        for (int j = 0; j < std::ssize(shapes_b); ++j)
            for (int k = 0; k < std::ssize(shapes_a[i]); ++k)
                for (int l = 0; l < std::ssize(shapes_b[j]); ++l)
                    compare(shapes_a[i][k], shapes_b[j][l], {a, i, k, b, j, l});
    return least;
}

/// Halves a time until the distance in its middle is more than both bodies can come closer by.
void check_between(Run& run, int a, int b, double begin, double end, int& looks) {
    const double speed = speed_bound(run, a, begin, end) + speed_bound(run, b, begin, end);
    const double middle = (begin + end) / 2, closer = speed * (end - begin) / 2;
    constexpr double kTooFar = 1e4; // m: no body is followed that moves so far in one stretch
    const double d = closer < kTooFar ? distance_at(run, a, b, middle, closer) : -closer;
    if (d >= closer) return;
    if (closer > kResolution && closer < kTooFar && --looks > 0) {
        check_between(run, a, b, begin, middle, looks);
        return check_between(run, a, b, middle, end, looks);
    }
    run.at(middle, a, b).add("penetration", -d);
    run.at(middle, a, b).add("penetration between", closer - d);
}

void check_pair(Run& run, int a, int b, double duration) {
    std::set<double> times{0, duration};
    for (const int i : {a, b})
        for (const Stretch& s : run.moving[i].stretches) times.insert(s.t.begin(), s.t.end());
    for (auto t = times.begin(), next = t; t != times.end(); t = next) {
        run.at(*t, a, b).add("penetration", -distance_at(run, a, b, *t, 1e-3));
        if (++next == times.end()) break;
        // While two bodies touch, their contacts hold the distance at zero at every node.
        const auto touches = [&](int i) {
            const auto s = run.stretch_at(i, (*t + *next) / 2);
            return s != run.moving[i].stretches.end() && run.touching.count({s->record, a, b}) > 0;
        };
        if (touches(a) || touches(b)) continue;
        // Beyond these the bound stays as it is. Balls that part while they roll on each other take
        // 40,000: their gap grows with the cube of time.
        int looks = 200'000;
        check_between(run, a, b, *t, *next, looks);
    }
}

} // namespace

/// Under `fast` bodies may overlap at the end of a step, by no more than is claimed.
void check_penetration(Run& run) {
    const double duration = run.r.duration;
    const int count = static_cast<int>(run.moving.size());
    std::vector<double> far; // what each may move, and how far it reaches
    for (int i = 0; i < count; ++i)
        far.push_back(duration * speed_bound(run, i, 0, duration) + run.moving[i].extent);
    for (int a = 0; a < count; ++a)
        for (int b = a + 1; b < count; ++b) {
            const double apart = length(run.moving[a].now.x - run.moving[b].now.x);
            if (apart > far[a] + far[b] || !can_meet(run, a, b)) continue;
            if (run.header.method == "faithful")
                check_pair(run, a, b, duration);
            else
                run.at(duration, a, b)
                    .add("depth", -distance_at(run, a, b, duration, 0),
                         run.header.claims.penetration);
        }
}

} // namespace check
