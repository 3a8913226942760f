#include "faithful/advance_island.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "contact_dynamics/blocked_motion.h"
#include "contact_dynamics/constraint_projection.h"
#include "contact_dynamics/contact_couples.h"
#include "contact_dynamics/contact_detection.h"
#include "contact_dynamics/contact_forces.h"
#include "contact_dynamics/contact_modes.h"
#include "contact_dynamics/impulse_work.h"
#include "contact_dynamics/joint_actions.h"
#include "contact_dynamics/record_motion.h"
#include "contact_dynamics/resolve_event.h"
#include "contact_dynamics/state_packing.h"
#include "faithful/island_ode.h"
#include "faithful/missed_impacts.h"

namespace rigor::faithful {
namespace {

/// Whether a joint of the island has a force that breaks it.
bool can_break(const WorldState& state, const Island& island) {
    return std::any_of(island.joints.begin(), island.joints.end(), [&](const IslandJoint& j) {
        const JointRecord& joint = state.joints[j.joint];
        return std::isfinite(joint.break_force) || std::isfinite(joint.break_torque);
    });
}

/// Where the rotations end against which couples act.
void add_couple_events(IslandOde& ode, const Island& island, std::vector<OdeEvent>& events) {
    for (std::size_t i = 0; i < island.contacts.size(); ++i) {
        const Contact& c = island.contacts[i];
        if (c.mode == ContactMode::open) continue;
        for (const CoupleKind kind : kCoupleKinds) {
            const ContactCouple& couple = couple_of(c, kind);
            if (!(couple_length(c.material, kind) > 0) || couple.holds || couple.slip == Vec3d{})
                continue;
            events.push_back(
                {[&ode, i, kind](double t, auto y) { return ode.couple_rotation(i, kind, t, y); },
                 OdeEvent::Direction::falling});
        }
    }
}

std::vector<OdeEvent> events_of(IslandOde& ode, const Island& island) {
    using Direction = OdeEvent::Direction;
    std::vector<OdeEvent> events;
    if (!island.contacts.empty() || !island.limits.empty() || !island.drives.empty() ||
        can_break(ode.state(), island))
        events.push_back({[&](double t, auto y) { return ode.slack(t, y); }, Direction::falling,
                          OdeEvent::Stop::after});
    for (std::size_t i = 0; i < island.contacts.size(); ++i) {
        const Contact& c = island.contacts[i];
        if (c.mode != ContactMode::slide || c.material.kinetic_friction == 0) continue;
        events.push_back(
            {[&ode, i](double t, auto y) { return ode.slip(i, t, y); }, Direction::falling});
    }
    for (std::size_t i = 0; i < island.near_contacts.size(); ++i)
        events.push_back(
            {[&ode, i](double t, auto y) { return ode.gap(i, t, y); }, Direction::falling});
    for (std::size_t i = 0; i < island.near_limits.size(); ++i)
        events.push_back(
            {[&ode, i](double t, auto y) { return ode.limit_gap(i, t, y); }, Direction::falling});
    for (std::size_t i = 0; i < island.drives.size(); ++i)
        if (!island.drives[i].holds && island.drives[i].slip != Vec3d{})
            events.push_back({[&ode, i](double t, auto y) { return ode.drive_slip(i, t, y); },
                              Direction::falling});
    add_couple_events(ode, island, events);
    return events;
}

void record_couple_directions(std::span<const BodyKinematics> bodies, Contact& c) {
    const ContactFrame frame = frame_of(c, bodies);
    for (const CoupleKind kind : kCoupleKinds) {
        const Vec3d slip = couple_slip(c, kind, frame, bodies);
        if (!couple_of(c, kind).holds && length(slip) > 1e-9)
            couple_of(c, kind).slip = normalize(slip);
    }
}

/// Records the current slip directions, along which the end of sliding is detected.
void record_slip_directions(const WorldState& state, Island& island) {
    const std::vector<BodyKinematics> bodies = kinematics_of(state, island);
    for (Contact& c : island.contacts) {
        if (has_couple(c.material)) record_couple_directions(bodies, c);
        if (c.mode != ContactMode::slide) continue;
        const ContactFrame frame = frame_of(c, bodies);
        const Vec3d slip = slip_velocity(frame, bodies[c.a], bodies[c.b]);
        if (length(slip) > 1e-9) c.slip = normalize(slip);
    }
    if (island.drives.empty()) return;
    const IslandDofs dofs = island_dofs(state, island, bodies);
    for (JointDrive& drive : island.drives) {
        const Vec3d slip = drive_slip(island, dofs, drive, bodies);
        if (!drive.holds && length(slip) > 1e-9) drive.slip = normalize(slip);
    }
}

/// Joints whose force has reached what breaks them are taken out.
void break_joints(const WorldState& state, Island& island, StepStatistics& statistics) {
    if (!can_break(state, island)) return;
    constexpr double kRounding = 1e-9;
    const auto breaks = [](double force, double bound) { return force >= bound * (1 - kRounding); };
    const IslandForces forces = forces_in_modes(state, island);
    std::vector<IslandJoint> whole;
    for (std::size_t i = 0; i < island.joints.size(); ++i) {
        const JointRecord& joint = state.joints[island.joints[i].joint];
        const bool broken = breaks(length(forces.joints[i].linear), joint.break_force) ||
                            breaks(length(forces.joints[i].angular), joint.break_torque);
        if (broken)
            statistics.broken.push_back(island.joints[i].joint);
        else
            whole.push_back(island.joints[i]);
    }
    if (whole.size() == island.joints.size()) return;
    island.joints = std::move(whole);
    island.locks.clear();
    island.locks_known = false;
    update_joint_actions(state, {}, island);
    island.modes_decided = false;
}

/// Whether all velocities and accelerations are zero to rounding.
bool is_at_rest(const WorldState& state, const Laws& laws, const Island& island) {
    if (!island.near_contacts.empty()) return false;
    const std::vector<BodyKinematics> bodies = kinematics_of(state, island);
    const IslandForces forces = forces_in_modes(state, island);
    const double g = std::max(length(state.gravity), 1.0);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (length(bodies[i].v) + length(bodies[i].w) > laws.tolerances.integration_error)
            return false;
        const SpatialVector a = response(bodies[i], forces.on_bodies[i]);
        if (length(a.linear) + length(a.angular) > laws.tolerances.relative_force * g) return false;
    }
    return true;
}

void update_forces(const WorldState& state, Island& island) {
    const IslandForces forces = admissible_forces(state, island);
    for (std::size_t i = 0; i < island.contacts.size(); ++i)
        island.contacts[i].force = forces.contacts[i];
}

void rest_until(const WorldState& state, double until, Island& island) {
    add_resting_impulses(state, until - island.time, island);
    if (island.trace.is_wanted) record_rest(state, until, island);
    island.time = until;
}

/// An accepted step at the five nodes of Lobatto quadrature; `y` is the state at its end.
std::vector<RecordedInstant> recorded_nodes(IslandOde& ode, const DenseStep& step,
                                            std::span<const double> y) {
    constexpr double kInner = 0.6546536707079771; // sqrt(3/7)
    std::vector<RecordedInstant> nodes;
    std::vector<double> at(y.size());
    for (const double s : {-1.0, -kInner, 0.0, kInner}) {
        const double t =
            s == -1.0 ? step.begin() : step.begin() + 0.5 * (1 + s) * (step.end() - step.begin());
        step.evaluate(t, at);
        nodes.push_back(recorded_instant(ode.state(), ode.at(t, at)));
    }
    nodes.push_back(recorded_instant(ode.state(), ode.at(step.end(), y)));
    return nodes;
}

/// Whether forces change so abruptly that the step control fails again and again: every second step
/// is rejected near a singular configuration of a loop of joints. Where slip begins or ends, the
/// direction of friction also takes hundreds of steps, one in seven of them rejected.
bool has_stalled(const OdeResult& result) {
    constexpr int kMostRejected = 3; // one in so many
    return result.status == OdeStatus::too_many_steps &&
           result.rejected * kMostRejected > result.steps + result.rejected;
}

/// An evaluation of the forces takes a time in proportion to the contacts, and for the factors of
/// the linear system of the bodies (numeric/least_norm.h) to the cube of the bodies. The constants
/// are estimates: they decide when a step falls back, not what it computes.
double effort_of_evaluation(const Island& island) {
    const auto bodies = static_cast<double>(island.bodies.size());
    const auto contacts = static_cast<double>(island.contacts.size());
    return 6 * (bodies + contacts) + 0.02 * bodies * bodies * bodies;
}

/// With joints it may take seconds: fixed substeps are of first order, and ideal joints do work in
/// them.
double patience_of(const Island& island) {
    return island.joints.empty() ? 1 : 10;
}

/// How an integration ended.
struct IntegrationEnd {
    bool at_event = false, has_stalled = false;
};

/// Integrates to a time or to the first event, whichever comes first.
IntegrationEnd integrate_to_event(const WorldState& state, const Laws& laws, double until,
                                  Island& island, BudgetMeter& budget_meter,
                                  DenseOutput& dense_output) {
    IslandOde ode(state, laws, island, budget_meter);
    std::vector<double> y = ode.packed_state();
    ode.follow(island.time, y);
    OdeSettings settings;
    constexpr double kShare = 0.5; // errors of many steps add up
    settings.relative_tolerance = settings.absolute_tolerance =
        kShare * laws.tolerances.integration_error;
    settings.first_step = until - island.time;
    settings.max_steps = 500; // between two projections
    settings.passive_components = ode.impulse_components();
    settings.interrupt = [&] { return budget_meter.must_stop(); };
    const std::vector<OdeEvent> events = events_of(ode, island);
    const double effort = effort_of_evaluation(island) / patience_of(island);
    std::vector<std::vector<RecordedInstant>> recorded;
    const OdeResult result = DormandPrince(settings).integrate(
        [&](double t, auto at, auto rate) {
            budget_meter.charge_effort(effort);
            ode.derivative_at(t, at, rate);
        },
        island.time, until, y, events,
        [&](const DenseStep& step, auto at) {
            if (island.trace.is_wanted) recorded.push_back(recorded_nodes(ode, step, at));
            ode.follow(step.end(), at);
            dense_output.push_back({step.begin(), step.end(), step, ode.reference()});
        });
    Island reached = ode.at(result.t, y);
    island = std::move(reached);
    for (std::vector<RecordedInstant>& nodes : recorded)
        record_motion(state, std::move(nodes), island);
    record_work(project_constraints(state, island), island);
    return {result.status == OdeStatus::stopped_at_event, has_stalled(result)};
}

constexpr double kSameContacts = 1e-6; // m, rad: contacts that differ by less are the same
// m: at which a contact begins while its pair is followed. Below it the first step of a house of
// cards, which are placed to about this, becomes a cascade of impacts.
constexpr double kBeginningGap = 1e-11;
constexpr double kMinDuration = 1e-9;         // s: of an integration
constexpr double kChangeResolution = 1e-13;   // s: of the time of a contact change
constexpr double kMinEventSpacing = 1e-6;     // s: events in closer succession are a cascade
constexpr double kMaxPenetrationRatio = 0.05; // relative to the touch distance

/// How the set of contacts changed in a trial.
enum class ContactSetChange : std::uint8_t {
    none,
    contacts,    ///< contacts appeared or disappeared
    penetration, ///< an impact was missed
};

/// `allowed`: what near contacts may penetrate, see allowed_penetration(). Those that part already
/// have been hit all the same.
ContactSetChange contact_set_change(const WorldState& state, const Laws& laws, double allowed,
                                    const Island& island) {
    Island current = island;
    const double change = update_contacts(state, laws, 0, kBeginningGap, current);
    const std::vector<BodyKinematics> bodies = kinematics_of(state, current);
    for (const ContactFrame& frame : frames_of(current.contacts, bodies))
        if (frame.gap < -kMaxPenetrationRatio * laws.tolerances.touch_distance)
            return ContactSetChange::penetration;
    for (const ContactFrame& frame : frames_of(current.near_contacts, bodies))
        if (frame.gap < -allowed) return ContactSetChange::penetration;
    return change > kSameContacts ? ContactSetChange::contacts : ContactSetChange::none;
}

struct Trial {
    Island island;
    DenseOutput dense_output;
    bool at_event = false, has_stalled = false;
    ContactSetChange change = ContactSetChange::none;
};

Trial try_integration(const WorldState& state, const Laws& laws, const Island& island, double until,
                      BudgetMeter& budget_meter) {
    Trial trial{island, {}, false, false, ContactSetChange::none};
    const IntegrationEnd end =
        integrate_to_event(state, laws, until, trial.island, budget_meter, trial.dense_output);
    trial.at_event = end.at_event;
    trial.has_stalled = end.has_stalled;
    trial.change = contact_set_change(state, laws, allowed_penetration(island), trial.island);
    return trial;
}

/// Whether bodies penetrate at the end of a trial where they were apart at its start: so they have
/// hit, however short it is. What touched at the start sinks in.
bool has_new_hit(const WorldState& state, const Laws& laws, const Island& start,
                 const Trial& trial) {
    if (trial.change != ContactSetChange::penetration) return false;
    Island end = trial.island;
    update_contacts(state, laws, 0, kBeginningGap, end);
    return std::any_of(end.contacts.begin(), end.contacts.end(), [&](const Contact& c) {
        return closest_points_of(c, end).gap < 0 &&
               closest_points_of(c, start).gap > laws.tolerances.touch_distance;
    });
}

bool has_changed_at(ContactSetChange change, bool ignores_contact_changes) {
    return ignores_contact_changes ? change == ContactSetChange::penetration
                                   : change != ContactSetChange::none;
}

/// Integrates until the set of contacts changes otherwise than by an event: a corner slides off an
/// edge, or touches twice within a step. The time is found by bisection, so closely that bodies do
/// not sink into the next face by more than rounding: to be lifted out again would give them
/// energy, at each facet of a bowl. A change that is present after the shortest duration already
/// comes from the choice of manifold points, not from motion, and is ignored.
Trial integrate_until_contacts_change(const WorldState& state, const Laws& laws,
                                      const Island& island, double until,
                                      BudgetMeter& budget_meter) {
    // Not beyond `until`, by no rounding error: who waits for the island then would miss it.
    const auto after = [&](double duration) { return std::min(island.time + duration, until); };
    Trial whole = try_integration(state, laws, island, until, budget_meter);
    const auto must_stop = [](const Trial& trial) {
        return trial.change == ContactSetChange::penetration ||
               (trial.change == ContactSetChange::contacts && !trial.at_event);
    };
    const std::optional<PenetrationInterval> missed =
        find_penetration(state, island, whole.dense_output, budget_meter);
    if (!(missed || must_stop(whole)) || after(kMinDuration) == until) return whole;
    Trial shortest = try_integration(state, laws, island, after(kMinDuration), budget_meter);
    const bool ignores_contact_changes = shortest.change == ContactSetChange::contacts;
    const auto has_changed = [&](const Trial& trial) {
        return ignores_contact_changes ? trial.change == ContactSetChange::penetration
                                       : must_stop(trial);
    };
    const bool hits_at_once = has_changed(shortest) && has_new_hit(state, laws, island, shortest);
    if (!hits_at_once && (has_changed(shortest) || shortest.at_event)) return shortest;
    if (!hits_at_once && !missed && !has_changed(whole)) return whole;
    // Bisection reads the dense output; only the final interval is integrated again.
    const Trial& known = hits_at_once ? shortest : whole;
    double before_change = hits_at_once ? 0 : kMinDuration,
           after_change = known.island.time - island.time;
    if (missed && !hits_at_once)
        after_change = std::max(before_change, missed->after - island.time);
    // What parts again has passed through the surface before.
    const bool has_passed = missed || known.change == ContactSetChange::penetration;
    const double allowed =
        allowed_penetration(island) -
        (has_passed ? kMaxInitialPenetration - kMaxPenetrationRatio * laws.tolerances.touch_distance
                    : 0);
    Island probe = island;
    while (after_change - before_change > kChangeResolution) {
        const double middle = 0.5 * (before_change + after_change);
        for (std::size_t i = 0; i < probe.motion.size(); ++i)
            probe.motion[i] = motion_at(known.dense_output, i, island.time + middle);
        (has_changed_at(contact_set_change(state, laws, allowed, probe), ignores_contact_changes)
             ? after_change
             : before_change) = middle;
    }
    // The integration differs from its dense output by less than the shortest duration.
    for (double late = 0;; late = std::max(8 * late, kChangeResolution)) {
        const double end = after(after_change + late);
        Trial trial = try_integration(state, laws, island, end, budget_meter);
        if (has_changed(trial) || trial.at_event || late > kMinDuration || end == until)
            return trial;
    }
}

} // namespace

