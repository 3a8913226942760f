// An island: bodies coupled by contacts and joints, with a time of their own.
//
// Between events an island moves smoothly. Each of its contacts has a mode (open, sticking or
// sliding), and the forces that maintain the modes follow from a linear system (contact_forces.h).
// The motion is integrated by a Runge-Kutta method of order 5 with error control
// (faithful/advance_island.h). A mode ends where its force or velocity says so; the modes are then
// decided by the complementarity problem of all contacts. Contacts that close with a velocity are
// impacts (resolve_event.h).
#pragma once

#include <vector>

#include "contact_dynamics/contact_laws.h"
#include "contact_dynamics/joint_rows.h"
#include "contact_dynamics/motion_trace.h"
#include "model/contact_material.h"
#include "model/world_state.h"

namespace rigor::contact_dynamics {

enum class ContactMode : std::uint8_t {
    open, ///< touching, without force
    stick,
    slide,
};

/// Slots of two shapes; with a periodic boundary, `shift` names the image of the second.
struct ShapePair {
    std::uint32_t a = 0, b = 0;
    CellShift shift = {};
    auto operator<=>(const ShapePair&) const = default;
};

/// Rolling resistance or torsional friction of a contact. It holds the relative rotation while the
/// torque that this takes is less than its bound, and else acts against the rotation.
struct ContactCouple {
    bool holds = false;
    Vec3d slip; ///< direction of the relative rotation, also while it is too slow to define one
};

struct Contact {
    ShapePair shapes;
    std::uint64_t features = 0; ///< pair of feature ids, unique among the contacts of the pair
    std::uint32_t a = 0, b = 0; ///< indices of their bodies in the island
    Vec3d image;                ///< displacement of the periodic image of b
    ContactGeometry geometry;
    ContactMaterial material;
    SurfaceDirections surface_a, surface_b;
    bool has_directions = false; ///< one of the two surfaces moves, or has a grain
    ContactMode mode = ContactMode::open;
    bool is_separating = false; ///< an open contact that accelerates apart
    Vec3d slip;                 ///< slip direction, also while the slip is too slow to define one
    bool slip_is_new = false;   ///< it began from rest and has not been fast since
    double slip_rotation = 0;   ///< rad/s: of the direction of a new slip, about the normal
    Vec3d force;                ///< along tangents and normal, on b
    Vec3d impulse;              ///< on b since the step began, world axes
    ContactCouple rolling, torsion;
};

/// The contacts of a pair of shapes that ended since the step began, as one: what they transmitted
/// is no less part of the step than what contacts do that last to its end.
struct PastContact {
    ShapePair shapes;
    Vec3d impulse;       ///< of all, on b, world axes
    Vec3d point, normal; ///< sums, weighted by the sizes of the impulses
    double weight = 0;   ///< sum of those sizes
};

/// One end of the range of a degree of freedom of a joint: a contact without friction between the
/// two sides of a stop, which does not bounce.
struct JointLimit {
    std::uint32_t joint = 0, dof = 0; ///< index in the island; number among its joint_dofs()
    double side = 1;                  ///< 1: the lower end, -1: the upper one
    ContactMode mode = ContactMode::open;
    bool is_separating = false;
    double force = 0;
};

/// A motor or dry friction with a largest force. It holds its rate while the force that this takes
/// is less; else it pushes with the largest one against the slip, the rate beyond the target.
struct JointDrive {
    enum class Kind : std::uint8_t { motor, friction, ball_friction };

