// Vehicle: construction, controls, and the state that it carries from step to step.

#include "rigor/vehicle.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/hash.h"
#include "features/vehicle/check_vehicle.h"
#include "features/vehicle/statics.h"
#include "features/vehicle/vehicle_update.h"

namespace rigor {
namespace {

constexpr double kBrakeReserve = 2; // brakes that are not given lock wheels of twice the load

/// The tire's force replaces what the wheel's contact would do along the ground.
void remove_friction(World& world, BodyId wheel) {
    for (const ShapeId shape : world.shapes(wheel)) {
        Material material = world.material(shape);
        material.static_friction = material.kinetic_friction = 0;
        material.rolling_resistance = material.torsional_friction = material.patch_radius = 0;
        material.id = -1; // no pair of materials may bring friction back
        world.set_material(shape, material);
    }
}

} // namespace

Result<Vehicle> Vehicle::make(World& world, VehicleDef def) {
    if (auto checked = vehicle::check_vehicle(world, def); !checked) return checked.error();
    Vehicle result;
    const Posed pose = world.pose(def.chassis);
    result.local_forward_ = inverse_rotate(pose.q, def.forward);
    result.local_up_ = inverse_rotate(pose.q, def.up);
    const Vec3d left = cross(def.up, def.forward), center = world.state(def.chassis).position;
    const double gravity = length(world.settings().gravity);
    const auto in_plane = [&](const Vec3d& p) {
        return Vec3d{dot(p - center, def.forward), dot(p - center, left), 0};
    };
    std::vector<Vec3d> places;
    for (const WheelDef& wheel : def.wheels) {
        const bool is_ray = wheel.body.is_null();
        const Vec3d hub = is_ray ? wheel.position : world.state(wheel.body).position;
        places.push_back(in_plane(hub));
        result.local_hubs_.push_back(inverse_transform(pose, hub));
        result.local_middle_ += result.local_hubs_.back() / static_cast<double>(def.wheels.size());
        result.local_axles_.push_back(
            is_ray ? left : inverse_rotate(world.state(wheel.body).orientation, left));
    }
    const double mass = world.mass_properties(def.chassis).mass;
    const std::vector<double> shares = vehicle::share_weight(places, {});
    for (std::size_t i = 0; i < shares.size(); ++i) {
        const BodyId body = def.wheels[i].body;
        const double own = body.is_null() ? 0 : world.mass_properties(body).mass;
        result.sprung_masses_.push_back(shares[i] * mass);
        result.static_loads_.push_back((shares[i] * mass + own) * gravity);
    }
    result.def_ = std::move(def);
    result.state_.wheels.resize(shares.size());
    result.motor_torques_.assign(shares.size(), 0);
    result.choose_brakes();
    try {
        result.adopt_wheels(world);
    } catch (const UsageError& e) {
        return Error{ErrorCode::invalid_value, "wheels", e.what()};
    }
    return result;
}

void Vehicle::choose_brakes() {
    double enough = 0;
    for (std::size_t i = 0; i < static_loads_.size(); ++i)
        enough = std::max(enough, kBrakeReserve * std::max(def_.tire.friction, 1.0) *
                                      static_loads_[i] * def_.wheels[i].radius);
    def_.brake = def_.brake.value_or(enough);
    def_.hand_brake = def_.hand_brake.value_or(enough);
}

// A spring of a joint is given by how its two bodies would swing against each other; the one that
// is wanted by how the sprung mass swings on it. The stiffness is the same.
void Vehicle::adopt_wheels(World& world) {
    for (std::size_t i = 0; i < def_.wheels.size(); ++i) {
        const WheelDef& wheel = def_.wheels[i];
        state_.wheels[i].hub = world.state(def_.chassis).position;
        if (wheel.body.is_null()) continue;
        const Vec3d hub = world.state(wheel.body).position;
        state_.wheels[i].hub = hub;
        world.set_steer(wheel.joint, 0);
        const double inverse_mass = vehicle::inverse_mass_at(world, wheel.body, hub, def_.up) +
                                    vehicle::inverse_mass_at(world, def_.chassis, hub, def_.up);
        const double stiffer = std::sqrt(sprung_masses_[i] * inverse_mass);
        world.set_spring(wheel.joint, SpringDef{def_.suspension.frequency_hz * stiffer,
                                                def_.suspension.damping_ratio * stiffer});
        world.set_limits(wheel.joint, def_.travel);
        world.set_motor(wheel.joint, std::nullopt);
        remove_friction(world, wheel.body);
    }
}

double Vehicle::load_factor(std::size_t wheel, double load) const {
    const double reference =
        def_.tire.reference_load > 0 ? def_.tire.reference_load : static_loads_[wheel];
    if (!(reference > 0)) return 1;
    return std::max(1 - def_.tire.load_sensitivity * (load / reference - 1), 0.1);
}

void Vehicle::set_input(const VehicleInput& input) {
    vehicle::check_input(def_, input);
    input_ = input;
}

void Vehicle::update(World& world, double dt) {
    if (!(dt > 0 && dt < 1e300)) throw UsageError("the step of a vehicle must be positive");
    VehicleUpdate update(*this, world, dt);
    if (!update.may_sleep()) update.run();
}

// The force of a ray acts through the whole step: a stiffer spring or damper would diverge.
SpringDef Vehicle::suspension_at(double dt) const {
    const bool has_rays = std::any_of(def_.wheels.begin(), def_.wheels.end(),
                                      [](const WheelDef& wheel) { return wheel.body.is_null(); });
    if (!has_rays) return def_.suspension;
    const double given = 2 * std::numbers::pi * def_.suspension.frequency_hz;
    const double w = std::min(given, 0.6 / dt);
    const double damping = std::min(2 * def_.suspension.damping_ratio * given, 0.8 / dt);
    if (w == given && damping < 0.8 / dt) return def_.suspension;
    return {w / (2 * std::numbers::pi), damping / (2 * w)};
}

std::uint64_t Vehicle::state_hash() const {
    Hasher hasher;
    for (const double x : {input_.throttle, input_.brake, input_.steer, state_.speed, state_.rpm,
                           state_.steer, state_.shifting, state_.last_dt})
        hasher.add_value(x);
    hasher.add_value(state_.gear);
    hasher.add_value(input_.gear.value_or(-2)); // none: automatic
    hasher.add(std::uint64_t{input_.hand_brake});
    for (const WheelState& w : state_.wheels) {
        for (const double x :
             {w.spin, w.steer, w.travel, w.load, w.deflection[0], w.deflection[1], w.force[0],
              w.force[1], w.velocity[0], w.velocity[1], w.acceleration[0], w.acceleration[1],
              w.drive_torque, w.brake_torque, w.hub.x, w.hub.y, w.hub.z})
            hasher.add_value(x);
        hasher.add(std::uint64_t{w.touches});
    }
    for (const double torque : motor_torques_) hasher.add_value(torque);
    return hasher.value();
}

} // namespace rigor
