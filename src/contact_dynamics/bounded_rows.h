// Bounded rows: impulses within bounds along constraint rows, transmitted through ideal joints.
#pragma once

#include <limits>

#include "contact_dynamics/impulse_work.h"

namespace rigor::contact_dynamics {

/// An impulse within bounds that brings the rate of a row to a target, as far as its softness lets
/// it: rate + softness * impulse = target.
struct BoundedRow {
    ConstraintRow row;
    double target = 0;
    double lo = -std::numeric_limits<double>::infinity(); ///< of the impulse
    double hi = std::numeric_limits<double>::infinity();
    double softness = 0;
    double impulse = 0;
    bool begins_ball = false; ///< the first of three rows whose impulse is bounded in length
};

/// A row that joints enforce, and what its rate is to change by, whatever else acts.
struct EnforcedRow {
    ConstraintRow row;
    double change = 0;
};

/// Solves for the impulses of all rows, those that joints enforce included, and stores those of the
/// bounded rows.
std::vector<RowImpulse> solve_bounded_rows(std::span<const EnforcedRow> enforced,
                                           std::span<BoundedRow> rows,
                                           std::span<const BodyKinematics> bodies);

} // namespace rigor::contact_dynamics
