#include "features/vehicle/vehicle_update.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "features/vehicle/statics.h"
#include "rigor/rotation.h"

namespace rigor {

using vehicle::TireOutcome;
using vehicle::TireStep;

namespace {

constexpr double kMaxPrediction = 50; // m/s²: landings and crashes tell nothing about what follows
constexpr double kBumpStiffness = 5;  // of the bump stop of a ray, in springs

/// atan2 by the engine's own functions, the same on every machine.
double angle_of(double x, double y) {
    const double r = std::sqrt(x * x + y * y);
    if (!(r > 0)) return 0;
    return to_rotation_vector(normalize(Quatd{r + x, 0, 0, y})).z;
}

} // namespace

VehicleUpdate::VehicleUpdate(Vehicle& vehicle, World& world, double dt)
    : def_(vehicle.def_),
      input_(vehicle.input_),
      state_(vehicle.state_),
      vehicle_(vehicle),
      world_(world),
      dt_(dt),
      has_chassis_(world.is_valid(def_.chassis)),
      wheels_(def_.wheels.size()) {
    if (!has_chassis_) return;
    const Quatd q = world.state(def_.chassis).orientation;
    forward_ = rotate(q, vehicle.local_forward_);
    up_ = rotate(q, vehicle.local_up_);
    state_.speed = dot(world.state(def_.chassis).velocity, forward_);
}

bool VehicleUpdate::may_sleep() const {
    if (input_.throttle > 0 || state_.steer != input_.steer * def_.max_steer) return false;
    if (has_chassis_ && world_.is_awake(def_.chassis)) return false;
    return std::all_of(def_.wheels.begin(), def_.wheels.end(), [&](const WheelDef& wheel) {
        return !world_.is_valid(wheel.body) || !world_.is_awake(wheel.body);
    });
}

void VehicleUpdate::run() {
    if (has_chassis_) steer(dt_);
    find_wheels();
    drive();
    for (std::size_t i = 0; i < wheels_.size(); ++i) {
        if (!wheels_[i].exists) continue;
        TireStep step = tire_step(i);
        predict(i, step);
        apply(i, vehicle::advance_tire(def_.tire, step, dt_));
    }
    apply_drag();
    state_.last_dt = dt_;
}

void VehicleUpdate::steer(double dt) {
    const double target = input_.steer * def_.max_steer, step = def_.steer_rate * dt;
    state_.steer += std::clamp(target - state_.steer, -step, step);
    for (std::size_t i = 0; i < wheels_.size(); ++i) {
        if (!def_.wheels[i].steered) continue;
        const double angle = steer_angle(i);
        const JointId joint = def_.wheels[i].joint;
        if (angle != state_.wheels[i].steer && world_.is_valid(joint))
            world_.set_steer(joint, angle);
        state_.wheels[i].steer = angle;
    }
}

// All axles meet in one point, on the line of the wheels that are not steered; the mean place of
// the steered ones has the angle of the steering.
double VehicleUpdate::steer_angle(std::size_t i) const {
    if (state_.steer == 0 || !def_.ackermann) return state_.steer;
    double steered_x = 0, fixed_x = 0;
    int steered = 0, fixed = 0;
    const Vec3d left = cross(vehicle_.local_up_, vehicle_.local_forward_);
    for (std::size_t k = 0; k < wheels_.size(); ++k) {
        const double x = dot(vehicle_.local_hubs_[k], vehicle_.local_forward_);
        (def_.wheels[k].steered ? steered_x : fixed_x) += x;
        ++(def_.wheels[k].steered ? steered : fixed);
    }
    if (fixed == 0) return state_.steer;
    const double axis = fixed_x / fixed, base = steered_x / steered - axis;
    if (std::abs(base) < 1e-6) return state_.steer;
    const Vec3d turned = rotate(from_axis_angle(Vec3d{0, 0, 1}, state_.steer), Vec3d{1, 0, 0});
    const Vec3d hub = vehicle_.local_hubs_[i];
    const double y = dot(hub - vehicle_.local_middle_, left);
    // The center is base/tan(steer) to the left; the wheel is across the line to it.
    const double x = dot(hub, vehicle_.local_forward_) - axis;
    const double side = (turned.y > 0) == (base > 0) ? 1 : -1;
    return angle_of((base * turned.x / turned.y - y) * side, x * side);
}

void VehicleUpdate::find_wheels() {
    for (std::size_t i = 0; i < wheels_.size(); ++i) {
        if (def_.wheels[i].body.is_null()) {
            find_ray_wheel(i);
        } else {
            find_body_wheel(i);
        }
        state_.wheels[i].load = wheels_[i].contact.load;
        touching_ += wheels_[i].contact.touches() ? 1 : 0;
    }
}

// The wheel's plane and the ground's meet in x. A wheel that lies on its side has no such line; any
// direction does, as its rim only slides.
void VehicleUpdate::set_contact_axes(Wheel& wheel, double radius) {
    const Vec3d n = wheel.contact.normal;
    Vec3d x = cross(wheel.axle, n);
    if (length(x) < 0.05) x = cross(n, std::abs(n.x) < 0.7 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0});
    wheel.x = normalize(x);
    wheel.y = cross(n, wheel.x);
    wheel.rolling = wheel.x * -radius;
    wheel.radius = radius;
}

