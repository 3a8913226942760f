#include "faithful/moreau/group_reports.h"

#include "contact_dynamics/contact_reports.h"

namespace rigor::faithful {
namespace {

void report_contact(MoreauData& data, const Contact& c, const ContactFrame& frame,
                    const Vec3d& impulse, double normal_velocity, double h) {
    StepOutcome& outcome = data.outcome;
    const ContactSide a = contact_side(data.state, c.shapes.a),
                      b = contact_side(data.state, c.shapes.b);
    if (normal_velocity < -data.context.hit_speed)
        outcome.hits.push_back({a, b, frame.point, frame.normal, -normal_velocity, impulse.z});
    if (normal_velocity < -data.context.laws.tolerances.restitution_threshold)
        ++outcome.statistics.impact_count;
    // Impulses are reported for the whole step, as if its last substep filled it.
    const double step_ratio = data.dt / h;
    ContactView view{a, b, frame.normal, {}, {}, 1};
    view.friction = (frame.tangent_1 * impulse.x + frame.tangent_2 * impulse.y) * step_ratio;
    view.points[0] = {frame.point, frame.gap, impulse.z * step_ratio};
    outcome.touching.push_back(view);
}

} // namespace

void report_groups(MoreauData& data, std::span<ContactGroup> groups, double h) {
    for (ContactGroup& group : groups) {
        Island& island = group.island;
        for (std::size_t i = 0; i < group.impulses.size(); ++i) {
            const Vec3d& impulse = group.impulses[i];
            if (!(impulse.z > 0)) continue;
            const Vec3d& start = group.start_velocities[i];
            report_contact(data, island.contacts[i], group.frames[i], impulse, start.z, h);
        }
        Island before = island;
        for (std::size_t k = 0; k < group.world_index.size(); ++k)
            before.motion[k] = data.motion_before[group.world_index[k]];
        record_work(work_of(group.applied, kinematics_of(data.state, before),
                            kinematics_of(data.state, island)),
                    island);
        data.outcome.work.record(data.state, island);
    }
}

} // namespace rigor::faithful
