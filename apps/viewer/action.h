// Actions of users on a world, as data: parsed from JSON, applied, stored with their step, applied
// again after seeking back, and written to recordings.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "rigor/driver.h"
#include "rigor/joint.h"
#include "rigor/quat.h"
#include "rigor/settings.h"
#include "viewer/json_fields.h"

namespace rigor::viewer {

/// Attaches a spring to a body.
struct Grab {
    std::uint32_t body = 0;
    Vec3d point; ///< body frame
    Vec3d target;
    std::optional<double> stiffness; ///< N/m
};
struct MoveGrab {
    Vec3d target;
};
struct Release {};
struct Push {
    std::uint32_t body = 0;
    Vec3d point;   ///< world frame
    Vec3d impulse; ///< N s
};
struct Throw {
    Vec3d position, velocity;
    double radius = 0.25;
    double density = 1000;
};
struct Drop {
    std::string shape;
    Vec3d position;
    double size = 0.5;
};
struct Delete {
    std::uint32_t body = 0;
};
struct Duplicate {
    std::uint32_t body = 0;
    std::optional<Vec3d> position; ///< none: just above the original
};
struct Freeze {
    std::uint32_t body = 0;
    bool on = true;
};
/// An impulse away from a point on all dynamic bodies within a radius, falling linearly to zero.
struct Explode {
    Vec3d point;
    double strength = 0; ///< N s at the center, on a body that faces it with 1 m2
    double radius = 1;
};
struct Edit {
    std::uint32_t body = 0;
    std::optional<double> mass, friction, restitution;
    std::optional<Vec3d> position, velocity, angular_velocity;
};
/// Of a joint.
struct SetMotor {
    std::string name;
    std::optional<MotorDef> motor; ///< none: removes it
};
/// Fields that are set change. Names are those of scenes.
struct ChangeSettings {
    std::optional<std::string> method, integrator, impact, multi, resting, detection;
    std::optional<Vec3d> gravity;
    std::optional<double> time_step, tolerance, delta, penalty_depth, separation_distance;
    std::optional<int> substeps;
};
struct PressKeys {
    std::vector<std::string> down; ///< all that are pressed now
};

/// Moves the device that drives a body: a point of its grid, or a pose.
struct DriveInput {
    std::uint32_t body = 0;
    std::optional<GridPoint> at;
    std::optional<Vec3d> position;    ///< none: as it is
    std::optional<Quatd> orientation; ///< none: as it is
};

using Action = std::variant<Grab, MoveGrab, Release, Push, Throw, Drop, Delete, Duplicate, Freeze,
                            Explode, Edit, SetMotor, ChangeSettings, PressKeys, DriveInput>;

/// An action and the client that performs it. A client drags at most one body.
struct UserAction {
    int user = 0;
    Action action;
};

/// Whether it continues the drag that an earlier Grab of the user began. Both are undone together.
bool continues_drag(const UserAction& action);
/// Whether it moves a device: it has no group, since nobody wants to undo a motion of the mouse.
bool is_device_input(const UserAction& action);

/// From {"type": ..., ...}. The optional field `hand` is the user.
Result<UserAction> parse_action(const json& object, const std::string& where);
/// The inverse of parse_action.
json write_action(const UserAction& action);

/// The fields of `settings`, without a type.
Result<ChangeSettings> parse_settings(const json& object, const std::string& where);

/// Applies all but the time step, which is not a setting of the world. Fails on unknown names.
Result<void> apply_settings(const ChangeSettings& change, WorldSettings& settings);

} // namespace rigor::viewer
