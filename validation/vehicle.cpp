// A car of four wheels against the closed forms of its tires: vehicle.

#include "rigor/vehicle.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "checks.h"
#include "worlds.h"

namespace rigor::validation {
namespace {

constexpr double kFriction = 0.8, kMass = 1200, kRadius = 0.3, kWheelMass = 15;
constexpr double kBase = 2.6, kTrack = 1.5; // m between axles and between wheels
constexpr double kWheelInertia = kWheelMass * kRadius * kRadius / 2;

struct CarOptions {
    bool rays = false;
    Method method = Method::fast;
    double height = 0.55; ///< of the center of mass of the chassis
    double slope = 0;     ///< rad
    double width = 0.2;   ///< of a tire
    double friction = kFriction;
    double torque = 0; ///< N m of all driven wheels
    bool front_driven = true;
    double dt = kStep;
    SpringDef suspension{1.5, 0.4};
    double load_sensitivity = 0, drag = 0, steer_rate = 1.5;
};

/// Wheels 0 and 1 are in front and steered; 0 and 2 on the left.
class Car {
  public:
    explicit Car(const CarOptions& o) : options_(o), world_(world_of(o.method)), vehicle_(make()) {}

    const VehicleState& state() const { return vehicle_.state(); }
    BodyState body() const { return world_.state(chassis_); }
    double mass() const { return kMass + (options_.rays ? 0 : 4 * kWheelMass); }
    /// Of all of it over the ground.
    double center_height() const {
        if (options_.rays) return options_.height;
        return (kMass * options_.height + 4 * kWheelMass * kRadius) / mass();
    }
    double time() const { return world_.time(); }

    void step(const VehicleInput& input) {
        vehicle_.set_input(input);
        vehicle_.update(world_, options_.dt);
        world_.step(options_.dt);
    }
    void run(double seconds, const VehicleInput& input) {
        for (long i = std::lround(seconds / options_.dt); i > 0; --i) step(input);
    }
    void set_speed(double v) {
        world_.set_velocity(chassis_, {v, 0, 0});
        for (const WheelDef& wheel : vehicle_.def().wheels) {
            if (wheel.body.is_null()) continue;
            world_.set_velocity(wheel.body, {v, 0, 0});
            world_.set_angular_velocity(wheel.body, {0, v / kRadius, 0});
        }
    }
    /// Holds the speed, with this steering.
    void cruise(double speed, double steer) {
        step({.throttle = std::clamp(2 * (speed - state().speed), 0.0, 1.0),
              .steer = steer,
              .gear = 1});
    }
    double hub_height() const { return world_.state(vehicle_.def().wheels[0].body).position.z; }
    double lateral_acceleration() const {
        const BodyState b = body();
        return std::hypot(b.velocity.x, b.velocity.y) * b.angular_velocity.z;
    }

  private:
    Vehicle make() {
        const Quatd turn = from_axis_angle(Vec3d{0, -1, 0}, options_.slope);
        const auto placed = [&](const Vec3d& p) { return rotate(turn, p); };
        BodyDef ground = fixed(body_of(PlaneDef{placed({0, 0, 1}), 0}));
        world_.add_body(ground).value();
        BodyDef chassis = body_of(BoxDef{{4, 1.7, 0.4}});
        chassis.mass = kMass;
        chassis.position = placed({0, 0, options_.height});
        chassis.orientation = turn;
        VehicleDef def;
        def.chassis = chassis_ = world_.add_body(chassis).value();
        def.forward = placed({1, 0, 0});
        def.up = placed({0, 0, 1});
        for (int i = 0; i < 4; ++i) {
            const Vec3d hub =
                placed({(i < 2 ? 0.5 : -0.5) * kBase, (i % 2 == 0 ? 0.5 : -0.5) * kTrack, kRadius});
            WheelDef wheel{.position = hub,
                           .radius = kRadius,
                           .inertia = kWheelInertia,
                           .steered = i < 2,
                           .driven = i >= 2 || options_.front_driven};
            if (!options_.rays) add_wheel(hub, turn, wheel);
            def.wheels.push_back(wheel);
        }
        def.tire.friction = options_.friction;
        def.tire.load_sensitivity = options_.load_sensitivity;
        def.suspension = options_.suspension;
        def.drag = options_.drag;
        def.steer_rate = options_.steer_rate;
        if (options_.torque > 0) {
            def.engine = EngineDef{.torque = {{0, options_.torque}}};
            def.engine->idle_rpm = 0;
        }
        return Vehicle::make(world_, def).value();
    }

    BodyDef body_of(const ShapeGeometry& geometry) const {
        return validation::body(geometry, options_.friction);
    }

    void add_wheel(const Vec3d& hub, const Quatd& turn, WheelDef& wheel) {
        BodyDef def = body_of(CylinderDef{kRadius, options_.width});
        def.mass = kWheelMass;
        def.position = hub;
        def.orientation = turn * from_axis_angle(Vec3d{1, 0, 0}, kPi / 2);
        wheel.body = world_.add_body(def).value();
        wheel.joint = join(world_,
                           WheelJoint{.axis = rotate(turn, Vec3d{0, 1, 0}),
                                      .steer_axis = rotate(turn, Vec3d{0, 0, 1})},
                           chassis_, wheel.body, hub);
    }

