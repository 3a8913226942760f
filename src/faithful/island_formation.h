// Formation of the islands at the start of a step from joints and touching pairs.
//
// Reads    joints, touching pairs, and the motion of all bodies.
// Writes   island_of and predictions of the trajectories; of the predictions only `start`.
// Order    joints by slot, then the touching pairs as listed, then constrained bodies by slot. Each
//          makes a new island and merges the islands of its bodies into it, so the order of bodies
//          and contacts in an island depends on nothing else.
#pragma once

#include <span>

#include "faithful/body_trajectories.h"

namespace rigor::faithful {

/// A body that is in no island and cannot move in free flight, because of damping, locked axes or a
/// torque, becomes an island of its own.
void form_islands(const WorldState& state, std::span<const double> joint_angles,
                  std::span<const ShapePair> touching, BodyTrajectories& trajectories);

/// Adds an island, merged with the islands that its bodies are in. Returns its index. Bodies that
/// do not respond to impulses couple nothing and may be in several islands.
std::uint32_t add_island(Island&& island, BodyTrajectories& trajectories);

} // namespace rigor::faithful
