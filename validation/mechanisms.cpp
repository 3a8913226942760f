// Mechanisms with closed forms or quadratures: ladder, conical_pendulum, four_bar, slider_crank,
// ballistic_pendulum; at 60 Hz.

#include <algorithm>
#include <cmath>

#include "checks.h"
#include "worlds.h"

namespace rigor::validation {
namespace {

/// A uniform ladder of 2 m and 1 kg on a smooth floor z = 0, against a smooth wall x = 0. Small
/// balls around its ends touch planes that are as far behind as their radius.
struct Ladder {
    static constexpr double kLength = 2, kBall = 0.02, kStart = 70 * kDegree;
    World world;
    BodyId wall, ladder;

    explicit Ladder(Method method) : world(world_of(method)) {
        world.add_body(fixed(body(PlaneDef{{0, 0, 1}, -kBall}, 0))).value();
        wall = world.add_body(fixed(body(PlaneDef{{1, 0, 0}, -kBall}, 0))).value();
        const Vec3d along{-std::cos(kStart), 0, std::sin(kStart)};
        BodyDef def =
            mass_at({0.5 * kLength * std::cos(kStart), 0, 0.5 * kLength * std::sin(kStart)}, 1,
                    {1.0 / 3, 1.0 / 3, 1e-3});
        def.orientation = rotation_between(Vec3d{0, 0, 1}, along);
        def.shapes = body(SphereDef{kBall}, 0).shapes;
        def.shapes.push_back(def.shapes[0]);
        def.shapes[0].position = {0, 0, 0.5 * kLength};
        def.shapes[1].position = {0, 0, -0.5 * kLength};
        ladder = world.add_body(def).value();
    }
    /// From the floor.
    double angle() const {
        return std::asin(rotate(world.state(ladder).orientation, Vec3d{0, 0, 1}).z);
    }
    double speed() const { return world.state(ladder).velocity.x; }
    /// Of the last step, which took dt: under `fast` the mean, under `faithful` that of its
    /// beginning.
    double wall_force(double dt) const {
        double impulse = 0;
        for (const ContactView& contact : world.contacts(wall))
            for (int k = 0; k < contact.count; ++k)
                impulse += contact.points[static_cast<std::size_t>(k)].impulse;
        return impulse / dt;
    }
};

/// The angle where the wall's force becomes zero, from a polynomial through its last values: a
/// force that vanishes leaves the motion smooth, so the time of parting is not seen in it.
double parting_angle(Method method) {
    const bool is_fast = method == Method::fast;
    const double dt = is_fast ? kStep : 1e-3, probe = is_fast ? kStep : 1e-6;
    const std::size_t degree = is_fast ? 1 : 4;
    Ladder ladder(method);
    std::vector<double> forces, angles;
    while (ladder.world.time() < 2) {
        const Snapshot now = ladder.world.snapshot();
        const double before = ladder.angle();
        ladder.world.step(probe);
        const double force = ladder.wall_force(probe);
        if (ladder.world.time() > 0.3 && force <= 0) break;
        forces.push_back(force);
        angles.push_back(0.5 * (before + ladder.angle())); // the force is the mean of the step
        if (is_fast) continue;
        ladder.world.restore(now);
        ladder.world.step(dt);
    }
    if (forces.size() < degree + 1) return 0;
    const std::size_t end = forces.size(), begin = end - degree - 1;
    double angle = 0; // Lagrange's polynomial of the angle at zero force
    for (std::size_t i = begin; i < end; ++i) {
        double weight = 1;
        for (std::size_t k = begin; k < end; ++k)
            if (k != i) weight *= forces[k] / (forces[k] - forces[i]);
        angle += weight * angles[i];
    }
    return angle;
}

double speed_after_parting(Method method) {
    Ladder ladder(method);
    while (ladder.angle() > 25 * kDegree && ladder.world.time() < 2) ladder.world.step(kStep);
    return ladder.speed();
}

/// A uniform rod from one point of the plane z = 0 to another, moving as its ends do.
BodyDef bar(const Vec3d& from, const Vec3d& to, const Vec3d& v_from, const Vec3d& v_to,
            double axial) {
    constexpr double mass = 1;
    const Vec3d way = to - from;
    const double across = mass * dot(way, way) / 12;
    BodyDef def = mass_at((from + to) * 0.5, mass, {axial * across, across, across});
    def.orientation = from_axis_angle(Vec3d{0, 0, 1}, std::atan2(way.y, way.x));
    def.velocity = (v_from + v_to) * 0.5;
    def.angular_velocity = cross(way, v_to - v_from) / dot(way, way);
    return def;
}

/// Twice the kinetic energy of such a rod.
double inertia(const Vec3d& from, const Vec3d& to, const Vec3d& v_from, const Vec3d& v_to) {
    const BodyDef def = bar(from, to, v_from, v_to, 1);
    const double w = def.angular_velocity.z;
    return (dot(def.velocity, def.velocity) + dot(to - from, to - from) / 12 * w * w);
}

constexpr Vec3d kAxle{0, 0, 1};
constexpr double kCrankRate = 5, kCrankStart = 0.5;
constexpr double kThick = 0.02, kThin = 1e-3; // moments of rods about themselves, over those across

/// The points of a linkage whose crank is at this angle, and their rates when it turns at 1 rad/s.
struct LinkagePoints {
    Vec3d pin, end, pin_rate, end_rate;
};

struct SliderCrank {
    static constexpr double kCrank = 0.2, kRod = 0.6, kPiston = 1.5;

