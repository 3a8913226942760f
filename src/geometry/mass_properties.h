// Mass properties: transformed, combined and validated.
#pragma once

#include <span>

#include "rigor/mass.h"
#include "rigor/pose.h"
#include "rigor/result.h"

namespace rigor {

/// Of the same solid in the frame that `pose` maps to.
MassProperties transform(const Posed& pose, const MassProperties& mass);

/// Of several solids that move as one. Parts without mass are ignored.
MassProperties combine(std::span<const MassProperties> parts);

/// The same distribution with another total mass.
MassProperties with_mass(const MassProperties& mass, double total);

/// Whether some solid has these properties: a positive, finite mass, a finite center, and positive
/// principal moments that satisfy the triangle inequality to within 1e-9, for rounding.
Result<void> check_mass_properties(const MassProperties& mass);

} // namespace rigor
