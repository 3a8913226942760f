// Contacts that last while bodies move: bowl, rolling_bodies, box_on_turntable; at 60 Hz unless the
// check states another step.

#include <algorithm>
#include <cmath>

#include "checks.h"
#include "curves.h"
#include "worlds.h"

namespace rigor::validation {
namespace {

/// A ball of radius 0.1 on a height field of 41 x 41 points of a spherical bowl of radius 1, let go
/// at 0.2 rad from the lowest point, a little beside a line of the grid.
struct Bowl {
    static constexpr double kRadius = 1, kBall = 0.1, kSide = 0.8;
    static constexpr int kPoints = 41;
    World world;
    BodyId ball;

    explicit Bowl(Method method) : world(world_of(method)) {
        HeightFieldDef field{kSide, kSide, kPoints, kPoints, {}};
        for (int row = 0; row < kPoints; ++row) {
            for (int column = 0; column < kPoints; ++column) {
                const double x = kSide * (column / (kPoints - 1.0) - 0.5);
                const double y = kSide * (row / (kPoints - 1.0) - 0.5);
                field.heights.push_back(kRadius - std::sqrt(kRadius * kRadius - x * x - y * y));
            }
        }
        world.add_body(fixed(body(field, 1))).value();
        BodyDef def = body(SphereDef{kBall}, 1);
        def.mass = 1;
        const double swing = kRadius - kBall;
        // 0.2 mm higher than on the sphere, since the facets are chords of it.
        def.position = {swing * std::sin(0.2), 0.003, kRadius - swing * std::cos(0.2) + 2e-4};
        ball = world.add_body(def).value();
    }
    /// Over what the ball has when it lies in the middle.
    double energy() const { return world.energy().total() - kGravity * kBall; }
};

struct BowlRun {
    double growth = 0;   ///< the largest gain over any earlier energy, / the first one
    double farthest = 0; ///< from the middle, m
};

BowlRun roll_in_bowl(Method method, double seconds, double dt) {
    Bowl bowl(method);
    const double start = bowl.energy();
    double least = start;
    BowlRun run;
    for (int i = 0; i < std::lround(seconds / dt); ++i) {
        bowl.world.step(dt);
        const double now = bowl.energy();
        least = std::min(least, now);
        run.growth = std::max(run.growth, (now - least) / start);
        const Vec3d p = bowl.world.state(bowl.ball).position;
        run.farthest = std::max(run.farthest, std::hypot(p.x, p.y));
        if (run.farthest > Bowl::kSide / 2) break; // out of it
    }
    return run;
}

plot::Plot plot_bowl() {
    plot::Panel panel{"energy / at the start"};
    for (const Method method : kOwnMethods) {
        Bowl bowl(method);
        const double start = bowl.energy();
        panel.series.push_back(series_of(method));
        follow(
            panel.series.back(), bowl.world, 20, kStep, [&] { return bowl.energy() / start; }, 4);
    }
    return {"A ball that rolls in a bowl of facets", "time, s", {panel}};
}

/// Of moment of inertia k m r², rolling down a plane at 20 degrees.
double rolling_speed(Method method, const ShapeGeometry& geometry, double k, double seconds) {
    const double slope = 20 * kDegree, radius = 0.25, mass = 2;
    World world = world_of(method);
    const Quatd tilt = from_axis_angle(Vec3d{0, 1, 0}, slope);
    world.add_body(fixed(body(PlaneDef{rotate(tilt, Vec3d{0, 0, 1}), 0}, 1))).value();
    BodyDef def = body(geometry, 1);
    def.orientation = tilt * from_axis_angle(Vec3d{1, 0, 0}, kPi / 2); // its axis is level
    def.position = rotate(tilt, Vec3d{0, 0, radius});
    const double about = k * mass * radius * radius;
    def.mass_properties = MassProperties{mass, {}, Sym3d::diagonal({about, about, about})};
    const BodyId id = world.add_body(def).value();
    run(world, seconds);
    return inverse_rotate(tilt, world.state(id).velocity).x;
}

} // namespace

// Rolling resists nothing, and facets can only take energy.
void check_bowl(Reporter& reporter) {
    for (const Bound& bound : {Bound{Method::fast, 1e-3}, Bound{Method::faithful, 1e-9}}) {
        const BowlRun run = roll_in_bowl(bound.method, 60, kStep);
        reporter.expect(bound, "largest growth of energy in 60 s", {0}, {run.growth}, run.growth);
        const double start = 0.9 * std::sin(0.2), beyond = run.farthest / start - 1;
        reporter.expect(Bound{bound.method, 0.02}, "farthest from the middle / at the start", {1},
                        {run.farthest / start}, std::max(0.0, beyond));
    }
    reporter.plot(plot_bowl);
}

// a = g sin(slope) / (1 + k), whatever the size and the mass.
void check_rolling_bodies(Reporter& reporter) {
    struct Case {
        const char* name;
        ShapeGeometry geometry;
        double k;
    };
    const Case cases[] = {{"solid cylinder", CylinderDef{0.25, 0.4}, 0.5},
                          {"hoop", CylinderDef{0.25, 0.1}, 1},
                          {"capsule", CapsuleDef{0.25, 0.3}, 0.45},
                          {"solid ball", SphereDef{0.25}, 0.4},
                          {"hollow ball", SphereDef{0.25}, 2.0 / 3}};
    for (const Bound& bound : {Bound{Method::fast, 0.01}, Bound{Method::faithful, 1e-10}}) {
        for (const Case& c : cases) {
            const double expected = kGravity * std::sin(20 * kDegree) / (1 + c.k);
            const double got = rolling_speed(bound.method, c.geometry, c.k, 2) / 2;
            reporter.expect(bound, c.name + std::string(": acceleration, m/s2"), {expected}, {got},
                            relative(got, expected));
        }
    }
}

// Friction 1 where 0.15 is needed: the box stays where it is on the table, at any step.
void check_box_on_turntable(Reporter& reporter) {
    const double rate = 1, place = 1.5;
    const auto drift = [&](Method method, double seconds, double dt) {
        World world = world_of(method);
        BodyDef table = body(CylinderDef{4, 0.5}, 1);
        table.type = BodyType::kinematic_body;
        table.position = {0, 0, -0.25};
        table.angular_velocity = {0, 0, rate};
        world.add_body(table).value();
        BodyDef box = body(BoxDef{{0.5, 0.5, 0.5}}, 1);
        box.position = {place, 0, 0.25};
        box.velocity = {0, rate * place, 0};
        box.angular_velocity = {0, 0, rate};
        const BodyId id = world.add_body(box).value();
        double moved = 0;
        while (world.time() < seconds - 0.5 * dt && moved < 1) { // until it is nearly off
            world.step(dt);
            const Quatd turned = from_axis_angle(Vec3d{0, 0, 1}, rate * world.time());
            moved = length(inverse_rotate(turned, world.state(id).position) - box.position);
        }
        return moved;
    };
    for (const double hz : {60.0, 240.0}) {
        const double got = drift(Method::fast, 60, 1 / hz);
        reporter.expect(Bound{Method::fast, 1e-3},
                        std::to_string(std::lround(hz)) + " Hz: drift in 60 s, m", {0}, {got}, got);
    }
    const double got = drift(Method::faithful, 60, kStep);
    reporter.expect(Bound{Method::faithful, 1e-9}, "60 Hz: drift in 60 s, m", {0}, {got}, got);
}

} // namespace rigor::validation
