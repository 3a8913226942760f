// Rules of a material: the range of each property.
#pragma once

#include "rigor/material.h"
#include "rigor/result.h"

namespace rigor {

/// Every property but the density, which only a shape with mass needs. The error's `where` names
/// the property.
Result<void> check_material(const Material& material);
Result<void> check_material_pair(const MaterialPair& pair);

} // namespace rigor
