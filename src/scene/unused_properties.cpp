#include "scene/unused_properties.h"

#include <algorithm>
#include <cmath>

#include "rigor/settings_table.h"

namespace rigor {
namespace {

using enum Method;

constexpr MethodSet kFast = {fast};
constexpr MethodSet kPipelines = {fast, faithful};
constexpr MethodSet kColliding = {fast,      faithful,  baber2006,   kavan2003,
                                  baber2011, kenwright, galoppo2007, penalty};
constexpr MethodSet kWithFriction = {fast, faithful, baber2011, kenwright, penalty};
/// Friction along the tangents of the contact frame, which the grain scales.
constexpr MethodSet kWithGrain = {fast, faithful, baber2011, kenwright};
constexpr MethodSet kWithStaticFriction = {fast, faithful, penalty};

bool any_shape(const std::vector<ShapeDef>& shapes, bool (*is_given)(const ShapeDef&)) {
    return std::any_of(shapes.begin(), shapes.end(), [&](const ShapeDef& shape) {
        if (const auto* compound = std::get_if<CompoundDef>(&shape.geometry))
            return any_shape(compound->shapes, is_given);
        return is_given(shape);
    });
}

bool is_one_sided(const ShapeDef& shape) {
    const auto* mesh = std::get_if<MeshDef>(&shape.geometry);
    return mesh && mesh->one_sided;
}

bool has_friction(const ShapeDef& shape) {
    return !shape.sensor && shape.material.kinetic_friction > 0;
}

/// A property of shapes, and the methods that use it.
struct ShapeProperty {
    const char* name;
    bool (*is_given)(const ShapeDef&);
    MethodSet users;
};

const ShapeProperty kShapeProperties[] = {
    {"anisotropy", [](const ShapeDef& s) { return s.material.anisotropy_ratio != 1; }, kWithGrain},
    {"surface_velocity", [](const ShapeDef& s) { return s.material.surface_velocity != Vec3d{}; },
     kWithFriction},
    {"rolling_resistance", [](const ShapeDef& s) { return s.material.rolling_resistance > 0; },
     kPipelines},
    {"torsional_friction", [](const ShapeDef& s) { return s.material.torsional_friction > 0; },
     kPipelines},
    {"patch_radius", [](const ShapeDef& s) { return s.material.patch_radius > 0; }, kFast},
    {"restitution", [](const ShapeDef& s) { return s.material.restitution > 0; }, kColliding},
    {"sensor", [](const ShapeDef& s) { return s.sensor; }, kColliding},
    {"one_sided", is_one_sided, kColliding},
};

/// A property of bodies, and the methods that use it.
struct BodyProperty {
    const char* name;
    bool (*is_given)(const SceneBody&);
    MethodSet users;
};

const BodyProperty kBodyProperties[] = {
    {"group", [](const SceneBody& b) { return b.def.group != BodyDef{}.group; }, kColliding},
    {"mask", [](const SceneBody& b) { return b.def.mask != BodyDef{}.mask; }, kColliding},
    {"grip", [](const SceneBody& b) { return b.driver && b.driver->grip != DriverDef{}.grip; },
     kColliding},
    {"continuous", [](const SceneBody& b) { return b.def.continuous; }, kColliding},
};

std::string users_of(const MethodSet& users) {
    std::string list;
    for (const Method m : users.list())
        if (m != free) list += (list.empty() ? "" : ", ") + std::string(name(m));
    return list.empty() ? "no method uses it" : "used by " + list;
}

std::string sentence(const std::string& property, Method method, std::ptrdiff_t count,
                     const char* thing, const char* things, const MethodSet& users) {
    return property + " is not used by " + std::string(name(method)) + " (" + users_of(users) +
           "): ignored on " + std::to_string(count) + " " + (count == 1 ? thing : things);
}

std::ptrdiff_t count_bodies(const Scene& scene, const auto& is_given) {
    return std::count_if(scene.bodies.begin(), scene.bodies.end(), is_given);
}

/// How many bodies have friction that should act. Every material has some, by default 0.5; two
/// surfaces rub when both have it, or when they agreed on it as a pair.
std::ptrdiff_t count_rubbing(const Scene& scene) {
    const auto count = count_bodies(
        scene, [](const SceneBody& body) { return any_shape(body.def.shapes, has_friction); });
    const bool has_pair =
        std::any_of(scene.pairs.begin(), scene.pairs.end(), [](const MaterialPair& pair) {
            return pair.kinetic_friction && *pair.kinetic_friction > 0;
        });
    return count > 1 || has_pair ? std::max<std::ptrdiff_t>(count, 1) : 0;
}

/// Under `free` nothing touches, and friction that nobody chose is not worth a sentence.
bool is_chosen_friction(const ShapeDef& shape) {
    return has_friction(shape) && shape.material.kinetic_friction != Material{}.kinetic_friction;
}

std::ptrdiff_t count_friction(const Scene& scene, Method method) {
    if (method != free) return count_rubbing(scene);
    return count_bodies(scene, [](const SceneBody& body) {
        return any_shape(body.def.shapes, is_chosen_friction);
    });
}

bool has_static_friction(const ShapeDef& shape) {
    return shape.material.static_friction > shape.material.kinetic_friction;
}

std::ptrdiff_t count_static_friction(const Scene& scene) {
    const auto agreed =
        std::count_if(scene.pairs.begin(), scene.pairs.end(), [](const MaterialPair& pair) {
            return pair.static_friction.value_or(0) > pair.kinetic_friction.value_or(0);
        });
    const auto count = count_bodies(scene, [](const SceneBody& body) {
        return any_shape(body.def.shapes, has_static_friction);
    });
    return count > 0 ? count : agreed;
}

/// The detection by which bodies are looked at where an interval ends and not on their way, so that
/// they may pass through what is thin; none if it is another one. Bisection and regula falsi search
/// an interval only if its end penetrates.
std::optional<Detection> detection_at_ends(const Scene& scene, Method method) {
    const Setting& setting = *find_setting("detection");
    if (!setting.methods.has(method)) return std::nullopt;
    const SettingValue* given = scene.settings.find("detection");
    const auto used = given ? std::optional(*given) : setting.default_of(method);
    for (const Detection at_ends :
         {Detection::static_only, Detection::bisection, Detection::regula_falsi})
        if (used == SettingValue(std::string(name(at_ends)))) return at_ends;
    return std::nullopt;
}

std::string bodies_text(std::ptrdiff_t count) {
    return std::to_string(count) + (count == 1 ? " body" : " bodies");
}

/// What depends on more than the method.
void warn_of_detection_and_ground(const Scene& scene, Method method,
                                  std::vector<std::string>& warnings) {
    const auto fast_bodies =
        count_bodies(scene, [](const SceneBody& body) { return body.def.continuous; });
    const std::optional<Detection> at_ends = detection_at_ends(scene, method);
    if (fast_bodies > 0 && at_ends)
        warnings.push_back("continuous is not used by " + std::string(name(method)) +
                           " with detection " + std::string(name(*at_ends)) + ": ignored on " +
                           bodies_text(fast_bodies));
    const auto grounds = count_bodies(scene, [](const SceneBody& body) {
        return body.def.type != BodyType::dynamic_body && !body.def.shapes.empty();
    });
    if (grounds > 0 && method == free)
        warnings.push_back(
            "shapes of static and kinematic bodies do nothing under \"free\", which has no "
            "contacts: ignored on " +
            bodies_text(grounds));
}

bool can_break(const SceneJoint& joint) {
    return std::isfinite(joint.def.break_force) || std::isfinite(joint.def.break_torque);
}

} // namespace

std::vector<std::string> unused_properties(const Scene& scene, Method method) {
    std::vector<std::string> warnings;
    const auto warn = [&](const char* property, const MethodSet& users, std::ptrdiff_t count,
                          const char* thing = "body", const char* things = "bodies") {
        if (count > 0 && !users.has(method))
            warnings.push_back(sentence(property, method, count, thing, things, users));
    };
    for (const ShapeProperty& property : kShapeProperties)
        warn(property.name, property.users, count_bodies(scene, [&](const SceneBody& body) {
                 return any_shape(body.def.shapes, property.is_given);
             }));
    for (const BodyProperty& property : kBodyProperties)
        warn(property.name, property.users, count_bodies(scene, property.is_given));
    warn("friction", kWithFriction, count_friction(scene, method));
    if (kWithFriction.has(method))
        warn("static_friction above kinetic_friction", kWithStaticFriction,
             count_static_friction(scene));
    warn("pairs", kColliding, static_cast<std::ptrdiff_t>(scene.pairs.size()), "pair", "pairs");
    warn_of_detection_and_ground(scene, method, warnings);
    if (method == free) return warnings; // there joints do not act at all
    warn("break_force or break_torque", kColliding,
         std::count_if(scene.joints.begin(), scene.joints.end(), can_break), "joint", "joints");
    warn("the strength of fracture.bonds", kColliding,
         count_bodies(scene, [](const SceneBody& b) { return b.fracture && b.fracture->bonds; }));
    return warnings;
}

} // namespace rigor
