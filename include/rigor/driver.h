// Drivers: move a body from outside the physics by scripts, keyframes or input devices, and learn
// what collisions did to it.
//
// The "black box" of [Kavan 2003, sections 2.1 and 5]: keyframes, a function, a script or an input
// device prescribes the pose of a body; the driver computes the velocities that reach it; after
// each step it receives the velocities and the pose of the body after collisions.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rigor/export.h"
#include "rigor/ids.h"
#include "rigor/pose.h"
#include "rigor/result.h"

namespace rigor {

class World;

struct Keyframe {
    double time = 0;
    Posed pose;
};

/// A position of a two-axis device, each axis in [-1, 1]: x to the right, y forward.
struct GridPoint {
    double x = 0, y = 0;
    friend bool operator==(const GridPoint&, const GridPoint&) = default;
};

struct ScriptPoint {
    double time = 0;
    GridPoint input;
};

/// A driven body was hit in the last step.
struct DriverEvent {
    BodyId body;
    Posed pose;             ///< of the body's frame, after the step
    Vec3d velocity;         ///< of the center of mass, after the step
    Vec3d angular_velocity; ///< after the step
    Vec3d impulse;          ///< on the body during the step, N s
    Vec3d angular_impulse;  ///< about its center of mass, N m s
    double time = 0;        ///< of the world, after the step
};

/// Definition of a driver of a kinematic or dynamic body. One of: keyframes, a path, or a device.
struct DriverDef {
    std::vector<Keyframe> keyframes; ///< times ascend
    bool loop = false;               ///< keyframes or script start again at the end
    std::string input;               ///< "mouse", "keys", "socket"; empty: another source
    std::vector<Posed> grid;         ///< 9 key poses, rows of a 3 x 3 grid; empty: six axes
    std::vector<ScriptPoint> script; ///< input of a grid, until the first set_input
    double grip = 1;                 ///< N: control returns after impulse / grip seconds
    /// How fast input is followed: in grid coordinates per second (6 by default), without a grid in
    /// m/s and rad/s (2 by default).
    std::optional<double> speed;
    double gravity_scale = 1; ///< of a dynamic body: the driver compensates its weight

    // For C++ alone. They are not part of snapshots: for rollback they must depend on their
    // arguments only.
    std::function<Posed(double time)> path;         ///< target pose of the body at a time
    std::function<void(const DriverEvent&)> on_hit; ///< called after a step in which it was hit
};

/// The share of control that has returned at time `now`, in [0, 1] [Kavan 2003, equation (32)]:
///
///     t = (now - lost_at) / (regained_at - lost_at)
RIGOR_API double regained_control(double now, double lost_at, double regained_at);

/// The pose at a point of a 3 x 3 grid: the first row is forward (y = 1), the first column left
/// (x = -1). Bilinear in position, slerp of slerps in orientation; points outside of [-1, 1] count
/// as the nearest inside. Requires 9 poses.
RIGOR_API Posed grid_pose(const std::vector<Posed>& grid, GridPoint at);

/// Checks a definition. Fails when a number is not finite, keyframes or script are not in the order
/// of time, a grid has not 9 poses, or four neighbors of it are turned by 180 degrees or more
/// against each other, since the interpolated orientation would jump.
RIGOR_API Result<void> check_driver(const DriverDef& def);

/// Target pose of a driver at a time before any input; a device without a grid leaves the body
/// where it is.
RIGOR_API Posed start_pose(const DriverDef& def, double time, const Posed& body);

/// Current state of a driver.
struct DriverState {
    Posed hand;             ///< target pose of the body
    GridPoint input;        ///< position of the target in the grid
    bool has_input = false; ///< a device was moved
    double control = 1;     ///< weight of the target pose, (32); 0 just after a hit
    double lost_at = 0;     ///< s: the last hit
    double regained_at = 0; ///< s: when control was or will be complete
};

/// The drivers of a world. A value: a copy is a snapshot.
///
///     drivers.before_step(world, dt);
///     world.step(dt);
///     drivers.after_step(world);
///
/// A kinematic body has infinite mass: its driver receives the impulses of its contacts, and keeps
/// full control. A dynamic body gets velocities before a step; when a collision changes them, the
/// driver loses control for impulse / grip seconds. During that time the body moves along the
/// interpolation between its free flight and the target pose, with the parameter of equation (32).
/// The driver always compensates the weight of a dynamic body.
class RIGOR_API Drivers {
  public:
    /// Fails when check_driver() does, or the body is static or has a driver already.
    Result<void> add(const World& world, BodyId body, DriverDef def);
    bool drives(BodyId body) const { return find(body) != nullptr; }
    bool empty() const { return driven_.empty(); }

    /// Moves the device of a body with a grid. Fails when the body has no driver, its driver has no
    /// grid, or a coordinate is not in [-1, 1].
    Result<void> set_input(BodyId body, GridPoint input);
    /// As set_input, for a scripted opponent; has no effect after the first set_input.
    Result<void> suggest_input(BodyId body, GridPoint input);
    /// Sets the target pose of a device with six degrees of freedom. Fails when the body has no
    /// driver, its driver has a grid or another source, or the pose is not finite or its quaternion
    /// not a unit within 1e-3.
    Result<void> set_target(BodyId body, const Posed& target);
    /// Throws UsageError when the body has no driver.
    DriverState state(BodyId body) const;
    const DriverDef& definition(BodyId body) const;
    /// Resets a body to the start pose of its driver, at rest and under full control. Input is
    /// kept.
    void reset(World& world, BodyId body);

    /// Throws UsageError when a path gives a pose that is not finite.
    void before_step(World& world, double dt);
    void after_step(const World& world);
    /// Of the last step, in the order in which the drivers were added.
    const std::vector<DriverEvent>& events() const { return events_; }

    /// 64 bits over all state but the definitions.
    std::uint64_t state_hash() const;

  private:
    struct Driven {
        BodyId body;
        std::shared_ptr<const DriverDef> def;
        bool is_dynamic = false;
        Posed start;
        // The device.
        GridPoint wanted;
        Posed target;
        DriverState state;
        // Free flight since the last hit.
        bool is_lost = false;
        Posed free_pose;
        Vec3d free_velocity, free_angular_velocity;
        // What the last before_step gave it.
        Vec3d given_velocity, given_angular_momentum;
        double step = 0;
    };

    const Driven* find(BodyId body) const;
    Driven* find(BodyId body);
    Result<Driven*> find_grid(BodyId body, GridPoint input);
    static void move_hand(Driven& driven, double time, double dt);
    static Posed next_pose(Driven& driven, const Vec3d& center, double time);
    static void lose_control(Driven& driven, const DriverEvent& event, double impulse);

    std::vector<Driven> driven_;
    std::vector<DriverEvent> events_;
};

} // namespace rigor