void VehicleUpdate::find_body_wheel(std::size_t i) {
    const WheelDef& def = def_.wheels[i];
    Wheel& wheel = wheels_[i];
    WheelState& now = state_.wheels[i];
    wheel.exists = world_.is_valid(def.body);
    if (!wheel.exists) return;
    wheel.attached = has_chassis_ && world_.is_valid(def.joint);
    const BodyState body = world_.state(def.body);
    if (wheel.attached) {
        wheel.axle = rotate(from_axis_angle(up_, now.steer), cross(up_, forward_));
        now.travel = world_.joint_state(def.joint).coordinate;
    } else {
        wheel.axle = rotate(body.orientation, vehicle_.local_axles_[i]);
    }
    const Vec3d base = wheel.attached ? world_.state(def_.chassis).angular_velocity : Vec3d{};
    now.spin = dot(body.angular_velocity - base, wheel.axle);
    wheel.hub = body.position;
    wheel.inertia = vehicle::inertia_about(world_, def.body, wheel.axle);
    if (state_.last_dt > 0)
        wheel.contact = vehicle::wheel_contact(world_, def.body, now.hub, state_.last_dt);
    now.hub = wheel.hub;
    if (!wheel.contact.touches()) return;
    set_contact_axes(wheel, 0);
    wheel.rolling = cross(wheel.axle, wheel.contact.point - wheel.hub);
    wheel.radius = -dot(wheel.rolling, wheel.x);
}

void VehicleUpdate::find_ray_wheel(std::size_t i) {
    const WheelDef& def = def_.wheels[i];
    Wheel& wheel = wheels_[i];
    WheelState& now = state_.wheels[i];
    wheel.exists = wheel.attached = has_chassis_;
    if (!has_chassis_) return;
    wheel.axle = rotate(from_axis_angle(up_, now.steer), cross(up_, forward_));
    wheel.inertia = def.inertia;
    const Vec3d rest = transform(world_.pose(def_.chassis), vehicle_.local_hubs_[i]);
    const double reach = def_.travel.hi - def_.travel.lo + def.radius;
    const auto hit =
        world_.cast_ray({rest + up_ * def_.travel.hi, -up_, reach}, {.ignored = def_.chassis});
    const double upright = hit ? dot(hit->normal, up_) : 0;
    now.travel = upright > 0.2 ? def_.travel.hi - hit->distance + def.radius : def_.travel.lo;
    wheel.hub = now.hub = rest + up_ * now.travel;
    if (!(upright > 0.2)) return;
    wheel.contact.point = hit->point;
    wheel.contact.normal = hit->normal;
    wheel.contact.supports = {{{hit->body, hit->shape}, hit->point, 1}};
    const Vec3d v =
        world_.velocity_at(def_.chassis, hit->point) - world_.velocity_at(hit->body, hit->point);
    const double rate = -dot(v, hit->normal) / upright;
    const SpringDef suspension = vehicle_.suspension_at(dt_);
    const double w = 2 * std::numbers::pi * suspension.frequency_hz;
    const double damping = 2 * suspension.damping_ratio * w;
    const double mass = vehicle_.sprung_masses_[i];
    const double beyond = std::max(0.0, now.travel - def_.travel.hi);
    const double spring = w * w * (now.travel + kBumpStiffness * beyond);
    const double force = vehicle_.static_loads_[i] + mass * (spring + damping * rate);
    wheel.contact.load = std::max(0.0, force / upright);
    wheel.contact.supports[0].load = wheel.contact.load;
    set_contact_axes(wheel, def.radius);
}

