#include "model/joint_store.h"

#include <algorithm>

namespace rigor {
namespace {

template <class T>
void add_optional(Hasher& hasher, const std::optional<T>& value) {
    hasher.add(value.has_value());
    hasher.add_value(value.value_or(T{}));
}

void add_record(Hasher& hasher, const JointRecord& joint) {
    hasher.add(static_cast<std::uint64_t>(joint.type));
    for (const JointEnd* end : {&joint.a, &joint.b}) {
        hasher.add_value(end->body);
        hasher.add_value(end->frame);
    }
    hasher.add_value(joint.ranges);
    hasher.add(joint.motor.has_value());
    const MotorDef motor = joint.motor.value_or(MotorDef{});
    add_optional(hasher, motor.target_velocity);
    add_optional(hasher, motor.target_position);
    hasher.add_value(motor.max_force);
    add_optional(hasher, joint.spring);
    for (const double value : {joint.length, joint.steer, joint.friction, joint.break_force,
                               joint.break_torque, joint.gear_ratio, joint.gear_offset})
        hasher.add_value(value);
    hasher.add(joint.gear_a);
    hasher.add(joint.gear_b);
    hasher.add(joint.collide);
    if (!joint.track) return;
    for (const Vec3d& point : joint.track->points()) hasher.add_value(point);
    hasher.add(joint.track->is_closed());
    hasher.add_value(joint.track_start);
}

} // namespace

JointId JointStore::add(JointRecord record, std::string name) {
    const BodyId bodies[] = {record.a.body, record.b.body};
    const JointId id = records.insert(std::move(record));
    if (names.size() <= id.index) names.resize(id.index + 1);
    names[id.index] = std::move(name);
    for (const BodyId body : bodies) {
        if (body.is_null()) continue;
        if (of_body.size() <= body.index) of_body.resize(body.index + 1);
        std::vector<std::uint32_t>& list = of_body[body.index];
        list.insert(std::lower_bound(list.begin(), list.end(), id.index), id.index);
    }
    return id;
}

void JointStore::remove(JointId id) {
    const JointRecord& record = *records.find(id);
    for (const BodyId body : {record.a.body, record.b.body}) {
        if (!body.is_null()) std::erase(of_body[body.index], id.index);
    }
    names[id.index].clear();
    records.erase(id);
}

bool JointStore::keeps_apart(std::uint32_t body_a, std::uint32_t body_b) const {
    if (body_a >= of_body.size() || body_b >= of_body.size()) return false;
    if (of_body[body_b].size() < of_body[body_a].size()) std::swap(body_a, body_b);
    return std::any_of(of_body[body_a].begin(), of_body[body_a].end(), [&](std::uint32_t slot) {
        const JointRecord& joint = (*this)[slot];
        return !joint.collide && (joint.a.body.index == body_b || joint.b.body.index == body_b);
    });
}

void add_to_hash(Hasher& hasher, const JointStore& joints) {
    const IdPool<JointTag>& pool = joints.records.pool();
    for (const std::uint32_t generation : pool.generations()) hasher.add(generation);
    for (const std::uint32_t slot : pool.free_list()) hasher.add(slot);
    joints.records.for_each([&](JointId, const JointRecord& joint) { add_record(hasher, joint); });
}

} // namespace rigor
