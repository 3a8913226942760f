// Writes the present state of a world as a scene file.
#pragma once

#include <string>

#include "viewer/session.h"

namespace rigor::viewer {

/// Bodies have their present poses, velocities and properties. Compounds, patterns and included
/// files are expanded. A scene file defines the zero of a joint by its initial configuration, so
/// the zero moves to the present one. Limits and targets of hinges, sliders and wheels are shifted
/// to match; springs, cones and six_dof limits are not, and the scene's `about` says so.
std::string export_scene(const Session& session);

} // namespace rigor::viewer
