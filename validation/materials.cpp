// Surfaces: stick_slip, slow_slide, anisotropic_sliding, conveyor, rolling_resistance,
// torsional_friction.

#include <cmath>

#include "checks.h"
#include "sliding_block.h"
#include "worlds.h"

namespace rigor::validation {
namespace {

constexpr double kRadius = 0.1;

struct Accuracy {
    Method method;
    double tolerance;
};
constexpr Accuracy kBoth[] = {{Method::fast, 0.01}, {Method::faithful, 1e-8}};

BodyId add(World& world, const ShapeGeometry& shape, const Material& material,
           const Vec3d& position, const Vec3d& velocity = {}, const Vec3d& angular_velocity = {}) {
    BodyDef def = body(shape, 0.5);
    def.shapes[0].material = material;
    def.position = position;
    def.velocity = velocity;
    def.angular_velocity = angular_velocity;
    def.mass = 1;
    return world.add_body(def).value();
}

BodyId add_floor(World& world, const Material& material) {
    BodyDef def = fixed(body(PlaneDef{}, 0.5));
    def.shapes[0].material = material;
    return world.add_body(def).value();
}

Material with_friction(double at_rest, double in_motion) {
    Material m;
    m.static_friction = at_rest;
    m.kinetic_friction = in_motion;
    return m;
}

constexpr BoxDef kBlock{{0.4, 0.4, 0.05}};
constexpr Vec3d kOnFloor{0, 0, 0.025}, kBallOnFloor{0, 0, kRadius};

} // namespace

// A block on a belt, held by a spring: it sticks until the spring pulls with mu_s g, then slips
// around mu_k g / w² on a circle of the phase plane until it has the speed of the belt again.
void check_stick_slip(Reporter& reporter) {
    const double w = 2 * kPi, belt_speed = 0.2, mu_s = 0.6, mu_k = 0.4;
    const double a = (mu_s - mu_k) * kGravity / (w * w), b = belt_speed / w;
    const double middle = mu_k * kGravity / (w * w), amplitude = std::hypot(a, b);
    const double period = (kPi + 2 * std::atan(b / a)) / w + 2 * a / belt_speed;
    for (const Bound& bound : {Bound{Method::fast, 0.02}, Bound{Method::faithful, 1e-7}}) {
        World world = world_of(bound.method);
        Material belt = with_friction(mu_s, mu_k);
        belt.surface_velocity = {belt_speed, 0, 0};
        add_floor(world, belt);
        const BodyId block = add(world, kBlock, with_friction(mu_s, mu_k), kOnFloor);
        world
            .add_joint({.a = block,
                        .anchor = kOnFloor,
                        .kind = DistanceJoint{.anchor_b = kOnFloor - Vec3d{10, 0, 0}},
                        .spring = SpringDef{1, 0}})
            .value();
        const auto backward = [&] { return -world.state(block).velocity.x; };
        run(world, 0.5); // past the start
        const double first = first_passage(world, backward, 0, 5).time;
        const double most = world.state(block).position.x;
        const auto forward = [&] { return world.state(block).velocity.x; };
        first_passage(world, forward, 0, 5);
        const double least = world.state(block).position.x;
        const double second = first_passage(world, backward, 0, 5).time;
        const double half = 0.5 * (most - least), mean = 0.5 * (most + least);
        reporter.expect(bound, "amplitude of the slip, m", {amplitude}, {half},
                        relative(half, amplitude));
        reporter.expect(bound, "its middle, m", {middle}, {mean}, relative(mean, middle));
        reporter.expect(bound, "period, s", {period}, {second - first},
                        relative(second - first, period));
    }
}

// A block that slides slowly on a slope between the two friction angles: kinetic friction acts as
// long as it slides, however slowly, and cannot stop it.
void check_slow_slide(Reporter& reporter) {
    const double slope = 26 * kDegree, mu_s = 0.6, mu_k = 0.4, start = 0.009;
    const Vec3d g{kGravity * std::sin(slope), 0, -kGravity * std::cos(slope)};
    const double expected = start + g.x + mu_k * g.z;
    for (const auto& [method, tolerance] :
         {std::pair{Method::fast, 0.01}, {Method::faithful, 1e-10}}) {
        World world = world_of(method, g);
        add_floor(world, with_friction(mu_s, mu_k));
        const BodyId block = add(world, kBlock, with_friction(mu_s, mu_k), kOnFloor, {start, 0, 0});
        run(world, 1);
        const double v = world.state(block).velocity.x;
        reporter.expect({method, tolerance}, "speed after 1 s, m/s", {expected}, {v},
                        relative(v, expected));
    }
}

void check_anisotropic_sliding(Reporter& reporter) {
    const Vec3d g{kGravity * std::sin(0.2), 0.3, -kGravity * std::cos(0.2)};
    Material grained = with_friction(0.4, 0.4);
    grained.anisotropy_axis = {1, 0, 0};
    grained.anisotropy_ratio = 0.5;
    const SlidingBlock s = slide({0, 0, 1.5, 1.5}, g, 0.4, 0.5, 1, 0.3);
    for (const auto& [method, tolerance] : kBoth) {
        World world = world_of(method, g);
        add_floor(world, grained);
        const BodyId block = add(world, kBlock, with_friction(0.4, 0.4), kOnFloor, {1.5, 1.5, 0});
        run(world, 0.3);
        const Vec3d v = world.state(block).velocity;
        reporter.expect({method, tolerance}, "velocity after 0.3 s, m/s", {s.u, s.v}, {v.x, v.y},
                        std::hypot(v.x - s.u, v.y - s.v) / std::hypot(s.u, s.v));
    }
}

void check_conveyor(Reporter& reporter) {
    const double mu = 0.25, speed = 2, expected = speed * 1.5 - speed * speed / (2 * mu * kGravity);
    for (const auto& [method, tolerance] : kBoth) {
        World world = world_of(method);
        Material belt = with_friction(mu, mu);
        belt.surface_velocity = {speed, 0, 0};
        add_floor(world, belt);
        const BodyId block = add(world, kBlock, with_friction(mu, mu), kOnFloor);
        run(world, 1.5);
        const double x = world.state(block).position.x;
        reporter.expect({method, tolerance}, "way on a belt in 1.5 s, m", {expected}, {x},
                        relative(x, expected));
        const double work = world.ledger().contact_friction;
        reporter.expect({method, tolerance}, "work of the belt, J", {2}, {work}, relative(work, 2));
    }
}

// Rolling without slip: dv/dt = -(c/r) g / (1 + 2/5).
void check_rolling_resistance(Reporter& reporter) {
    const double c = 0.01, v = 0.7, way = v * v * 1.4 / (2 * kGravity * c / kRadius);
    for (const auto& [method, tolerance] : kBoth) {
        World world = world_of(method);
        Material m = with_friction(0.5, 0.5);
        m.rolling_resistance = c;
        add_floor(world, m);
        const BodyId ball =
            add(world, SphereDef{kRadius}, m, kBallOnFloor, {v, 0, 0}, {0, v / kRadius, 0});
        run(world, 2);
        const double x = world.state(ball).position.x;
        reporter.expect({method, tolerance}, "way until a rolling ball stops, m", {way}, {x},
                        relative(x, way));
    }
}

void check_torsional_friction(Reporter& reporter) {
    const double c = 0.002, w = 5, rate = c * kGravity / (0.4 * kRadius * kRadius);
    for (const auto& [method, tolerance] : kBoth) {
        World world = world_of(method);
        Material m = with_friction(0.5, 0.5);
        m.torsional_friction = c;
        add_floor(world, m);
        const BodyId ball = add(world, SphereDef{kRadius}, m, kBallOnFloor, {}, {0, 0, w});
        run(world, 0.5);
        const double spin = world.state(ball).angular_velocity.z, expected = w - 0.5 * rate;
        reporter.expect({method, tolerance}, "spin of a ball after 0.5 s, rad/s", {expected},
                        {spin}, relative(spin, expected));
    }
}

} // namespace rigor::validation
