#include "viewer/keyboard_control.h"

#include "viewer/key_input.h"

namespace rigor::viewer {
namespace {

constexpr double kReverseSpeed = 0.5; // m/s: slower than this, the brake key reverses

/// The key against the motion brakes; once the vehicle stands, it drives the other way. The vehicle
/// itself limits the rate of steering.
VehicleInput vehicle_input(const KeyInput& keys, const Vehicle& vehicle) {
    VehicleInput input;
    const double speed = vehicle.state().speed;
    if (keys.forward * speed < -kReverseSpeed) {
        input.brake = 1;
    } else if (keys.forward != 0) {
        input.throttle = 1;
    }
    const bool reverses =
        keys.forward < 0 ? speed < kReverseSpeed : keys.forward == 0 && speed < -kReverseSpeed;
    if (reverses) input.gear = -1;
    input.steer = keys.left;
    input.hand_brake = keys.hand_brake;
    return input;
}

} // namespace

void drive_vehicles(Simulation& simulation, const SessionState& state) {
    const KeyInput keys(state.keys);
    for (std::size_t i = 0; i < simulation.vehicles().size(); ++i) {
        if (simulation.is_driven_by_scene(i) && !keys.drives()) continue;
        const VehicleInput input = vehicle_input(keys, simulation.vehicles()[i]);
        if (input != simulation.vehicles()[i].input() || simulation.is_driven_by_scene(i))
            simulation.set_vehicle_input(i, input);
    }
}

} // namespace rigor::viewer
