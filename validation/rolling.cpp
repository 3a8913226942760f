// Sliding and rolling in three dimensions: friction_isotropy, turntable, rolling_disk,
// jellett_integral; at 60 Hz unless the check states another step.

#include <algorithm>
#include <cmath>

#include "checks.h"
#include "curves.h"
#include "worlds.h"

namespace rigor::validation {
namespace {

/// SimBenchmark's "rolling" [Kang 2018]: a box is pulled over the ground, 25 balls roll on it.
struct PulledBox {
    World world;
    BodyId box, first;

    explicit PulledBox(Method method) : world(world_of(method)) {
        world.set_material_pair({0, 1, 0.4, 0.4, {}});
        world.set_material_pair({1, 2, 0.8, 0.8, {}});
        world.add_body(fixed(made_of(0, PlaneDef{}, 0, 0))).value();
        box = world.add_body(made_of(1, BoxDef{{20, 20, 1}}, 10, 0.5)).value();
        for (int i = 0; i < 25; ++i) {
            BodyDef ball = made_of(2, SphereDef{0.5}, 1, 1.5);
            ball.position = ball.position + Vec3d{2.0 * (i % 5 - 2), 2.0 * (i / 5 - 2), 0};
            const BodyId id = world.add_body(ball).value();
            if (i == 0) first = id;
        }
    }

    static BodyDef made_of(int id, const ShapeGeometry& geometry, double mass, double height) {
        BodyDef def = body(geometry, 0);
        def.shapes[0].material.id = id;
        if (mass > 0) def.mass = mass;
        def.position = {0, 0, height};
        return def;
    }

    /// The mean over the steps of the squared velocity errors of the box and the first ball.
    double pull(double angle, double seconds, double dt) {
        const Vec3d way{std::cos(angle), std::sin(angle), 0};
        const int steps = static_cast<int>(std::lround(seconds / dt));
        double sum = 0;
        for (int i = 1; i <= steps; ++i) {
            world.apply_force(box, way * 150.0);
            world.step(dt);
            const double t = i * dt;
            const Vec3d off_box = world.state(box).velocity - way * (exact_box() * t);
            const Vec3d off_ball = world.state(first).velocity - way * (2.0 / 7 * exact_box() * t);
            sum += dot(off_box, off_box) + dot(off_ball, off_ball);
        }
        return sum / steps;
    }
    // 25 balls that roll resist like 2/7 of their mass.
    static double exact_box() { return (150 - 0.4 * 35 * kGravity) / (10 + 25 * 2.0 / 7); }
};

/// A solid ball that rolls without slip on a turning disk: in a circle of its own, at 2/7 of the
/// disk's rate and to the left of its way.
struct Turntable {
    static constexpr double kRadius = 0.1;
    double turn, speed; ///< rad/s of the disk, m/s of the ball at the start
    World world;
    BodyId ball;

    double rate() const { return 2 * turn / 7; }
    double radius() const { return speed / rate(); }
    /// Its circle begins half a meter from the axis.
    Vec3d center() const { return {0.5, radius(), kRadius}; }

    Turntable(Method method, double disk_rate, double ball_speed)
        : turn(disk_rate), speed(ball_speed), world(world_of(method)) {
        const Vec3d place{0.5, 0, 0}, velocity{speed, 0, 0};
        BodyDef disk = body(CylinderDef{3, 0.2}, 1);
        disk.type = BodyType::kinematic_body;
        disk.position = {0, 0, -0.1};
        disk.angular_velocity = {0, 0, turn};
        world.add_body(disk).value();
        BodyDef def = body(SphereDef{kRadius}, 1);
        def.position = place + Vec3d{0, 0, kRadius};
        def.velocity = velocity;
        // Its lowest point moves with the disk: v - w x r z = Omega z x p.
        const Vec3d slip = velocity - cross(Vec3d{0, 0, turn}, place);
        def.angular_velocity = cross(Vec3d{0, 0, 1}, slip) * (1 / kRadius);
        ball = world.add_body(def).value();
    }
};

/// A disk rolling on its edge around a center at rest, its plane at 10 degrees to the ground. Its
/// mass is in the plane of the rim it rolls on, so that it is as good as infinitely thin.
struct RollingDisk {
    static constexpr double kRadius = 0.0375, kThickness = 1e-4;
    World world;
    BodyId id;

    explicit RollingDisk(Method method) : world(world_of(method)) {
        add_ground(world, 1);
        const double tilt = 10 * kDegree, mass = 0.1, r2 = kRadius * kRadius;
        BodyDef def = body(CylinderDef{kRadius, kThickness}, 1);
        def.mass_properties =
            MassProperties{mass, {}, Sym3d::diagonal(Vec3d{0.25, 0.25, 0.5} * (mass * r2))};
        def.shapes[0].position = {0, 0, 0.5 * kThickness};
        def.orientation = from_axis_angle(Vec3d{0, 1, 0}, tilt);
        def.position = {0, 0, kRadius * std::sin(tilt)};
        // Turned about y, the edge at +x is the lowest: w along the diameter through it.
        def.angular_velocity =
            rotate(def.orientation, Vec3d{-exact_precession() * std::sin(tilt), 0, 0});
        id = world.add_body(def).value();
    }

