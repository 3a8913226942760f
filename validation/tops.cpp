// Tops on a fixed point: rows 5 and 6, for `fast` at 60 Hz with its defaults. The point is a ball
// joint with the world. Expected numbers: quadratures of Lagrange's top to 22 digits.

#include <algorithm>
#include <cmath>

#include "checks.h"
#include "fast_scene.h"

namespace rigor::validation {
namespace {

/// Mass 1, its center 0.1 from the pivot at the origin, I1 = 0.02 about the pivot, I3 = 0.004.
struct Top {
    World world = fast_world();
    BodyId id;

    Top(double tilt, double spin) {
        const Quatd q = from_axis_angle(Vec3d{0, 1, 0}, tilt);
        BodyDef def = mass_at(rotate(q, Vec3d{0, 0, 0.1}), 1, {.01, .01, .004});
        def.orientation = q;
        def.angular_velocity = rotate(q, Vec3d{0, 0, spin});
        id = world.add_body(def).value();
        join(world, JointType::ball, {}, id, {});
    }

    double tilt() const {
        const Vec3d p = world.state(id).position;
        return std::atan2(std::hypot(p.x, p.y), p.z);
    }
    double azimuth() const {
        const Vec3d p = world.state(id).position;
        return std::atan2(p.y, p.x);
    }
};

/// The largest value of a smooth function known at equal steps: of the parabola through the
/// largest sample and its neighbors.
double peak(const std::vector<double>& f) {
    const std::size_t i =
        static_cast<std::size_t>(std::max_element(f.begin(), f.end()) - f.begin());
    if (i == 0 || i + 1 == f.size()) return f[i];
    const double slope = 0.5 * (f[i + 1] - f[i - 1]), curve = f[i + 1] - 2 * f[i] + f[i - 1];
    return f[i] - 0.5 * slope * slope / curve;
}

/// A top's nutations, told apart by the moments at which its tilt rises through its mean.
struct Nutations {
    double largest = 0, period = kNone, precession = kNone;

    explicit Nutations(Top top, double dt = kStep) {
        const double mean = 0.5 * (30 + 33.63492819) * kDegree;
        std::vector<double> tilts, times, turns;
        double turn = 0, tilt = top.tilt(), azimuth = top.azimuth();
        for (int i = 0; i < std::lround(4 / dt); ++i) {
            top.world.step(dt);
            const double next = top.tilt(),
                         change = std::remainder(top.azimuth() - azimuth, 2 * kPi);
            if (tilt < mean && next >= mean) {
                const double part = (mean - tilt) / (next - tilt);
                times.push_back((i + part) * dt);
                turns.push_back(turn + part * change);
            }
            turn += change;
            azimuth += change;
            tilt = next;
            tilts.push_back(tilt);
        }
        largest = peak(tilts) / kDegree;
        if (times.size() < 2) return;
        const double count = static_cast<double>(times.size() - 1);
        period = (times.back() - times.front()) / count;
        precession = (turns.back() - turns.front()) / count;
    }
};

double largest_tilt(double spin) {
    Top top(1e-4, spin);
    double largest = 0;
    for (int i = 0; i < 60 * 60; ++i) {
        top.world.step(kStep);
        largest = std::max(largest, top.tilt());
    }
    return largest / kDegree;
}

} // namespace

// Released with its axis at rest, a top falls until precession holds it, and comes back: cusps.
void check_heavy_top(Reporter& reporter) {
    const Nutations got(Top(30 * kDegree, 150));
    reporter.expect("fast", "largest tilt, deg", {33.63492819}, {got.largest},
                    relative(got.largest, 33.63492819), 0.01);
    reporter.expect("fast", "nutation period, s", {0.231757932489}, {got.period},
                    relative(got.period, 0.231757932489), 0.01);
    reporter.expect("fast", "precession per nutation, rad", {0.397892220085}, {got.precession},
                    relative(got.precession, 0.397892220085), 0.01);
}

// An upright top sleeps iff (I3 w)² > 4 I1 m g l; below, a tilt of 1e-4 grows to one of its own.
void check_sleeping_top(Reporter& reporter) {
    const double least = 70.0357052;
    const double awake = largest_tilt(0.95 * least), asleep = largest_tilt(1.05 * least);
    reporter.expect("fast", "5 % below: largest tilt in 60 s, deg", {36.39}, {awake},
                    awake > 18 ? 0 : 1, 0);
    reporter.expect("fast", "5 % above: largest tilt in 60 s, deg", {0}, {asleep},
                    asleep < 1 ? 0 : 1, 0);
}

} // namespace rigor::validation
