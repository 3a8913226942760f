// Tops on a fixed point: heavy_top, sleeping_top; at 60 Hz. The point is a ball joint with the
// world. Expected numbers: quadratures of Lagrange's top to 22 digits.

#include <algorithm>
#include <cmath>

#include "checks.h"
#include "curves.h"
#include "worlds.h"

namespace rigor::validation {
namespace {

/// Mass 1, its center 0.1 from the pivot at the origin, I1 = 0.02 about the pivot, I3 = 0.004.
struct Top {
    World world;
    BodyId id;

    Top(Method method, double tilt, double spin) : world(world_of(method)) {
        const Quatd q = from_axis_angle(Vec3d{0, 1, 0}, tilt);
        BodyDef def = mass_at(rotate(q, Vec3d{0, 0, 0.1}), 1, {.01, .01, .004});
        def.orientation = q;
        def.angular_velocity = rotate(q, Vec3d{0, 0, spin});
        id = world.add_body(def).value();
        join(world, BallJoint{}, {}, id, {});
    }

    double tilt() const {
        const Vec3d p = world.state(id).position;
        return std::atan2(std::hypot(p.x, p.y), p.z);
    }
    double tilt_rate() const {
        const BodyState s = world.state(id);
        return -s.velocity.z / std::hypot(s.position.x, s.position.y);
    }
    double azimuth() const {
        const Vec3d p = world.state(id).position;
        return std::atan2(p.y, p.x);
    }
    double azimuth_rate() const {
        const BodyState s = world.state(id);
        const double across = std::hypot(s.position.x, s.position.y);
        return cross(s.position, s.velocity).z / (across * across);
    }
};

/// The nutations of a top, delimited by the times at which its tilt rises through its mean.
struct Nutations {
    static constexpr int kCount = 16;
    double largest = 0, period = kNone, precession = 0;

    explicit Nutations(Top top) {
        const Passage peak = first_passage(
            top.world, [&] { return -top.tilt_rate(); }, 0, 1);
        largest = (top.tilt() - 0.5 * top.tilt_rate() * peak.ago) / kDegree;
        const double mean = 0.5 * (30 + 33.63492819) * kDegree;
        double begin = kNone, azimuth = 0;
        Passage passage;
        for (int i = 0; i <= kCount; ++i) {
            passage = first_passage(
                top.world, [&] { return top.tilt(); }, mean, 1);
            const double now = top.azimuth() - top.azimuth_rate() * passage.ago;
            if (i == 0)
                begin = passage.time;
            else
                precession += std::remainder(now - azimuth, 2 * kPi) / kCount;
            azimuth = now;
        }
        period = (passage.time - begin) / kCount;
    }
};

constexpr double kLeastSpin = 70.0357052, kLean = 1e-4;

/// Within a minute; of `faithful` the first one, which is the same each time.
double largest_tilt(Method method, double spin) {
    Top top(method, kLean, spin * kLeastSpin);
    if (method == Method::faithful) {
        const Passage peak = first_passage(
            top.world, [&] { return -top.tilt_rate(); }, 0, 60);
        return std::isnan(peak.time) ? kNone : top.tilt() / kDegree;
    }
    double largest = 0;
    for (int i = 0; i < 60 * 60; ++i) {
        top.world.step(kStep);
        largest = std::max(largest, top.tilt());
    }
    return largest / kDegree;
}

/// From conserved energy and momenta, with u = cos(tilt) and k = 2 (w / w_least)²: where the tilt
/// turns round, 1 - u² = k (u0 - u).
double exact_tilt(double spin) {
    const double k = 2 * spin * spin, u0 = std::cos(kLean);
    return std::acos(0.5 * (k - std::sqrt(k * k - 4 * (k * u0 - 1)))) / kDegree;
}

} // namespace

namespace {

plot::Plot plot_cusps() {
    plot::Panel panel{"y of the center, m"};
    for (const Method method : kOwnMethods) {
        Top top(method, 30 * kDegree, 150);
        panel.series.push_back(series_of(method));
        const auto place = [&] { return top.world.state(top.id).position; };
        const bool is_fast = method == Method::fast;
        follow(
            panel.series.back(), top.world, 3.7, is_fast ? kStep : kStep / 8,
            [&] { return place().x; }, [&] { return place().y; });
    }
    plot::Plot plot{
        "The way of a top let go at 30 degrees, from above", "x of the center, m", {panel}};
    plot.is_map = true;
    return plot;
}

plot::Plot plot_sleepers() {
    plot::Panel panel{"tilt, degrees"};
    int color = 0;
    for (const double spin : {0.95, 0.999, 1.05}) {
        Top top(Method::faithful, kLean, spin * kLeastSpin);
        const std::string name = std::to_string(spin).substr(0, 5) + " of the least spin";
        panel.series.push_back({name, {}, {}, plot::Mark::line, color++});
        follow(
            panel.series.back(), top.world, 30, kStep, [&] { return top.tilt() / kDegree; }, 4);
    }
    return {"An upright top, tilted by 1e-4 rad, under faithful", "time, s", {panel}};
}

} // namespace

// Released with its axis at rest, a top falls until precession stops the fall, and rises again:
// cusps.
void check_heavy_top(Reporter& reporter) {
    for (const Bound& bound : {Bound{Method::fast, 0.01}, Bound{Method::faithful, 1e-9}}) {
        const Nutations got(Top(bound.method, 30 * kDegree, 150));
        reporter.expect(bound, "largest tilt, deg", {33.63492819011916}, {got.largest},
                        relative(got.largest, 33.63492819011916));
        reporter.expect(bound, "nutation period, s", {0.231757932489}, {got.period},
                        relative(got.period, 0.231757932489));
        reporter.expect(bound, "precession per nutation, rad", {0.397892220085}, {got.precession},
                        relative(got.precession, 0.397892220085));
    }
    reporter.plot(plot_cusps);
}

// An upright top sleeps iff (I3 w)² > 4 I1 m g l; below, a tilt of 1e-4 grows to one of its own:
// 36.39 degrees 5 % below, 5.125 (for a vanishing tilt at first) 0.1 % below.
void check_sleeping_top(Reporter& reporter) {
    const auto judge = [&](Method method, const std::string& part, double spin) {
        const double tilt = largest_tilt(method, spin), expected = exact_tilt(spin);
        const std::string quantity = part + ": largest tilt in 60 s, deg";
        if (method == Method::faithful)
            return reporter.expect(Bound{method, 1e-6}, quantity, {expected}, {tilt},
                                   relative(tilt, expected));
        const bool right = spin < 1 ? tilt > 0.5 * expected : tilt < 1;
        reporter.expect(Bound{method, 0}, quantity, {expected}, {tilt}, right ? 0 : 1);
    };
    for (const Method method : {Method::fast, Method::faithful}) {
        judge(method, "5 % below", 0.95);
        judge(method, "5 % above", 1.05);
    }
    judge(Method::faithful, "0.1 % below", 0.999);
    judge(Method::faithful, "0.1 % above", 1.001);
    reporter.plot(plot_sleepers);
}

} // namespace rigor::validation
