#include "literature/method_integration.h"

#include <algorithm>
#include <cmath>

#include "contact_dynamics/contact_forces.h"
#include "contact_dynamics/resolve_event.h"
#include "literature/integrate_ode.h"
#include "literature/joint_loads.h"
#include "literature/kick_and_drift.h"
#include "literature/micro_collisions.h"

namespace rigor::literature {
namespace {

void integrate_motion(const ForceModel& model, double h, Island& island, IntervalRecord& record) {
    const Integrator integrator = model.method.integrator;
    if (integrator == Integrator::euler || integrator == Integrator::rk4)
        integrate_ode(model, h, island, record);
    else
        kick_and_drift(model, h, island, record);
}

IntervalRecord empty_record(const Island& island) {
    return {std::vector<WorkLedger>(island.bodies.size()),
            std::vector<Vec3d>(island.contacts.size())};
}

/// Whether the resting rule solves for the forces that maintain the contacts.
bool solves_for_forces(RestingRule rule) {
    return rule == RestingRule::lp || rule == RestingRule::lcp || rule == RestingRule::cone;
}

/// Whether the kinetic energy grew by more than external forces can add in a time h: their work
/// along the way, and what they add to bodies at rest.
bool gained_energy(const WorldState& state, const Island& before, const Island& after, double h) {
    const std::vector<SpatialVector> external = external_forces(state, before, before.motion);
    double available = 0;
    for (std::size_t i = 0; i < external.size(); ++i) {
        if (!responds_to_impulses(state, before.bodies[i])) continue;
        const double inv_mass = state.bodies.inertia[before.bodies[i]].inv_mass;
        available += dot(external[i].linear, after.motion[i].x - before.motion[i].x) +
                     length_squared(external[i].linear) * (h * h * inv_mass);
    }
    const double start = kinetic_energy(state, before);
    return kinetic_energy(state, after) - start > available + 0.1 * start;
}

IntervalRecord integrate_with_energy_check(const ForceModel& model, double h, MethodState& step) {
    const Island before = step.island;
    IntervalRecord record = empty_record(before);
    integrate_motion(model, h, step.island, record);
    if (!gained_energy(model.state, before, step.island, h)) return record;
    step.island = before;
    step.island.contacts.clear();
    IntervalRecord without = empty_record(before);
    integrate_motion(model, h, step.island, without);
    step.island.contacts = before.contacts;
    ++step.outcome.statistics.unsolved_count;
    return without;
}

/// How fast a contact approaches.
double approach_speed(const Contact& c, const ContactFrame& frame,
                      std::span<const BodyKinematics> bodies) {
    return -dot(relative_velocity(frame, bodies[c.a], bodies[c.b]), frame.normal);
}

/// The springs of a contact are its impact: under `penalty` there is no other.
void record_contacts(const WorldState& state, const MethodParts& method, const Island& before,
                     std::span<const Vec3d> impulses, MethodState& step) {
    const std::vector<BodyKinematics> bodies = kinematics_of(state, before);
    for (std::size_t i = 0; i < impulses.size(); ++i) {
        if (impulses[i] == Vec3d{}) continue;
        const Contact& c = before.contacts[i];
        const ContactFrame frame = frame_of(c, bodies);
        step.impulses.push_back({c.shapes, c.features, frame.point, frame.normal, impulses[i]});
        if (method.resting != RestingRule::penalty) continue;
        step.outcome.statistics.hits.push_back({c.shapes, frame.point, frame.normal,
                                                std::max(approach_speed(c, frame, bodies), 0.0),
                                                dot(impulses[i], frame.normal)});
    }
}

/// What forces that maintain contacts do through joints is part of them (resting_wrenches.h), and
/// of the loads of the joints.
void record_reactions(const WorldState& state, const Island& before,
                      std::span<const Vec3d> impulses, MethodState& step) {
    if (before.joints.empty() || before.contacts.empty()) return;
    const ContactProblem contacts(state, before, before.contacts);
    std::vector<Vec3d> in_frames;
    for (std::size_t i = 0; i < impulses.size(); ++i) {
        const ContactFrame& f = contacts.frames()[i];
        in_frames.push_back({dot(f.tangent_1, impulses[i]), dot(f.tangent_2, impulses[i]),
                             dot(f.normal, impulses[i])});
    }
    add_reactions(state, contacts, in_frames, step);
}

} // namespace

void integrate(const WorldState& state, const MethodParts& method, double h, MethodMemory& memory,
               MethodState& step) {
    const ForceModel model{state, method, step.springs.at, memory.springs};
    const Island before = step.island;
    IntervalRecord record = empty_record(before);
    if (solves_for_forces(method.resting) && !step.island.contacts.empty())
        record = integrate_with_energy_check(model, h, step);
    else
        integrate_motion(model, h, step.island, record);
    for (std::size_t i = 0; i < record.work.size(); ++i) add(step.work[i], record.work[i]);
    record_contacts(state, method, before, record.contact_impulses, step);
    if (solves_for_forces(method.resting))
        record_reactions(state, before, record.contact_impulses, step);
    step.island.time += h;
    memory.springs =
        updated_friction_springs(state, method, step.island, step.springs.at, memory.springs, h);
}

BodyMotion integrate_free_body(const WorldState& state, const MethodParts& method,
                               std::uint32_t body, const BodyMotion& motion, double h) {
    if (!(h > 0) || state.bodies.traits[body].type == BodyType::static_body) return motion;
    Island alone;
    alone.bodies = {body};
    alone.motion = {motion};
    IntervalRecord record = empty_record(alone);
    integrate_motion(ForceModel{state, method}, h, alone, record);
    return alone.motion[0];
}

bool has_resting_forces(RestingRule rule) {
    return solves_for_forces(rule) || rule == RestingRule::penalty;
}

double max_time_step(const WorldState& state, const MethodParts& method, const MethodState& step,
                     double dt) {
    constexpr double kMinIntervals = 16; // of a step with springs, so that halving it halves them
    if (method.resting == RestingRule::penalty)
        return std::min(step.springs.max_time_step, dt / kMinIntervals);
    const double g = length(state.gravity);
    if (method.resting == RestingRule::micro && !step.contacts.empty() && g > 0)
        return micro_interval(g, method.contact_distance);
    return dt;
}

} // namespace rigor::literature