    std::uint32_t joint = 0, dof = 0;
    Kind kind = Kind::motor;
    bool holds = false;
    Vec3d slip;  ///< direction of the slip; of one row, its sign in x
    Vec3d force; ///< of one row: in x
};

/// A row that holds a body against motion that its joints block (blocked_motion.h), for the joint
/// that its force counts for.
struct LockedRow {
    ConstraintRow row;
    std::uint32_t joint = 0; ///< index in the island
};

/// Work done on bodies; the entry `edits` is unused here.
using WorkLedger = Ledger;

inline constexpr std::uint32_t kWorldBody = UINT32_MAX;

/// A value type: copies serve to roll back.
struct Island {
    double time = 0;                   ///< since the beginning of the step
    std::vector<std::uint32_t> bodies; ///< slots, or kWorldBody
    std::vector<BodyMotion> motion;
    std::vector<IslandJoint> joints;
    std::vector<ShapePair> pairs;
    std::vector<Contact> contacts;      ///< touching
    std::vector<Contact> near_contacts; ///< of the same pairs, not touching yet
    std::vector<PastContact> past_contacts;
    std::vector<JointLimit> limits;      ///< reached
    std::vector<JointLimit> near_limits; ///< not reached
    std::vector<JointDrive> drives;
    std::vector<LockedRow> locks;
    bool locks_known = false; ///< blocked motion was searched for
    WorkLedger work;
    MotionTrace trace;          ///< with the island it is merged, and rolled back
    bool modes_decided = false; ///< modes are decided
    bool directs_slips = false; ///< new slips have the direction Contact::slip, however fast

    std::uint32_t find_or_add_body(std::uint32_t body, const WorldState& state);
};

/// Displacement of the periodic image of the second shape of a pair.
inline Vec3d image_of(const WorldState& state, const ShapePair& pair) {
    return state.cell ? state.cell->offset(pair.shift) : Vec3d{};
}

inline bool responds_to_impulses(const WorldState& state, std::uint32_t body) {
    return body != kWorldBody && is_dynamic(state.bodies, body) &&
           state.bodies.mobility[body] != Mobility::immobile;
}

/// The impact at one contact: its approach speed and normal impulse.
struct ImpactHit {
    ShapePair shapes;
    Vec3d point, normal; ///< from a to b
    double speed = 0, impulse = 0;
};

/// Counters of a step, for the report.
struct StepStatistics {
    int event_count = 0, impact_count = 0;
    int impulse_count = 0;    ///< single impulses that the impacts took
    int unsolved_count = 0;   ///< contact problems that did not converge
    double residual = 0;      ///< the worst merit of those that were solved
    int ambiguous_count = 0;  ///< impacts whose outcome depends on the order
    int fixed_steps = 0;      ///< substeps made instead of following events
    double impact_effort = 0; ///< of solving the impacts, in the unit of StepBudget
    int crowded_count = 0;    ///< shapes in crowds (broadphase/crowd.h), the most at a time
    std::vector<ImpactHit> hits = {};
    std::vector<std::uint32_t> broken = {}; ///< slots of joints
};

void add(StepStatistics& to, const StepStatistics& from);

/// Adds a joint with its bodies. `angles` are the last ones of all joints, by slot.
void add_joint(Island& island, const WorldState& state, std::uint32_t slot,
               std::span<const double> angles);

/// Merges another island at the same time into an island.
void merge(Island& island, const Island& from, const WorldState& state);

std::vector<BodyKinematics> kinematics_of(const WorldState& state, const Island& island);

ContactFrame frame_of(const Contact& contact, std::span<const BodyKinematics> bodies);
ContactFrame frame_of(const Contact& contact, const BodyKinematics& a, const BodyKinematics& b);
ClosestPoints<double> closest_points_of(const Contact& contact, const Island& island);
std::vector<ContactFrame> frames_of(std::span<const Contact> contacts,
                                    std::span<const BodyKinematics> bodies);

/// A vector along the tangents and the normal of a contact, in world axes.
inline Vec3d in_world(const ContactFrame& frame, const Vec3d& v) {
    return frame.tangent_1 * v.x + frame.tangent_2 * v.y + frame.normal * v.z;
}

/// Adds to the entry of the same pair.
void add_past_contact(const PastContact& contact, std::vector<PastContact>& list);
/// A contact of the island ends: its impulse is kept.
void end_contact(Contact& contact, Island& island);

/// Applies impulses to the momenta of an island.
void apply(Island& island, const WorldState& state, std::span<const SpatialVector> impulses);

} // namespace rigor::contact_dynamics
