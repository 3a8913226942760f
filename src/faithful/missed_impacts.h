// Missed impacts: bodies that touch already may hit each other once more, with features that did
// not face each other before.
//
// Between two events the gaps of contacts are followed that are near at the beginning. A body that
// turns about one corner hits with the next one, and a vertex that pierces a sheet in the middle of
// an interval may be out again at its end. So the whole interval is searched for penetration, at
// times between which no point moves far compared with the size of the bodies.
//
// Reads    the dense output of the integration.
// Writes   nothing.
// Order    pairs are independent of each other; the earliest time counts.
#pragma once

#include <optional>

#include "faithful/advance_island.h"

namespace rigor::faithful {

/// m: deeper ones are resolved before a step.
inline constexpr double kMaxInitialPenetration = 1e-8;

/// Two times: before a penetration, and one at which it is there.
struct PenetrationInterval {
    double before = 0, after = 0;
};

/// m: what the pairs of an island may penetrate without an impact that was missed. The start of a
/// step allows as much; an impact that grazes may have left more, which is then no less allowed.
double allowed_penetration(const Island& start);

/// The first penetration of the pairs of an island beyond what is allowed, on its motion from
/// `start` on. The search is charged to the budget, and ends with it.
std::optional<PenetrationInterval> find_penetration(const WorldState& state, const Island& start,
                                                    const DenseOutput& motion,
                                                    BudgetMeter& budget_meter);

} // namespace rigor::faithful
