#include "faithful/island_ode.h"

#include <algorithm>
#include <cmath>

#include "contact_dynamics/contact_detection.h"
#include "contact_dynamics/contact_forces.h"
#include "contact_dynamics/contact_modes.h"
#include "contact_dynamics/joint_actions.h"
#include "contact_dynamics/slip_begin.h"
#include "contact_dynamics/state_packing.h"
#include "dynamics/angular_velocity.h"
#include "rigor/rotation.h"

namespace rigor::faithful {
namespace {

constexpr double kGapRounding = 1e-13; // m
// Relative: forces whose accelerations are farther from the modes prove nothing.
constexpr double kKeepsModes = 1e-13;

/// How far contacts and limits are from leaving their modes: those that push, and those that touch
/// without pushing, which must not sink in. Of several solutions for redundant contacts one has
/// forces where another has none, so a contact may be needed that had no force before; it counts
/// beyond what modes are decided by.
struct ModeSlacks {
    double closed, open;
};

ModeSlacks mode_slacks(const Laws& laws, const Island& island, const IslandForces& forces) {
    ModeSlacks slacks{std::numeric_limits<double>::infinity(),
                      std::numeric_limits<double>::infinity()};
    const auto add = [&](ContactMode mode, double slack) {
        if (mode == ContactMode::open)
            slacks.open = std::min(slacks.open, slack + laws.tolerances.relative_force);
        else
            slacks.closed = std::min(slacks.closed, slack);
    };
    const std::size_t contacts = island.contacts.size();
    for (std::size_t i = 0; i < contacts; ++i) add(island.contacts[i].mode, forces.slacks[i]);
    for (std::size_t i = 0; i < island.limits.size(); ++i)
        add(island.limits[i].mode, forces.slacks[contacts + i]);
    return slacks;
}

/// The entries of a ledger that are integrated.
constexpr double WorkLedger::*kWorkEntries[] = {&WorkLedger::forces, &WorkLedger::contact_normal,
                                                &WorkLedger::contact_friction, &WorkLedger::joints,
                                                &WorkLedger::damping};

} // namespace

IslandOde::IslandOde(const WorldState& state, const Laws& laws, const Island& island,
                     BudgetMeter& budget_meter)
    : state_(state),
      laws_(laws),
      start_(island),
      trial_(island),
      budget_meter_(budget_meter),
      reference_(std::make_shared<const ReferenceRotation>(state, island)),
      turns_(island.bodies.size()),
      turns_time_(std::numeric_limits<double>::quiet_NaN()) {}

std::vector<double> IslandOde::packed_state() const {
    std::vector<double> y(kStateSize * start_.bodies.size());
    for (std::size_t i = 0; i < start_.bodies.size(); ++i) {
        BodyMotion m = start_.motion[i];
        m.x = {};
        m.q = {1, 0, 0, 0};
        pack(m, &y[kStateSize * i]);
    }
    for (const auto entry : kWorkEntries) y.push_back(start_.work.*entry);
    for (const Contact& c : start_.contacts)
        y.insert(y.end(), {c.impulse.x, c.impulse.y, c.impulse.z});
    return y;
}

void IslandOde::update_reference(double t) {
    if (t == turns_time_) return;
    for (std::size_t i = 0; i < turns_.size(); ++i) turns_[i] = reference_->at(i, t);
    turns_time_ = t;
}

const Island& IslandOde::at(double t, std::span<const double> y) {
    trial_.time = t;
    update_reference(t);
    for (std::size_t i = 0; i < trial_.bodies.size(); ++i) {
        trial_.motion[i] = unpack(&y[kStateSize * i]);
        trial_.motion[i].x += start_.motion[i].x;
        trial_.motion[i].q = normalize(trial_.motion[i].q * turns_[i].q);
    }
    const double* next = &y[kStateSize * trial_.bodies.size()];
    for (const auto entry : kWorkEntries) trial_.work.*entry = *next++;
    for (Contact& c : trial_.contacts)
        for (int axis = 0; axis < 3; ++axis) c.impulse[axis] = *next++;
    direct_new_slips(state_, trial_);
    return trial_;
}

void IslandOde::follow(double t, std::span<const double> y) {
    if (trial_.joints.empty() && trial_.contacts.empty()) return;
    const std::vector<BodyKinematics> bodies = kinematics_of(state_, at(t, y));
    for (IslandJoint& joint : trial_.joints) update_angles(state_, bodies, joint);
    for (Contact& c : trial_.contacts) {
        if (c.mode != ContactMode::slide || c.material.kinetic_friction == 0) continue;
        const Vec3d slip = slip_velocity(frame_of(c, bodies), bodies[c.a], bodies[c.b]);
        if (length(slip) > 2 * slow_slip(c)) {
            c.slip = normalize(slip);
            c.slip_is_new = false;
        }
    }
    follow_new_slips(t, y);
}

void IslandOde::follow_new_slips(double t, std::span<const double> y) {
    const auto is_new = [](const Contact& c) { return c.slip_is_new; };
    if (std::none_of(trial_.contacts.begin(), trial_.contacts.end(), is_new)) return;
    constexpr double kAhead = 1e-6; // s
    std::vector<double> ahead(y.size());
    derivative_at(t, y, ahead);
    std::vector<Vec3d> directions;
    for (const Contact& c : trial_.contacts) directions.push_back(c.slip);
    for (std::size_t i = 0; i < y.size(); ++i) ahead[i] = y[i] + kAhead * ahead[i];
    at(t + kAhead, ahead);
    const std::vector<BodyKinematics> bodies = kinematics_of(state_, trial_);
    for (std::size_t i = 0; i < directions.size(); ++i) {
        Contact& c = trial_.contacts[i];
        if (!c.slip_is_new) continue;
        const Vec3d normal = frame_of(c, bodies).normal;
        c.slip_rotation = dot(normal, cross(directions[i], c.slip)) / kAhead;
        c.slip = directions[i];
    }
}

void IslandOde::derivative_at(double t, std::span<const double> y, std::span<double> rate) {
    const Island& now = at(t, y);
    const IslandForces forces = forces_near_known(state_, now);
    WorkLedger power;
    power.contact_normal = forces.contact_power;
    power.contact_friction = forces.friction_power;
    power.joints = forces.joint_power;
    for (std::size_t i = 0; i < now.bodies.size(); ++i) {
        BodyMotion change{{}, {0, 0, 0, 0}, {}, {}};
        if (now.bodies[i] != kWorldBody)
            change = motion_rate(now, i, unpack(&y[kStateSize * i]).q, forces.on_bodies[i], power);
        pack(change, &rate[kStateSize * i]);
    }
    double* next = &rate[kStateSize * now.bodies.size()];
    for (const auto entry : kWorkEntries) *next++ = power.*entry;
    for (const Vec3d& force : forces.contacts_in_world)
        for (int axis = 0; axis < 3; ++axis) *next++ = force[axis];
}

double IslandOde::slack(double t, std::span<const double> y) {
    const Island& now = at(t, y);
    const IslandForces forces = forces_near_known(state_, now, known_.valid);
    if (forces.drive_slack < 0) return std::max(forces.drive_slack, -1.0);
    const ModeSlacks slacks = mode_slacks(laws_, now, forces);
    if (slacks.open < 0) return std::max(slacks.open, -1.0);
    const double slack = std::min({slacks.closed, slacks.open, forces.drive_slack, 1.0});
    if (slack > 0 && forces.error <= kKeepsModes) return slack;
    if (budget_meter_.exceeds_effort()) return -1e-3;
    return modes_are_valid(state_, laws_, now, budget_meter_, known_) ? 1e-3 : -1e-3;
}

double IslandOde::gap(std::size_t near, double t, std::span<const double> y) {
    const double touch = laws_.tolerances.touch_distance;
    const double shift =
        closest_points_of(start_.near_contacts[near], start_).gap <= touch ? kGapRounding : 0;
    const Island& now = at(t, y);
    return closest_points_of(now.near_contacts[near], now).gap + shift;
}

double IslandOde::slip(std::size_t contact, double t, std::span<const double> y) {
    const Island& now = at(t, y);
    const Contact& c = now.contacts[contact];
    const BodyKinematics a = body_kinematics(now, c.a), b = body_kinematics(now, c.b);
    return dot(slip_velocity(frame_of(c, a, b), a, b), c.slip);
}

double IslandOde::limit_gap(std::size_t near, double t, std::span<const double> y) {
    const auto gap_of = [&](const Island& island) {
        const std::vector<BodyKinematics> bodies = kinematics_of(state_, island);
        const JointLimit& limit = island.near_limits[near];
        return limit_rows(island_dofs(state_, island, bodies), limit)[2].error;
    };
    const double shift = gap_of(start_) <= laws_.tolerances.touch_distance ? kGapRounding : 0;
    return gap_of(at(t, y)) + shift;
}

double IslandOde::drive_slip(std::size_t drive, double t, std::span<const double> y) {
    const Island& now = at(t, y);
    const std::vector<BodyKinematics> bodies = kinematics_of(state_, now);
    const IslandDofs dofs = island_dofs(state_, now, bodies);
    return dot(contact_dynamics::drive_slip(now, dofs, now.drives[drive], bodies),
               now.drives[drive].slip);
}

double IslandOde::couple_rotation(std::size_t contact, CoupleKind kind, double t,
                                  std::span<const double> y) {
    const Island& now = at(t, y);
    const Contact& c = now.contacts[contact];
    const std::vector<BodyKinematics> bodies = kinematics_of(state_, now);
    return dot(couple_slip(c, kind, frame_of(c, bodies), bodies), couple_of(c, kind).slip);
}

BodyKinematics IslandOde::body_kinematics(const Island& now, std::uint32_t index) const {
    return now.bodies[index] == kWorldBody
               ? BodyKinematics{}
               : kinematics_of(state_.bodies, now.bodies[index], now.motion[index]);
}

/// `away` is the rotation from the reference to the body.
BodyMotion IslandOde::motion_rate(const Island& now, std::size_t i, const Quatd& away,
                                  const SpatialVector& force, WorkLedger& power) const {
    const BodyKinematics body = body_kinematics(now, static_cast<std::uint32_t>(i));
    const BodyMotion& m = now.motion[i];
    BodyMotion change{body.v, derivative(away, body.w - rotate(away, turns_[i].w)), {}, {}};
    if (!responds_to_impulses(state_, now.bodies[i])) return change;
    const BodyTraits& traits = state_.bodies.traits[now.bodies[i]];
    change.p = without_locked(force.linear, traits.lock, lock_tx);
    change.l = without_locked(force.angular, traits.lock, lock_rx);
    power.damping -=
        traits.linear_damping * dot(m.p, body.v) + traits.angular_damping * dot(m.l, body.w);
    if (state_.bodies.wrenches.empty()) return change;
    const Wrench& wrench = state_.bodies.wrenches[now.bodies[i]];
    power.forces += dot(wrench.force, body.v) + dot(wrench.torque, body.w);
    return change;
}

} // namespace rigor::faithful
