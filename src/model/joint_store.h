// JointStore: the joints of a world.
#pragma once

#include <memory>
#include <vector>

#include "base/hash.h"
#include "base/slot_map.h"
#include "model/track_curve.h"
#include "rigor/joint.h"
#include "rigor/pose.h"

namespace rigor {

/// The frame of a joint in a body, relative to its center of mass and principal axes; for the world
/// in world coordinates.
struct JointEnd {
    BodyId body; ///< null: the world
    Posed frame; ///< of the joint, in the body
};

/// A joint as the methods use it.
///
/// The two frames coincide at creation. Their x axis is the axis of the joint (hinge, slider, cone,
/// axle), their z axis that of the suspension and steering of a wheel. Of a track, that of a is
/// at the point that is held, and that of b is the frame of the curve.
struct JointRecord {
    JointType type = JointType::ball;
    JointEnd a, b;
    std::array<Range, 6> ranges; ///< of its coordinates, see joint_coordinates()
    std::optional<MotorDef> motor;
    std::optional<SpringDef> spring;
    /// Effective mass along its first degree of freedom when the joint was made: with it the
    /// frequency of a spring gives a stiffness. 0: not known.
    double spring_mass = 0;
    double length = 0; ///< of a `distance` joint with a fixed length
    double steer = 0;  ///< of a wheel, rad
    double friction = 0;
    double break_force = 0, break_torque = 0;
    std::uint32_t gear_a = UINT32_MAX, gear_b = UINT32_MAX; ///< slots of joints
    double gear_ratio = 1, gear_offset = 0;
    std::shared_ptr<const TrackCurve> track; ///< of a track, in the frame of b
    /// Of a track: the coordinate when the joint was made, or the method was chosen. Methods
    /// remember the way from there, which begins at zero.
    double track_start = 0;
    bool collide = false;
};

struct JointStore {
    SlotMap<JointRecord, JointTag> records;
    std::vector<std::string> names; ///< labels, by slot: not state
    /// Slots of the joints of each body, ascending; derived.
    std::vector<std::vector<std::uint32_t>> of_body;

    JointId add(JointRecord record, std::string name);
    void remove(JointId id);

    const JointRecord& operator[](std::uint32_t slot) const { return records[slot]; }
    JointRecord& operator[](std::uint32_t slot) { return records[slot]; }
    bool is_alive(std::uint32_t slot) const { return !records.pool().id_at(slot).is_null(); }
    std::uint32_t slot_count() const { return records.pool().slot_count(); }

    /// Whether a joint disables collision of these two bodies.
    bool keeps_apart(std::uint32_t body_a, std::uint32_t body_b) const;
};

void add_to_hash(Hasher& hasher, const JointStore& joints);

} // namespace rigor
