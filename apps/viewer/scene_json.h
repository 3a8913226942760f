// The parts of a scene file that describe materials and shapes, as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "rigor/scene.h"

namespace rigor::viewer {

/// Keeps keys in the order of insertion.
using ordered = nlohmann::ordered_json;

ordered vec(const Vec3d& v);
ordered quat(const Quatd& q);

/// Sets a number unless it has its default value.
void put_if(ordered& object, const char* key, double value, double default_value);
void put_material(ordered& object, const Material& material);
/// The fields of a shape's geometry. Nothing for a compound.
void put_geometry(ordered& object, const ShapeGeometry& geometry);

/// The leaf shapes of a body with their poses in the body, in the order of World::shapes().
void add_leaves(const ShapeDef& shape, const Posed& parent, bool in_sensor,
                std::vector<ShapeDef>& leaves);

} // namespace rigor::viewer
