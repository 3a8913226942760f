// Sliding, rolling and impact of one body: block_on_incline, slide_to_roll, sphere_on_incline,
// bouncing_ball, elastic_ball; at 60 Hz.

#include <algorithm>
#include <cmath>
#include <span>

#include "checks.h"
#include "curves.h"
#include "worlds.h"

namespace rigor::validation {
namespace {

/// A body at rest at the origin of a plane tilted about y: downhill is along +x.
struct OnSlope {
    World world;
    BodyId id;
    Quatd tilt;

    OnSlope(Method method, double degrees, const ShapeGeometry& geometry, double height,
            double friction)
        : world(world_of(method)), tilt(from_rotation_vector(Vec3d{0, degrees * kDegree, 0})) {
        const PlaneDef slope{rotate(tilt, Vec3d{0, 0, 1}), 0};
        world.add_body(fixed(body(slope, friction))).value();
        BodyDef def = body(geometry, friction, 0);
        def.position = rotate(tilt, Vec3d{0, 0, height});
        def.orientation = tilt;
        id = world.add_body(def).value();
    }

    /// Position and velocity down the slope.
    double way() const { return inverse_rotate(tilt, world.state(id).position).x; }
    double speed() const { return inverse_rotate(tilt, world.state(id).velocity).x; }
    /// Of a ball of radius 0.5, at the point where it touches.
    double slip() const {
        return speed() - 0.5 * inverse_rotate(tilt, world.state(id).angular_velocity).y;
    }
    void run(double seconds) { validation::run(world, seconds); }
};

/// The acceleration down a slope with friction.
double sliding_acceleration(double degrees, double friction) {
    return kGravity * (std::sin(degrees * kDegree) - friction * std::cos(degrees * kDegree));
}

/// A body that bounces on the ground, its lowest point 1 m above it.
struct Bouncing {
    World world;
    BodyId id;
    double radius = 0.25; ///< or half the height

    Bouncing(Method method, double restitution, const ShapeGeometry& geometry = SphereDef{0.25})
        : world(world_of(method)) {
        add_ground(world, 0.5);
        BodyDef def = body(geometry, 0.5, restitution);
        def.position = {0, 0, 1 + radius};
        id = world.add_body(def).value();
    }

    bool is_at_rest() const {
        return gap() < 1e-12 && std::abs(world.state(id).velocity.z) < 1e-12;
    }
    double gap() const { return world.state(id).position.z - radius; }

