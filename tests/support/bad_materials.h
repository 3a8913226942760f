// Materials out of range, and the property that each breaks the rule of.
#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "rigor/material.h"

namespace rigor::test {

inline std::vector<std::pair<const char*, Material>> bad_materials() {
    const double kNan = std::nan("");
    return {
        {"static_friction", {.static_friction = -1}},
        {"static_friction", {.static_friction = kNan}},
        {"kinetic_friction", {.kinetic_friction = kNan}},
        {"kinetic_friction", {.static_friction = 0.1, .kinetic_friction = 0.9}},
        {"restitution", {.restitution = 2}},
        {"restitution", {.restitution = -0.1}},
        {"restitution", {.restitution = kNan}},
        {"rolling_resistance", {.rolling_resistance = -1}},
        {"torsional_friction", {.torsional_friction = kNan}},
        {"surface_velocity", {.surface_velocity = {kNan, 0, 0}}},
        {"anisotropy_ratio", {.anisotropy_ratio = 0}},
    };
}

} // namespace rigor::test
