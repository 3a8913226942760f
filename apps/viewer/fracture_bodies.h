// Bodies of a session that are born when others break.
#pragma once

#include "viewer/session_state.h"

namespace rigor::viewer {

/// The bodies at the start, by slot; those with bonds as their pieces.
std::vector<SessionBody> scene_bodies(const Simulation& simulation);

/// Replaces the bodies that broke in the last step by their pieces, which have the tag and color of
/// the body, and its fracture when they can break again.
void apply_fractures(const Simulation& simulation, SessionState& state);

} // namespace rigor::viewer
