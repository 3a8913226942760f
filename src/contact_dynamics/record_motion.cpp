#include "contact_dynamics/record_motion.h"

#include "contact_dynamics/contact_forces.h"
#include "contact_dynamics/contact_modes.h"
#include "contact_dynamics/contact_reports.h"

namespace rigor::contact_dynamics {
namespace {

bool is_recorded(std::uint32_t body) {
    return body != kWorldBody;
}

std::vector<BodyId> recorded_bodies(const WorldState& state, const Island& island) {
    std::vector<BodyId> bodies;
    for (const std::uint32_t body : island.bodies)
        if (is_recorded(body)) bodies.push_back(state.bodies.ids.id_at(body));
    return bodies;
}

std::vector<RecordedState> recorded_states(const WorldState& state, const Island& island) {
    std::vector<RecordedState> states;
    for (std::size_t i = 0; i < island.bodies.size(); ++i)
        if (is_recorded(island.bodies[i]))
            states.push_back(recorded_state(state, island.bodies[i], island.motion[i]));
    return states;
}

RecordedContact recorded_contact(const WorldState& state, const Contact& c,
                                 const ContactFrame& frame, const Vec3d& force) {
    RecordedContact contact;
    contact.a = contact_side(state, c.shapes.a);
    contact.b = contact_side(state, c.shapes.b);
    contact.point = frame.point;
    contact.normal = frame.normal;
    contact.force = frame.tangent_1 * force.x + frame.tangent_2 * force.y + frame.normal * force.z;
    contact.static_friction = c.material.static_friction;
    contact.kinetic_friction = c.material.kinetic_friction;
    contact.restitution = c.material.restitution;
    contact.sticks = c.mode == ContactMode::stick;
    return contact;
}

/// Force and torque on b along a row, about the anchor of the joint.
SpatialVector on_b(const IslandJoint& joint, const Vec3d& anchor,
                   std::span<const BodyKinematics> bodies, const ConstraintRow& row, double force) {
    SpatialVector sum;
    for (const ConstraintRow::Side& s : row.sides()) {
        if (s.body != joint.b) continue;
        sum.linear += s.linear * force;
        sum.angular += s.angular * force;
    }
    sum.angular -= cross(anchor - bodies[joint.b].x, sum.linear);
    return sum;
}

/// The limits, motors and friction of the joints of an island, with their forces.
class ActionRecorder {
  public:
    ActionRecorder(const WorldState& state, const Island& island,
                   std::span<const BodyKinematics> bodies, std::vector<RecordedJoint>& joints)
        : state_(state),
          island_(island),
          bodies_(bodies),
          dofs_(island_dofs(state, island, bodies)),
          joints_(joints) {}

    void add(const IslandForces& forces) {
        for (std::size_t i = 0; i < island_.limits.size(); ++i) {
            const JointLimit& limit = island_.limits[i];
            add(limit.joint, limit_rows(dofs_, limit)[2], forces.limits[i],
                RecordedAction::Kind::limit);
        }
        for (std::size_t i = 0; i < island_.drives.size(); ++i) add_drive(i, forces);
    }

  private:
    void add(std::uint32_t joint, const ConstraintRow& row, double force,
             RecordedAction::Kind kind) {
        const SpatialVector wrench =
            on_b(island_.joints[joint], joints_[joint].anchor, bodies_, row, force);
        RecordedAction action;
        action.kind = kind;
        action.linear = wrench.linear;
        action.angular = wrench.angular;
        joints_[joint].actions.push_back(action);
    }

    void add_drive(std::size_t i, const IslandForces& forces) {
        const JointDrive& drive = island_.drives[i];
        const double bound = max_force(state_, island_, dofs_, drive);
        const Vec3d force = drive.holds ? forces.drives[i] : drive_push(drive, bound);
        int axis = 0;
        RecordedAction sum;
        for (const ConstraintRow& row : drive_rows(island_, dofs_, drive)) {
            const SpatialVector wrench =
                on_b(island_.joints[drive.joint], joints_[drive.joint].anchor, bodies_, row,
                     force[axis++]);
            sum.linear += wrench.linear;
            sum.angular += wrench.angular;
        }
        sum.kind = drive.kind == JointDrive::Kind::motor ? RecordedAction::Kind::motor
                                                         : RecordedAction::Kind::friction;
        if (drive.kind == JointDrive::Kind::motor)
            sum.target_rate = dofs_[drive.joint][drive.dof].motor->target_rate;
        sum.max_force = bound;
        joints_[drive.joint].actions.push_back(sum);
    }

    /// Of a drive that does not hold: the largest force against its slip.
    Vec3d drive_push(const JointDrive& drive, double bound) const {
        const Vec3d slip = drive_slip(island_, dofs_, drive, bodies_);
        const Vec3d direction = dot(slip, drive.slip) > 1e-10 ? normalize(slip) : drive.slip;
        return direction * -bound;
    }

