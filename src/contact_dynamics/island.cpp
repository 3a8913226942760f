#include "contact_dynamics/island.h"

#include <algorithm>

#include "dynamics/angular_velocity.h"

namespace rigor::contact_dynamics {

std::uint32_t Island::place_of(std::uint32_t body, const WorldState& state) {
    const auto found = std::find(bodies.begin(), bodies.end(), body);
    const auto place = static_cast<std::uint32_t>(found - bodies.begin());
    if (found != bodies.end()) return place;
    bodies.push_back(body);
    motion.push_back(body == kTheWorld ? BodyMotion{} : state.bodies.motion[body]);
    return place;
}

void add(Story& to, const Story& from) {
    to.events += from.events;
    to.impacts += from.impacts;
    to.impulses += from.impulses;
    to.unsolved += from.unsolved;
    to.ambiguous += from.ambiguous;
    to.residual = std::max(to.residual, from.residual);
    to.hits.insert(to.hits.end(), from.hits.begin(), from.hits.end());
}

void merge(Island& island, const Island& from, const WorldState& state) {
    std::vector<std::uint32_t> places;
    for (std::size_t i = 0; i < from.bodies.size(); ++i) {
        const std::uint32_t place = island.place_of(from.bodies[i], state);
        island.motion[place] = from.motion[i];
        places.push_back(place);
    }
    const auto moved = [&](auto list) {
        for (auto& item : list) item.a = places[item.a], item.b = places[item.b];
        return list;
    };
    const auto append = [](auto& to, const auto& list) {
        to.insert(to.end(), list.begin(), list.end());
    };
    append(island.joints, moved(from.joints));
    append(island.contacts, moved(from.contacts));
    append(island.near, moved(from.near));
    append(island.pairs, from.pairs);
    add(island.works, from.works);
    island.is_settled = false;
}

std::vector<BodyMoment> moments_of(const WorldState& state, const Island& island) {
    std::vector<BodyMoment> bodies;
    bodies.reserve(island.bodies.size());
    for (std::size_t i = 0; i < island.bodies.size(); ++i) {
        const std::uint32_t body = island.bodies[i];
        bodies.push_back(body == kTheWorld ? BodyMoment{}
                                           : moment_of(state.bodies, body, island.motion[i]));
    }
    return bodies;
}

ContactFrame frame_of(const Contact& c, std::span<const BodyMoment> bodies) {
    return frame_of(c.geometry, bodies[c.a], bodies[c.b], c.image);
}

Nearest<double> nearest_of(const Contact& c, const Island& island) {
    const BodyMotion &a = island.motion[c.a], &b = island.motion[c.b];
    return nearest<double>(c.geometry, {a.x, a.q}, {b.x + c.image, b.q});
}

std::vector<ContactFrame> frames_of(std::span<const Contact> contacts,
                                    std::span<const BodyMoment> bodies) {
    std::vector<ContactFrame> frames;
    frames.reserve(contacts.size());
    for (const Contact& c : contacts) frames.push_back(frame_of(c, bodies));
    return frames;
}

std::vector<Row> joint_rows(const WorldState& state, const Island& island,
                            std::span<const BodyMoment> bodies) {
    std::vector<Row> rows;
    for (const IslandJoint& joint : island.joints)
        add_joint_rows(state.joints[joint.joint], joint.a, joint.b, bodies, rows);
    return rows;
}

void apply(Island& island, const WorldState& state, std::span<const Push> impulses) {
    for (std::size_t i = 0; i < island.bodies.size(); ++i) {
        if (!is_mover(state, island.bodies[i])) continue;
        const std::uint8_t lock = state.bodies.traits[island.bodies[i]].lock;
        island.motion[i].p += without_locked(impulses[i].linear, lock, lock_tx);
        island.motion[i].l += without_locked(impulses[i].angular, lock, lock_rx);
    }
}

} // namespace rigor::contact_dynamics
