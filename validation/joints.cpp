// Bodies on joints: pendulum, double_pendulum, falling_rod, hinged_chain; at 60 Hz.

#include <algorithm>
#include <cmath>

#include "checks.h"
#include "curves.h"
#include "worlds.h"

namespace rigor::validation {
namespace {

/// A thin rod of length 1, its lower end at the origin, leaning by 0.01 rad along x.
BodyDef leaning_rod() {
    const Quatd q = from_axis_angle(Vec3d{0, 1, 0}, 0.01);
    BodyDef rod = mass_at(rotate(q, Vec3d{0, 0, 0.5}), 1, {1.0 / 12, 1.0 / 12, 1e-5});
    rod.orientation = q;
    return rod;
}

/// How far a body is turned about y.
double lean(const World& world, BodyId id) {
    const Vec3d axis = rotate(world.state(id).orientation, Vec3d{0, 0, 1});
    return std::atan2(axis.x, axis.z);
}

double pivoted_fall(Method method) {
    World world = world_of(method);
    const BodyId rod = world.add_body(leaning_rod()).value();
    join(world, HingeJoint{{0, 1, 0}}, {}, rod, {});
    const auto angle = [&] { return lean(world, rod); };
    return first_passage(world, angle, kPi / 2, 3).time;
}

// A small ball around the lower end touches the floor, so the end itself stays at the ball's
// radius: the same motion as that of a thin rod on a floor there.
double sliding_fall(Method method) {
    const double radius = 0.02;
    World world = world_of(method);
    world.add_body(fixed(body(PlaneDef{{0, 0, 1}, -radius}, 0))).value();
    BodyDef rod = leaning_rod();
    rod.shapes = body(SphereDef{radius}, 0).shapes;
    rod.shapes[0].position = {0, 0, -0.5};
    const BodyId id = world.add_body(rod).value();
    const auto angle = [&] { return lean(world, id); };
    return first_passage(world, angle, kPi / 2, 3).time;
}

/// Two point masses on massless rods, at rest and level with the pivot at the origin. A rod is a
/// distance joint, so that the rotation of the bodies at its ends does not matter.
struct DoublePendulum {
    World world;
    BodyId upper, lower;

    explicit DoublePendulum(Method method) : world(world_of(method)) {
        upper = world.add_body(point_mass({1, 0, 0}, 1)).value();
        lower = world.add_body(point_mass({2, 0, 0}, 1)).value();
        add_rod({}, {}, upper, {1, 0, 0});
        add_rod(upper, {1, 0, 0}, lower, {2, 0, 0});
    }

    void add_rod(BodyId a, const Vec3d& at_a, BodyId b, const Vec3d& at_b) {
        join(world, DistanceJoint{.anchor_b = at_b}, a, b, at_a);
    }

    /// From the downward vertical.
    std::vector<double> angles() const {
        const Vec3d p = world.state(upper).position, q = world.state(lower).position - p;
        return {std::atan2(p.x, -p.z), std::atan2(q.x, -q.z)};
    }
};

/// A chain of equal rods between two fixed points at the same height.
struct Chain {
    static constexpr double kLength = 4, kSpan = 2;

    World world;
    std::vector<BodyId> links;

    // Starts as a V, which is not an equilibrium. Damping, which vanishes at rest, brings it to one
    // without carrying any load.
    Chain(Method method, int count, double damping) : world(world_of(method)) {
        const double depth = std::sqrt(kLength * kLength - kSpan * kSpan) / 2;
        const double along = kSpan / count, down = 2 * depth / count;
        Vec3d joint{-kSpan / 2, 0, 0};
        BodyId last;
        for (int i = 0; i < count; ++i) {
            const Vec3d way{along, 0, i < count / 2 ? -down : down};
            const BodyId link = world.add_body(rod(joint + way * 0.5, way, damping)).value();
            join(world, BallJoint{}, last, link, joint);
            links.push_back(link);
            last = link;
            joint = joint + way;
        }
        join(world, BallJoint{}, last, {}, joint);
    }

    static BodyDef rod(const Vec3d& middle, const Vec3d& way, double damping) {
        const double across = 0.1 * dot(way, way) / 12;
        BodyDef def = mass_at(middle, 0.1, {across, across, 0.1 * across});
        def.orientation = rotation_between(Vec3d{0, 0, 1}, way * (1 / length(way)));
        def.linear_damping = damping;
        return def;
    }