    static LinkagePoints points(double angle) {
        const double c = std::cos(angle), s = std::sin(angle);
        const double reach = std::sqrt(kRod * kRod - kCrank * kCrank * s * s);
        LinkagePoints p;
        p.pin = Vec3d{c, s, 0} * kCrank;
        p.pin_rate = Vec3d{-s, c, 0} * kCrank;
        p.end = {kCrank * c + reach, 0, 0};
        p.end_rate = {-kCrank * s - kCrank * kCrank * s * c / reach, 0, 0};
        return p;
    }
    static double inertia(double angle) {
        const LinkagePoints p = points(angle);
        return validation::inertia({}, p.pin, {}, p.pin_rate) +
               validation::inertia(p.pin, p.end, p.pin_rate, p.end_rate) +
               kPiston * dot(p.end_rate, p.end_rate);
    }
    /// Returns the hinge of the crank.
    static JointId build(World& world, double angle, double rate, double axial) {
        const LinkagePoints p = points(angle);
        const Vec3d v_pin = p.pin_rate * rate, v_end = p.end_rate * rate;
        const BodyId crank = world.add_body(bar({}, p.pin, {}, v_pin, axial)).value();
        const BodyId rod = world.add_body(bar(p.pin, p.end, v_pin, v_end, axial)).value();
        BodyDef block = mass_at(p.end, kPiston, {0.01, 0.01, 0.01});
        block.velocity = v_end;
        const BodyId piston = world.add_body(block).value();
        join(world, HingeJoint{kAxle}, crank, rod, p.pin);
        join(world, HingeJoint{kAxle}, rod, piston, p.end);
        join(world, SliderJoint{{1, 0, 0}}, {}, piston, p.end);
        return join(world, HingeJoint{kAxle}, {}, crank, {});
    }
};

struct FourBar {
    static constexpr double kCrank = 0.3, kCoupler = 0.9, kRocker = 0.7;
    static constexpr Vec3d kPivot{1, 0, 0}; ///< of the rocker

