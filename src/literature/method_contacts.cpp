#include "literature/method_contacts.h"

#include <limits>

#include "contact_dynamics/contact_detection.h"
#include "contact_dynamics/contact_forces.h"
#include "contact_dynamics/pair_prediction.h"

namespace rigor::literature {

void find_pairs(const MethodParts& method, double time_left, ThreadTeam& team, WorldState& state,
                MethodState& step) {
    Island& island = step.island;
    for (std::size_t i = 0; i < island.bodies.size(); ++i)
        if (island.bodies[i] != kWorldBody)
            state.bodies.motion[island.bodies[i]] = island.motion[i];
    PairPredictor pair_predictor(state);
    const std::vector<SpatialVector> forces = external_forces(state, island, island.motion);
    step.reach.assign(island.bodies.size(), std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < island.bodies.size(); ++i) {
        const std::uint32_t body = island.bodies[i];
        if (body == kWorldBody || state.bodies.traits[body].type == BodyType::static_body) continue;
        const BodyKinematics now = kinematics_of(state.bodies, body, island.motion[i]);
        const double acceleration = length(forces[i].linear) * max_component(now.inv_mass);
        step.reach[i] = (length(now.v) + acceleration * time_left) * time_left +
                        method.contact_distance + method.separation_distance;
        pair_predictor.set_center_bounds(
            body, expand(Aabb<double>{island.motion[i].x, island.motion[i].x}, step.reach[i]));
    }
    island.pairs = pair_predictor.find_new_pairs(team);
}

void find_contacts(const WorldState& state, const MethodParts& method, MethodState& step) {
    step.contacts.clear();
    for (const ShapePair& pair : step.island.pairs)
        contact_dynamics::find_contacts(state, step.island, pair, method.contact_distance,
                                        step.contacts);
    // The grain scales the tangents of impulses: where there are none, nothing may depend on it.
    if (!method.has_friction || method.resting_speed >= kNothingCollides)
        for (Contact& c : step.contacts) c.surface_a.ratio = c.surface_b.ratio = 1;
    if (state.islands.are_kept())
        for (const Contact& c : step.contacts) record_interaction(state, c.a, c.b, step);
}

} // namespace rigor::literature
