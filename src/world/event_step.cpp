// The step of `faithful` and of the documents' methods, and what is told of it.

#include <algorithm>
#include <cmath>
#include <iterator>

#include "collide/distance.h"
#include "dynamics/angular_velocity.h"
#include "world/edits.h"
#include "world/world_impl.h"

namespace rigor {
namespace {

void record_work(WorldState& state, const contact_dynamics::StepWork& work) {
    if (state.islands.are_kept())
        for (const auto& [a, b] : work.interacting_pairs) state.islands.join(a, b);
    contact_dynamics::WorkLedger
        all; // first of the step: its small parts are not lost beside a long past
    for (std::uint32_t body = 0; body < work.by_body.size(); ++body) {
        add(all, work.by_body[body]);
        if (Ledger* island = state.islands.of(body)) add(*island, work.by_body[body]);
    }
    add(state.ledger, all);
}

bool is_finite(const BodyMotion& m) {
    return rigor::is_finite(m.x) && rigor::is_finite(m.q) && rigor::is_finite(m.p) &&
           rigor::is_finite(m.l);
}

bool is_pushed_finitely(const BodyStore& bodies, std::uint32_t body) {
    return bodies.wrenches.empty() || (rigor::is_finite(bodies.wrenches[body].force) &&
                                       rigor::is_finite(bodies.wrenches[body].torque));
}

// Of a world that repeats: a step is made in so many parts at most, in each of which no body
// crosses more than so many cells.
constexpr double kMostParts = 1000, kCellsOfPart = 2;

/// How many cells of a world that repeats a body would cross in a step.
double cells_crossed(const WorldState& state, std::uint32_t body, double dt) {
    if (!state.cell) return 0;
    const Vec3d size = state.cell->size;
    return length(velocity(state.bodies, body)) * dt / std::min({size.x, size.y, size.z});
}

/// Pairs of what touches, each once, in order.
std::vector<ContactPairEvent> pairs_of(const std::vector<ContactView>& contacts) {
    std::vector<ContactPairEvent> pairs;
    for (const ContactView& contact : contacts) pairs.push_back({contact.a, contact.b});
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return pairs;
}

/// What is new in a sorted list, and what is gone from it.
template <class Change>
void compare(const std::vector<Change>& before, const std::vector<Change>& now,
             std::vector<Change>& fresh, std::vector<Change>& gone) {
    std::set_difference(now.begin(), now.end(), before.begin(), before.end(),
                        std::back_inserter(fresh));
    std::set_difference(before.begin(), before.end(), now.begin(), now.end(),
                        std::back_inserter(gone));
}

} // namespace

double World::Impl::step_events(double dt) {
    const std::vector<BodyMotion> start = state.bodies.motion;
    const literature::MethodMemory before = springs;
    for (std::uint32_t body = 0; body < start.size(); ++body)
        if (is_movable(state.bodies, body) &&
            (!is_pushed_finitely(state.bodies, body) ||
             cells_crossed(state, body, dt) > kMostParts * kCellsOfPart))
            quarantine(body);
    contact_dynamics::StepOutcome outcome = follow_events(dt);
    // Whoever is nowhere afterwards stays where it was, and the others go without it.
    while (quarantine_lost(start)) {
        springs = before;
        outcome = follow_events(dt);
    }
    record_work(state, outcome.work);
    report.moved = outcome.moved;
    report.contacts = static_cast<int>(outcome.touching.size());
    report.event_count = outcome.statistics.event_count;
    report.impact_count = outcome.statistics.impact_count;
    report.impulse_count = outcome.statistics.impulse_count;
    report.ambiguous_count = outcome.statistics.ambiguous_count;
    report.unsolved_count = outcome.statistics.unsolved_count;
    report.residual = outcome.statistics.residual;
    report.fixed_steps = outcome.statistics.fixed_steps;
    report.finished = outcome.reached >= dt;
    events.hits = std::move(outcome.hits);
    for (std::uint32_t body = 0; body < start.size(); ++body)
        if (is_movable(state.bodies, body)) events.moved.push_back(state.bodies.ids.id_at(body));
    compare(pairs_of(touching), pairs_of(outcome.touching), events.begun, events.ended);
    touching = std::move(outcome.touching);
    return outcome.reached;
}

contact_dynamics::StepOutcome World::Impl::follow_events(double dt) {
    const int parts = parts_of(dt);
    const double part = dt / parts;
    contact_dynamics::StepOutcome outcome = follow_part(part);
    int done = 1;
    for (; done < parts && outcome.reached >= part; ++done) {
        bring_into_cell();
        contact_dynamics::StepOutcome more = follow_part(part);
        add(more.statistics, outcome.statistics);
        more.statistics.fixed_steps += outcome.statistics.fixed_steps;
        more.work.add(outcome.work);
        more.hits.insert(more.hits.begin(), outcome.hits.begin(), outcome.hits.end());
        outcome = std::move(more);
    }
    const bool finished = done == parts && outcome.reached >= part;
    outcome.reached = finished ? dt : (done - 1) * part + outcome.reached;
    return outcome;
}

int World::Impl::parts_of(double dt) const {
    double cells = 0;
    for (std::uint32_t body = 0; state.cell && body < state.bodies.slot_count(); ++body)
        if (is_movable(state.bodies, body)) cells = std::max(cells, cells_crossed(state, body, dt));
    return static_cast<int>(std::clamp(std::ceil(cells / kCellsOfPart), 1.0, kMostParts));
}

contact_dynamics::StepOutcome World::Impl::follow_part(double dt) {
    constexpr double kEffort = 1e6; // a fraction of a second
    const contact_dynamics::StepBudget budget{settings.laws.max_events,
                                              settings.laws.max_wall_seconds,
                                              settings.laws.fixed_steps ? kEffort : 0};
    const contact_dynamics::Laws laws = contact_dynamics::laws_of(settings.laws);
    const contact_dynamics::StepContext context{state, laws,    budget,
                                                *team, profile, settings.hit_speed};
    if (settings.method == Method::faithful) return faithful::step(context, &resting_islands, dt);
    return literature::method_step(context, literature::method_parts_for(settings.method, settings),
                                   springs, dt);
}

void World::Impl::quarantine(std::uint32_t body) {
    book_edit(body, -kinetic_energy_of(state.bodies, body));
    state.bodies.motion[body].p = state.bodies.motion[body].l = {};
    state.bodies.mobility[body] = Mobility::immobile;
    resting_islands.clear();
    report.quarantined.push_back(state.bodies.ids.id_at(body));
}

/// All are back at the start if one was lost; false if none was.
bool World::Impl::quarantine_lost(const std::vector<BodyMotion>& start) {
    std::vector<std::uint32_t> lost;
    for (std::uint32_t body = 0; body < start.size(); ++body)
        if (is_movable(state.bodies, body) && !is_finite(state.bodies.motion[body]))
            lost.push_back(body);
    if (lost.empty()) return false;
    for (std::uint32_t body = 0; body < start.size(); ++body)
        if (is_movable(state.bodies, body)) state.bodies.motion[body] = start[body];
    for (const std::uint32_t body : lost) quarantine(body);
    return true;
}

void World::Impl::note_sensed() {
    std::vector<SensorEvent> inside = find_sensed();
    compare(sensed, inside, events.entered, events.left);
    sensed = std::move(inside);
}

/// What overlaps a sensor, in order.
std::vector<SensorEvent> World::Impl::find_sensed() {
    std::vector<SensorEvent> found;
    for (std::uint32_t slot = 0; slot < state.shapes.pool().slot_count(); ++slot) {
        const ShapeId id = state.shapes.pool().id_at(slot);
        if (id.is_null() || !state.shapes.find(id)->sensor) continue;
        const ShapeProxies& shapes = shape_proxies();
        const ShapeProxies::Placed& sensor = shapes[slot];
        shapes.overlap(solid_bounds(sensor.geometry, sensor.pose), ~0u,
                       [&](const ShapeProxies::Placed& other) {
                           if (other.body == sensor.body || other.sensor) return true;
                           if (!may_meet(sensor.filter, other.filter)) return true;
                           const Posed pose = relative_pose<double>(sensor.pose, other.pose);
                           if (distance(sensor.geometry, other.geometry, pose).distance <= 0)
                               found.push_back({{sensor.body, id}, {other.body, other.id}});
                           return true;
                       });
    }
    std::sort(found.begin(), found.end());
    return found;
}

} // namespace rigor