    static double exact_precession() {
        return std::sqrt(4 * kGravity / (kRadius * std::sin(10 * kDegree)));
    }

    /// The mean precession rate of its axis.
    double precession(double seconds, double dt) {
        double turn = 0, before = azimuth();
        for (int i = 0; i < std::lround(seconds / dt); ++i) {
            world.step(dt);
            turn += std::remainder(azimuth() - before, 2 * kPi);
            before = azimuth();
        }
        return std::abs(turn / seconds);
    }
    double azimuth() const {
        const Vec3d axis = rotate(world.state(id).orientation, Vec3d{0, 0, 1});
        return std::atan2(axis.y, axis.x);
    }
};

/// A top of two spheres: a big one to stand on, a small one for its stem.
struct TippeTop {
    static constexpr double kBig = 1.5e-2, kBigAt = 3e-3, kStem = 5e-3, kStemAt = 1.6e-2;
    static constexpr double kI1 = 8e-7, kI3 = 7e-7;
    World world;
    BodyId id;

    explicit TippeTop(Method method) : world(world_of(method)) {
        BodyDef ground = fixed(body(PlaneDef{}, 0.3));
        ground.shapes[0].material.id = 0;
        world.add_body(ground).value();
        BodyDef def = mass_at({}, 6e-3, {kI1, kI1, kI3});
        def.shapes = body(SphereDef{kBig}, 0.3).shapes;
        def.shapes[0].material.id = 1;
        def.shapes[0].position = {0, 0, kBigAt};
        def.shapes.push_back(def.shapes[0]);
        def.shapes[1].geometry = SphereDef{kStem};
        def.shapes[1].position = {0, 0, kStemAt};
        def.orientation = from_axis_angle(Vec3d{0, 1, 0}, 0.1);
        def.position = {0, 0, kBig - kBigAt * std::cos(0.1)};
        def.angular_velocity = rotate(def.orientation, Vec3d{0, 0, 180});
        id = world.add_body(def).value();
    }

    Vec3d axis() const { return rotate(world.state(id).orientation, Vec3d{0, 0, 1}); }
    bool is_on_stem() const {
        const double z = world.state(id).position.z;
        return z + kStemAt * axis().z - kStem < 1e-4;
    }
    /// The velocity of its lowest point over the ground.
    double slip() const {
        const Vec3d p = world.state(id).position;
        const Vec3d foot = p + axis() * kBigAt - Vec3d{0, 0, kBig};
        return length(world.velocity_at(id, foot));
    }
    /// From the upright, degrees.
    double tilt() const { return std::acos(std::clamp(axis().z, -1.0, 1.0)) / kDegree; }
    /// L·r, r from the center of mass to the contact.
    double jellett() const {
        const Vec3d e = axis(), w = world.state(id).angular_velocity;
        const Vec3d L = w * kI1 + e * ((kI3 - kI1) * dot(w, e));
        return dot(L, e * kBigAt - Vec3d{0, 0, kBig});
    }
};

} // namespace

// `faithful` is event-driven: its step only sets the output times. To keep the check short, its
// step is longer than the 1 ms of the benchmark, and the 36 directions run for one second.
void check_friction_isotropy(Reporter& reporter) {
    struct Case {
        Bound one, all, spread;
        double dt, seconds;
    };
    const Method fast = Method::fast, faithful = Method::faithful;
    for (const auto& [one, all, spread, dt, seconds] :
         {Case{{fast, 1e-6}, {fast, 1e-6}, {fast, 0.01}, 1e-3, 4},
          Case{{faithful, 1e-20}, {faithful, 1e-20}, {faithful, 1e-9}, 0.02, 1}}) {
        PulledBox box(one.method);
        const double error = box.pull(60 * kDegree, 4, dt);
        reporter.expect(one, "mean squared velocity error, 60 deg", {0}, {error}, error);
        double least = 1e9, most = 0, worst = 0;
        for (int i = 0; i < 36; ++i) {
            PulledBox pulled(one.method);
            worst = std::max(worst, pulled.pull(10 * i * kDegree, seconds, dt));
            const double speed = length(pulled.world.state(pulled.box).velocity);
            least = std::min(least, speed);
            most = std::max(most, speed);
        }
        reporter.expect(all, "the same, worst of 36 directions", {0}, {worst}, worst);
        const double part = (most - least) / (PulledBox::exact_box() * seconds);
        reporter.expect(spread, "anisotropy of the box's speed", {0}, {part}, part);
    }
}

namespace {

plot::Plot plot_circles() {
    plot::Panel panel{"y, m"};
    for (const Method method : kOwnMethods) {
        Turntable table(method, 7, 1);
        panel.series.push_back(series_of(method));
        const auto place = [&] { return table.world.state(table.ball).position; };
        follow(
            panel.series.back(), table.world, 4 * kPi, kStep, [&] { return place().x; },
            [&] { return place().y; });
    }
    plot::Series circle = theory();
    for (int i = 0; i <= 90; ++i)
        circle.add(0.5 + 0.5 * std::cos(4 * i * kDegree), 0.5 + 0.5 * std::sin(4 * i * kDegree));
    panel.series.push_back(circle);
    plot::Plot plot{"A ball on a turntable, four turns", "x, m", {panel}};
    plot.is_map = true;
    return plot;
}

} // namespace

namespace {

/// Over ten turns.
struct Circle {
    double rate = 0, farthest = 0, nearest = 1e9;

