// One impact with friction, integrated independently along the normal impulse [Keller 1986].
#pragma once

#include <string>

#include "vector.h"

namespace check {

struct ImpactResult {
    Vec impulse;                             ///< two tangents, then the normal
    double compression = 0, restitution = 0; ///< works of the normal impulse
    bool is_certain = false; ///< false where the path is too delicate to be followed this way
};

/// K maps an impulse to the change of the relative velocity u; u.z < 0 before. The laws are
/// energetic, poisson and newton.
ImpactResult follow_impact(const Mat& k, Vec u, double friction, double e, const std::string& law);

} // namespace check