    CarOptions options_;
    World world_;
    BodyId chassis_;
    Vehicle vehicle_;
};

/// Mean acceleration from one time after full throttle to another.
double acceleration(Car& car, double from, double to) {
    car.run(1, {});
    car.run(from, {.throttle = 1});
    const double v = car.state().speed;
    car.run(to - from, {.throttle = 1});
    return (car.state().speed - v) / (to - from);
}

// Rear wheels that spin under the torque T. F = mu N is their force, N their load, I the inertia of
// two wheels; front wheels roll.
//
//     m a = F - I a/r²,   N L = m g L/2 + m a h + I a/r + (T - F r)
//
// The last two terms are the reaction to the spin that front and rear wheels gain.
double rear_traction(const Car& car, double torque) {
    const double m = car.mass(), h = car.center_height(), i = 2 * kWheelInertia;
    const double per_load = kFriction / (m + i / (kRadius * kRadius)); // a = per_load N
    return per_load * (m * kGravity * kBase / 2 + torque) /
           (kBase + kFriction * kRadius - per_load * (m * h + i / kRadius));
}

/// The lateral acceleration that the brush model gives to wheels that move as they do, with the
/// load that moves to the outer wheels: m a h / track, half of it on each axle.
double lateral_acceleration_of_model(const Car& car, double load_sensitivity) {
    const BodyState b = car.body();
    const Vec3d v = inverse_rotate(b.orientation, b.velocity);
    const double yaw = b.angular_velocity.z, m = car.mass(), rest = m * kGravity / 4;
    double a = 0;
    for (int iteration = 0; iteration < 50; ++iteration) {
        double force = 0;
        for (std::size_t i = 0; i < 4; ++i) {
            const double x = (i < 2 ? 0.5 : -0.5) * kBase, y = (i % 2 == 0 ? 0.5 : -0.5) * kTrack;
            const double steer = car.state().wheels[i].steer;
            const double vx = v.x - yaw * y, vy = v.y + yaw * x;
            const double along = vx * std::cos(steer) + vy * std::sin(steer);
            const double across = vy * std::cos(steer) - vx * std::sin(steer);
            const double moved = 0.5 * m * a * car.center_height() / kTrack;
            const double load = rest + (y > 0 ? -moved : moved);
            const double friction = kFriction * (1 - load_sensitivity * (load / rest - 1));
            force += brush_tire_force({}, 0, across / along, friction, load).y * std::cos(steer);
        }
        a = 0.5 * a + 0.5 * force / (m * v.x / std::hypot(v.x, v.y));
    }
    return a;
}

/// The lateral acceleration at which the inner wheels carry nothing, from two loads before.
double lift_acceleration(Car& car) {
    double level[2] = {0.1, 0.03}, at[2]{}, load[2]{};
    car.set_speed(12);
    car.run(1, {.gear = 0});
    for (int k = 0; k < 2; ++k) {
        do {
            car.cruise(12, 1);
            load[k] = (car.state().wheels[0].load + car.state().wheels[2].load) /
                      (0.5 * car.mass() * kGravity);
            at[k] = car.lateral_acceleration();
        } while (load[k] > level[k] && car.time() < 60);
    }
    return at[1] + (at[1] - at[0]) * load[1] / (load[0] - load[1]);
}

double braking_error(bool rays, double dt) {
    Car car({.rays = rays, .dt = dt});
    car.set_speed(25);
    car.run(1, {});
    const double v = car.state().speed, from = car.body().position.x;
    car.run(5, {.brake = 1});
    const double expected = v * v / (2 * kFriction * kGravity);
    return (car.body().position.x - from) / expected - 1;
}

void check_straight(Reporter& reporter, const std::string& method, bool rays) {
    const auto expect = [&](const std::string& what, double expected, double got) {
        reporter.expect(method, what, {expected}, {got}, relative(got, expected), 0.02);
    };
    Car all({.rays = rays, .torque = 5000});
    expect("acceleration, all wheels spin, m/s2", kFriction * kGravity, acceleration(all, 0.5, 1));
    Car rear({.rays = rays, .torque = 3000, .front_driven = false});
    const double got = acceleration(rear, 0.5, 1);
    expect("acceleration, rear wheels spin, m/s2", rear_traction(rear, 3000), got);
    Car engine({.rays = rays, .torque = 800});
    const double inertia = 4 * kWheelInertia / (kRadius * kRadius);
    expect("acceleration by the engine, m/s2", 800 / kRadius / (engine.mass() + inertia),
           acceleration(engine, 1, 3));
    const double error = braking_error(rays, kStep);
    const double distance = 25 * 25 / (2 * kFriction * kGravity);
    reporter.expect(method, "braking distance from 25 m/s, m", {distance}, {distance * (1 + error)},
                    std::abs(error), 0.02);
    reporter.report(method, "its error at half the step", {0}, {braking_error(rays, kStep / 2)},
                    std::abs(braking_error(rays, kStep / 2)));
    Car fast({.rays = rays, .torque = 400, .drag = 0.8});
    fast.set_speed(40);
    fast.run(80, {.throttle = 1});
    expect("top speed, m/s", std::sqrt(400 / kRadius / 0.8), fast.state().speed);
    Car parked({.rays = rays, .slope = 0.3});
    parked.run(2, {.brake = 1});
    const Vec3d from = parked.body().position;
    parked.run(10, {.brake = 1});
    const double drift = length(parked.body().position - from);
    reporter.expect(method, "drift in 10 s with brakes on a slope, m", {0}, {drift}, drift, 1e-3);
}

void check_cornering(Reporter& reporter, const std::string& method, bool rays) {
    for (const double steer : {0.2, 0.35}) {
        Car car({.rays = rays, .torque = 1500, .front_driven = false, .load_sensitivity = 0.1});
        car.set_speed(12);
        for (int i = 0; i < 900; ++i) car.cruise(12, steer);
        const double expected = lateral_acceleration_of_model(car, 0.1);
        const double got = car.lateral_acceleration();
        reporter.expect(method,
                        "lateral acceleration, steered by " +
                            std::to_string(steer * 0.5).substr(0, 5) + " rad, m/s2",
                        {expected}, {got}, relative(got, expected), 0.02);
    }
}

CarOptions tall_car(bool rays, double width) {
    return {.rays = rays,
            .height = 1.5,
            .width = width,
            .friction = 1.2,
            .torque = 1500,
            .front_driven = false,
            .suspension = {5, 0.4},
            .steer_rate = 0.004};
}

/// N/m of one edge of a tire, from how deep a car at rest stands in the ground. Infinite, if rigid.
double edge_stiffness(const CarOptions& options) {
    Car car(options);
    car.run(2, {.brake = 1});
    const double sunk = kRadius - car.hub_height();
    return sunk > 1e-5 ? car.mass() * kGravity / 4 / (2 * sunk)
                       : std::numeric_limits<double>::infinity();
}

// When the inner wheels lift, those outside carry N = m g/2 each. The springs, of the stiffness
// M w²/4 under the chassis M, then differ by s = 2 g (m/M)/w² in length. Let k be the stiffness of
// one edge of a tire of width b. The outer tires give by N/2k on both edges, while the inner ones
// stand on one edge, b/2 lean higher; or by N/k on the outer edge alone, where both kinds do.
//
//     lean = (s + N/2k)/(track - b/2),  offset = b/2 (k b lean/N)      while k b lean < N
//     lean = (s + N/k)/track,           offset = b/2                   on the outer edge
//     a = g (track/2 + offset - h lean)/(h + 4 I/(m r))
//
// The last term: wheels that spin at v/r while the car turns at a/v lift the inner side, too.
double lift_acceleration_of_model(const Car& car, bool rays, double width, double stiffness) {
    const double w = 2 * kPi * 5, h = car.center_height(), load = car.mass() * kGravity / 2;
    const double springs = 2 * kGravity * car.mass() / kMass / (w * w);
    if (rays) return kGravity * (kTrack / 2 - h * springs / kTrack) / h;
    const double sunk = load / stiffness;
    double lean = (springs + sunk / 2) / (kTrack - width / 2);
    if (width * lean > sunk) lean = (springs + sunk) / kTrack;
    const double offset = 0.5 * width * std::min(1.0, sunk > 0 ? width * lean / sunk : 1.0);
    const double gyroscopic = 4 * kWheelInertia / kRadius / car.mass();
    return kGravity * (kTrack / 2 + offset - h * lean) / (h + gyroscopic);
}

void check_roll_over(Reporter& reporter, const std::string& method, const CarOptions& options) {
    Car car(options);
    const double k = options.rays ? 0 : edge_stiffness(options);
    const double expected = lift_acceleration_of_model(car, options.rays, options.width, k);
    const double got = lift_acceleration(car);
    const std::string tires =
        options.rays ? "" : ", tires of " + std::to_string(options.width).substr(0, 4) + " m";
    reporter.expect(method, "lateral acceleration of roll-over" + tires + ", m/s2", {expected},
                    {got}, relative(got, expected), 0.02);
}

} // namespace

void check_vehicle(Reporter& reporter) {
    for (const bool rays : {false, true}) {
        const std::string method = rays ? "fast, rays" : "fast";
        check_straight(reporter, method, rays);
        check_cornering(reporter, method, rays);
        if (rays) check_roll_over(reporter, method, tall_car(rays, 0));
    }
    for (const double width : {0.01, 0.1, 0.2, 0.3})
        check_roll_over(reporter, "fast", tall_car(false, width));
    CarOptions rigid = tall_car(false, 0.2);
    rigid.method = Method::faithful;
    rigid.steer_rate = 0.008; // for time
    check_roll_over(reporter, "faithful", rigid);
}

} // namespace rigor::validation
