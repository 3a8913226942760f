// World: joints added, queried, changed and removed.

#include <algorithm>
#include <cmath>

#include "contact_dynamics/joint_rows.h"
#include "dynamics/joint_coordinates.h"
#include "model/joint_builder.h"
#include "world/arguments.h"
#include "world/world_impl.h"

namespace rigor {
namespace {

/// Whether there is a degree of freedom that a motor drives.
bool can_have_motor(const JointRecord& joint) {
    switch (joint.type) {
        case JointType::hinge:
        case JointType::slider:
        case JointType::wheel:
        case JointType::cone_twist:
        case JointType::track:
            return true;
        case JointType::distance:
            return joint.ranges[0].lo != joint.ranges[0].hi;
        default:
            return false;
    }
}

/// What is left of the gap between the anchors when the freedoms of the joint are taken out.
double anchor_error(const JointRecord& joint, const Posed& a, const Posed& b) {
    Vec3d gap = inverse_transform(a, b.p);
    const double apart = length(gap);
    switch (joint.type) {
        case JointType::slider:
            gap.x = 0;
            break;
        case JointType::wheel:
            gap.z = 0;
            break;
        case JointType::six_dof:
            for (int i = 0; i < 3; ++i) {
                const Range& range = joint.ranges[static_cast<std::size_t>(i)];
                gap[i] -= std::clamp(gap[i], range.lo, range.hi);
            }
            break;
        case JointType::distance:
            return std::abs(apart - std::clamp(apart, joint.ranges[0].lo, joint.ranges[0].hi));
        case JointType::ball:
        case JointType::hinge:
        case JointType::fixed:
        case JointType::cone_twist:
        case JointType::gear:
        case JointType::track:
            break;
    }
    return length(gap);
}

} // namespace

JointRecord& World::Impl::joint(JointId id) {
    JointRecord* record = state.joints.records.find(id);
    if (!record) {
        throw UsageError(id.is_null() ? "null joint id"
                                      : "no such joint in this world: it was removed, or the id "
                                        "is of another world");
    }
    return *record;
}

void World::Impl::remove_joint(JointId id) {
    JointStore& joints = state.joints;
    const JointRecord record = joint(id);
    wake_joined(record);
    joints.remove(id);
    pipeline->joint_removed(state, id.index, record);
    for (std::uint32_t slot = 0; slot < joints.slot_count(); ++slot) {
        if (joints.is_alive(slot) && joints[slot].type == JointType::gear &&
            (joints[slot].gear_a == id.index || joints[slot].gear_b == id.index))
            remove_joint(joints.records.pool().id_at(slot));
    }
}

Result<JointId> World::add_joint(const JointDef& def) {
    if (!def.a.is_null()) impl_->slot(def.a);
    if (!def.b.is_null()) impl_->slot(def.b);
    Result<JointRecord> built = build_joint(impl_->state, def);
    if (!built) return built.error();
    if (const auto* gear = std::get_if<GearJoint>(&def.kind)) {
        built->gear_offset =
            joint_state(gear->b).coordinate - gear->ratio * joint_state(gear->a).coordinate;
    }
    built->spring_mass = contact_dynamics::spring_mass(impl_->state, *built);
    const JointId id = impl_->state.joints.add(std::move(*built), def.name);
    impl_->wake_joined(impl_->joint(id));
    impl_->pipeline->joint_added(impl_->state, id.index);
    impl_->record<&World::add_joint>(def);
    return id;
}

void World::remove_joint(JointId id) {
    impl_->remove_joint(id);
    impl_->record<&World::remove_joint>(id);
}

bool World::is_valid(JointId id) const {
    return impl_->state.joints.records.find(id) != nullptr;
}
std::size_t World::joint_count() const {
    return impl_->state.joints.records.size();
}

std::vector<JointId> World::joints() const {
    std::vector<JointId> all;
    impl_->state.joints.records.for_each(
        [&](JointId id, const JointRecord&) { all.push_back(id); });
    return all;
}

std::vector<JointId> World::joints(BodyId id) const {
    const JointStore& joints = impl_->state.joints;
    std::vector<JointId> all;
    const std::uint32_t body = impl_->slot(id);
    if (body >= joints.of_body.size()) return all;
    for (const std::uint32_t slot : joints.of_body[body])
        all.push_back(joints.records.pool().id_at(slot));
    return all;
}

std::string_view World::name(JointId id) const {
    impl_->joint(id);
    return impl_->state.joints.names[id.index];
}

JointState World::joint_state(JointId id) const {
    const JointRecord& joint = impl_->joint(id);
    const Posed a = end_pose(impl_->state, joint.a), b = end_pose(impl_->state, joint.b);
    const JointReadout readout = impl_->pipeline->joint_readout(id);
    JointState now;
    now.anchor_a = a.p;
    now.anchor_b = b.p;
    if (joint.type == JointType::track) {
        double way = readout.angle;
        const TrackCurve::Place place = track_place(joint, {a, b}, way);
        now.coordinate = place.s;
        now.anchor_b = transform(b, place.position);
        now.error = length(now.anchor_b - now.anchor_a);
    } else {
        now.coordinate = first_coordinate(impl_->state, joint, readout.angle);
        now.error = joint.type == JointType::gear ? 0 : anchor_error(joint, a, b);
    }
    now.speed = contact_dynamics::coordinate_speed(impl_->state, joint, readout.angle);
    now.force = readout.force;
    now.torque = readout.torque;
    return now;
}

std::vector<Vec3d> World::track_points(JointId id, std::size_t count) const {
    const JointRecord& joint = impl_->joint(id);
    if (!joint.track) throw UsageError("only a track joint has a curve");
    if (count < 2) throw UsageError("a curve has at least 2 points, got " + std::to_string(count));
    const Posed frame = end_pose(impl_->state, joint.b);
    const double spacing = joint.track->length() / static_cast<double>(count - 1);
    std::vector<Vec3d> points;
    points.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
        points.push_back(
            transform(frame, joint.track->at(spacing * static_cast<double>(i)).position));
    return points;
}

void World::set_motor(JointId id, const std::optional<MotorDef>& motor) {
    JointRecord& joint = impl_->joint(id);
    if (motor) require(check_motor(*motor));
    if (motor && !can_have_motor(joint))
        throw UsageError("motor: a " +
                         std::string(kJointTypeNames[static_cast<std::size_t>(joint.type)]) +
                         " joint of this kind has none");
    joint.motor = motor;
    impl_->wake_joined(joint);
    impl_->record<&World::set_motor>(id, motor);
}

void World::set_spring(JointId id, const std::optional<SpringDef>& spring) {
    JointRecord& joint = impl_->joint(id);
    if (spring) require(check_spring(*spring));
    joint.spring = spring;
    joint.spring_mass = contact_dynamics::spring_mass(impl_->state, joint);
    impl_->wake_joined(joint);
    impl_->record<&World::set_spring>(id, spring);
}

void World::set_limits(JointId id, const Range& limits) {
    JointRecord& joint = impl_->joint(id);
    require(check_range("limits", limits));
    const bool has = joint.type == JointType::hinge || joint.type == JointType::slider ||
                     joint.type == JointType::wheel || joint.type == JointType::distance ||
                     joint.type == JointType::track;
    if (!has)
        throw UsageError("only a hinge, slider, wheel, distance or track joint has these limits");
    if (joint.type == JointType::distance && limits.lo < 0)
        throw UsageError("limits of a distance joint must not be negative, got " + text(limits.lo));
    const Result<Range> range = joint.track ? track_range(*joint.track, limits) : limits;
    require(range ? Result<void>{} : Result<void>{range.error()});
    joint.ranges[0] = *range;
    joint.length = limits.lo;
    impl_->wake_joined(joint);
    impl_->record<&World::set_limits>(id, limits);
}

void World::set_steer(JointId id, double angle) {
    JointRecord& joint = impl_->joint(id);
    if (joint.type != JointType::wheel) throw UsageError("only a wheel is steered");
    require_finite(angle, "steer");
    joint.steer = angle;
    impl_->wake_joined(joint);
    impl_->record<&World::set_steer>(id, angle);
}

} // namespace rigor
