// Makes motion records of an island: instants with all forces, impacts and projections with all
// impulses. Called only where a trace is wanted.
#pragma once

#include "contact_dynamics/contact_problem.h"

namespace rigor::contact_dynamics {

RecordedState recorded_state(const WorldState& state, std::uint32_t body, const BodyMotion& motion);

/// The island now, with its forces: such as contacts can give, where several would do.
RecordedInstant recorded_instant(const WorldState& state, const Island& island);

/// Nothing moves from now to a time.
void record_rest(const WorldState& state, double until, Island& island);
/// The same from the record of the last step, where the forces are known.
void record_same_rest(const WorldState& state, const MotionTrace& last, double until,
                      Island& island);
/// Motion under forces, at the nodes of a quadrature.
void record_motion(const WorldState& state, std::vector<RecordedInstant> nodes, Island& island);
/// Free flight of one body between two times.
MotionRecord recorded_flight(const WorldState& state, std::uint32_t body, const BodyMotion& from,
                             double begin, const BodyMotion& to, double end);
/// The forces of the caller.
MotionRecord recorded_loads(const WorldState& state);
MotionRecord unrecorded(double time, std::string_view reason);

/// Impulses along rows, collected by contact and by joint.
class ImpulseRecord {
  public:
    ImpulseRecord(const WorldState& state, const Island& before, MotionRecord::Kind kind);

    /// Along the tangents and the normal of its frame.
    void add_contact(const Contact& contact, const ContactFrame& frame, const Vec3d& impulse,
                     double friction, double restitution);
    void add_joint_row(std::uint32_t joint, const ConstraintRow& row, double impulse);
    void add_limit(const JointLimit& limit, const ConstraintRow& row, double impulse);
    MotionRecord& record() { return record_; }
    /// Appends the record to the trace of the island, which has the velocities after.
    void finish(Island& after);

  private:
    const WorldState& state_;
    std::vector<BodyKinematics> bodies_;
    std::vector<IslandJoint> island_joints_;
    MotionRecord record_;
};

} // namespace rigor::contact_dynamics