void VehicleUpdate::drive() {
    state_.rpm = 0;
    if (!def_.engine || !has_chassis_) return;
    double spin = 0, radius = 0;
    std::size_t driven = 0;
    for (std::size_t i = 0; i < wheels_.size(); ++i) {
        if (!def_.wheels[i].driven || !wheels_[i].attached) continue;
        spin += state_.wheels[i].spin;
        radius += def_.wheels[i].radius;
        ++driven;
    }
    const double mean = 1 / static_cast<double>(std::max<std::size_t>(driven, 1));
    vehicle::shift(*def_.engine, input_, driven > 0 ? radius * mean : 1, dt_, state_);
    torque_ = vehicle::drive_torque(*def_.engine, state_, input_.throttle, spin * mean, driven);
    state_.rpm = torque_.rpm;
}

double VehicleUpdate::brake_torque(std::size_t i) const {
    if (!wheels_[i].attached) return 0;
    const double hand = input_.hand_brake && def_.wheels[i].hand_braked ? *def_.hand_brake : 0;
    return std::max(input_.brake * *def_.brake, hand) +
           def_.tire.rolling_resistance * wheels_[i].contact.load;
}

TireStep VehicleUpdate::tire_step(std::size_t i) const {
    const Wheel& wheel = wheels_[i];
    const WheelState& now = state_.wheels[i];
    TireStep step;
    step.inertia = wheel.inertia;
    step.spin = now.spin;
    step.brake = brake_torque(i);
    if (def_.wheels[i].driven && wheel.attached) {
        step.drive = torque_.torque;
        step.max_spin = torque_.max_spin;
    }
    if (!wheel.contact.touches()) return step;
    step.load = wheel.contact.load;
    step.friction =
        vehicle::ground_friction(world_, wheel.contact, def_) * vehicle_.load_factor(i, step.load);
    step.radius = wheel.radius;
    const BodyId carrier = def_.wheels[i].body.is_null() ? def_.chassis : def_.wheels[i].body;
    Vec3d v = world_.velocity_at(carrier, wheel.contact.point) -
              vehicle::ground_velocity(world_, wheel.contact);
    if (!def_.wheels[i].body.is_null()) v = v - wheel.rolling * now.spin;
    step.velocity[0] = dot(v, wheel.x);
    step.velocity[1] = dot(v, wheel.y);
    // A bound on the response: as if all wheels on the ground pushed where this one does.
    const BodyId pushed = wheel.attached ? def_.chassis : carrier;
    const Vec3d axes[] = {wheel.x, wheel.y};
    for (int k = 0; k < 2; ++k) {
        const double own = vehicle::inverse_mass_at(world_, pushed, wheel.contact.point, axes[k]);
        step.inverse_mass[k] = own * (wheel.attached ? touching_ : 1);
        for (const vehicle::GroundSupport& support : wheel.contact.supports)
            step.inverse_mass[k] +=
                vehicle::inverse_mass_at(world_, support.ground.body, support.point, axes[k]);
    }
    return step;
}

// Other forces than the tire's go on as in the last step: on a slope it is gravity. Without them
// the tire would answer its own push alone, and a car at rest would creep.
void VehicleUpdate::predict(std::size_t i, TireStep& step) {
    WheelState& now = state_.wheels[i];
    const bool touches = wheels_[i].contact.touches();
    for (int k = 0; k < 2; ++k) {
        const double change =
            (step.velocity[k] - now.velocity[k]) / std::max(state_.last_dt, 1e-12);
        now.acceleration[k] = touches && now.touches
                                  ? std::clamp(change, -kMaxPrediction, kMaxPrediction) -
                                        now.force[k] * step.inverse_mass[k]
                                  : 0;
        now.velocity[k] = step.velocity[k];
        step.acceleration[k] = now.acceleration[k];
        step.deflection[k] = touches ? now.deflection[k] : 0;
    }
    now.touches = touches;
}

