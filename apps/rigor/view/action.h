// What a user can do to a world. Actions are data: they are parsed, done, kept with their step,
// done again after going back, and written into recordings.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "rigor/joint.h"
#include "rigor/quat.h"
#include "rigor/settings.h"
#include "view/fields.h"

namespace rigor::view {

/// Takes hold of a body with a spring.
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
    Vec3d point;
    Vec3d impulse;
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
    std::optional<Vec3d> position; ///< none: beside the first
};
struct Freeze {
    std::uint32_t body = 0;
    bool on = true;
};
/// An impulse away from a point on all that is near, falling to zero at the radius.
struct Explode {
    Vec3d point;
    double strength = 0; ///< N s at the middle, on a body that shows 1 m2 to it
    double radius = 1;
};
struct Edit {
    std::uint32_t body = 0;
    std::optional<double> mass, friction, restitution;
    std::optional<Vec3d> position, velocity, angular_velocity;
};
struct SetMotor {
    std::string name;
    std::optional<MotorDef> motor;
};
/// What is given changes. Names are those of scenes.
struct ChangeSettings {
    std::optional<std::string> method, integrator, impact, multi, resting, detection;
    std::optional<Vec3d> gravity;
    std::optional<double> time_step, tolerance, delta, penalty_depth, separation_distance;
    std::optional<int> substeps;
};
struct PressKeys {
    std::vector<std::string> down;
};

using Deed = std::variant<Grab, MoveGrab, Release, Push, Throw, Drop, Delete, Duplicate, Freeze,
                          Explode, Edit, SetMotor, ChangeSettings, PressKeys>;

/// A deed and who does it: each page has one hand.
struct Action {
    int hand = 0;
    Deed deed;
};

/// Whether it goes on with what an earlier action of the hand began, so that both are undone
/// together.
bool goes_on(const Action& action);

/// From {"type": ..., ...}; `hand` is read if it is there.
Result<Action> parse_action(const json& object, const std::string& where);
/// The same object again.
json write_action(const Action& action);

/// The fields of `settings`, without a type.
Result<ChangeSettings> parse_settings(const json& object, const std::string& where);

/// What of the change can be told without a world.
Result<void> apply_settings(const ChangeSettings& change, WorldSettings& settings);

} // namespace rigor::view
