#include "faithful/moreau/moreau_data.h"

#include <algorithm>

#include "faithful/static_body.h"

namespace rigor::faithful {
namespace {

Island gather_world(const WorldState& state, std::span<const double> joint_angles) {
    Island world;
    for (std::uint32_t body = 0; body < state.bodies.slot_count(); ++body) {
        if (state.bodies.mobility[body] == Mobility::absent) continue;
        world.bodies.push_back(body);
        world.motion.push_back(state.bodies.motion[body]);
    }
    for (std::uint32_t slot = 0; slot < state.joints.slot_count(); ++slot)
        if (state.joints.is_alive(slot)) add_joint(world, state, slot, joint_angles);
    return world;
}

} // namespace

MoreauData::MoreauData(const StepContext& step_context, double step)
    : context(step_context),
      state(step_context.state),
      dt(step),
      pair_predictor(state),
      world(gather_world(state, step_context.joint_angles)),
      outcome(state) {
    outcome.trace.is_wanted = step_context.records_motion;
}

void write_motion(MoreauData& data) {
    for (std::size_t i = 0; i < data.world.bodies.size(); ++i) {
        if (is_static(data.state, data.world.bodies[i])) continue;
        const std::uint32_t body = data.world.bodies[i];
        BodyMotion& m = data.state.bodies.motion[body];
        if (responds_to_impulses(data.state, body))
            data.outcome.work.by_body[body].gravity +=
                data.state.bodies.inertia[body].weight *
                dot(data.state.gravity, data.world.motion[i].x - m.x);
        m = data.world.motion[i];
        ++data.outcome.moved;
    }
}

double deepest_gap(const Island& island) {
    double deepest = 0;
    for (const Contact& c : island.contacts)
        deepest = std::min(deepest, closest_points_of(c, island).gap);
    return deepest;
}

} // namespace rigor::faithful
