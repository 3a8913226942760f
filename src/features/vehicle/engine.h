// The engine, its gearbox and automatic shifting.
#pragma once

#include "rigor/vehicle.h"

namespace rigor::vehicle {

/// Torque at full throttle, N m.
double engine_torque(const EngineDef& engine, double rpm);

/// Of the crankshaft over the wheels; negative in reverse, 0 in neutral.
double overall_ratio(const EngineDef& engine, int gear);

/// Chooses the gear for the next step, and counts down the time of a shift. Wheels that spin do not
/// make it shift: it goes by the speed of the vehicle over `radius`.
void shift(const EngineDef& engine, const VehicleInput& input, double radius, double dt,
           VehicleState& state);

struct DriveTorque {
    double torque = 0;   ///< of each driven wheel, N m
    double max_spin = 0; ///< rad/s, where the engine reaches its redline
    double rpm = 0;
};

/// `spin` is the mean of the driven wheels.
DriveTorque drive_torque(const EngineDef& engine, const VehicleState& state, double throttle,
                         double spin, std::size_t driven_wheels);

} // namespace rigor::vehicle
