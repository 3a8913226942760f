// Initial overlap: bodies that were placed in each other are moved apart before they are stepped.
//
// Springs, bias velocities and restarts turn an overlap into speed, up to hundreds of times the
// energy of the scene, and the least displacement of a heap at one position takes the factors of a
// matrix of thousands of rows. Here bodies are translated until they touch, pair by pair, and keep
// their velocities. Bodies that joints link move as one.
#pragma once

#include "base/thread_team.h"
#include "contact_dynamics/island.h"

namespace rigor::contact_dynamics {

/// Moves bodies apart that were placed (ascending slots), and those that this moves them into.
/// False if none overlap.
///
/// Reads    shapes, joints and masses.
/// Writes   positions of the island, which has all bodies of the world.
/// Order    pairs in the order of their shapes, again and again, each by its own overlap.
///
/// Overlaps up to `small` in meters, and up to a thousandth of the thickness of a body, are left.
/// What is squeezed between others stays so.
bool resolve_initial_overlap(const WorldState& state, std::span<const std::uint32_t> placed,
                             double small, ThreadTeam& team, Island& island);

} // namespace rigor::contact_dynamics
