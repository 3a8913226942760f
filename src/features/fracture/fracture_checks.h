// Validity checks of fracture definitions.
#pragma once

#include "rigor/fracture.h"

namespace rigor {

/// Fails with the name of the field as `where`.
Result<void> check_fracture(const BodyDef& def, const FractureDef& fracture);

} // namespace rigor
