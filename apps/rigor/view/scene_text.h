// A world as it is now, as the text of a scene file.
#pragma once

#include <string>

#include "view/stage.h"

namespace rigor::view {

/// Bodies where they are and as they move, with all that was done to them; compounds taken apart,
/// patterns and files written out. The format says how joints stand at the start: so the zero of a
/// joint is where it stands now. Limits and targets of hinges, sliders and wheels are moved along;
/// springs, cones and the limits of six_dof joints are not, and the scene says so.
std::string scene_text(const Stage& stage);

} // namespace rigor::view
