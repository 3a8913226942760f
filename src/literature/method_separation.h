// Separation of resting contacts [Kavan 2003, 4.2]: the resting rule `separation`.
//
// The text separates two bodies to a distance D, each moved by the share of the other's mass. That
// is the smallest displacement, in the metric of mass, that opens the gap. With more bodies it
// would push them into each other. So all are moved at once, by the smallest displacement x with
//
//     n_i (x_b - x_a) >= D - gap_i            at contacts that are separated,
//     n_i (x_b - x_a) >= min(D - gap_i, 0)    at all others nearby,
//
// which for two bodies is the rule of the text. The gap of convex shapes is a convex function of
// their displacement: it opens by at least n_i (x_b - x_a).
#pragma once

#include "literature/method_parts.h"
#include "literature/method_state.h"

namespace rigor::literature {

/// The pairs that are to be separated: those that rest, those that overlap, and those that ended
/// the last interval and got no impulse since (`impulses_before`: the count of impulses then).
std::vector<ShapePair> pairs_to_separate(const WorldState& state, const MethodState& step,
                                         std::size_t impulses_before);

/// Moves bodies so that these pairs are a distance D apart, and no others come closer than D or
/// than they are. Where bodies are wedged in, the distance is halved until there is room. The
/// heavier of two bodies moves less, and one with infinite mass does not move. Bodies that a joint
/// holds also turn. True when a body was moved.
///
/// Reads    the pairs and joints of the island.
/// Writes   the poses of its bodies; velocities are kept, except that joints are enforced.
/// Order    contacts by pair; iterated until all have their distance.
bool separate(const WorldState& state, const MethodParts& method,
              const std::vector<ShapePair>& pairs, MethodState& step);

/// f(D), the time that a separation is charged, so that a step has an end: linear in D, a hundredth
/// of the time in which a resting contact closes D again. All bodies wait for so long, whether they
/// are separated or not, which therefore has to be short.
double separation_time(const MethodParts& method);

} // namespace rigor::literature