    Circle(Method method, double disk_rate, double ball_speed) {
        Turntable table(method, disk_rate, ball_speed);
        const Vec3d center = table.center();
        double phase = 0;
        Vec3d before = table.world.state(table.ball).position - center;
        const double seconds = 20 * kPi / table.rate();
        for (int i = 0; i < std::lround(seconds / kStep); ++i) {
            table.world.step(kStep);
            const Vec3d now = table.world.state(table.ball).position - center;
            phase += std::atan2(cross(before, now).z, dot(before, now));
            farthest = std::max(farthest, length(now));
            nearest = std::min(nearest, length(now));
            before = now;
        }
        rate = phase / table.world.time();
    }
};

void judge_circle(Reporter& reporter, const Bound& bound, const std::string& what, double turn,
                  double speed) {
    const double rate = 2 * turn / 7, radius = speed / rate;
    const Circle got(bound.method, turn, speed);
    reporter.expect(bound, what + "rad/s over 10 turns", {rate}, {got.rate},
                    relative(got.rate, rate));
    const double out = relative(got.farthest, radius), in = relative(got.nearest, radius);
    reporter.expect(bound, what + "radius over 10 turns, at its worst", {radius},
                    {out > in ? got.farthest : got.nearest}, std::max(out, in));
}

} // namespace

void check_turntable(Reporter& reporter) {
    for (const Bound& bound : {Bound{Method::fast, 0.02}, Bound{Method::faithful, 1e-8}})
        judge_circle(reporter, bound, "", 7, 1);
    reporter.plot(plot_circles);
}

// The same for other rates and speeds, the largest of which needs a friction of 0.29.
void check_turntables(Reporter& reporter) {
    constexpr std::pair<double, double> kPairs[] = {{2, 0.1}, {2, 0.5},  {5, 0.5}, {5, 1},
                                                    {7, 0.5}, {10, 0.5}, {10, 1}};
    for (const Bound& bound : {Bound{Method::fast, 0.02}, Bound{Method::faithful, 1e-8}}) {
        for (const auto& [turn, speed] : kPairs) {
            const std::string at = std::to_string(std::lround(turn)) + " rad/s, " +
                                   std::to_string(speed).substr(0, 3) + " m/s: ";
            judge_circle(reporter, bound, at, turn, speed);
        }
    }
}

void check_rolling_disk(Reporter& reporter) {
    const double expected = RollingDisk::exact_precession();
    for (const Bound& bound : {Bound{Method::fast, 0.05}, Bound{Method::faithful, 1e-6}}) {
        RollingDisk disk(bound.method);
        const double got = disk.precession(1, kStep);
        reporter.expect(bound, "precession over 1 s, rad/s", {expected}, {got},
                        relative(got, expected));
    }
}

namespace {

/// The friction of a small rotating contact patch, mu N v / (v + 8 eps |w_z| / 3 pi), equals point
/// friction with a coefficient that varies in time.
double tilt_with_patch(double seconds, double dt) {
    TippeTop top(Method::faithful);
    while (top.world.time() < seconds && !top.is_on_stem()) {
        const double v = top.slip(), w = std::abs(top.world.state(top.id).angular_velocity.z);
        const double friction = 0.3 * v / (v + 8 * 5e-4 * w / (3 * kPi));
        top.world.set_material_pair({0, 1, friction, friction, {}});
        top.world.step(dt);
    }
    return top.tilt();
}

} // namespace

// Friction at a single point has no moment about the line from there to the center of the big
// sphere, so L·r is constant, whatever the friction [Jellett 1872].
void check_jellett(Reporter& reporter) {
    for (const Bound& bound : {Bound{Method::fast, 0.02}, Bound{Method::faithful, 1e-9}}) {
        TippeTop top(bound.method);
        const double start = top.jellett();
        double worst = 0;
        while (top.world.time() < 5 && !top.is_on_stem()) {
            top.world.step(kStep);
            worst = std::max(worst, relative(top.jellett(), start));
        }
        reporter.expect(bound, "largest change of L.r in 5 s", {0}, {worst}, worst);
        if (bound.method != Method::faithful) continue;
        reporter.expect(Bound{bound.method, 1}, "friction of a point: ends at a tilt of, deg", {2},
                        {top.tilt()}, std::abs(top.tilt() - 2));
        const double inverted = tilt_with_patch(8, 1e-3);
        reporter.expect(Bound{bound.method, 0}, "friction of a patch: inverts within 8 s, deg",
                        {180}, {inverted}, inverted > 90 ? 0 : 1);
    }
}

} // namespace rigor::validation
