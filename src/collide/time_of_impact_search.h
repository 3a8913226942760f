// Search for an impact, common to time_of_impact and shape_cast.
#pragma once

#include "collide/conservative_advancement.h"
#include "collide/time_of_impact.h"

namespace rigor {

/// Keeps the earlier of two impacts, and the sum of their iterations.
template <class S>
void keep_earlier(TimeOfImpact<S>& best, const TimeOfImpact<S>& other) {
    const int iterations = best.iterations + other.iterations;
    const bool none = best.state == ToiStatus::apart;
    if (other.state == ToiStatus::hit && (none || other.t < best.t)) best = other;
    best.iterations = iterations;
}

template <class S>
TimeOfImpact<S> find_impact(const Shape<S>& a, const Motion<S>& motion_a, const Shape<S>& b,
                            const Motion<S>& motion_b, const ImpactGaps<S>& gaps,
                            int max_iterations, DistanceCache<S>* cache);

} // namespace rigor
