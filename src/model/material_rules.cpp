#include "model/material_rules.h"

#include <cmath>

#include "base/invalid_value.h"
#include "math/number_text.h"

namespace rigor {
namespace {

Result<void> check_not_negative(const char* where, double value) {
    if (value >= 0 && std::isfinite(value)) return {};
    return invalid(where, "must be finite and not negative, got " + text(value));
}

Result<void> check_restitution(double value) {
    if (value >= 0 && value <= 1) return {};
    return invalid("restitution", "must be from 0 to 1, got " + text(value));
}

// Scene files have the same rule: kinetic friction is never above static friction.
Result<void> check_friction(double at_rest, double sliding) {
    if (auto checked = check_not_negative("static_friction", at_rest); !checked) return checked;
    if (auto checked = check_not_negative("kinetic_friction", sliding); !checked) return checked;
    if (sliding <= at_rest) return {};
    return invalid("kinetic_friction", "must not exceed static_friction, got " + text(sliding) +
                                           " above " + text(at_rest));
}

} // namespace

Result<void> check_material(const Material& m) {
    if (auto checked = check_friction(m.static_friction, m.kinetic_friction); !checked)
        return checked;
    if (auto checked = check_restitution(m.restitution); !checked) return checked;
    for (const auto& [where, value] : {std::pair("rolling_resistance", m.rolling_resistance),
                                       std::pair("torsional_friction", m.torsional_friction),
                                       std::pair("patch_radius", m.patch_radius)}) {
        if (auto checked = check_not_negative(where, value); !checked) return checked;
    }
    for (const auto& [where, v] : {std::pair("surface_velocity", m.surface_velocity),
                                   std::pair("anisotropy_axis", m.anisotropy_axis)}) {
        if (!is_finite(v)) return invalid(where, "must be finite, got " + text(v));
    }
    if (m.anisotropy_ratio > 0 && std::isfinite(m.anisotropy_ratio)) return {};
    return invalid("anisotropy_ratio",
                   "must be positive and finite, got " + text(m.anisotropy_ratio));
}

Result<void> check_material_pair(const MaterialPair& pair) {
    const double at_rest = pair.static_friction.value_or(pair.kinetic_friction.value_or(0));
    const double sliding = pair.kinetic_friction.value_or(0);
    if (auto checked = check_friction(at_rest, sliding); !checked) return checked;
    return check_restitution(pair.restitution.value_or(0));
}

} // namespace rigor
