// Statics of a vehicle: its loads at rest, and how its bodies respond to forces.
#pragma once

#include <vector>

#include "rigor/world.h"

namespace rigor::vehicle {

/// Loads of wheels at these places, of sum 1, under a weight at `center`; x and y count. Springs of
/// equal stiffness decide where equilibrium leaves a choice. None is below a twentieth of the mean.
std::vector<double> share_weight(const std::vector<Vec3d>& places, const Vec3d& center);

/// Acceleration of a body's point along `direction` per force there; 0 unless it is dynamic.
double inverse_mass_at(const World& world, BodyId id, const Vec3d& point, const Vec3d& direction);

/// Moment of inertia about an axis through the center of mass.
double inertia_about(const World& world, BodyId id, const Vec3d& axis);

} // namespace rigor::vehicle
