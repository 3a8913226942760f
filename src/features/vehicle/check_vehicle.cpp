#include "features/vehicle/check_vehicle.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace rigor::vehicle {
namespace {

std::string text(double x) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%g", x);
    return digits;
}

Error broken(std::string where, std::string rule) {
    return {ErrorCode::invalid_value, std::move(where), std::move(rule)};
}

/// A number and the range it must be in.
struct NumberRule {
    const char* where;
    double value, lo, hi;
    bool without_lo = false;
};

Result<void> check_numbers(std::initializer_list<NumberRule> rules) {
    for (const NumberRule& r : rules) {
        const bool above = r.without_lo ? r.value > r.lo : r.value >= r.lo;
        if (above && r.value <= r.hi) continue;
        std::string rule =
            "must be " + std::string(r.without_lo ? "above " : "at least ") + text(r.lo);
        if (std::isfinite(r.hi)) rule += " and at most " + text(r.hi);
        return broken(r.where, rule + ", got " + text(r.value));
    }
    return {};
}

constexpr double kMost = 1e300;

Result<void> check_engine(const EngineDef& e) {
    if (e.torque.empty()) return broken("engine.torque", "must have at least one point");
    for (std::size_t i = 0; i < e.torque.size(); ++i) {
        const TorquePoint& p = e.torque[i];
        if (!(p.rpm >= 0 && p.torque >= 0 && p.rpm < kMost && p.torque < kMost))
            return broken("engine.torque", "must not be negative, and finite");
        if (i > 0 && !(p.rpm > e.torque[i - 1].rpm))
            return broken("engine.torque", "must have ascending rpm");
    }
    if (e.gears.empty()) return broken("engine.gears", "must have at least one ratio");
    for (std::size_t i = 0; i < e.gears.size(); ++i)
        if (!(e.gears[i] > 0 && e.gears[i] < kMost) || (i > 0 && !(e.gears[i] < e.gears[i - 1])))
            return broken("engine.gears", "must be positive and descending");
    const double endless = std::numeric_limits<double>::infinity();
    if (auto checked = check_numbers({{"engine.idle_rpm", e.idle_rpm, 0, kMost},
                                      {"engine.redline_rpm", e.redline_rpm, 0, endless, true},
                                      {"engine.braking", e.braking, 0, kMost},
                                      {"engine.reverse", e.reverse, 0, kMost, true},
                                      {"engine.final_drive", e.final_drive, 0, kMost, true},
                                      {"engine.efficiency", e.efficiency, 0, 1, true},
                                      {"engine.shift_up_rpm", e.shift_up_rpm, 0, e.redline_rpm},
                                      {"engine.shift_down_rpm", e.shift_down_rpm, 0, kMost},
                                      {"engine.shift_time", e.shift_time, 0, kMost}});
        !checked)
        return checked;
    if (!(e.idle_rpm < e.redline_rpm))
        return broken("engine.idle_rpm", "must be below the redline, got " + text(e.idle_rpm));
    if (e.braking > 0 && !std::isfinite(e.redline_rpm))
        return broken("engine.braking", "needs a redline_rpm, at which it is given");
    const double up = e.shift_up_rpm > 0 ? e.shift_up_rpm : 0.85 * e.redline_rpm;
    const double down = e.shift_down_rpm > 0 ? e.shift_down_rpm : 0.4 * e.redline_rpm;
    if (e.gears.size() > 1 && std::isfinite(up) && !(down < up))
        return broken("engine.shift_down_rpm", "must be below shift_up_rpm, got " + text(down));
    return {};
}