    /// The a of the curve z = a (cosh(x/a) - cosh(s/2a)) of length 2 a sinh(s/2a).
    static double catenary() {
        double a = 0.1 * kSpan;
        for (double lo = 0.01 * kSpan, hi = 10 * kSpan; hi - lo > 1e-12; a = 0.5 * (lo + hi))
            (2 * a * std::sinh(kSpan / (2 * a)) > kLength ? lo : hi) = a;
        return a;
    }
    /// The largest distance of a joint from that curve, over its sag.
    double distance_from_catenary() const {
        const double a = catenary();
        const double sag = a * (std::cosh(kSpan / (2 * a)) - 1);
        double worst = 0;
        for (const JointId id : world.joints()) {
            const Vec3d p = world.joint_state(id).anchor_a;
            const double z = a * (std::cosh(p.x / a) - std::cosh(kSpan / (2 * a)));
            worst = std::max(worst, std::abs(p.z - z));
        }
        return worst / sag;
    }
};

} // namespace

// From the complete elliptic integral: the period of a pendulum grows with its amplitude.
void check_pendulum(Reporter& reporter) {
    for (const Bound& bound : {Bound{Method::fast, 0.005}, Bound{Method::faithful, 1e-10}}) {
        World world = world_of(bound.method);
        const BodyId bob = world.add_body(mass_at({1, 0, 0}, 1, {0.1, 0.1, 0.1})).value();
        const JointId pin = join(world, HingeJoint{{0, 1, 0}}, {}, bob, {});
        const auto swing = [&] { return world.joint_state(pin).coordinate; };
        const double small = 2 * kPi * std::sqrt(1.1 / kGravity);
        const double start = first_passage(world, swing, kPi / 2, 10).time;
        double end = start;
        for (int i = 0; i < 10; ++i) end = first_passage(world, swing, kPi / 2, 10).time;
        const double ratio = (end - start) / 10 / small;
        reporter.expect(bound, "T/T0 over 10 swings", {1.18034059902}, {ratio},
                        relative(ratio, 1.18034059902));
    }
}

// Chaotic, but predictable after one second, and in double precision even after ten.
namespace {

plot::Plot plot_lower_bob() {
    plot::Panel panel{"height of the lower bob, m"};
    for (const Method method : kOwnMethods) {
        DoublePendulum pendulum(method);
        panel.series.push_back(series_of(method));
        follow(panel.series.back(), pendulum.world, 10, kStep,
               [&] { return pendulum.world.state(pendulum.lower).position.z; });
    }
    return {"A double pendulum at 60 Hz: small errors grow", "time, s", {panel}};
}

plot::Plot plot_chain() {
    plot::Panel panel{"z, m"};
    const auto hang = [&](Method method, int count, double damping, double seconds, double dt) {
        Chain chain(method, count, damping);
        run(chain.world, seconds, dt);
        panel.series.push_back(series_of(method, plot::Mark::line_and_dots));
        panel.series.back().name += ", " + std::to_string(count) + " links";
        for (const JointId id : chain.world.joints()) {
            const Vec3d p = chain.world.joint_state(id).anchor_a;
            panel.series.back().add(p.x, p.z);
        }
    };
    hang(Method::faithful, 10, 5, 16, 1);
    hang(Method::fast, 40, 1, 60, kStep);
    const double a = Chain::catenary(), middle = a * std::cosh(Chain::kSpan / (2 * a));
    panel.series.push_back(theory("catenary"));
    trace(panel.series.back(), -Chain::kSpan / 2, Chain::kSpan / 2,
          [&](double x) { return a * std::cosh(x / a) - middle; });
    plot::Plot plot{"A chain that hangs still", "x, m", {panel}};
    plot.is_map = true;
    return plot;
}

} // namespace

void check_double_pendulum(Reporter& reporter) {
    const auto judge = [&](DoublePendulum& pendulum, const Bound& bound, double seconds,
                           const std::vector<double>& expected) {
        run(pendulum.world, seconds - pendulum.world.time());
        const std::vector<double> got = pendulum.angles();
        const double error = std::max(relative(got[0], expected[0]), relative(got[1], expected[1]));
        reporter.expect(bound, "angles at " + std::to_string(std::lround(seconds)) + " s", expected,
                        got, error);
    };
    const std::vector<double> at_1{-0.625087699806, -1.034585085680};
    DoublePendulum fast(Method::fast), faithful(Method::faithful);
    judge(fast, {Method::fast, 0.01}, 1, at_1);
    const Bound bound{Method::faithful, 1e-8};
    judge(faithful, bound, 1, at_1);
    judge(faithful, bound, 2, {-0.482971534252, -1.324048712302});
    judge(faithful, bound, 10, {-0.568474664016, -0.526393727932});
    reporter.plot(plot_lower_bob);
}

// Quadratures of the energy equation: with the lower end held, and with it free to slide, when the
// middle falls straight down.
void check_falling_rod(Reporter& reporter) {
    for (const auto& [method, tolerance] :
         {std::pair{Method::fast, 0.01}, {Method::faithful, 1e-9}}) {
        const double pivoted = pivoted_fall(method), sliding = sliding_fall(method);
        reporter.expect(Bound{method, tolerance}, "pivoted: time until horizontal",
                        {1.51283706491865}, {pivoted}, relative(pivoted, 1.51283706491865));
        reporter.expect(Bound{method, tolerance}, "on a frictionless floor: time",
                        {0.88364143032313}, {sliding}, relative(sliding, 0.88364143032313));
    }
}

// Many short rods hang like a rope: in a catenary, up to the square of their length. Exact statics
// has 0.24 % for 20 rods and 0.06 % for 40; the rest is the solver's, and grows with their number.
void check_hinged_chain(Reporter& reporter) {
    const auto quantity = [](int count) {
        return std::to_string(count) + " links: distance from the catenary / sag";
    };
    for (const int count : {20, 40}) {
        Chain chain(Method::fast, count, 1);
        run(chain.world, 60); // until it hangs still
        double worst = 0;
        for (int i = 0; i < 300; ++i) {
            chain.world.step(kStep);
            worst = std::max(worst, chain.distance_from_catenary());
        }
        reporter.expect("fast", quantity(count), {0}, {worst}, worst, 0.01);
    }
    double distance[2];
    for (const int i : {0, 1}) {
        Chain chain(Method::faithful, 10 << i, 5);
        run(chain.world, 16, 1);
        distance[i] = chain.distance_from_catenary();
        reporter.report("faithful", quantity(10 << i), {0}, {distance[i]}, distance[i]);
    }
    const double order = std::log2(distance[0] / distance[1]);
    reporter.expect(Bound{Method::faithful, 0.1}, "order from 10 links to 20", {2}, {order},
                    std::max(0.0, 2 - order));
    reporter.plot(plot_chain);
}

} // namespace rigor::validation