void VehicleUpdate::apply(std::size_t i, const TireOutcome& outcome) {
    const Wheel& wheel = wheels_[i];
    WheelState& now = state_.wheels[i];
    const double gained = (outcome.spin - now.spin) * wheel.inertia / dt_;
    for (int k = 0; k < 2; ++k) {
        now.force[k] = outcome.force[k];
        now.deflection[k] = outcome.deflection[k];
    }
    now.drive_torque = outcome.drive;
    now.brake_torque = outcome.brake;
    now.spin = outcome.spin;
    Vec3d push = wheel.x * outcome.force[0] + wheel.y * outcome.force[1];
    if (def_.wheels[i].body.is_null()) {
        // The tire's force at the ground, and the reaction to the spin that the wheel gains.
        world_.apply_torque(def_.chassis, wheel.axle * -gained);
        push += wheel.contact.normal * wheel.contact.load;
        if (wheel.contact.touches()) world_.apply_force_at(def_.chassis, push, wheel.contact.point);
    } else {
        apply_to_body_wheel(i, outcome);
    }
    double loads = 0;
    for (const vehicle::GroundSupport& support : wheel.contact.supports) loads += support.load;
    for (const vehicle::GroundSupport& support : wheel.contact.supports)
        if (world_.type(support.ground.body) == BodyType::dynamic_body && loads > 0)
            world_.apply_force_at(support.ground.body, push * (-support.load / loads),
                                  support.point);
}

// Brakes are motors of the joints that hold the wheel with a limited torque: dry friction, solved
// together with everything else.
void VehicleUpdate::apply_to_body_wheel(std::size_t i, const TireOutcome& outcome) {
    const WheelDef& def = def_.wheels[i];
    const Wheel& wheel = wheels_[i];
    const Vec3d push = wheel.x * outcome.force[0] + wheel.y * outcome.force[1];
    if (wheel.contact.touches()) world_.apply_force_at(def.body, push, wheel.contact.point);
    if (!wheel.attached) return;
    transfer_moment(i, push);
    if (outcome.drive != 0) {
        world_.apply_torque(def.body, wheel.axle * outcome.drive);
        world_.apply_torque(def_.chassis, wheel.axle * -outcome.drive);
    }
    const double brake = brake_torque(i);
    if (brake != vehicle_.motor_torques_[i]) {
        world_.set_motor(
            def.joint, brake > 0 ? std::optional(MotorDef{.target_velocity = 0, .max_force = brake})
                                 : std::nullopt);
        vehicle_.motor_torques_[i] = brake;
    }
    // The spring of the joint pulls to where the vehicle was built; the weight is carried here.
    const Vec3d preload = up_ * (vehicle_.sprung_masses_[i] * length(world_.settings().gravity));
    world_.apply_force_at(def_.chassis, preload, wheel.hub);
    world_.apply_force_at(def.body, -preload, wheel.hub);
}

// What turns the wheel about other axes than its axle is carried by the chassis, at once. The joint
// would pass it on, but yield: it is as soft as the wheel is light, by 2 degrees under the moment
// of a lateral force, and half of the load would be back on the inner edge of a tire that leans.
// What the load does is known from the last step; a landing tells nothing about what follows. The
// joint does the rest, and a couple within the vehicle changes no sum.
void VehicleUpdate::transfer_moment(std::size_t i, const Vec3d& push) {
    constexpr double kMaxLoad = 4; // of that at rest
    const Wheel& wheel = wheels_[i];
    if (!wheel.contact.touches()) return;
    const double load = std::min(wheel.contact.load, kMaxLoad * vehicle_.static_loads_[i]);
    const Vec3d moment = cross(wheel.contact.point - wheel.hub, push + wheel.contact.normal * load);
    const Vec3d carried = moment - wheel.axle * dot(moment, wheel.axle);
    world_.apply_torque(def_.chassis, carried);
    world_.apply_torque(def_.wheels[i].body, -carried);
}

void VehicleUpdate::apply_drag() {
    if (!has_chassis_ || def_.drag == 0) return;
    const Vec3d v = world_.state(def_.chassis).velocity;
    world_.apply_force(def_.chassis, v * (-def_.drag * length(v)));
}

} // namespace rigor
