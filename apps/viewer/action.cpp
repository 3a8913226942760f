#include "viewer/action.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "rigor/scene.h"

namespace rigor::viewer {
namespace {

constexpr double kMinSize = 1e-3, kMaxSize = 100; // m, of thrown and dropped bodies
constexpr double kMaxMass = 1e9;

constexpr std::array kDroppedShapes{"sphere", "capsule", "cube", "cylinder",
                                    "cone",   "hull",    "stack"};

// Two functions for each action: its fields from JSON and to JSON.

void read(JsonFields& f, Grab& d) {
    d = {f.slot("body"), f.vec3("point"), f.vec3("target"),
         f.maybe_number("stiffness", 1e-6, kMaxMass)};
}
void write(json& j, const Grab& d) {
    j["body"] = d.body, j["point"] = to_json(d.point), j["target"] = to_json(d.target);
    if (d.stiffness) j["stiffness"] = *d.stiffness;
}

void read(JsonFields& f, MoveGrab& d) {
    d.target = f.vec3("target");
}
void write(json& j, const MoveGrab& d) {
    j["target"] = to_json(d.target);
}

void read(JsonFields&, Release&) {}
void write(json&, const Release&) {}

void read(JsonFields& f, Push& d) {
    d = {f.slot("body"), f.vec3("point"), f.vec3("impulse")};
}
void write(json& j, const Push& d) {
    j["body"] = d.body, j["point"] = to_json(d.point), j["impulse"] = to_json(d.impulse);
}

void read(JsonFields& f, Throw& d) {
    d.position = f.vec3("position");
    d.velocity = f.vec3("velocity");
    d.radius = f.maybe_number("radius", kMinSize, kMaxSize).value_or(d.radius);
    d.density = f.maybe_number("density", kMinSize, kMaxMass).value_or(d.density);
}
void write(json& j, const Throw& d) {
    j["position"] = to_json(d.position), j["velocity"] = to_json(d.velocity);
    j["radius"] = d.radius, j["density"] = d.density;
}

void read(JsonFields& f, Drop& d) {
    d.shape = f.text("shape");
    d.position = f.vec3("position");
    d.size = f.maybe_number("size", kMinSize, kMaxSize).value_or(d.size);
    if (std::find(kDroppedShapes.begin(), kDroppedShapes.end(), d.shape) == kDroppedShapes.end())
        f.fail("shape", "must be sphere, capsule, cube, cylinder, cone, hull or stack");
}
void write(json& j, const Drop& d) {
    j["shape"] = d.shape, j["position"] = to_json(d.position), j["size"] = d.size;
}

void read(JsonFields& f, Delete& d) {
    d.body = f.slot("body");
}
void write(json& j, const Delete& d) {
    j["body"] = d.body;
}

void read(JsonFields& f, Duplicate& d) {
    d = {f.slot("body"), f.maybe_vec3("position")};
}
void write(json& j, const Duplicate& d) {
    j["body"] = d.body;
    if (d.position) j["position"] = to_json(*d.position);
}

void read(JsonFields& f, Freeze& d) {
    d = {f.slot("body"), f.boolean("on")};
}
void write(json& j, const Freeze& d) {
    j["body"] = d.body, j["on"] = d.on;
}

void read(JsonFields& f, Explode& d) {
    d = {f.vec3("point"), f.number("strength", 0, kMaxMass), f.number("radius", kMinSize, 1e4)};
}
void write(json& j, const Explode& d) {
    j["point"] = to_json(d.point), j["strength"] = d.strength, j["radius"] = d.radius;
}

void read(JsonFields& f, Edit& d) {
    d.body = f.slot("body");
    d.mass = f.maybe_number("mass", 1e-9, kMaxMass);
    d.friction = f.maybe_number("friction", 0, 1e3);
    d.restitution = f.maybe_number("restitution", 0, 1);
    d.position = f.maybe_vec3("position");
    d.velocity = f.maybe_vec3("velocity");
    d.angular_velocity = f.maybe_vec3("angular_velocity");
}
void write(json& j, const Edit& d) {
    j["body"] = d.body;
    if (d.mass) j["mass"] = *d.mass;
    if (d.friction) j["friction"] = *d.friction;
    if (d.restitution) j["restitution"] = *d.restitution;
    if (d.position) j["position"] = to_json(*d.position);
    if (d.velocity) j["velocity"] = to_json(*d.velocity);
    if (d.angular_velocity) j["angular_velocity"] = to_json(*d.angular_velocity);
}

void read(JsonFields& f, SetMotor& d) {
    d.name = f.text("name");
    if (!f.has("motor")) return;
    JsonFields motor(f.object("motor"), "motor");
    MotorDef def;
    def.target_velocity = motor.maybe_number("target_velocity");
    def.target_position = motor.maybe_number("target_position");
    def.max_force = motor.maybe_number("max_force", 0).value_or(def.max_force);
    if (def.target_velocity.has_value() == def.target_position.has_value())
        motor.fail("target_velocity", "or target_position must be given, not both");
    if (!motor.ok()) f.fail(motor.error());
    d.motor = def;
}
void write(json& j, const SetMotor& d) {
    j["name"] = d.name, j["motor"] = nullptr;
    if (!d.motor) return;
    json motor = json::object();
    if (d.motor->target_velocity) motor["target_velocity"] = *d.motor->target_velocity;
    if (d.motor->target_position) motor["target_position"] = *d.motor->target_position;
    if (d.motor->max_force < kMaxNumber) motor["max_force"] = d.motor->max_force;
    j["motor"] = motor;
}

void read(JsonFields& f, ChangeSettings& d) {
    const auto name = [&](const char* key, std::optional<std::string>& value) {
        if (f.has(key)) value = f.text(key);
    };
    name("method", d.method), name("integrator", d.integrator), name("impact", d.impact);
    name("multi", d.multi), name("resting", d.resting), name("detection", d.detection);
    d.gravity = f.maybe_vec3("gravity");
    d.time_step = f.maybe_number("time_step", 1e-6, 1);
    d.tolerance = f.maybe_number("tolerance", 1e-15, 1);
    d.delta = f.maybe_number("delta", 1e-9, 1);
    d.penalty_depth = f.maybe_number("penalty_depth", 1e-9, 1);
    d.separation_distance = f.maybe_number("separation_distance", 1e-9, 1);
    if (f.has("substeps")) d.substeps = static_cast<int>(f.integer("substeps", 1, 100));
}
void write(json& j, const ChangeSettings& d) {
    const auto put = [&](const char* key, const auto& value) {
        if (value) j[key] = *value;
    };
    put("method", d.method), put("integrator", d.integrator), put("impact", d.impact);
    put("multi", d.multi), put("resting", d.resting), put("detection", d.detection);
    if (d.gravity) j["gravity"] = to_json(*d.gravity);
    put("time_step", d.time_step), put("tolerance", d.tolerance), put("delta", d.delta);
    put("penalty_depth", d.penalty_depth), put("separation_distance", d.separation_distance);
    put("substeps", d.substeps);
}

void read(JsonFields& f, PressKeys& d) {
    d.down = f.texts("down", 20);
}
void write(json& j, const PressKeys& d) {
    j["down"] = d.down;
}

void read(JsonFields& f, DriveInput& d) {
    d.body = f.slot("body");
    if (f.has("x") || f.has("y")) d.at = {f.number("x", -1, 1), f.number("y", -1, 1)};
    d.position = f.maybe_vec3("position");
    if (f.has("orientation")) d.orientation = f.orientation("orientation");
    if (d.at.has_value() == (d.position || d.orientation))
        f.fail("x", "and y, or position and orientation, must be given, not both");
}
void write(json& j, const DriveInput& d) {
    j["body"] = d.body;
    if (d.at) j["x"] = d.at->x, j["y"] = d.at->y;
    if (d.position) j["position"] = to_json(*d.position);
    if (d.orientation) j["orientation"] = to_json(*d.orientation);
}

/// By index in the variant.
constexpr std::array kNames{"grab", "move_grab", "release",   "push",   "throw",
                            "drop", "delete",    "duplicate", "freeze", "explode",
                            "edit", "joint",     "settings",  "keys",   "input"};
static_assert(kNames.size() == std::variant_size_v<Action>);

template <std::size_t I = 0>
Action action_at(std::size_t index) {
    if constexpr (I + 1 < std::variant_size_v<Action>)
        if (index != I) return action_at<I + 1>(index);
    return Action(std::in_place_index<I>);
}

/// `gravity {value}` is a short form of `settings`.
Result<UserAction> parse_gravity(JsonFields& fields) {
    ChangeSettings change;
    change.gravity = fields.vec3("value");
    if (!fields.ok()) return fields.error();
    return UserAction{0, change};
}

template <class Value>
Result<void> choose(const std::optional<std::string>& name, const char* what,
                    std::optional<Value> (*named)(std::string_view), std::optional<Value>& choice) {
    if (!name) return {};
    choice = named(*name);
    if (choice) return {};
    return Error{ErrorCode::invalid_value, what, "there is no such name: \"" + *name + "\""};
}

} // namespace

bool continues_drag(const UserAction& action) {
    return std::holds_alternative<MoveGrab>(action.action) ||
           std::holds_alternative<Release>(action.action);
}

bool is_device_input(const UserAction& action) {
    return std::holds_alternative<PressKeys>(action.action) ||
           std::holds_alternative<DriveInput>(action.action);
}

Result<UserAction> parse_action(const json& object, const std::string& where) {
    JsonFields fields(object, where);
    const std::string type = fields.text("type");
    if (!fields.ok()) return fields.error();
    if (type == "gravity") return parse_gravity(fields);
    const auto name = std::find(kNames.begin(), kNames.end(), type);
    if (name == kNames.end()) {
        return Error{ErrorCode::invalid_value, where + ".type",
                     "there is no action \"" + type.substr(0, 40) + "\""};
    }
    UserAction action{0, action_at(static_cast<std::size_t>(name - kNames.begin()))};
    std::visit([&](auto& kind) { read(fields, kind); }, action.action);
    if (fields.has("hand")) action.user = static_cast<int>(fields.integer("hand", 0, INT32_MAX));
    if (!fields.ok()) return fields.error();
    return action;
}

json write_action(const UserAction& action) {
    json object = {{"type", kNames[action.action.index()]}};
    if (action.user != 0) object["hand"] = action.user;
    std::visit([&](const auto& kind) { write(object, kind); }, action.action);
    return object;
}

Result<ChangeSettings> parse_settings(const json& object, const std::string& where) {
    JsonFields fields(object, where);
    ChangeSettings change;
    read(fields, change);
    if (!fields.ok()) return fields.error();
    return change;
}

Result<void> apply_settings(const ChangeSettings& change, WorldSettings& settings) {
    std::optional<Method> method;
    std::optional<Integrator> integrator;
    WorldSettings next = settings;
    for (const Result<void>& chosen :
         {choose(change.method, "method", method_named, method),
          choose(change.integrator, "integrator", integrator_named, integrator),
          choose(change.impact, "impact", impact_law_named, next.laws.impact),
          choose(change.multi, "multi", multi_impact_named, next.laws.multi),
          choose(change.resting, "resting", resting_rule_named, next.laws.resting),
          choose(change.detection, "detection", detection_named, next.laws.detection)}) {
        if (!chosen) return chosen.error();
    }
    if (method) next.method = *method;
    if (integrator) next.integrator = *integrator, next.laws.integrator = integrator;
    if (change.gravity) next.gravity = *change.gravity;
    if (change.tolerance) next.laws.tolerance = change.tolerance;
    if (change.delta) next.laws.delta = change.delta;
    if (change.penalty_depth) next.laws.penalty_depth = change.penalty_depth;
    if (change.separation_distance) next.laws.separation_distance = change.separation_distance;
    if (change.substeps) next.substeps = *change.substeps;
    settings = next;
    return {};
}

} // namespace rigor::viewer
