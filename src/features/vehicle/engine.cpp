#include "features/vehicle/engine.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace rigor::vehicle {
namespace {

constexpr double kRpm = 30 / std::numbers::pi; // of one rad/s

double shift_up_rpm(const EngineDef& engine) {
    return engine.shift_up_rpm > 0 ? engine.shift_up_rpm : 0.85 * engine.redline_rpm;
}

double shift_down_rpm(const EngineDef& engine) {
    return engine.shift_down_rpm > 0 ? engine.shift_down_rpm : 0.4 * engine.redline_rpm;
}

double crank_rpm(const EngineDef& engine, int gear, double spin) {
    return std::abs(spin * overall_ratio(engine, gear)) * kRpm;
}

/// The next gear; one that would be left again at once is not taken.
int automatic_gear(const EngineDef& engine, int gear, double spin, bool accelerates) {
    if (gear < 1) return 1;
    const int last = static_cast<int>(engine.gears.size());
    const double up = shift_up_rpm(engine), down = shift_down_rpm(engine);
    const double rpm = crank_rpm(engine, gear, spin);
    if (gear < last && accelerates && rpm > up && crank_rpm(engine, gear + 1, spin) > down)
        return gear + 1;
    if (gear > 1 && rpm < down && crank_rpm(engine, gear - 1, spin) < up) return gear - 1;
    return gear;
}

} // namespace

double engine_torque(const EngineDef& engine, double rpm) {
    const std::vector<TorquePoint>& curve = engine.torque;
    const auto above =
        std::lower_bound(curve.begin(), curve.end(), rpm,
                         [](const TorquePoint& point, double x) { return point.rpm < x; });
    if (above == curve.begin()) return curve.front().torque;
    if (above == curve.end()) return curve.back().torque;
    const TorquePoint &a = *(above - 1), &b = *above;
    return a.torque + (b.torque - a.torque) * (rpm - a.rpm) / (b.rpm - a.rpm);
}

double overall_ratio(const EngineDef& engine, int gear) {
    if (gear == 0) return 0;
    if (gear < 0) return -engine.reverse * engine.final_drive;
    return engine.gears[static_cast<std::size_t>(gear - 1)] * engine.final_drive;
}

void shift(const EngineDef& engine, const VehicleInput& input, double radius, double dt,
           VehicleState& state) {
    state.shifting = std::max(0.0, state.shifting - dt);
    if (input.gear) {
        state.gear = *input.gear;
        state.shifting = 0;
        return;
    }
    if (state.shifting > 0) return;
    const int gear = automatic_gear(engine, state.gear, state.speed / radius, input.throttle > 0);
    if (gear > 1 || state.gear > 1) // the first gear is in at once
        state.shifting = gear == state.gear ? 0 : engine.shift_time;
    state.gear = gear;
}

DriveTorque drive_torque(const EngineDef& engine, const VehicleState& state, double throttle,
                         double spin, std::size_t driven_wheels) {
    DriveTorque out;
    const double ratio = overall_ratio(engine, state.gear);
    out.rpm = std::max(engine.idle_rpm, crank_rpm(engine, state.gear, spin));
    if (ratio == 0 || driven_wheels == 0 || state.shifting > 0) return out;
    out.max_spin = engine.redline_rpm / (kRpm * std::abs(ratio));
    // A closed throttle brakes in proportion to the engine's speed, in its sense of rotation.
    const double braking =
        std::isfinite(engine.redline_rpm)
            ? (1 - throttle) * engine.braking * spin * ratio * kRpm / engine.redline_rpm
            : 0;
    const double crank = throttle * engine_torque(engine, out.rpm) - braking;
    out.torque = crank * ratio * engine.efficiency / static_cast<double>(driven_wheels);
    return out;
}

} // namespace rigor::vehicle
