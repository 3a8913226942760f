#include "faithful/moreau/group_reports.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "contact_dynamics/contact_reports.h"

namespace rigor::faithful {
namespace {

void report_hit(MoreauData& data, const Contact& c, const ContactFrame& frame, double impulse,
                double normal_velocity) {
    StepOutcome& outcome = data.outcome;
    if (normal_velocity < -data.context.hit_speed)
        outcome.hits.push_back({contact_side(data.state, c.shapes.a),
                                contact_side(data.state, c.shapes.b), frame.point, frame.normal,
                                -normal_velocity, impulse});
    if (normal_velocity < -data.context.laws.tolerances.restitution_threshold)
        ++outcome.statistics.impact_count;
}

bool comes_before(const Contact& x, const Contact& y) {
    return std::tie(x.shapes, x.features) < std::tie(y.shapes, y.features);
}

/// A contact of a group transmits an impulse, and takes over what it transmitted in the substeps
/// before.
void add_transmitting(const ContactGroup& group, std::size_t i, std::vector<Contact>& before,
                      MoreauData& data) {
    Contact c = group.island.contacts[i];
    c.a = group.world_index[c.a], c.b = group.world_index[c.b];
    c.impulse = in_world(group.frames[i], group.impulses[i]);
    const auto last = std::lower_bound(before.begin(), before.end(), c, comes_before);
    if (last != before.end() && !comes_before(c, *last))
        c.impulse += std::exchange(last->impulse, {});
    data.transmitting.push_back(c);
}

/// A substep of length h changes all velocities at once and then moves bodies with those after it:
///
///     v' = v + a h + P/m ,   x' = x + v' h
///
/// where a is the acceleration of gravity. Gravity works along v' h, but of its impulse the kinetic
/// energy knows the mean of v and v'. What the other impulses add to v' is moved through with them:
/// of an impulse P the work is P·(v + v')/2 - P·a h/2, as if it had acted before gravity. And a h
/// itself moves a body by a h²/2 farther than it falls, which is a displacement.
void record_lag_of_gravity(const MoreauData& data, double h, ContactGroup& group) {
    Island& island = group.island;
    const std::vector<BodyKinematics> bodies = kinematics_of(data.state, island);
    std::vector<Vec3d> half_fall(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (!responds_to_impulses(data.state, island.bodies[i])) continue;
        const Vec3d weight =
            data.state.gravity * data.state.bodies.inertia[island.bodies[i]].weight;
        half_fall[i] = multiply(bodies[i].inv_mass, weight) * (0.5 * h);
        island.work.contact_normal -= h * dot(weight, half_fall[i]);
        const Vec3d forces = data.external_impulses[group.world_index[i]].linear - weight * h;
        island.work.forces -= dot(forces, half_fall[i]);
    }
    for (const RowImpulse& applied : group.applied)
        for (const ConstraintRow::Side& side : applied.row.sides())
            island.work.*applied.entry -= applied.impulse * dot(side.linear, half_fall[side.body]);
}

} // namespace

void report_groups(MoreauData& data, double h, std::span<ContactGroup> groups) {
    std::vector<Contact> before = std::exchange(data.transmitting, {});
    std::sort(before.begin(), before.end(), comes_before);
    for (ContactGroup& group : groups) {
        Island& island = group.island;
        for (std::size_t i = 0; i < group.impulses.size(); ++i) {
            const Vec3d& impulse = group.impulses[i];
            if (!(impulse.z > 0)) continue;
            report_hit(data, island.contacts[i], group.frames[i], impulse.z,
                       group.start_velocities[i].z);
            add_transmitting(group, i, before, data);
        }
        Island start = island;
        for (std::size_t k = 0; k < group.world_index.size(); ++k)
            start.motion[k] = data.motion_before[group.world_index[k]];
        record_work(work_of(group.applied, kinematics_of(data.state, start),
                            kinematics_of(data.state, island)),
                    island);
        record_lag_of_gravity(data, h, group);
        data.outcome.work.record(data.state, island);
    }
    for (Contact& c : before) end_contact(c, data.world);
}

void report_impulses(MoreauData& data) {
    Island transmitting;
    transmitting.bodies = data.world.bodies;
    transmitting.motion = data.world.motion;
    transmitting.contacts = std::move(data.transmitting);
    report_contacts(data.state, transmitting, data.outcome.touching);
    report_past_contacts(data.state, data.world.past_contacts, data.outcome.ended);
}

} // namespace rigor::faithful
