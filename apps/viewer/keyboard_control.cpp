#include "viewer/keyboard_control.h"

#include "viewer/key_input.h"

namespace rigor::viewer {
namespace {

constexpr double kWheelSpeed = 30;  // rad/s at full throttle
constexpr double kSteerAngle = 0.5; // rad

} // namespace

void drive_vehicles(Simulation& simulation, const SessionState& state) {
    const KeyInput input(state.keys);
    World& world = simulation.world();
    for (const SceneVehicle& vehicle : simulation.scene().vehicles) {
        for (std::size_t i = 0; i < vehicle.wheels.size(); ++i) {
            const auto index = static_cast<std::size_t>(vehicle.wheels[i]);
            const JointId id = simulation.joint(index);
            if (!world.is_valid(id)) continue;
            const auto& wheel = std::get<WheelJoint>(simulation.scene().joints[index].def.kind);
            std::optional<MotorDef> motor = wheel.motor;
            if (vehicle.driven[i] && motor) {
                motor->target_velocity = input.forward * kWheelSpeed;
                world.set_motor(id, motor);
            }
            if (vehicle.steered[i]) world.set_steer(id, input.left * kSteerAngle);
        }
    }
}

} // namespace rigor::viewer
