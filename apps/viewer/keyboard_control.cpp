#include "viewer/keyboard_control.h"

#include <algorithm>

#include "rigor/rotation.h"

namespace rigor::viewer {
namespace {

constexpr double kReverseSpeed = 0.5; // m/s: slower than this, the brake key reverses
constexpr double kDrivenSpeed = 2;    // m/s, of a driven body without a grid

/// The pressed keys as -1, 0 or 1 for each direction.
struct KeyInput {
    explicit KeyInput(const std::vector<std::string>& keys) {
        const auto is_down = [&](const char* key) {
            return std::find(keys.begin(), keys.end(), key) != keys.end();
        };
        const auto axis = [&](const char* plus, const char* plus2, const char* minus,
                              const char* minus2) {
            return static_cast<int>(is_down(plus) || is_down(plus2)) -
                   static_cast<int>(is_down(minus) || is_down(minus2));
        };
        forward = axis("KeyW", "ArrowUp", "KeyS", "ArrowDown");
        left = axis("KeyA", "ArrowLeft", "KeyD", "ArrowRight");
        up = axis("KeyE", "PageUp", "KeyQ", "PageDown");
        hand_brake = is_down("Space");
    }
    bool drives() const { return forward != 0 || left != 0 || hand_brake; }

    int forward = 0, left = 0, up = 0;
    bool hand_brake = false;
};

/// The grid has 3 x 3 poses. Its rows go from far to near as seen by the user, so forward is the
/// first row.
Posed target_pose(const DriverDef& driver, const Posed& now, const KeyInput& input, double dt) {
    if (driver.grid.size() == 9)
        return driver.grid[static_cast<std::size_t>((1 - input.forward) * 3 + 1 - input.left)];
    const Vec3d direction{-1.0 * input.left, 1.0 * input.forward, 1.0 * input.up};
    return {now.p + direction * (kDrivenSpeed * dt), now.q};
}

/// Each step closes a part of the distance to the target: the larger the grip, the larger the part.
void move_driven_body(World& world, BodyId id, const DriverDef& driver, const KeyInput& input,
                      double dt) {
    const Posed now = world.pose(id);
    const Posed target = target_pose(driver, now, input, dt);
    const double time = driver.grid.empty() ? dt : std::max(dt, 0.15 / driver.grip);
    const Vec3d velocity = (target.p - now.p) / time;
    const Vec3d angular_velocity = to_rotation_vector(target.q * conjugate(now.q)) / time;
    const BodyState s = world.state(id);
    if (velocity != s.velocity) world.set_velocity(id, velocity);
    if (angular_velocity != s.angular_velocity) world.set_angular_velocity(id, angular_velocity);
}

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

void move_keyboard_driven_bodies(Simulation& simulation, const SessionState& state) {
    const KeyInput input(state.keys);
    for (std::size_t i = 0; i < simulation.scene().bodies.size(); ++i) {
        const std::optional<DriverDef>& driver = simulation.scene().bodies[i].driver;
        if (driver && driver->input == "keys" && simulation.world().is_valid(simulation.body(i)))
            move_driven_body(simulation.world(), simulation.body(i), *driver, input,
                             state.time_step);
    }
}

} // namespace rigor::viewer
