#include "contact_dynamics/event_pipeline.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>

#include "contact_dynamics/record_motion.h"
#include "contact_dynamics/sensor_overlaps.h"
#include "dynamics/angular_velocity.h"
#include "dynamics/energy.h"
#include "dynamics/periodic_wrap.h"

namespace rigor::contact_dynamics {
namespace {

void record_work(WorldState& state, const StepWork& work) {
    if (state.islands.are_kept())
        for (const auto& [a, b] : work.interacting_pairs) state.islands.join(a, b);
    for (std::uint32_t body = 0; body < work.by_body.size(); ++body) {
        add(state.ledger, work.by_body[body]);
        if (LedgerSum* island = state.islands.of(body)) add(*island, work.by_body[body]);
    }
}

bool is_finite(const BodyMotion& m) {
    return rigor::is_finite(m.x) && rigor::is_finite(m.q) && rigor::is_finite(m.p) &&
           rigor::is_finite(m.l);
}

bool has_finite_forces(const BodyStore& bodies, std::uint32_t body) {
    return bodies.wrenches.empty() || (rigor::is_finite(bodies.wrenches[body].force) &&
                                       rigor::is_finite(bodies.wrenches[body].torque));
}

// In a periodic cell a step is divided into at most kMaxSubsteps, so that no body crosses more than
// kCellsPerSubstep cells in one of them.
constexpr double kMaxSubsteps = 1000, kCellsPerSubstep = 2;

/// How many periodic cells a body would cross in a step.
double cells_crossed(const WorldState& state, std::uint32_t body, double dt) {
    if (!state.cell) return 0;
    const Vec3d size = state.cell->size;
    return length(velocity(state.bodies, body)) * dt / std::min({size.x, size.y, size.z});
}

int substeps_for_cell(const WorldState& state, double dt) {
    double cells = 0;
    for (std::uint32_t body = 0; state.cell && body < state.bodies.slot_count(); ++body)
        if (is_movable(state.bodies, body)) cells = std::max(cells, cells_crossed(state, body, dt));
    return static_cast<int>(std::clamp(std::ceil(cells / kCellsPerSubstep), 1.0, kMaxSubsteps));
}

/// The pairs of shapes that touch, each once, in order.
std::vector<ContactPairEvent> pairs_of(const std::vector<ContactView>& contacts) {
    std::vector<ContactPairEvent> pairs;
    pairs.reserve(contacts.size());
    for (const ContactView& contact : contacts) pairs.push_back({contact.a, contact.b});
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return pairs;
}

/// The impulse of a contact with one point, on b.
Vec3d impulse_of(const ContactView& view) {
    return view.normal * view.points[0].impulse + view.friction;
}

/// Adds a contact of an earlier part of a step to what ended of its pair later.
void add_ended(const ContactView& view, std::vector<ContactView>& ended) {
    const auto same = std::find_if(ended.begin(), ended.end(), [&](const ContactView& other) {
        return other.a == view.a && other.b == view.b;
    });
    if (same == ended.end()) {
        ended.push_back(view);
        return;
    }
    const Vec3d impulse = impulse_of(*same) + impulse_of(view);
    same->points[0].impulse = dot(impulse, same->normal);
    same->friction = impulse - same->normal * same->points[0].impulse;
}

/// What is new in a sorted list, and what is gone from it.
template <class Event>
void compare(const std::vector<Event>& before, const std::vector<Event>& now,
             std::vector<Event>& begun, std::vector<Event>& ended) {
    std::set_difference(now.begin(), now.end(), before.begin(), before.end(),
                        std::back_inserter(begun));
    std::set_difference(before.begin(), before.end(), now.begin(), now.end(),
                        std::back_inserter(ended));
}

} // namespace

double EventPipeline::step(const PipelineStep& step, double dt) {
    WorldState& state = step.state;
    const std::vector<BodyMotion> start = state.bodies.motion;
    save_memory();
    const std::vector<double> start_angles = joint_angles_;
    for (std::uint32_t body = 0; body < start.size(); ++body)
        if (is_movable(state.bodies, body) &&
            (!has_finite_forces(state.bodies, body) ||
             cells_crossed(state, body, dt) > kMaxSubsteps * kCellsPerSubstep))
            quarantine(step, body);
    StepOutcome outcome = advance_step(step, dt);
    while (quarantine_non_finite(step, start)) {
        restore_memory();
        joint_angles_ = start_angles;
        outcome = advance_step(step, dt);
    }
    record_work(state, outcome.work);
    if (step.records) {
        *step.records = std::move(outcome.trace.records);
        step.records->push_back(recorded_loads(state));
    }
    report(step, dt, outcome);
    return outcome.reached;
}

StepOutcome EventPipeline::advance_step(const PipelineStep& step, double dt) {
    const int substeps = substeps_for_cell(step.state, dt);
    const double h = dt / substeps;
    StepOutcome outcome = advance_substep(step, h);
    int done = 1;
    for (; done < substeps && outcome.reached >= h; ++done) {
        wrap_into_cell(step.state);
        StepOutcome more = advance_substep(step, h);
        add(more.statistics, outcome.statistics);
        more.statistics.fixed_steps += outcome.statistics.fixed_steps;
        more.work.add(outcome.work);
        more.hits.insert(more.hits.begin(), outcome.hits.begin(), outcome.hits.end());
        for (const std::vector<ContactView>& past : {outcome.touching, outcome.ended})
            for (const ContactView& view : past) add_ended(view, more.ended);
        outcome = std::move(more);
    }
    const bool finished = done == substeps && outcome.reached >= h;
    outcome.reached = finished ? dt : (done - 1) * h + outcome.reached;
    return outcome;
}

StepOutcome EventPipeline::advance_substep(const PipelineStep& step, double dt) {
    const ContactLaws& wanted = step.settings.laws;
    constexpr double kEffort = 3e6; // a fraction of a second; then fixed substeps do the step
    // Fixed substeps do work on ideal joints, so that these are followed longer.
    const double effort_of_queries = step.state.joints.slot_count() > 0 ? 2 : 10;
    const StepBudget budget{wanted.max_events, wanted.fixed_steps ? kEffort : 0, effort_of_queries};
    const Laws laws = laws_of(wanted);
    const StepContext context{step.state,    laws,
                              budget,        step.team,
                              step.profile,  step.settings.hit_speed,
                              joint_angles_, step.records != nullptr};
    StepOutcome outcome = advance(context, step.settings, dt);
    store_joints(step.state, outcome);
    return outcome;
}

void EventPipeline::store_joints(const WorldState& state, const StepOutcome& outcome) {
    joint_angles_.resize(state.joints.slot_count());
    joints_.resize(state.joints.slot_count());
    for (const JointOutcome& joint : outcome.joints) {
        joint_angles_[joint.joint] = joint.angle;
        joints_[joint.joint] = {joint.angle, joint.force, joint.torque};
    }
}

JointReadout EventPipeline::joint_readout(JointId joint) const {
    return joint.index < joints_.size() ? joints_[joint.index] : JointReadout{};
}

void EventPipeline::joint_added(const WorldState& state, std::uint32_t joint) {
    AlwaysAwakePipeline::joint_added(state, joint);
    if (joint >= joints_.size()) return;
    joint_angles_[joint] = 0; // the slot may have been another joint's
    joints_[joint] = {};
}

void EventPipeline::add_to_hash(Hasher& hasher) const {
    AlwaysAwakePipeline::add_to_hash(hasher);
    for (const double angle : joint_angles_) hasher.add_value(angle);
}

std::size_t EventPipeline::memory_bytes() const {
    return AlwaysAwakePipeline::memory_bytes() + joint_angles_.capacity() * sizeof(double) +
           joints_.capacity() * sizeof(JointReadout);
}

void EventPipeline::report(const PipelineStep& step, double dt, StepOutcome& outcome) {
    StepReport& report = step.report;
    report.moved = outcome.moved;
    report.contacts = static_cast<int>(outcome.touching.size());
    for (const ContactView& contact : touching_) // as the last step left them
        report.penetration = std::max(report.penetration, -contact.points[0].separation);
    report.event_count = outcome.statistics.event_count;
    report.impact_count = outcome.statistics.impact_count;
    report.impulse_count = outcome.statistics.impulse_count;
    report.ambiguous_count = outcome.statistics.ambiguous_count;
    report.unsolved_count = outcome.statistics.unsolved_count;
    report.residual = outcome.statistics.residual;
    report.fixed_steps = outcome.statistics.fixed_steps;
    report.crowded_count = outcome.statistics.crowded_count;
    report.finished = outcome.reached >= dt;
    Events& events = step.events;
    events.hits = std::move(outcome.hits);
    for (const std::uint32_t joint : outcome.statistics.broken)
        events.broken.push_back(step.state.joints.records.pool().id_at(joint));
    const BodyStore& bodies = step.state.bodies;
    for (std::uint32_t body = 0; body < bodies.slot_count(); ++body)
        if (is_movable(bodies, body)) events.moved.push_back(bodies.ids.id_at(body));
    compare(pairs_of(touching_), pairs_of(outcome.touching), events.begun, events.ended);
    touching_ = std::move(outcome.touching);
    ended_ = std::move(outcome.ended);
}

std::vector<ContactView> EventPipeline::contacts(const WorldState&) const {
    std::vector<ContactView> all = touching_;
    all.insert(all.end(), ended_.begin(), ended_.end());
    std::stable_sort(all.begin(), all.end(), [](const ContactView& x, const ContactView& y) {
        return std::tie(x.a.shape, x.b.shape) < std::tie(y.a.shape, y.b.shape);
    });
    return all;
}

void EventPipeline::quarantine(const PipelineStep& step, std::uint32_t body) {
    BodyStore& bodies = step.state.bodies;
    record_edit(step.state, body, -kinetic_energy(bodies, body));
    bodies.motion[body].p = bodies.motion[body].l = {};
    bodies.mobility[body] = Mobility::immobile;
    state_changed();
    step.report.quarantined.push_back(bodies.ids.id_at(body));
}

/// When a body became non-finite all bodies go back to where they began the step, and it stays
/// there; false when none did.
bool EventPipeline::quarantine_non_finite(const PipelineStep& step,
                                          const std::vector<BodyMotion>& start) {
    BodyStore& bodies = step.state.bodies;
    std::vector<std::uint32_t> lost;
    for (std::uint32_t body = 0; body < start.size(); ++body)
        if (is_movable(bodies, body) && !is_finite(bodies.motion[body])) lost.push_back(body);
    if (lost.empty()) return false;
    for (std::uint32_t body = 0; body < start.size(); ++body)
        if (is_movable(bodies, body)) bodies.motion[body] = start[body];
    for (const std::uint32_t body : lost) quarantine(step, body);
    return true;
}

void EventPipeline::update_sensors(const WorldState& state,
                                   FunctionRef<const ShapeProxies&()> shapes, Events& events) {
    std::vector<SensorEvent> inside = find_sensor_overlaps(state, shapes);
    compare(sensed_, inside, events.entered, events.left);
    sensed_ = std::move(inside);
}

} // namespace rigor::contact_dynamics
