#include "literature/method_contacts.h"

#include <algorithm>
#include <limits>

#include "base/deadline.h"
#include "contact_dynamics/contact_detection.h"
#include "contact_dynamics/contact_forces.h"
#include "contact_dynamics/pair_prediction.h"

namespace rigor::literature {

namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

/// How far the center of a body may move in a time, at least: none is kept from getting faster.
double needed_reach(const WorldState& state, const MethodParts& method, std::uint32_t body,
                    const BodyMotion& motion, const SpatialVector& force, double time_left) {
    const BodyKinematics now = kinematics_of(state.bodies, body, motion);
    const double acceleration = length(force.linear) * max_component(now.inv_mass);
    return (length(now.v) + acceleration * time_left) * time_left + method.contact_distance +
           method.separation_distance;
}

/// By index of the body in the island; unbounded for those that do not move.
std::vector<double> needed_reaches(const WorldState& state, const MethodParts& method,
                                   const Island& island, double time_left) {
    const std::vector<SpatialVector> forces = external_forces(state, island, island.motion);
    std::vector<double> reaches(island.bodies.size(), kUnbounded);
    for (std::size_t i = 0; i < reaches.size(); ++i) {
        const std::uint32_t body = island.bodies[i];
        if (body != kWorldBody && state.bodies.traits[body].type != BodyType::static_body)
            reaches[i] = needed_reach(state, method, body, island.motion[i], forces[i], time_left);
    }
    return reaches;
}

/// What is left of the reach for which pairs were found. False when it is too little for some body.
bool covers(const std::vector<Vec3d>& centers, const std::vector<double>& found,
            const std::vector<double>& needed, const Island& island, std::vector<double>& left) {
    if (found.size() != needed.size()) return false;
    left = found;
    for (std::size_t i = 0; i < left.size(); ++i) {
        if (left[i] < kUnbounded) left[i] -= length(island.motion[i].x - centers[i]);
        if (left[i] < needed[i] && needed[i] < kUnbounded) return false;
    }
    return true;
}

} // namespace

void find_pairs(const MethodParts& method, double time_left, ThreadTeam& team, WorldState& state,
                MethodState& step) {
    Island& island = step.island;
    const std::vector<double> needed = needed_reaches(state, method, island, time_left);
    if (covers(step.pair_centers, step.pair_reach, needed, island, step.reach)) return;
    PairPredictor pair_predictor(state);
    step.pair_centers.assign(island.bodies.size(), Vec3d{});
    for (std::size_t i = 0; i < island.bodies.size(); ++i) {
        step.pair_centers[i] = island.motion[i].x;
        if (island.bodies[i] == kWorldBody) continue;
        state.bodies.motion[island.bodies[i]] = island.motion[i];
        if (needed[i] < kUnbounded)
            pair_predictor.set_center_bounds(
                island.bodies[i],
                expand(Aabb<double>{island.motion[i].x, island.motion[i].x}, needed[i]));
    }
    step.reach = step.pair_reach = needed;
    island.pairs = pair_predictor.find_new_pairs(team);
    int& crowded = step.outcome.statistics.crowded_count;
    crowded = std::max(crowded, pair_predictor.crowded_count());
}

void find_contacts(const WorldState& state, const MethodParts& method, MethodState& step) {
    step.contacts.clear();
    for (const ShapePair& pair : step.island.pairs) {
        if (deadline_has_passed()) return; // and the step ends with it
        contact_dynamics::find_contacts(state, step.island, pair, method.impact_distance(),
                                        step.contacts);
    }
    // The grain scales the tangents of impulses: where there are none, nothing may depend on it.
    if (!method.has_friction || method.resting_speed >= kNothingCollides)
        for (Contact& c : step.contacts) c.surface_a.ratio = c.surface_b.ratio = 1;
    if (state.islands.are_kept())
        for (const Contact& c : step.contacts) record_interaction(state, c.a, c.b, step);
}

} // namespace rigor::literature
