#include "faithful/touching_pairs.h"

#include <algorithm>

#include "faithful/static_body.h"

namespace rigor::faithful {
namespace {

void find_pairs(EventStepData& data) {
    for (std::uint32_t body = 0; body < data.state.bodies.slot_count(); ++body)
        if (!is_static(data.state, body) && !data.pair_predictor.shapes(body).empty())
            data.pair_predictor.set_center_bounds(body, data.trajectories.center_bounds(body));
    data.pair_predictor.find_new_pairs(data.context.team);
}

} // namespace

TouchingPairs find_touching_pairs(EventStepData& data) {
    find_pairs(data);
    TouchingPairs touching;
    for (std::uint32_t body = 0; body < data.state.bodies.slot_count(); ++body)
        for (const ShapePair& pair : data.pair_predictor.pairs(body)) {
            // Both bodies list the pair.
            if (body != std::min(data.body_of(pair.a), data.body_of(pair.b))) continue;
            if (deadline_has_passed()) return touching;
            const double gap = data.impact_predictor.gap_at_start(pair);
            touching.deepest_gap = std::min(touching.deepest_gap, gap);
            if (gap <= data.laws.tolerances.touch_distance) touching.pairs.push_back(pair);
        }
    return touching;
}

} // namespace rigor::faithful
