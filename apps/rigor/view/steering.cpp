// Keys: what is pressed moves what listens to it.

#include <algorithm>

#include "rigor/rotation.h"
#include "view/deeds.h"

namespace rigor::view {
namespace {

constexpr double kWheelSpeed = 30;  // rad/s at full throttle
constexpr double kSteerAngle = 0.5; // rad
constexpr double kHandSpeed = 2;    // m/s of a driven body without a grid

/// -1, 0 or 1 in each direction.
struct Pressed {
    explicit Pressed(const std::vector<std::string>& keys) {
        const auto is_down = [&](const char* key) {
            return std::find(keys.begin(), keys.end(), key) != keys.end();
        };
        const auto pair = [&](const char* more, const char* more2, const char* less,
                              const char* less2) {
            return static_cast<int>(is_down(more) || is_down(more2)) -
                   static_cast<int>(is_down(less) || is_down(less2));
        };
        forward = pair("KeyW", "ArrowUp", "KeyS", "ArrowDown");
        left = pair("KeyA", "ArrowLeft", "KeyD", "ArrowRight");
        up = pair("KeyE", "PageUp", "KeyQ", "PageDown");
    }
    int forward = 0, left = 0, up = 0;
};

/// The grid's rows go from far to near, as they are seen: forward is the first row.
Posed goal_of(const DriverDef& driver, const Posed& now, const Pressed& pressed, double dt) {
    if (driver.grid.size() == 9)
        return driver.grid[static_cast<std::size_t>((1 - pressed.forward) * 3 + 1 - pressed.left)];
    const Vec3d way{-1.0 * pressed.left, 1.0 * pressed.forward, 1.0 * pressed.up};
    return {now.p + way * (kHandSpeed * dt), now.q};
}

/// A part of the way there in each step: the firmer the grip, the larger.
void move_hand(World& world, BodyId id, const DriverDef& driver, const Pressed& pressed,
               double dt) {
    const Posed now = world.pose(id);
    const Posed goal = goal_of(driver, now, pressed, dt);
    const double time = driver.grid.empty() ? dt : std::max(dt, 0.15 / driver.grip);
    const Vec3d velocity = (goal.p - now.p) / time;
    const Vec3d turning = to_rotation_vector(goal.q * conjugate(now.q)) / time;
    const BodyState s = world.state(id);
    if (velocity != s.velocity) world.set_velocity(id, velocity);
    if (turning != s.angular_velocity) world.set_angular_velocity(id, turning);
}

} // namespace

void drive_vehicles(Simulation& simulation, const StageState& state) {
    const Pressed pressed(state.keys);
    World& world = simulation.world();
    for (const SceneVehicle& vehicle : simulation.scene().vehicles) {
        for (std::size_t i = 0; i < vehicle.wheels.size(); ++i) {
            const auto index = static_cast<std::size_t>(vehicle.wheels[i]);
            const JointId id = simulation.joint(index);
            if (!world.is_valid(id)) continue;
            std::optional<MotorDef> motor = simulation.scene().joints[index].def.motor;
            if (vehicle.driven[i] && motor) {
                motor->target_velocity = pressed.forward * kWheelSpeed;
                world.set_motor(id, motor);
            }
            if (vehicle.steered[i]) world.set_steer(id, pressed.left * kSteerAngle);
        }
    }
}

void move_hands(Simulation& simulation, const StageState& state) {
    const Pressed pressed(state.keys);
    for (std::size_t i = 0; i < simulation.scene().bodies.size(); ++i) {
        const std::optional<DriverDef>& driver = simulation.scene().bodies[i].driver;
        if (driver && driver->input == "keys" && simulation.world().is_valid(simulation.body(i)))
            move_hand(simulation.world(), simulation.body(i), *driver, pressed, state.time_step);
    }
}

} // namespace rigor::view
