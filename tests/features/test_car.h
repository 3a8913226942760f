// A car on four wheels for the tests, and the ground it drives on.
#pragma once

#include <functional>

#include "rigor/rotation.h"
#include "rigor/vehicle.h"
#include "rigor/world.h"

namespace rigor::test {

constexpr double kGravity = 9.81;

struct CarOptions {
    Method method = Method::fast;
    double dt = 1.0 / 60;
    double friction = 0.8;               ///< of tire and ground together
    double height = 0.55;                ///< of the center of mass of the chassis
    double track = 1.5, base = 2.6;      ///< m
    double mass = 1200, wheel_mass = 15; ///< kg
    double radius = 0.3, width = 0.2;    ///< of a wheel
    double slope = 0;                    ///< rad, uphill is forward
    double lift = 0;                     ///< m above the ground
    bool rays = false;
    bool front_driven = false, rear_driven = true;
    std::function<void(VehicleDef&)> change = {};
    std::function<void(World&)> build = {}; ///< instead of a plane
};

/// Wheels 0 and 1 are in front and steered; 0 and 2 on the left.
class Car {
  public:
    explicit Car(const CarOptions& options)
        : options_(options), world_(settings(options)), vehicle_(make(options)) {}

    World& world() { return world_; }
    Vehicle& vehicle() { return vehicle_; }
    BodyId chassis() const { return chassis_; }
    BodyId wheel(std::size_t i) const { return vehicle_.def().wheels[i].body; }
    const WheelState& wheel_state(std::size_t i) const { return vehicle_.state().wheels[i]; }
    BodyState body() const { return world_.state(chassis_); }
    double speed() const { return vehicle_.state().speed; }
    double total_mass() const {
        return options_.mass + (options_.rays ? 0 : 4 * options_.wheel_mass);
    }
    double wheel_inertia() const {
        return options_.wheel_mass * options_.radius * options_.radius / 2;
    }
    /// Of all of it, over the ground.
    double center_height() const {
        if (options_.rays) return options_.height;
        return (options_.mass * options_.height + 4 * options_.wheel_mass * options_.radius) /
               total_mass();
    }
    double momentum(const Vec3d& direction) const {
        double sum = options_.mass * dot(body().velocity, direction);
        if (!options_.rays)
            for (std::size_t i = 0; i < 4; ++i)
                sum += options_.wheel_mass * dot(world_.state(wheel(i)).velocity, direction);
        return sum;
    }

    void step() {
        vehicle_.update(world_, options_.dt);
        world_.step(options_.dt);
    }
    void run(double seconds, const VehicleInput& input) {
        vehicle_.set_input(input);
        const long steps = std::lround(seconds / options_.dt);
        for (long i = 0; i < steps; ++i) step();
    }
    /// All of it moves forward, wheels rolling.
    void set_speed(double v) {
        const Vec3d along = rotate(turn(), Vec3d{v, 0, 0});
        world_.set_velocity(chassis_, along);
        if (options_.rays) return;
        for (std::size_t i = 0; i < 4; ++i) {
            world_.set_velocity(wheel(i), along);
            world_.set_angular_velocity(wheel(i), rotate(turn(), Vec3d{0, v / options_.radius, 0}));
        }
    }
    Quatd turn() const { return from_axis_angle(Vec3d{0, -1, 0}, options_.slope); }

  private:
    static WorldSettings settings(const CarOptions& options) {
        WorldSettings settings;
        settings.method = options.method;
        settings.may_sleep = false;
        return settings;
    }

    Vehicle make(const CarOptions& o) {
        if (o.build) {
            o.build(world_);
        } else {
            BodyDef ground;
            ground.type = BodyType::static_body;
            ground.shapes = {{PlaneDef{rotate(turn(), Vec3d{0, 0, 1}), 0}}};
            set_friction(ground, o.friction);
            world_.add_body(ground).value();
        }
        VehicleDef def;
        BodyDef chassis;
        chassis.shapes = {{BoxDef{{4, 1.7, 0.4}}}};
        chassis.mass = o.mass;
        chassis.orientation = turn();
        chassis.position = rotate(turn(), Vec3d{0, 0, o.height + o.lift});
        def.chassis = chassis_ = world_.add_body(chassis).value();
        for (int i = 0; i < 4; ++i) {
            const bool front = i < 2;
            const Vec3d hub =
                rotate(turn(), Vec3d{(front ? 0.5 : -0.5) * o.base,
                                     (i % 2 == 0 ? 0.5 : -0.5) * o.track, o.radius + o.lift});
            WheelDef wheel{.position = hub,
                           .radius = o.radius,
                           .inertia = wheel_inertia(),
                           .steered = front,
                           .driven = front ? o.front_driven : o.rear_driven,
                           .hand_braked = !front};
            if (!o.rays) add_wheel(o, hub, wheel);
            def.wheels.push_back(wheel);
        }
        def.forward = rotate(turn(), Vec3d{1, 0, 0});
        def.up = rotate(turn(), Vec3d{0, 0, 1});
        def.tire.friction = o.friction;
        if (o.change) o.change(def);
        return Vehicle::make(world_, def).value();
    }

    void add_wheel(const CarOptions& o, const Vec3d& hub, WheelDef& wheel) {
        BodyDef def;
        def.shapes = {{CylinderDef{o.radius, o.width}}};
        def.mass = o.wheel_mass;
        def.position = hub;
        def.orientation = turn() * from_axis_angle(Vec3d{1, 0, 0}, 1.5707963267948966);
        wheel.body = world_.add_body(def).value();
        JointDef joint{.a = chassis_, .b = wheel.body, .anchor = hub};
        joint.kind = WheelJoint{.axis = rotate(turn(), Vec3d{0, 1, 0}),
                                .steer_axis = rotate(turn(), Vec3d{0, 0, 1})};
        wheel.joint = world_.add_joint(joint).value();
    }

    static void set_friction(BodyDef& def, double friction) {
        for (ShapeDef& shape : def.shapes)
            shape.material.static_friction = shape.material.kinetic_friction = friction;
    }

    CarOptions options_;
    World world_;
    BodyId chassis_;
    Vehicle vehicle_;
};

/// An engine of one gear and the same torque at every speed: N m of all driven wheels together.
inline EngineDef constant_engine(double torque) {
    EngineDef engine;
    engine.torque = {{0, torque}};
    engine.idle_rpm = 0;
    return engine;
}

} // namespace rigor::test
