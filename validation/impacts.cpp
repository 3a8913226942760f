// Impacts of one body: oblique_impact, elastic_energy, painleve_rod, rocking_block; at 60 Hz unless
// the check states another step.

#include <algorithm>
#include <cmath>

#include "checks.h"
#include "curves.h"
#include "worlds.h"

namespace rigor::validation {
namespace {

/// A solid ball of radius 0.5 and mass 1 that hits a plane, without gravity.
struct ObliqueImpact {
    double friction, restitution, along, down; ///< speeds of the ball's contact point
    Vec3d after;                               ///< velocity of that point after the bounce

    void run(Method method) {
        World world = world_of(method, {});
        add_ground(world, friction, restitution);
        BodyDef ball = body(SphereDef{0.5}, friction, restitution);
        ball.mass = 1;
        ball.position = {0, 0, 0.51};
        ball.velocity = {along, 0, -down};
        const BodyId id = world.add_body(ball).value();
        for (int i = 0; i < 6; ++i) world.step(kStep);
        const Vec3d p = world.state(id).position;
        after = world.velocity_at(id, p - Vec3d{0, 0, 0.5});
    }

    // A tangential impulse changes the point's velocity by 7/2 of it over the mass.
    double expected() const {
        const double largest = 3.5 * friction * (1 + restitution) * down;
        return along <= largest ? 0 : along - largest;
    }
    /// Of the tangential impulse.
    double error() const { return std::abs(after.x - expected()) / (along - expected()); }
};

/// A uniform rod of length 1 whose lower end slides on the ground ahead of it.
struct PainleveRod {
    static constexpr double kRadius = 0.01;
    World world;
    BodyId id;

    PainleveRod(Method method, double degrees, double friction, double speed)
        : world(world_of(method)) {
        const double radius = kRadius, angle = degrees * kDegree;
        add_ground(world, friction);
        // Leaning back from its end, which leads: the friction on the end turns the rod into the
        // ground.
        // The motion is planar, so the moment about its own axis does not matter.
        BodyDef rod = mass_at({-0.5 * std::cos(angle), 0, 0.5 * std::sin(angle) + radius}, 1,
                              {1.0 / 12, 1.0 / 12, 1.0 / 12});
        rod.orientation =
            rotation_between(Vec3d{0, 0, 1}, Vec3d{-std::cos(angle), 0, std::sin(angle)});
        rod.velocity = {speed, 0, 0};
        rod.shapes = body(SphereDef{radius}, friction).shapes;
        rod.shapes[0].position = {0, 0, -0.5};
        rod.shapes.push_back(rod.shapes[0]);
        rod.shapes[1].position = {0, 0, 0.5};
        id = world.add_body(rod).value();
    }

    /// Whether a normal force at the foot, with its friction, accelerates the foot into the ground.
    /// The lever arm from the center to the foot is (x, -z); 12 is mass over moment of inertia.
    static bool is_paradox(double degrees, double friction) {
        const double x = 0.5 * std::cos(degrees * kDegree);
        const double z = 0.5 * std::sin(degrees * kDegree) + kRadius;
        return friction > (1 + 12 * x * x) / (12 * x * z);
    }

    /// The largest energy within two seconds, over the initial one.
    double largest_energy() {
        const double start = world.energy().total();
        double largest = 0;
        for (int i = 0; i < 120; ++i) {
            world.step(kStep);
            const double now = world.energy().total() / start;
            if (!(now <= largest)) largest = now;
        }
        return largest;
    }
};

/// A block twice as high as 1 m and b/h = 0.2, tilted about its edge at x = +b.
struct RockingBlock {
    static constexpr double kHalfWidth = 0.2, kHalfHeight = 1;
    World world;
    BodyId id;
    double radius = std::hypot(kHalfWidth, kHalfHeight);
    double corner = std::atan2(kHalfWidth, kHalfHeight);

    RockingBlock(Method method, double tilt) : world(world_of(method)) {
        add_ground(world, 0.5);
        BodyDef block = body(BoxDef{{2 * kHalfWidth, 1, 2 * kHalfHeight}}, 0.5);
        block.orientation = from_axis_angle(Vec3d{0, 1, 0}, tilt);
        const double angle = corner - tilt; // of the diagonal from the vertical
        block.position = {-radius * std::sin(angle), 0, radius * std::cos(angle)};
        id = world.add_body(block).value();
    }

