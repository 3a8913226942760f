// The data of a step by Moreau time stepping, shared by its stages.
#pragma once

#include "contact_dynamics/pair_prediction.h"
#include "contact_dynamics/step_context.h"

namespace rigor::faithful {

using namespace contact_dynamics;

inline constexpr double kMaxPenetration = 1e-9; // m: accepted penetration
/// Rounds of a nonlinear problem: rotation makes gaps nonlinear in the displacement.
inline constexpr int kMaxIterations = 10;

struct MoreauData {
    /// Gathers all bodies and joints of the world.
    MoreauData(const StepContext& step_context, double step);

    const StepContext& context;
    WorldState& state;
    double dt;
    PairPredictor pair_predictor;
    Island world;                                 ///< all bodies, joints and contacts as one island
    std::vector<BodyMotion> motion_before;        ///< of `world`, at the start of the substep
    std::vector<SpatialVector> external_impulses; ///< of the substep, by index in `world`
    std::vector<Contact> transmitting; ///< contacts of the last substep that have an impulse
    StepOutcome outcome;
};

/// Writes the motion of all bodies back to the world state, and records the work of gravity on the
/// way.
void write_motion(MoreauData& data);

/// The smallest gap of the contacts of an island; zero if all are positive.
double deepest_gap(const Island& island);

} // namespace rigor::faithful
