// Ground contact of a wheel: point, normal and load.
#pragma once

#include <vector>

#include "rigor/vehicle.h"
#include "rigor/world.h"

namespace rigor::vehicle {

/// One thing that a wheel stands on.
struct GroundSupport {
    ContactSide ground;
    Vec3d point;
    double load = 0; ///< N
};

/// All that a wheel stands on, as one contact.
struct GroundContact {
    std::vector<GroundSupport> supports;
    Vec3d point;     ///< mean by load
    Vec3d normal;    ///< out of the ground
    double load = 0; ///< N along the normal

    bool touches() const { return load > 0; }
};

/// Of a wheel with a body: the contacts of the last step, of length `dt`. Places move on with the
/// hub, which was at `hub_before` when that step began.
GroundContact wheel_contact(const World& world, BodyId wheel, const Vec3d& hub_before, double dt);

/// Velocity of the ground's surface, conveyors included.
Vec3d ground_velocity(const World& world, const GroundContact& contact);

/// Of tire and ground together, before the load counts; the mean by load.
double ground_friction(const World& world, const GroundContact& contact, const VehicleDef& def);

} // namespace rigor::vehicle