    double tilt() const {
        const Vec3d up = rotate(world.state(id).orientation, Vec3d{0, 0, 1});
        return std::atan2(up.x, up.z);
    }
    /// The squared rate at which it passes the upright, from its energy about the edge it is on:
    /// w² + 2 p² (cos(corner - tilt) - cos corner), p² = 3 g / 4 R.
    double squared_rate() const {
        const double w = world.state(id).angular_velocity.y, p2 = 0.75 * kGravity / radius;
        return w * w + 2 * p2 * (std::cos(corner - std::abs(tilt())) - std::cos(corner));
    }
};

} // namespace

// A ball's contact point sticks, or keeps sliding with the full Coulomb impulse. `faithful` is also
// tested a millionth to either side of the limit.
void check_oblique_impact(Reporter& reporter) {
    const double down = 2, friction = 0.2;
    const auto judge = [&](const Bound& bound, double e, double part) {
        const double limit = 3.5 * friction * (1 + e) * down;
        ObliqueImpact impact{friction, e, part * limit, down, {}};
        impact.run(bound.method);
        const std::string at = std::to_string(part), of = std::to_string(e).substr(0, 3);
        reporter.expect(bound, "e = " + of + ", " + at + " of the limit: u_t after",
                        {impact.expected()}, {impact.after.x}, impact.error());
    };
    for (const double e : {0.0, 0.5, 1.0}) {
        for (const double part : {0.5, 2.0}) judge({Method::fast, 0.02}, e, part);
        for (const double part : {0.5, 1 - 1e-6, 1 + 1e-6, 2.0})
            judge({Method::faithful, 1e-13}, e, part);
    }
}

// SimBenchmark's "bouncing" [Kang 2018]: elastic impacts, so the energy of 49 balls is constant.
void check_elastic_energy(Reporter& reporter) {
    const double dt = 1e-3, expected = 24034.5;
    for (const Bound& bound : {Bound{Method::fast, 185}, Bound{Method::faithful, 1e-12}}) {
        World world = world_of(bound.method);
        add_ground(world, 0, 1);
        for (int i = 0; i < 49; ++i) {
            BodyDef ball = body(SphereDef{0.1}, 0, 1);
            ball.mass = 10;
            ball.position = {i % 7 - 3.0, i / 7 - 3.0, 5};
            world.add_body(ball).value();
        }
        double sum = 0;
        const int steps = 20000;
        for (int i = 0; i < steps; ++i) {
            world.step(dt);
            const double off = world.energy().total() - expected;
            sum += off * off;
        }
        const double error = sum / steps;
        reporter.expect(bound, "mean (E - 24034.5 J)^2; ODE has 185", {0}, {error}, error);
    }
}

namespace {

/// The region without a finite Coulomb force, and where `faithful` finds an immediate impact.
plot::Plot plot_paradox() {
    plot::Panel panel{"friction mu"};
    plot::Series limit = theory("no finite force above", plot::Mark::line);
    trace(limit, 25, 87, [](double degrees) {
        const double c = std::cos(degrees * kDegree), s = std::sin(degrees * kDegree);
        const double mu = (1 + 3 * c * c) / (3 * s * c);
        return mu < 5 ? mu : kNone;
    });
    plot::Series impact{"an impact at once", {}, {}, plot::Mark::dots, 1};
    plot::Series slides{"slides on", {}, {}, plot::Mark::dots, 0};
    for (double degrees = 25; degrees < 88; degrees += 5) {
        for (double friction = 0.5; friction < 5; friction += 0.5) {
            PainleveRod rod(Method::faithful, degrees, friction, 5);
            (rod.world.step(1e-6).impact_count > 0 ? impact : slides).add(degrees, friction);
        }
    }
    panel.series = {impact, slides, limit};
    return {
        "Painleve's rod, its end sliding ahead of it", "angle from the ground, degrees", {panel}};
}

plot::Plot plot_rod_energy() {
    plot::Panel panel{"energy / at the start"};
    for (const Method method : kOwnMethods) {
        PainleveRod rod(method, 63.4349, 2, 5);
        const double start = rod.world.energy().total();
        panel.series.push_back(series_of(method));
        follow(panel.series.back(), rod.world, 2, kStep / 2,
               [&] { return rod.world.energy().total() / start; });
    }
    return {"Its energy at mu = 2 and 63.4 degrees", "time, s", {panel}};
}

plot::Plot plot_rocking() {
    plot::Panel panel{"tilt, degrees"};
    for (const Method method : kOwnMethods) {
        RockingBlock block(method, 0.1);
        panel.series.push_back(series_of(method));
        follow(panel.series.back(), block.world, 8, kStep, [&] { return block.tilt() / kDegree; });
    }
    return {"A block let go at 0.1 rad rocks to rest", "time, s", {panel}};
}

} // namespace

// Painleve's paradox: beyond mu = (1 + 3 cos²)/(3 sin cos) Coulomb's law has no finite force.
// Energy may decrease there, never increase; `fast` gets one percent for its contact margin.
void check_painleve_rod(Reporter& reporter) {
    for (const Bound& bound : {Bound{Method::fast, 0.01}, Bound{Method::faithful, 1e-9}}) {
        double worst = 0, wrong = 0;
        for (const double friction : {1.0, 1.5, 2.0, 5.0}) {
            for (const double degrees : {45.0, 63.4349, 80.0}) {
                for (const double speed : {0.5, 5.0}) {
                    PainleveRod rod(bound.method, degrees, friction, speed);
                    const bool resolved = rod.world.step(1e-6).impact_count > 0;
                    if (resolved != rod.is_paradox(degrees, friction)) ++wrong;
                    worst = std::max(worst, rod.largest_energy());
                }
            }
        }
        reporter.expect(bound, "largest energy / at the start, 24 rods", {1}, {worst}, worst - 1);
        if (bound.method == Method::faithful)
            reporter.expect(Bound{bound.method, 0},
                            "an impact at once iff there is no force: wrong", {0}, {wrong}, wrong);
    }
    reporter.plot(plot_paradox);
    reporter.plot(plot_rod_energy);
}

// Only the angular momentum about the new corner is conserved: w+/w- = 1 - 3/2 sin² [Housner 1963].
void check_rocking_block(Reporter& reporter) {
    const double expected = 49.0 / 52;
    for (const Bound& bound : {Bound{Method::fast, 0.03}, Bound{Method::faithful, 1e-10}}) {
        RockingBlock block(bound.method, 0.1);
        const double before = block.squared_rate();
        while (block.tilt() > -0.02 && block.world.time() < 5) block.world.step(kStep);
        const double ratio = std::sqrt(block.squared_rate() / before);
        reporter.expect(bound, "w+/w-", {expected}, {ratio}, relative(ratio, expected));
    }
    reporter.plot(plot_rocking);
}

} // namespace rigor::validation
