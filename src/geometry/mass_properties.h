// Mass properties moved, turned, put together and checked.
#pragma once

#include <span>

#include "rigor/mass.h"
#include "rigor/pose.h"
#include "rigor/result.h"

namespace rigor {

/// Of the same solid seen from the frame that `pose` leads to.
MassProperties transform(const Posed& pose, const MassProperties& mass);

/// Of several solids that move as one. Parts without mass count for nothing.
MassProperties combine(std::span<const MassProperties> parts);

/// The same distribution with another total mass.
MassProperties with_mass(const MassProperties& mass, double total);

/// Whether some solid has these properties: a positive, finite mass, a finite center, and
/// positive principal moments none of which exceeds the sum of the other two, by more than the
/// 1e-9 that rounding may cost.
Result<void> check_mass_properties(const MassProperties& mass);

} // namespace rigor
