// Limits, motors, springs and friction of joints: hinge_limit, capped_motor, hinge_spring,
// hinge_friction, joint_special_cases, gears.

#include <algorithm>
#include <cmath>

#include "checks.h"
#include "worlds.h"

namespace rigor::validation {
namespace {

/// A uniform rod of 1 m and 1 kg on a hinge at the origin, level: its angle is from there, down.
struct HingedRod {
    World world;
    BodyId rod;
    JointId hinge;

    HingedRod(Method method, std::optional<Range> limits, double friction)
        : world(world_of(method)) {
        rod = world.add_body(mass_at({0.5, 0, 0}, 1, {1e-3, 1.0 / 12, 1.0 / 12})).value();
        hinge = world
                    .add_joint({.b = rod,
                                .kind = HingeJoint{.axis = {0, 1, 0}, .limits = limits},
                                .friction = friction})
                    .value();
    }
    double angle() const { return world.joint_state(hinge).coordinate; }
    double rate() const { return world.state(rod).angular_velocity.y; }
};

/// A wheel on a hinge about z, without gravity.
struct Wheel {
    World world;
    BodyId wheel;
    JointId hinge;

    Wheel(Method method, double inertia, std::optional<MotorDef> motor,
          std::optional<SpringDef> spring)
        : world(world_of(method, {})) {
        wheel = world.add_body(mass_at({}, 1, {inertia, inertia, inertia})).value();
        hinge = world
                    .add_joint({.b = wheel,
                                .kind = HingeJoint{.axis = {0, 0, 1}, .motor = motor},
                                .spring = spring})
                    .value();
    }
    double angle() const { return world.joint_state(hinge).coordinate; }
};

constexpr Range kLocked{0, 0};

/// A second after a body was let go on a sprung joint with the world.
double sprung_height(Method method, const JointKind& kind) {
    World world = world_of(method);
    const BodyId id = world.add_body(mass_at({0.3, 0, 1}, 2, {0.1, 0.2, 0.25})).value();
    world.add_joint({.b = id, .anchor = {0.3, 0, 1}, .kind = kind, .spring = SpringDef{2, 0.1}})
        .value();
    run(world, 1);
    return world.state(id).position.z;
}

/// Two bodies on a joint in free fall, tumbling, after a second.
struct JoinedPair {
    World world;
    BodyId a, b;

