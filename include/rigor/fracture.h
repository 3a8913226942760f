// Fracture: bodies that break into convex pieces.
#pragma once

#include <cstdint>
#include <optional>

namespace rigor {

/// When and how a body breaks into pieces. Exactly one threshold is given.
struct FractureDef {
    int pieces = 8;
    std::uint64_t seed = 1;
    std::optional<double> impulse;  ///< N s in one impact
    std::optional<double> force;    ///< N
    std::optional<double> momentum; ///< kg m/s of the body itself
    bool at_impact = true;          ///< smaller pieces near the point of impact, else even ones
    double min_size = 0;            ///< m: a piece smaller than this breaks no further
    double energy = 0;              ///< J taken from the motion by each break
};

} // namespace rigor