    const WorldState& state_;
    const Island& island_;
    std::span<const BodyKinematics> bodies_;
    IslandDofs dofs_;
    std::vector<RecordedJoint>& joints_;
};

} // namespace

RecordedState recorded_state(const WorldState& state, std::uint32_t body, const BodyMotion& m) {
    return {m.x, m.q * conjugate(state.bodies.traits[body].principal), m.p, m.l};
}

RecordedInstant recorded_instant(const WorldState& state, const Island& island) {
    const std::vector<BodyKinematics> bodies = kinematics_of(state, island);
    const std::vector<ContactFrame> frames = frames_of(island.contacts, bodies);
    const IslandForces forces = admissible_forces(state, island);
    RecordedInstant instant;
    instant.time = island.time;
    instant.states = recorded_states(state, island);
    for (std::size_t i = 0; i < island.contacts.size(); ++i)
        instant.contacts.push_back(
            recorded_contact(state, island.contacts[i], frames[i], forces.contacts[i]));
    for (std::size_t i = 0; i < island.joints.size(); ++i)
        instant.joints.push_back({state.joints.records.pool().id_at(island.joints[i].joint),
                                  anchor_on_b(state, island.joints[i], bodies),
                                  forces.joints[i].linear, forces.joints[i].angular});
    if (!island.joints.empty()) ActionRecorder(state, island, bodies, instant.joints).add(forces);
    return instant;
}

void record_rest(const WorldState& state, double until, Island& island) {
    MotionRecord record;
    record.kind = MotionRecord::Kind::rest;
    record.bodies = recorded_bodies(state, island);
    record.instants.push_back(recorded_instant(state, island));
    record.instants.push_back({until, record.instants[0].states});
    island.trace.records.push_back(std::move(record));
}

void record_same_rest(const WorldState& state, const MotionTrace& last, double until,
                      Island& island) {
    if (last.records.empty() || last.records.back().kind != MotionRecord::Kind::rest)
        return record_rest(state, until, island);
    MotionRecord record = last.records.back();
    record.instants[0].time = island.time;
    record.instants[1].time = until;
    island.trace.records.push_back(std::move(record));
}

void record_motion(const WorldState& state, std::vector<RecordedInstant> nodes, Island& island) {
    MotionRecord record;
    record.kind = MotionRecord::Kind::motion;
    record.bodies = recorded_bodies(state, island);
    record.instants = std::move(nodes);
    island.trace.records.push_back(std::move(record));
}

MotionRecord recorded_flight(const WorldState& state, std::uint32_t body, const BodyMotion& from,
                             double begin, const BodyMotion& to, double end) {
    MotionRecord record;
    record.kind = MotionRecord::Kind::flight;
    record.bodies = {state.bodies.ids.id_at(body)};
    record.instants = {{begin, {recorded_state(state, body, from)}},
                       {end, {recorded_state(state, body, to)}}};
    return record;
}

MotionRecord recorded_loads(const WorldState& state) {
    MotionRecord record;
    record.kind = MotionRecord::Kind::loads;
    const std::vector<Wrench>& wrenches = state.bodies.wrenches;
    for (std::uint32_t body = 0; body < wrenches.size(); ++body)
        if (wrenches[body].force != Vec3d{} || wrenches[body].torque != Vec3d{})
            record.loads.push_back(
                {state.bodies.ids.id_at(body), wrenches[body].force, wrenches[body].torque});
    return record;
}

MotionRecord unrecorded(double time, std::string_view reason) {
    MotionRecord record;
    record.kind = MotionRecord::Kind::unrecorded;
    record.instants = {{time, {}}};
    record.law = reason;
    return record;
}

ImpulseRecord::ImpulseRecord(const WorldState& state, const Island& before, MotionRecord::Kind kind)
    : state_(state), bodies_(kinematics_of(state, before)), island_joints_(before.joints) {
    record_.kind = kind;
    record_.bodies = recorded_bodies(state, before);
    record_.instants.push_back({before.time, recorded_states(state, before)});
    for (const IslandJoint& joint : before.joints)
        record_.instants[0].joints.push_back({state.joints.records.pool().id_at(joint.joint),
                                              anchor_on_b(state, joint, bodies_),
                                              {},
                                              {}});
}

void ImpulseRecord::add_contact(const Contact& contact, const ContactFrame& frame,
                                const Vec3d& impulse, double friction, double restitution) {
    RecordedContact recorded = recorded_contact(state_, contact, frame, impulse);
    recorded.kinetic_friction = friction;
    recorded.restitution = restitution;
    record_.instants[0].contacts.push_back(recorded);
}

void ImpulseRecord::add_joint_row(std::uint32_t joint, const ConstraintRow& row, double impulse) {
    RecordedJoint& recorded = record_.instants[0].joints[joint];
    const SpatialVector wrench =
        on_b(island_joints_[joint], recorded.anchor, bodies_, row, impulse);
    recorded.force += wrench.linear;
    recorded.torque += wrench.angular;
}

void ImpulseRecord::add_limit(const JointLimit& limit, const ConstraintRow& row, double impulse) {
    add_joint_row(limit.joint, row, impulse);
    RecordedJoint& recorded = record_.instants[0].joints[limit.joint];
    const SpatialVector wrench =
        on_b(island_joints_[limit.joint], recorded.anchor, bodies_, row, impulse);
    RecordedAction action;
    action.linear = wrench.linear;
    action.angular = wrench.angular;
    recorded.actions.push_back(action);
}

void ImpulseRecord::finish(Island& after) {
    record_.instants.push_back({after.time, recorded_states(state_, after)});
    after.trace.records.push_back(std::move(record_));
}

} // namespace rigor::contact_dynamics
