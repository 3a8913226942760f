#include "contact_dynamics/island.h"

#include <algorithm>

#include "contact_dynamics/surface_directions.h"
#include "dynamics/angular_velocity.h"

namespace rigor::contact_dynamics {

std::uint32_t Island::find_or_add_body(std::uint32_t body, const WorldState& state) {
    const auto found = std::find(bodies.begin(), bodies.end(), body);
    const auto index = static_cast<std::uint32_t>(found - bodies.begin());
    if (found != bodies.end()) return index;
    bodies.push_back(body);
    motion.push_back(body == kWorldBody ? BodyMotion{} : state.bodies.motion[body]);
    return index;
}

void add(StepStatistics& to, const StepStatistics& from) {
    to.event_count += from.event_count;
    to.impact_count += from.impact_count;
    to.impulse_count += from.impulse_count;
    to.unsolved_count += from.unsolved_count;
    to.ambiguous_count += from.ambiguous_count;
    to.residual = std::max(to.residual, from.residual);
    to.impact_effort += from.impact_effort;
    to.crowded_count = std::max(to.crowded_count, from.crowded_count);
    to.hits.insert(to.hits.end(), from.hits.begin(), from.hits.end());
    to.broken.insert(to.broken.end(), from.broken.begin(), from.broken.end());
}

void add_joint(Island& island, const WorldState& state, std::uint32_t slot,
               std::span<const double> angles) {
    const JointRecord& joint = state.joints[slot];
    const auto index_of = [&](const JointEnd& end) {
        return island.find_or_add_body(end.body.is_null() ? kWorldBody : end.body.index, state);
    };
    const auto angle_of = [&](std::uint32_t s) { return s < angles.size() ? angles[s] : 0; };
    IslandJoint added;
    added.joint = slot;
    const bool is_gear = joint.type == JointType::gear;
    const JointRecord& first = is_gear ? state.joints[joint.gear_a] : joint;
    const JointRecord& second = is_gear ? state.joints[joint.gear_b] : joint;
    added.a = index_of(first.a);
    added.b = index_of(first.b);
    added.c = index_of(second.a);
    added.d = index_of(second.b);
    added.angle = angle_of(is_gear ? joint.gear_a : slot);
    added.driven_angle = is_gear ? angle_of(joint.gear_b) : 0;
    island.joints.push_back(added);
}

void merge(Island& island, const Island& from, const WorldState& state) {
    std::vector<std::uint32_t> indices;
    for (std::size_t i = 0; i < from.bodies.size(); ++i) {
        const std::uint32_t index = island.find_or_add_body(from.bodies[i], state);
        island.motion[index] = from.motion[i];
        indices.push_back(index);
    }
    const auto reindexed = [&](auto list) {
        for (auto& item : list) item.a = indices[item.a], item.b = indices[item.b];
        return list;
    };
    const auto append = [](auto& to, const auto& list) {
        to.insert(to.end(), list.begin(), list.end());
    };
    std::vector<IslandJoint> joints = reindexed(from.joints);
    for (IslandJoint& joint : joints) joint.c = indices[joint.c], joint.d = indices[joint.d];
    for (LockedRow lock : from.locks) {
        lock.joint += static_cast<std::uint32_t>(island.joints.size());
        for (ConstraintRow::Side& side : lock.row.sides()) side.body = indices[side.body];
        island.locks.push_back(lock);
    }
    island.locks_known = island.locks_known && from.locks_known;
    append(island.joints, joints);
    append(island.contacts, reindexed(from.contacts));
    append(island.near_contacts, reindexed(from.near_contacts));
    append(island.pairs, from.pairs);
    for (const PastContact& contact : from.past_contacts)
        add_past_contact(contact, island.past_contacts);
    add(island.work, from.work);
    island.trace.add(from.trace);
    island.limits.clear(), island.near_limits.clear(), island.drives.clear();
    island.modes_decided = false;
}

std::vector<BodyKinematics> kinematics_of(const WorldState& state, const Island& island) {
    std::vector<BodyKinematics> bodies;
    bodies.reserve(island.bodies.size());
    for (std::size_t i = 0; i < island.bodies.size(); ++i) {
        const std::uint32_t body = island.bodies[i];
        bodies.push_back(body == kWorldBody ? BodyKinematics{}
                                            : kinematics_of(state.bodies, body, island.motion[i]));
    }
    return bodies;
}

ContactFrame frame_of(const Contact& c, std::span<const BodyKinematics> bodies) {
    return frame_of(c, bodies[c.a], bodies[c.b]);
}

ContactFrame frame_of(const Contact& c, const BodyKinematics& a, const BodyKinematics& b) {
    ContactFrame frame = frame_of(c.geometry, a, b, c.image);
    if (c.has_directions) add_surface_directions(c, a, b, frame);
    return frame;
}

ClosestPoints<double> closest_points_of(const Contact& c, const Island& island) {
    const BodyMotion &a = island.motion[c.a], &b = island.motion[c.b];
    return closest_points_in_world(c.geometry, {a.x, a.q}, {b.x + c.image, b.q});
}

std::vector<ContactFrame> frames_of(std::span<const Contact> contacts,
                                    std::span<const BodyKinematics> bodies) {
    std::vector<ContactFrame> frames;
    frames.reserve(contacts.size());
    for (const Contact& c : contacts) frames.push_back(frame_of(c, bodies));
    return frames;
}

void add_past_contact(const PastContact& contact, std::vector<PastContact>& list) {
    const auto same = std::find_if(list.begin(), list.end(), [&](const PastContact& other) {
        return other.shapes == contact.shapes;
    });
    if (same == list.end()) {
        list.push_back(contact);
        return;
    }
    same->impulse += contact.impulse;
    same->point += contact.point;
    same->normal += contact.normal;
    same->weight += contact.weight;
}

void end_contact(Contact& contact, Island& island) {
    if (contact.impulse == Vec3d{}) return;
    const ClosestPoints<double> now = closest_points_of(contact, island);
    const double size = length(contact.impulse);
    add_past_contact({contact.shapes, contact.impulse, now.point * size, now.normal * size, size},
                     island.past_contacts);
    contact.impulse = {};
}

void apply(Island& island, const WorldState& state, std::span<const SpatialVector> impulses) {
    for (std::size_t i = 0; i < island.bodies.size(); ++i) {
        if (!responds_to_impulses(state, island.bodies[i])) continue;
        const std::uint8_t lock = state.bodies.traits[island.bodies[i]].lock;
        island.motion[i].p += without_locked(impulses[i].linear, lock, lock_tx);
        island.motion[i].l += without_locked(impulses[i].angular, lock, lock_rx);
    }
}

} // namespace rigor::contact_dynamics
