// Everything that acts on bodies between impacts: gravity, the forces of the caller, damping and
// resting contacts.
#pragma once

#include "literature/method_parts.h"
#include "literature/resting_wrenches.h"

namespace rigor::literature {

/// What the forces depend on besides poses and velocities. It refers to its parts, which stay
/// unchanged during an integration.
struct ForceModel {
    const WorldState& state;
    const MethodParts& method;
    std::span<const ContactSpring> springs = {};    ///< of the resting contacts, in their order
    std::span<const FrictionSpring> stretches = {}; ///< of the tangential springs
};

/// What the forces of an interval did.
struct IntervalRecord {
    std::vector<WorkLedger> work;        ///< by index of the body in the island
    std::vector<Vec3d> contact_impulses; ///< on b, world axes, by contact of the island
};

/// By index of the body in the island.
struct BodyWrenches {
    std::vector<SpatialVector> external; ///< gravity included
    ContactWrenches contacts;

    SpatialVector sum(std::size_t i) const;
};

/// The wrenches on an island at this instant.
BodyWrenches body_wrenches(const ForceModel& model, const Island& island);

/// The power of the wrenches on body i at these velocities. That of gravity is left out: its work
/// follows from the whole way (record_gravity_work()).
WorkLedger powers(const WorldState& state, const Island& island, const BodyWrenches& wrenches,
                  std::size_t i, const BodyKinematics& body);

} // namespace rigor::literature
