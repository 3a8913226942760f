#include "model/body_store.h"

#include "rigor/rotation.h"

namespace rigor {

BodyId BodyStore::add() {
    const BodyId id = ids.acquire();
    if (id.index == slot_count()) {
        motion.emplace_back();
        inertia.emplace_back();
        traits.emplace_back();
        mobility.push_back(Mobility::absent);
        names.emplace_back();
    }
    if (!wrenches.empty()) wrenches.resize(slot_count());
    return id;
}

// The records are reset, so that two worlds with the same live bodies and the same free slots have
// the same bytes.
void BodyStore::remove(BodyId id) {
    ids.release(id);
    const std::uint32_t i = id.index;
    motion[i] = {};
    inertia[i] = {};
    traits[i] = {};
    mobility[i] = Mobility::absent;
    names[i].clear();
    if (!wrenches.empty()) wrenches[i] = {};
}

void BodyStore::reserve(std::size_t bodies) {
    motion.reserve(bodies);
    inertia.reserve(bodies);
    traits.reserve(bodies);
    mobility.reserve(bodies);
    names.reserve(bodies);
}

std::size_t BodyStore::memory_bytes() const {
    std::size_t bytes =
        ids.memory_bytes() + motion.capacity() * sizeof(BodyMotion) +
        inertia.capacity() * sizeof(BodyInertia) + traits.capacity() * sizeof(BodyTraits) +
        mobility.capacity() * sizeof(Mobility) + wrenches.capacity() * sizeof(Wrench) +
        names.capacity() * sizeof(std::string);
    // Short names are stored inside the string itself.
    for (const std::string& name : names) {
        if (name.capacity() > std::string().capacity()) bytes += name.capacity() + 1;
    }
    return bytes;
}

Mobility mobility_of(const BodyTraits& traits) {
    const bool needs_care =
        traits.lock != 0 || traits.linear_damping != 0 || traits.angular_damping != 0;
    return traits.type == BodyType::static_body ? Mobility::immobile
           : needs_care                         ? Mobility::careful
                                                : Mobility::plain;
}

BodySpeed speed_of(const BodyStore& bodies, std::uint32_t body) {
    if (bodies.mobility[body] < Mobility::plain) return {};
    const BodyMotion& motion = bodies.motion[body];
    if (!is_dynamic(bodies, body)) return {motion.p, length(motion.l)}; // of a unit mass
    const BodyInertia& inertia = bodies.inertia[body];
    return {motion.p * inertia.inv_mass, length(motion.l) * max_component(inertia.inv_moments)};
}

Posed frame_pose(const BodyMotion& motion, const BodyTraits& traits) {
    const Quatd q = motion.q * conjugate(traits.principal);
    return {motion.x - rotate(q, traits.center), q};
}

void set_frame_pose(BodyMotion& motion, const BodyTraits& traits, const Posed& pose) {
    motion.q = pose.q * traits.principal;
    motion.x = pose.p + rotate(pose.q, traits.center);
}

Sym3d body_inertia(const BodyTraits& traits) {
    const Sym3d inertia = Sym3d::diagonal(traits.moments);
    return traits.principal == Quatd{} ? inertia : rotate(to_matrix(traits.principal), inertia);
}

} // namespace rigor
