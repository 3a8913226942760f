// Surfaces with directions: conveyors, whose surface moves along itself, and grain, along which
// friction differs from friction across it.
//
// Both are properties of the contact frame. A conveyor adds its velocity to the slip. A grain
// scales the tangents, so that velocities and forces along them obey the isotropic law
// (model/friction_ellipse.h).
#pragma once

#include "contact_dynamics/island.h"

namespace rigor::contact_dynamics {

void add_surface_directions(const Contact& contact, const BodyKinematics& a,
                            const BodyKinematics& b, ContactFrame& frame);

/// What moving surfaces add to the relative velocity of a contact, along its tangents.
Vec3d surface_velocity(const ContactFrame& frame);

/// Direction of a slip along the tangents, unit. The slip is a unit vector in world axes.
Vec3d slip_along_tangents(const Vec3d& slip, const ContactFrame& frame);
/// The unit vector in world axes of a slip along the tangents.
Vec3d slip_in_world(const Vec3d& slip, const ContactFrame& frame);

} // namespace rigor::contact_dynamics