Result<void> check_wheel(const World& world, const VehicleDef& def, std::size_t i) {
    const WheelDef& wheel = def.wheels[i];
    const std::string where = "wheels[" + std::to_string(i) + "]";
    if (!(wheel.radius > 0 && wheel.radius < kMost))
        return broken(where + ".radius", "must be positive, got " + text(wheel.radius));
    for (std::size_t k = 0; k < i; ++k) {
        const WheelDef& other = def.wheels[k];
        const bool same = wheel.body.is_null()
                              ? other.body.is_null() && other.position == wheel.position
                              : other.body == wheel.body || other.joint == wheel.joint;
        if (same) return broken(where, "is wheels[" + std::to_string(k) + "] again");
    }
    if (wheel.body.is_null()) {
        if (!(wheel.inertia > 0 && wheel.inertia < kMost))
            return broken(where + ".inertia", "must be positive, got " + text(wheel.inertia));
        return is_finite(wheel.position) ? Result<void>()
                                         : broken(where + ".position", "must be finite");
    }
    if (!world.is_valid(wheel.body) || world.type(wheel.body) != BodyType::dynamic_body ||
        wheel.body == def.chassis)
        return broken(where + ".body", "must be a dynamic body other than the chassis");
    const auto has_joint = [&](BodyId body) {
        const std::vector<JointId> joints = world.joints(body);
        return std::find(joints.begin(), joints.end(), wheel.joint) != joints.end();
    };
    if (!has_joint(wheel.body) || !has_joint(def.chassis))
        return broken(where + ".joint", "must be a wheel joint between the chassis and the wheel");
    return {};
}

Result<void> check_method(const World& world, const VehicleDef& def) {
    const Method method = world.settings().method;
    const bool has_bodies = std::any_of(def.wheels.begin(), def.wheels.end(),
                                        [](const WheelDef& w) { return !w.body.is_null(); });
    if (!has_bodies || method == Method::fast || method == Method::faithful) return {};
    return Error{ErrorCode::unsupported, "method",
                 "vehicles with wheel bodies need the contact forces that \"fast\" and "
                 "\"faithful\" report, \"" +
                     std::string(name(method)) +
                     "\" does not; ray_cast: true works under every method"};
}

} // namespace

Result<void> check_vehicle(const World& world, const VehicleDef& def) {
    if (auto checked = check_method(world, def); !checked) return checked;
    if (!world.is_valid(def.chassis) || world.type(def.chassis) != BodyType::dynamic_body)
        return broken("chassis", "must be a dynamic body");
    if (def.wheels.empty()) return broken("wheels", "must have at least one wheel");
    for (std::size_t i = 0; i < def.wheels.size(); ++i)
        if (auto checked = check_wheel(world, def, i); !checked) return checked;
    if (!(std::abs(length(def.forward) - 1) < 1e-3 && std::abs(length(def.up) - 1) < 1e-3 &&
          std::abs(dot(def.forward, def.up)) < 1e-3))
        return broken("forward", "must be a unit at right angles to up");
    if (def.engine)
        if (auto checked = check_engine(*def.engine); !checked) return checked;
    const TireDef& tire = def.tire;
    const SpringDef& spring = def.suspension;
    return check_numbers(
        {{"tire.friction", tire.friction, 0, kMost},
         {"tire.longitudinal_stiffness", tire.longitudinal_stiffness, 0, kMost, true},
         {"tire.lateral_stiffness", tire.lateral_stiffness, 0, kMost, true},
         {"tire.relaxation_length", tire.relaxation_length, 0, kMost, true},
         {"tire.load_sensitivity", tire.load_sensitivity, 0, 1},
         {"tire.reference_load", tire.reference_load, 0, kMost},
         {"tire.rolling_resistance", tire.rolling_resistance, 0, kMost},
         {"suspension.frequency_hz", spring.frequency_hz, 0, kMost, true},
         {"suspension.damping_ratio", spring.damping_ratio, 0, kMost},
         {"travel", def.travel.hi - def.travel.lo, 0, kMost},
         {"brake", def.brake.value_or(0), 0, kMost},
         {"hand_brake", def.hand_brake.value_or(0), 0, kMost},
         {"max_steer", def.max_steer, 0, 1.5},
         {"steer_rate", def.steer_rate, 0, kMost, true},
         {"drag", def.drag, 0, kMost}});
}

void check_input(const VehicleDef& def, const VehicleInput& input) {
    const auto require = [](bool holds, const char* rule, double got) {
        if (!holds) throw UsageError(std::string(rule) + ", got " + text(got));
    };
    require(input.throttle >= 0 && input.throttle <= 1, "throttle must be 0 to 1", input.throttle);
    require(input.brake >= 0 && input.brake <= 1, "brake must be 0 to 1", input.brake);
    require(input.steer >= -1 && input.steer <= 1, "steer must be -1 to 1", input.steer);
    const int gears = def.engine ? static_cast<int>(def.engine->gears.size()) : 1;
    const int gear = input.gear.value_or(0);
    require(gear >= -1 && gear <= gears, "the vehicle has no such gear", gear);
}

} // namespace rigor::vehicle
