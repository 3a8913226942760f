// How an island goes on in time.
#pragma once

#include "contact_dynamics/island.h"
#include "contact_dynamics/step_budget.h"
#include "numeric/ode.h"

namespace rigor::faithful {

using namespace contact_dynamics;

/// Where the bodies of an island were, over a part of a step.
struct TrackPiece {
    double begin = 0, end = 0;
    DenseStep dense;
};
using Track = std::vector<TrackPiece>;

/// The motion of a body of the island at a time of its track.
BodyMotion motion_at(const Track& track, std::size_t place, double time);
BodyMotion motion_at(const TrackPiece& piece, std::size_t place, double time);

/// Carries a settled island on to a time, through all that happens between its own bodies. Where
/// it went is added to the track, if there is one. It ends early, where the meter does.
void advance(const WorldState& state, const Laws& laws, double until, Island& island, Story& story,
             Meter& meter, Track* track = nullptr);

} // namespace rigor::faithful
