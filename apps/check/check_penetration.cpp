// Checks of non-penetration: distances at the nodes of all motions, and bounds in between.
#include "run.h"

namespace check {
namespace {

constexpr double kResolution = 5e-7; // m: how far surfaces may move between two looks

/// Bodies of which one moves, and that neither a joint nor a filter keeps from colliding.
bool can_meet(const Run& run, int a, int b) {
    const Body &first = run.body(a), &second = run.body(b);
    if (!run.is_dynamic(a) && !run.is_dynamic(b)) return false;
    if ((first.group & second.mask) == 0 || (second.group & first.mask) == 0) return false;
    return std::none_of(run.header.joints.begin(), run.header.joints.end(), [&](const Joint& j) {
        return !j.collide && std::minmax(j.a, j.b) == std::minmax(a, b);
    });
}

/// Of any point of a body between two times: speeds at the nodes, and half as much again.
double speed_bound(const Run& run, int which, double begin, double end) {
    const Moving& m = run.moving[std::size_t(which)];
    double speed = 0;
    for (auto s = stretch_at(run, which, begin); s != m.stretches.end() && s->t.front() < end;
         ++s) {
        if (s->t.back() <= begin) continue;
        for (const State& state : s->states) {
            const Velocity u = velocity(run.body(which), state);
            speed = std::max(speed, length(u.v) + length(u.w) * m.extent);
        }
    }
    return 1.5 * speed;
}

/// A lower bound of the distance of two bodies, or `enough` if they are farther apart. Directions
/// that parted two pieces before are tried first, as they turn with either body.
double distance_at(Run& run, int a, int b, double t, double enough) {
    const State sa = state_at(run, a, t), sb = state_at(run, b, t);
    const Pose pa{sa.x, sa.q}, pb{sb.x, sb.q};
    double least = enough;
    const auto compare = [&](const Piece& p, const Piece& q, std::array<Vec, 2>& known) {
        double found = -HUGE_VAL;
        for (const Vec& n : {rotate(pa.q, known[0]), rotate(pb.q, known[1])})
            if (dot(n, n) > 0.5) found = std::max(found, separation(p, pa, q, pb, n));
        if (found >= least) return;
        const std::optional<Vec> n = separating_direction(p, pa, q, pb);
        const double best = n ? separation(p, pa, q, pb, *n) : -HUGE_VAL;
        if (best > found) known = {rotate(conjugate(pa.q), *n), rotate(conjugate(pb.q), *n)};
        least = std::min(least, std::max(best, found));
    };
    const auto &shapes_a = run.moving[std::size_t(a)].pieces,
               &shapes_b = run.moving[std::size_t(b)].pieces;
    for (std::size_t i = 0; i < shapes_a.size(); ++i)
        for (std::size_t j = 0; j < shapes_b.size(); ++j)
            for (std::size_t k = 0; k < shapes_a[i].size(); ++k)
                for (std::size_t l = 0; l < shapes_b[j].size(); ++l) {
                    const Piece &p = shapes_a[i][k], &q = shapes_b[j][l];
                    const Vec apart = pb.x + rotate(pb.q, q.middle) - pa.x - rotate(pa.q, p.middle);
                    if (length(apart) - p.extent - q.extent >= least) continue;
                    compare(p, q, run.directions[{std::size_t(a), i, k, std::size_t(b), j, l}]);
                }
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
    run.add(law::overlap, std::max(0.0, -d), run.place(middle, a, b));
    run.add(law::between, std::max(0.0, closer - d), run.place(middle, a, b));
}

/// In the record that a body is in at a time, whether it has contacts with the other.
bool touch_in_record(const Run& run, int a, int b, double t) {
    const auto touches = [&](int i) {
        const auto s = stretch_at(run, i, t);
        return s != run.moving[std::size_t(i)].stretches.end() &&
               run.touching.count({s->record, std::size_t(a), std::size_t(b)}) > 0;
    };
    return touches(a) || touches(b);
}

void check_pair(Run& run, int a, int b, double duration) {
    std::set<double> times{0, duration};
    for (const int i : {a, b})
        for (const Stretch& s : run.moving[std::size_t(i)].stretches)
            times.insert(s.t.begin(), s.t.end());
    for (auto t = times.begin(); t != times.end(); ++t) {
        const double d = distance_at(run, a, b, *t, 1e-3);
        run.add(law::overlap, std::max(0.0, -d), run.place(*t, a, b));
        const auto next = std::next(t);
        if (next == times.end()) break;
        // While two bodies touch, their contacts hold the distance at zero at every node.
        if (touch_in_record(run, a, b, (*t + *next) / 2)) continue;
        // Beyond these the bound stays as it is. Balls that part while they roll on each other take
        // 40,000: their gap grows with the cube of time.
        int looks = 200'000;
        check_between(run, a, b, *t, *next, looks);
    }
}

} // namespace

/// Under `fast` bodies may overlap at the end of a step, by no more than is claimed.
void check_penetration(Run& run, double duration) {
    const int count = int(run.moving.size());
    std::vector<double> far; // what each may move, and how far it reaches
    for (int i = 0; i < count; ++i)
        far.push_back(duration * speed_bound(run, i, 0, duration) +
                      run.moving[std::size_t(i)].extent);
    for (int a = 0; a < count; ++a)
        for (int b = a + 1; b < count; ++b) {
            const Moving &m = run.moving[std::size_t(a)], &n = run.moving[std::size_t(b)];
            const double reach = far[std::size_t(a)] + far[std::size_t(b)];
            if (length(m.now.x - n.now.x) > reach || !can_meet(run, a, b)) continue;
            if (run.header.method == "faithful")
                check_pair(run, a, b, duration);
            else
                run.add(law::depth, std::max(0.0, -distance_at(run, a, b, duration, 0)),
                        run.header.claims.penetration, run.place(duration, a, b));
        }
}

} // namespace check
