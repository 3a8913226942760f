// Validity checks of vehicle definitions.
#pragma once

#include "rigor/vehicle.h"
#include "rigor/world.h"

namespace rigor::vehicle {

/// The first rule that is broken; the error's `where` is the field.
Result<void> check_vehicle(const World& world, const VehicleDef& def);

/// Throws UsageError.
void check_input(const VehicleDef& def, const VehicleInput& input);

} // namespace rigor::vehicle
