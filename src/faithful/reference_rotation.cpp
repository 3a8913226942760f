#include "faithful/reference_rotation.h"

#include "contact_dynamics/free_flight.h"
#include "dynamics/angular_velocity.h"

namespace rigor::faithful {
namespace {

/// A body with locked axes turns as its locks let it, for which there is no closed form.
bool turns_freely(const BodyStore& bodies, std::uint32_t body, const BodyMotion& motion) {
    if (motion.l == Vec3d{} || bodies.mobility[body] == Mobility::immobile) return false;
    const BodyTraits& traits = bodies.traits[body];
    return traits.type == BodyType::kinematic_body || (traits.lock & kRotationLocks) == 0;
}

} // namespace

ReferenceRotation::ReferenceRotation(const WorldState& state, const Island& island)
    : state_(state), begin_(island.time) {
    for (std::size_t i = 0; i < island.bodies.size(); ++i) {
        const std::uint32_t body = island.bodies[i];
        const bool turns = body != kWorldBody && turns_freely(state.bodies, body, island.motion[i]);
        bodies_.push_back({turns ? body : kWorldBody, island.motion[i]});
    }
}

Quatd ReferenceRotation::orientation(std::size_t index, double time) const {
    const Body& body = bodies_[index];
    if (body.slot == kWorldBody) return body.start.q;
    return normalize(free_flight_motion(state_, body.slot, body.start, time - begin_).q);
}

ReferenceRotation::Turn ReferenceRotation::at(std::size_t index, double time) const {
    const Body& body = bodies_[index];
    const Quatd q = orientation(index, time);
    if (body.slot == kWorldBody) return {q, {}};
    return {q, FreeTurning(state_.bodies.inertia[body.slot])(q, body.start.l)};
}

} // namespace rigor::faithful