    static LinkagePoints points(double angle) {
        const double c = std::cos(angle), s = std::sin(angle);
        LinkagePoints p;
        p.pin = Vec3d{c, s, 0} * kCrank;
        p.pin_rate = Vec3d{-s, c, 0} * kCrank;
        // Where the circles about the pin and the pivot meet, on the left of the way from the
        // first to the second.
        const Vec3d way = kPivot - p.pin;
        const double d = length(way), x = (d * d + kCoupler * kCoupler - kRocker * kRocker) / 2 / d;
        const Vec3d along = way / d, across = cross(kAxle, along);
        p.end = p.pin + along * x + across * std::sqrt(kCoupler * kCoupler - x * x);
        // Both bars keep their lengths: (end - pin)·(end' - pin') = 0 and (end - pivot)·end' = 0.
        const Vec3d a = p.end - p.pin, b = p.end - kPivot;
        p.end_rate = cross(b, kAxle) * (dot(a, p.pin_rate) / dot(a, cross(b, kAxle)));
        return p;
    }
    static double inertia(double angle) {
        const LinkagePoints p = points(angle);
        return validation::inertia({}, p.pin, {}, p.pin_rate) +
               validation::inertia(p.pin, p.end, p.pin_rate, p.end_rate) +
               validation::inertia(kPivot, p.end, {}, p.end_rate);
    }
    static JointId build(World& world, double angle, double rate, double axial) {
        const LinkagePoints p = points(angle);
        const Vec3d v_pin = p.pin_rate * rate, v_end = p.end_rate * rate;
        const BodyId crank = world.add_body(bar({}, p.pin, {}, v_pin, axial)).value();
        const BodyId coupler = world.add_body(bar(p.pin, p.end, v_pin, v_end, axial)).value();
        const BodyId rocker = world.add_body(bar(kPivot, p.end, {}, v_end, axial)).value();
        join(world, HingeJoint{kAxle}, crank, coupler, p.pin);
        join(world, HingeJoint{kAxle}, coupler, rocker, p.end);
        join(world, HingeJoint{kAxle}, {}, rocker, kPivot);
        return join(world, HingeJoint{kAxle}, {}, crank, {});
    }
};

/// Without gravity I(angle) w² is constant, which gives the time of a turn as the integral of
/// sqrt(I). Of a periodic function the mean over equidistant points is exact to rounding.
template <class Linkage>
void judge_linkage(Reporter& reporter, double axial) {
    constexpr int kPoints = 4000, kTurns = 5;
    double mean = 0;
    for (int i = 0; i < kPoints; ++i)
        mean += std::sqrt(Linkage::inertia(2 * kPi * i / kPoints)) / kPoints;
    const double expected =
        kTurns * 2 * kPi * mean / (std::sqrt(Linkage::inertia(kCrankStart)) * kCrankRate);
    for (const Bound& bound : {Bound{Method::fast, 0.01}, Bound{Method::faithful, 1e-9}}) {
        World world = world_of(bound.method, {});
        const JointId crank = Linkage::build(world, kCrankStart, kCrankRate, axial);
        const double start = world.energy().kinetic;
        const auto turned = [&] { return world.joint_state(crank).coordinate; };
        const double time = first_passage(world, turned, kTurns * 2 * kPi, 20).time;
        const std::string rods = axial < 0.01 ? "thin rods: " : "";
        reporter.expect(bound, rods + "time of 5 turns, s", {expected}, {time},
                        relative(time, expected));
        run(world, 20 - world.time());
        const double change = std::abs(world.energy().kinetic / start - 1);
        reporter.expect(bound, rods + "energy after 20 s: change", {0}, {change}, change);
    }
}

} // namespace

// The wall's force is 3/4 m g cos(angle) (3 sin(angle) - 2 sin(70 deg)).
void check_ladder(Reporter& reporter) {
    const double leaves = std::asin(2.0 / 3 * std::sin(Ladder::kStart));
    for (const Bound& bound : {Bound{Method::fast, 0.01}, Bound{Method::faithful, 1e-9}}) {
        const double got = parting_angle(bound.method);
        reporter.expect(bound, "leaves the wall at, deg", {leaves / kDegree}, {got / kDegree},
                        relative(got, leaves));
        const double speed = speed_after_parting(bound.method);
        reporter.expect(bound, "horizontal speed from then on, m/s", {1.344952577225}, {speed},
                        relative(speed, 1.344952577225));
    }
}

// A rod on a ball joint that turns about the vertical: (I1 - I3) w² cos(tilt) = m g d.
void check_conical_pendulum(Reporter& reporter) {
    const double tilt = 40 * kDegree, half = 0.5, axial = 1e-3, about = 1.0 / 3;
    const double rate = std::sqrt(kGravity * half / ((about - axial) * std::cos(tilt)));
    for (const Bound& bound : {Bound{Method::fast, 0.01}, Bound{Method::faithful, 1e-9}}) {
        World world = world_of(bound.method);
        BodyDef rod = mass_at(Vec3d{std::sin(tilt), 0, -std::cos(tilt)} * half, 1,
                              {1.0 / 12, 1.0 / 12, axial});
        rod.orientation = from_axis_angle(Vec3d{0, 1, 0}, -tilt);
        rod.angular_velocity = {0, 0, rate};
        rod.velocity = cross(rod.angular_velocity, rod.position);
        const BodyId id = world.add_body(rod).value();
        join(world, BallJoint{}, {}, id, {});
        double turn = 0, last = 0, off = 0;
        for (int i = 0; i < 1200; ++i) {
            world.step(kStep);
            const Vec3d p = world.state(id).position;
            const double azimuth = std::atan2(p.y, p.x);
            turn += std::remainder(azimuth - last, 2 * kPi);
            last = azimuth;
            off = std::max(off, std::abs(std::acos(-p.z / length(p)) - tilt) / tilt);
        }
        reporter.expect(bound, "rate over 20 s, rad/s", {rate}, {turn / 20},
                        relative(turn / 20, rate));
        reporter.expect(bound, "tilt: largest change", {0}, {off}, off);
    }
}

void check_four_bar(Reporter& reporter) {
    for (const double axial : {kThick, kThin}) judge_linkage<FourBar>(reporter, axial);
}

void check_slider_crank(Reporter& reporter) {
    for (const double axial : {kThick, kThin}) judge_linkage<SliderCrank>(reporter, axial);
}

// A ball hits a hanging block without restitution: the angular momentum about the pivot is kept,
// and the energy that is lost follows from it.
void check_ballistic_pendulum(Reporter& reporter) {
    const double ball_mass = 0.1, speed = 20, block_mass = 2, side = 0.4;
    const double about_pivot = block_mass * (1 + side * side / 6);
    const double rate = ball_mass * speed / (about_pivot + ball_mass);
    const double before = 0.5 * ball_mass * speed * speed;
    const double lost = before - 0.5 * (about_pivot + ball_mass) * rate * rate;
    for (const Bound& bound : {Bound{Method::fast, 0.01}, Bound{Method::faithful, 1e-12}}) {
        World world = world_of(bound.method, {});
        BodyDef block = body(BoxDef{{side, side, side}}, 0);
        block.mass = block_mass;
        block.position = {0, 0, -1};
        const BodyId target = world.add_body(block).value();
        join(world, HingeJoint{{0, -1, 0}}, {}, target, {});
        BodyDef ball = body(SphereDef{0.05}, 0);
        ball.mass = ball_mass;
        ball.position = {-0.5 * side - 0.15, 0, -1};
        ball.velocity = {speed, 0, 0};
        world.add_body(ball).value();
        // Until it was hit. Afterwards the ball, which flies straight, presses on the block again.
        bound.method == Method::fast ? run(world, 2 * kStep) : run(world, 0.006, 0.005 + 1e-12);
        const double got = -world.state(target).angular_velocity.y;
        reporter.expect(bound, "rate of the pendulum after the impact, rad/s", {rate}, {got},
                        relative(got, rate));
        const double taken = before - world.energy().kinetic;
        reporter.expect(bound, "energy lost, J", {lost}, {taken}, relative(taken, lost));
        if (bound.method != Method::faithful) continue;
        const double booked = -world.ledger().impact;
        reporter.expect(bound, "energy lost by the ledger's impacts, J", {lost}, {booked},
                        relative(booked, lost));
    }
}

} // namespace rigor::validation