    JoinedPair(Method method, const JointKind& kind) : world(world_of(method)) {
        a = world.add_body(mass_at({0, 0, 0}, 2, {0.4, 0.5, 0.7})).value();
        b = world.add_body(mass_at({1, 0.2, 0.1}, 1, {0.1, 0.2, 0.25})).value();
        world.set_angular_velocity(a, {0.3, 1, -0.2});
        world.set_velocity(b, {0.1, 0, 0.4});
        join(world, kind, a, b, {0.5, 0, 0});
        run(world, 1);
    }
    double distance(const JoinedPair& o) const {
        return std::max(length(world.state(a).position - o.world.state(o.a).position),
                        length(world.state(b).position - o.world.state(o.b).position));
    }
};

} // namespace

// Energy: w² = 3 g cos 45; the time by quadrature; at rest the limit carries m g l/2 cos 45.
void check_hinge_limit(Reporter& reporter) {
    for (const auto& [method, tolerance] :
         {std::pair{Method::fast, 0.01}, {Method::faithful, 1e-9}}) {
        const Bound bound{method, tolerance};
        HingedRod free(method, std::nullopt, 0);
        const auto angle = [&] { return free.angle(); };
        const double time = first_passage(free.world, angle, kPi / 4, 1).time;
        reporter.expect(bound, "time until 45 degrees, s", {0.330171494435}, {time},
                        relative(time, 0.330171494435));
        // By energy, since `fast` is up to a step beyond.
        const double down = std::sin(free.angle()) - std::sin(kPi / 4);
        const double rate = std::sqrt(free.rate() * free.rate() - 3 * kGravity * down);
        reporter.expect(bound, "rate there, rad/s", {4.561814613761}, {rate},
                        relative(rate, 4.561814613761));
        HingedRod limited(method, Range{-1, kPi / 4}, 0);
        run(limited.world, 1);
        const double at_rest = limited.angle();
        reporter.expect(bound, "angle at rest on the limit", {kPi / 4}, {at_rest},
                        relative(at_rest, kPi / 4));
        const double torque = -limited.world.joint_state(limited.hinge).torque.y;
        reporter.expect(bound, "torque of the limit, N m", {3.468358761720}, {torque},
                        relative(torque, 3.468358761720));
    }
}

void check_capped_motor(Reporter& reporter) {
    for (const auto& [method, tolerance] :
         {std::pair{Method::fast, 1e-3}, {Method::faithful, 1e-10}}) {
        const Bound bound{method, tolerance};
        Wheel wheel(method, 0.5, MotorDef{.target_velocity = 10, .max_force = 2}, std::nullopt);
        const auto judge = [&](double seconds, double rate, double torque) {
            run(wheel.world, seconds - wheel.world.time());
            const double got = wheel.world.state(wheel.wheel).angular_velocity.z;
            const std::string at = " at " + std::to_string(std::lround(seconds)) + " s";
            reporter.expect(bound, "rate" + at + ", rad/s", {rate}, {got}, relative(got, rate));
            const double read = wheel.world.joint_state(wheel.hinge).torque.z;
            reporter.expect(bound, "torque" + at + ", N m", {torque}, {read},
                            std::abs(read - torque) / 2);
        };
        judge(1, 4, 2);
        judge(2, 8, 2);
        judge(3, 10, 0);
    }
}

void check_hinge_spring(Reporter& reporter) {
    for (const auto& [method, tolerance] :
         {std::pair{Method::fast, 0.01}, {Method::faithful, 1e-9}}) {
        Wheel wheel(method, 0.5, std::nullopt, SpringDef{2, 0.1});
        wheel.world.set_pose(wheel.wheel, {{}, from_axis_angle(Vec3d{0, 0, 1}, 0.3)});
        const double w = 4 * kPi, decay = 0.1 * w, wd = w * std::sqrt(1 - 0.01);
        double worst = 0;
        for (int i = 1; i <= 180; ++i) {
            wheel.world.step(kStep);
            const double t = i * kStep;
            const double x =
                0.3 * std::exp(-decay * t) * (std::cos(wd * t) + decay / wd * std::sin(wd * t));
            worst = std::max(worst, std::abs(wheel.angle() - x));
        }
        reporter.expect(Bound{method, tolerance}, "distance from the damped cosine / 0.3 rad", {0},
                        {worst / 0.3}, worst / 0.3);
    }
}

namespace {

/// The first turning points, from the vertical.
void judge_turns(Reporter& reporter, const Bound& bound) {
    HingedRod rod(bound.method, std::nullopt, 0.3);
    double sign = 1;
    rod.world.step(kStep);
    for (const double expected : {79.571184184, 70.076816566, 61.252448115}) {
        const Passage turn = first_passage(
            rod.world, [&] { return -sign * rod.rate(); }, 0, 2);
        const double angle = rod.angle() - 0.5 * rod.rate() * turn.ago;
        const double got = sign * (angle - kPi / 2) / kDegree;
        reporter.expect(bound, "turns at " + std::to_string(std::lround(expected)) + " deg",
                        {expected}, {got}, relative(got, expected));
        sign = -sign;
    }
}

} // namespace

// Each turning point from the last one by the work of friction; rest where gravity is weaker.
void check_hinge_friction(Reporter& reporter) {
    for (const auto& [method, tolerance] :
         {std::pair{Method::fast, 0.02}, {Method::faithful, 1e-7}}) {
        HingedRod rod(method, std::nullopt, 0.3);
        int swings = 1;
        double last = 0;
        for (int i = 0; i < 900; ++i) {
            rod.world.step(kStep);
            if (std::abs(rod.rate()) < 1e-2) continue; // turning, or at rest
            if (rod.rate() * last < 0) ++swings;
            last = rod.rate();
        }
        const Bound bound{method, tolerance};
        judge_turns(reporter, bound);
        reporter.expect(bound, "half swings until rest", {11}, {1.0 * swings},
                        std::abs(swings - 11.0));
        const double rest = std::abs(rod.angle() - kPi / 2) * 180 / kPi;
        reporter.expect(bound, "angle of rest, deg", {1.397445697}, {rest},
                        relative(rest, 1.397445697));
    }
}

void check_joint_special_cases(Reporter& reporter) {
    const Vec3d x{1, 0, 0};
    const auto six = [](Range tx, Range ty, Range tz, Range rx, Range ry, Range rz) {
        return SixDofJoint{.axes = {tx, ty, tz, rx, ry, rz}};
    };
    const Range k = kLocked, free;
    struct Case {
        const char* name;
        JointKind joint, special;
    };
    const Case cases[] = {
        {"six_dof as ball", BallJoint{}, six(k, k, k, free, free, free)},
        {"six_dof as hinge", HingeJoint{.axis = x}, six(k, k, k, free, k, k)},
        {"six_dof as slider", SliderJoint{.axis = x}, six(free, k, k, k, k, k)},
        {"six_dof as fixed", FixedJoint{}, six(k, k, k, k, k, k)},
        {"cone_twist as ball", BallJoint{}, ConeTwistJoint{.axis = x, .cone = kPi, .twist = {}}},
        {"cone_twist as hinge", HingeJoint{.axis = x},
         ConeTwistJoint{.axis = x, .cone = 0, .twist = {}}},
        {"cone_twist as fixed", FixedJoint{}, ConeTwistJoint{.axis = x, .cone = 0, .twist = k}},
    };
    for (const auto& [method, tolerance] :
         {std::pair{Method::fast, 1e-5}, {Method::faithful, 1e-10}})
        for (const Case& c : cases) {
            const double apart =
                JoinedPair(method, c.joint).distance(JoinedPair(method, c.special));
            reporter.expect(Bound{method, tolerance}, std::string(c.name) + ": distance, m", {0},
                            {apart}, apart);
        }
    for (const auto& [method, tolerance] :
         {std::pair{Method::fast, 1e-5}, {Method::faithful, 1e-10}}) {
        const double apart =
            std::abs(sprung_height(method, WheelJoint{.axis = {0, 1, 0}, .steer_axis = {0, 0, 1}}) -
                     sprung_height(method, SliderJoint{.axis = {0, 0, 1}}));
        reporter.expect(Bound{method, tolerance}, "wheel as sprung slider: distance, m", {0},
                        {apart}, apart);
    }
}

// Torque T on the first of two wheels, of inertia A and B, ratio r: T = (A + r² B) a.
void check_gears(Reporter& reporter) {
    for (const auto& [method, tolerance] :
         {std::pair{Method::fast, 1e-3}, {Method::faithful, 1e-10}}) {
        World world = world_of(method, {});
        const BodyId a = world.add_body(mass_at({}, 1, {1, 1, 1})).value();
        const BodyId b = world.add_body(mass_at({3, 0, 0}, 1, {3, 3, 3})).value();
        const JointId first = join(world, HingeJoint{.axis = {0, 0, 1}}, {}, a, {});
        const JointId second = join(world, HingeJoint{.axis = {0, 0, 1}}, {}, b, {3, 0, 0});
        const JointId gear = world.add_joint({.kind = GearJoint{first, second, -2}}).value();
        for (int i = 0; i < 120; ++i) {
            world.apply_torque(a, {0, 0, 5});
            world.step(kStep);
        }
        const Bound bound{method, tolerance};
        const double rate = world.state(a).angular_velocity.z, expected = 2 * 5.0 / 13;
        reporter.expect(bound, "rate after 2 s, rad/s", {expected}, {rate},
                        relative(rate, expected));
        const double held = std::abs(world.joint_state(gear).torque.z);
        reporter.expect(bound, "torque of the teeth on the first, N m", {60.0 / 13}, {held},
                        relative(held, 60.0 / 13));
        const double ratio =
            world.joint_state(second).coordinate / world.joint_state(first).coordinate;
        reporter.expect(bound, "ratio", {-2}, {ratio}, relative(ratio, -2));
    }
}

} // namespace rigor::validation
