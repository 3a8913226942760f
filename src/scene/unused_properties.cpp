#include "scene/unused_properties.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "rigor/settings_table.h"

namespace rigor {
namespace {

constexpr bool has_friction(Method method) {
    return method != Method::baber2006 && method != Method::kavan2003 &&
           method != Method::galoppo2007;
}

/// A property of materials, and the methods that use it.
struct MaterialProperty {
    const char* name;
    bool (*is_given)(const Material&);
    bool (*is_used)(Method);
};

constexpr auto by_pipelines = [](Method m) { return m == Method::fast || m == Method::faithful; };
/// Friction along the tangents of the contact frame, which the grain scales.
constexpr auto by_impulses = [](Method m) { return has_friction(m) && m != Method::penalty; };

const MaterialProperty kMaterialProperties[] = {
    {"anisotropy", [](const Material& m) { return m.anisotropy_ratio != 1; }, by_impulses},
    {"surface_velocity", [](const Material& m) { return m.surface_velocity != Vec3d{}; },
     has_friction},
    {"rolling_resistance", [](const Material& m) { return m.rolling_resistance > 0; },
     by_pipelines},
    {"torsional_friction", [](const Material& m) { return m.torsional_friction > 0; },
     by_pipelines},
    // Also the default of 0.5: who wrote nothing expects bodies to stop sliding.
    {"friction", [](const Material& m) { return m.kinetic_friction > 0 || m.static_friction > 0; },
     has_friction},
    {"static_friction above kinetic_friction",
     [](const Material& m) { return m.static_friction > m.kinetic_friction; },
     [](Method m) {
         return m == Method::fast || m == Method::faithful || m == Method::penalty ||
                !has_friction(m);
     }},
};

bool any_shape(const std::vector<ShapeDef>& shapes, bool (*is_given)(const Material&)) {
    return std::any_of(shapes.begin(), shapes.end(), [&](const ShapeDef& shape) {
        if (const auto* compound = std::get_if<CompoundDef>(&shape.geometry))
            return any_shape(compound->shapes, is_given);
        return is_given(shape.material);
    });
}

bool can_break(const JointDef& joint) {
    return std::isfinite(joint.break_force) || std::isfinite(joint.break_torque);
}

std::string users_of(bool (*is_used)(Method)) {
    std::string users;
    for (const Method m :
         {Method::fast, Method::faithful, Method::baber2006, Method::kavan2003, Method::baber2011,
          Method::kenwright, Method::galoppo2007, Method::penalty})
        if (is_used(m)) users += (users.empty() ? "" : ", ") + std::string(name(m));
    return users.empty() ? "no method uses it yet" : "used by " + users;
}

std::string sentence(const std::string& property, Method method, std::ptrdiff_t count,
                     const char* things, bool (*is_used)(Method)) {
    return property + " is not used by " + std::string(name(method)) + " (" + users_of(is_used) +
           "): ignored on " + std::to_string(count) + " " + things;
}

} // namespace

std::vector<std::string> unused_properties(const Scene& scene, Method method) {
    std::vector<std::string> warnings;
    if (method == Method::free) return warnings; // nothing collides
    for (const MaterialProperty& property : kMaterialProperties) {
        if (property.is_used(method)) continue;
        const auto count = std::count_if(
            scene.bodies.begin(), scene.bodies.end(),
            [&](const SceneBody& body) { return any_shape(body.def.shapes, property.is_given); });
        if (count > 0)
            warnings.push_back(sentence(property.name, method, count,
                                        count == 1 ? "body" : "bodies", property.is_used));
    }
    constexpr auto breaks = [](Method m) { return m == Method::fast || m == Method::faithful; };
    const auto breaking =
        std::count_if(scene.joints.begin(), scene.joints.end(),
                      [](const SceneJoint& joint) { return can_break(joint.def); });
    if (breaking > 0 && !breaks(method))
        warnings.push_back(sentence("break_force or break_torque", method, breaking,
                                    breaking == 1 ? "joint" : "joints", breaks));
    return warnings;
}

} // namespace rigor