void add_resting_impulses(const WorldState& state, double duration, Island& island) {
    const std::vector<BodyKinematics> bodies = kinematics_of(state, island);
    for (Contact& c : island.contacts)
        c.impulse += in_world(frame_of(c, bodies), c.force) * duration;
}

BodyMotion motion_at(const DenseOutputSegment& segment, std::size_t index, double time) {
    std::array<double, kStateSize> y;
    time = std::clamp(time, segment.begin, segment.end);
    segment.dense.evaluate(time, y, kStateSize * index);
    BodyMotion motion = unpack(y.data());
    motion.x += segment.reference->start(index);
    motion.q = normalize(motion.q * segment.reference->orientation(index, time));
    return motion;
}

BodyMotion motion_at(const DenseOutput& dense_output, std::size_t index, double time) {
    const auto after =
        std::find_if(dense_output.begin(), dense_output.end(),
                     [&](const DenseOutputSegment& segment) { return time <= segment.end; });
    return motion_at(after == dense_output.end() ? dense_output.back() : *after, index, time);
}

void advance_island(const WorldState& state, const Laws& laws, double until, Island& island,
                    StepStatistics& statistics, BudgetMeter& budget_meter,
                    DenseOutput* dense_output) {
    while (island.time < until && budget_meter.count_event()) {
        if (!island.locks_known)
            hold_blocked_motion(state, BlockedMotionSearch::small_islands, island);
        const double change =
            update_contacts(state, laws, until - island.time, kBeginningGap, island);
        if (change > kSameContacts || !island.modes_decided) {
            const double effort_before = statistics.impact_effort;
            resolve_event(state, laws, island, statistics);
            budget_meter.charge_effort((statistics.impact_effort - effort_before) /
                                       patience_of(island));
        }
        break_joints(state, island, statistics);
        if (!island.modes_decided) continue;
        record_slip_directions(state, island);
        update_forces(state, island);
        if (is_at_rest(state, laws, island)) return rest_until(state, until, island);
        Trial trial = integrate_until_contacts_change(state, laws, island, until, budget_meter);
        if (trial.has_stalled) {
            if (hold_blocked_motion(state, BlockedMotionSearch::all, island)) {
                island.modes_decided = false;
                continue;
            }
            budget_meter.charge_stalled_integration();
        }
        if (trial.island.time - island.time < kMinEventSpacing) budget_meter.charge_cascade_event();
        if (trial.change == ContactSetChange::penetration &&
            trial.island.time - island.time < 2 * kMinDuration &&
            !has_new_hit(state, laws, island, trial))
            budget_meter.charge_penetration();
        island = std::move(trial.island);
        if (dense_output)
            dense_output->insert(dense_output->end(), trial.dense_output.begin(),
                                 trial.dense_output.end());
        if (trial.at_event || trial.change != ContactSetChange::none) {
            ++statistics.event_count;
            island.modes_decided = false;
        }
    }
}

} // namespace rigor::faithful
