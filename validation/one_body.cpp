// Sliding, rolling and impact of one body: rows 10 to 15, for `fast` at 60 Hz with its defaults.

#include <algorithm>
#include <cmath>

#include "checks.h"
#include "fast_scene.h"

namespace rigor::validation {
namespace {

/// Something on a plane tilted about y, at the origin and at rest: down is along +x.
struct OnSlope {
    World world = fast_world();
    BodyId id;
    Quatd tilt;

    OnSlope(double degrees, const ShapeGeometry& geometry, double height, double friction)
        : tilt(from_rotation_vector(Vec3d{0, degrees * kDegree, 0})) {
        const PlaneDef slope{rotate(tilt, Vec3d{0, 0, 1}), 0};
        world.add_body(fixed(body(slope, friction))).value();
        BodyDef def = body(geometry, friction, 0);
        def.position = rotate(tilt, Vec3d{0, 0, height});
        def.orientation = tilt;
        id = world.add_body(def).value();
    }

    /// Velocity down the slope.
    double speed() const { return inverse_rotate(tilt, world.state(id).velocity).x; }
    void run(double seconds) { validation::run(world, seconds); }
};

/// A ball over the ground that goes down and up again.
struct Bouncing {
    World world = fast_world();
    BodyId id;
    double radius = 0.25;

    explicit Bouncing(double restitution) {
        add_ground(world, 0.5);
        BodyDef ball = body(SphereDef{radius}, 0.5, restitution);
        ball.position = {0, 0, 1 + radius};
        id = world.add_body(ball).value();
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

void check_block_on_incline(Reporter& reporter) {
    const BoxDef box{{1, 1, 0.5}};
    const double angle = std::atan(0.5) / kDegree;
    OnSlope below(angle - 0.3, box, 0.25, 0.5), above(angle + 0.3, box, 0.25, 0.5);
    below.run(10);
    above.run(10);
    reporter.expect("fast", "creep 0.3 deg below the friction angle, m/s", {0}, {below.speed()},
                    std::abs(below.speed()), 1e-4);
    const double slow =
        kGravity * (std::sin((angle + 0.3) * kDegree) - 0.5 * std::cos((angle + 0.3) * kDegree));
    reporter.expect("fast", "slides 0.3 deg above it: speed after 10 s", {10 * slow},
                    {above.speed()}, above.speed() > 5 * slow ? 0 : 1, 0);
    OnSlope steep(30, box, 0.25, 0.5);
    steep.run(1);
    const double before = steep.speed();
    steep.run(2);
    const double a = (steep.speed() - before) / 2;
    reporter.expect("fast", "acceleration at 30 deg", {0.6571453944}, {a},
                    relative(a, 0.6571453944), 0.01);
}

void check_slide_to_roll(Reporter& reporter) {
    OnSlope flat(0, SphereDef{0.5}, 0.5, 0.2);
    flat.world.set_velocity(flat.id, {5, 0, 0});
    flat.run(0.75);
    const double v = flat.speed(), expected = 3.571428571;
    reporter.expect("fast", "speed once it rolls", {expected}, {v}, relative(v, expected), 0.01);
    // It rolls from 0.728 s on, so its place at 0.75 s is known too.
    const double place = 3.120514261 + expected * (0.75 - 0.728119994);
    const double x = flat.world.state(flat.id).position.x;
    reporter.expect("fast", "place after 0.75 s", {place}, {x}, relative(x, place), 0.01);
}

void check_sphere_on_incline(Reporter& reporter) {
    const double rolling = 3.503571429;
    for (const double friction : {0.2, 0.1}) {
        OnSlope slope(30, SphereDef{0.5}, 0.5, friction);
        slope.run(2);
        const double a = slope.speed() / 2;
        const double sliding =
            kGravity * (std::sin(30 * kDegree) - friction * std::cos(30 * kDegree));
        const double expected = friction > 0.16495722 ? rolling : sliding;
        reporter.expect("fast", friction > 0.16 ? "acceleration, rolling" : "acceleration, sliding",
                        {expected}, {a}, relative(a, expected), 0.01);
    }
}

void check_bouncing_ball(Reporter& reporter) {
    Bouncing ball(0.8);
    for (int n = 1; n <= 4; ++n) {
        const double expected = std::pow(0.8, 2 * n), got = ball.next_apex();
        reporter.expect("fast", "apex after bounce " + std::to_string(n), {expected}, {got},
                        relative(got, expected), 0.03);
    }
    for (int i = 0; i < 300; ++i) ball.world.step(kStep);
    const double speed = std::abs(ball.world.state(ball.id).velocity.z);
    reporter.expect("fast", "speed at rest", {0}, {speed}, speed, 1e-3);
}

void check_elastic_ball(Reporter& reporter) {
    Bouncing ball(1);
    double height = 1;
    for (int n = 0; n < 1000 && height > 0; ++n) height = ball.next_apex();
    reporter.expect("fast", "height after 1,000 bounces", {1}, {height}, std::abs(height - 1),
                    0.01);
}

} // namespace rigor::validation