    /// Moves on to the next highest point, between two steps by energy: z + v²/2g is constant in
    /// flight. Negative when there is none within ten seconds.
    double next_apex() {
        bool rising = false;
        for (int i = 0; i < 600; ++i) {
            world.step(kStep);
            const double v = world.state(id).velocity.z;
            if (v > 1e-3) rising = true;
            if (rising && v <= 0) return gap() + v * v / (2 * kGravity);
        }
        return -1;
    }
};

} // namespace

namespace {

/// By method, over ten seconds. Methods without friction slide away.
plot::Plot plot_creep() {
    const double below = std::atan(0.5) / kDegree - 0.3;
    plot::Panel way{"way down the slope, m"};
    way.is_logarithmic = true;
    for (const Method method : kAllMethods) {
        OnSlope slope(method, below, BoxDef{{1, 1, 0.5}}, 0.25, 0.5);
        way.series.push_back(series_of(method));
        follow(way.series.back(), slope.world, 10, kStep,
               [&] { return slope.world.time() > 0 ? magnitude(slope.way()) : kNone; });
    }
    return {"A box on a slope 0.3 degrees below the friction angle: what does not stay",
            "time, s",
            {way}};
}

plot::Plot plot_slide_to_roll() {
    const double rolls = 2 * 5 / (7 * 0.2 * kGravity);
    plot::Panel speed{"speed, m/s"}, slip{"slip at the contact, m/s"};
    plot::Series exact = theory();
    trace(exact, 0, 1, [&](double t) { return 5 - 0.2 * kGravity * std::min(t, rolls); });
    for (const Method method : kOwnMethods) {
        for (plot::Panel* panel : {&speed, &slip}) {
            OnSlope flat(method, 0, SphereDef{0.5}, 0.5, 0.2);
            flat.world.set_velocity(flat.id, {5, 0, 0});
            panel->series.push_back(series_of(method));
            follow(panel->series.back(), flat.world, 1, kStep,
                   [&] { return panel == &speed ? flat.speed() : flat.slip(); });
        }
    }
    speed.series.push_back(exact);
    return {"A ball thrown without spin slides, then rolls", "time, s", {speed, slip}};
}

plot::Plot plot_bounces(const std::string& title, std::span<const Method> methods) {
    plot::Panel height{"gap under the ball, m"};
    for (const Method method : methods) {
        Bouncing ball(method, 0.8);
        height.series.push_back(series_of(method));
        follow(height.series.back(), ball.world, 5, kStep / 2, [&] { return ball.gap(); });
    }
    plot::Series apexes = theory("closed form, highest points", plot::Mark::dots);
    double time = std::sqrt(2 / kGravity), e = 1;
    apexes.add(0, 1);
    for (int n = 1; n <= 12; ++n) {
        e *= 0.8;
        apexes.add(time + e * std::sqrt(2 / kGravity), e * e);
        time += 2 * e * std::sqrt(2 / kGravity);
    }
    height.series.push_back(apexes);
    return {title, "time, s", {height}};
}

} // namespace

// `fast` is tested 0.3 degrees to either side of the friction angle, `faithful` a thousandth of it.
void check_block_on_incline(Reporter& reporter) {
    const BoxDef box{{1, 1, 0.5}};
    const double angle = std::atan(0.5) / kDegree;
    struct Case {
        Bound creep, acceleration;
        double away; ///< from the friction angle, degrees
        double minutes, dt;
    };
    for (const auto& [creep, acceleration, away, minutes, dt] :
         {Case{{Method::fast, 1e-4}, {Method::fast, 0.01}, 0.3, 1, kStep},
          Case{{Method::faithful, 0}, {Method::faithful, 1e-12}, 1e-3 * angle, 10, 0.5}}) {
        const Method method = creep.method;
        const std::string by = std::to_string(away).substr(0, 6) + " deg ";
        OnSlope below(method, angle - away, box, 0.25, 0.5);
        below.run(1);
        const double begin = below.way();
        run(below.world, 60 * minutes, dt);
        const double crept = (below.way() - begin) / (60 * minutes);
        reporter.expect(creep, "creep " + by + "below the friction angle, m/s", {0}, {crept},
                        std::abs(crept));
        OnSlope above(method, angle + away, box, 0.25, 0.5);
        above.run(10);
        const double slow = 10 * sliding_acceleration(angle + away, 0.5);
        reporter.expect(Bound{method, 0}, "slides " + by + "above it: speed after 10 s", {slow},
                        {above.speed()}, above.speed() > 0.5 * slow ? 0 : 1);
        OnSlope block(method, 30, box, 0.25, 0.5);
        block.run(1);
        const double before = block.speed();
        block.run(2);
        const double a = (block.speed() - before) / 2;
        reporter.expect(acceleration, "acceleration at 30 deg", {0.6571453944}, {a},
                        relative(a, sliding_acceleration(30, 0.5)));
    }
    reporter.plot(plot_creep);
}

void check_slide_to_roll(Reporter& reporter) {
    const double v = 25.0 / 7, time = 2 * 5 / (7 * 0.2 * kGravity);
    const double place = 5 * time - 0.1 * kGravity * time * time;
    for (const Bound& bound : {Bound{Method::fast, 0.01}, Bound{Method::faithful, 1e-10}}) {
        OnSlope flat(bound.method, 0, SphereDef{0.5}, 0.5, 0.2);
        flat.world.set_velocity(flat.id, {5, 0, 0});
        const bool is_fast = bound.method == Method::fast; // slip falls at 6.9 m/s2
        const Passage rolls = first_passage(
            flat.world, [&] { return -flat.slip(); }, is_fast ? -1e-3 : -1e-12, 1);
        reporter.expect(bound, "rolls from, s", {time}, {rolls.time}, relative(rolls.time, time));
        flat.run(0.1);
        const double got = flat.speed();
        reporter.expect(bound, "speed once it rolls", {v}, {got}, relative(got, v));
        const double x = flat.world.state(flat.id).position.x;
        const double then = place + v * (flat.world.time() - time);
        reporter.expect(bound, "place 0.1 s later", {then}, {x}, relative(x, then));
    }
    reporter.plot(plot_slide_to_roll);
}

// It rolls iff mu >= 2/7 tan; `faithful` is tested a millionth to either side.
void check_sphere_on_incline(Reporter& reporter) {
    const double rolling = 3.503571429, least = 0.16495721976846;
    const auto judge = [&](const Bound& bound, double friction) {
        OnSlope slope(bound.method, 30, SphereDef{0.5}, 0.5, friction);
        slope.run(2);
        const double a = slope.speed() / 2;
        const bool rolls = friction > least;
        const double expected = rolls ? 5.0 / 7 * kGravity * std::sin(30 * kDegree)
                                      : sliding_acceleration(30, friction);
        reporter.expect(bound,
                        std::string(rolls ? "rolls" : "slides") +
                            " at mu = " + std::to_string(friction) + ": acceleration",
                        {rolls ? rolling : expected}, {a}, relative(a, expected));
    };
    for (const double friction : {0.2, 0.1}) judge({Method::fast, 0.01}, friction);
    for (const double friction : {0.2, least * (1 + 1e-6), least * (1 - 1e-6), 0.1})
        judge({Method::faithful, 1e-10}, friction);
}

namespace {

/// When a body that was dropped from 1 m with e = 0.8 rests under `faithful`, which does not bounce
/// below the given speed; by default 1e-9 m/s for a ball at one contact alone, else 1e-5 m/s.
double time_of_rest(const ShapeGeometry& geometry, std::optional<double> threshold) {
    Bouncing falling(Method::faithful, 0.8, geometry);
    WorldSettings settings = falling.world.settings();
    settings.laws.tolerance = threshold;
    falling.world.set_settings(settings);
    return first_passage(
               falling.world, [&] { return falling.is_at_rest() ? 1.0 : 0.0; }, 0.5, 10)
        .time;
}

/// The threshold v cuts off a tail of at most 2 v / (g (1 - e)). A ball at one contact alone is
/// exempt from that of 1e-5 m/s. So it is also given a threshold that holds for all bodies, and a
/// box that lands flat on four corners has to rest at the same time, but for its tail.
void judge_rest(Reporter& reporter) {
    const double expected = std::sqrt(2 / kGravity) * (1 + 0.8) / (1 - 0.8);
    const SphereDef ball{0.25};
    const BoxDef box{{0.5, 0.4, 0.5}};
    const auto judge = [&](const std::string& what, const ShapeGeometry& geometry,
                           std::optional<double> threshold, double tolerance) {
        const double got = time_of_rest(geometry, threshold);
        reporter.expect(Bound{Method::faithful, tolerance}, what + "at rest from, s", {expected},
                        {got}, relative(got, expected));
    };
    const double tail = 2 * 1e-5 / (kGravity * (1 - 0.8)) / expected;
    judge("", ball, {}, 1e-9);
    judge("threshold 1e-9 m/s for all bodies: ", ball, 1e-9, 1e-9);
    judge("a box, threshold 1e-5 m/s: ", box, {}, tail);
}

} // namespace

void check_bouncing_ball(Reporter& reporter) {
    for (const Bound& bound : {Bound{Method::fast, 0.03}, Bound{Method::faithful, 1e-12}}) {
        Bouncing ball(bound.method, 0.8);
        for (int n = 1; n <= 4; ++n) {
            const double expected = std::pow(0.8, 2 * n), got = ball.next_apex();
            reporter.expect(bound, "apex after bounce " + std::to_string(n), {expected}, {got},
                            relative(got, expected));
        }
        if (bound.method == Method::faithful) judge_rest(reporter);
        run(ball.world, 5);
        const double speed = std::abs(ball.world.state(ball.id).velocity.z);
        reporter.expect(Bound{bound.method, 1e-3}, "speed at rest", {0}, {speed}, speed);
    }
    reporter.plot([] { return plot_bounces("A ball that keeps 0.8 of its speed", kOwnMethods); });
    reporter.plot([] {
        return plot_bounces("The same by the methods from the literature",
                            std::span(kAllMethods).subspan(2));
    });
}

void check_elastic_ball(Reporter& reporter) {
    for (const Bound& bound : {Bound{Method::fast, 0.01}, Bound{Method::faithful, 1e-10}}) {
        Bouncing ball(bound.method, 1);
        double height = 1;
        for (int n = 0; n < 1000 && height > 0; ++n) height = ball.next_apex();
        reporter.expect(bound, "height after 1,000 bounces", {1}, {height}, std::abs(height - 1));
    }
}

} // namespace rigor::validation
