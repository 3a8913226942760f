// Joints of an exported scene, as JSON: their zero is the present configuration.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "viewer/scene_json.h"
#include "viewer/session.h"

namespace rigor::viewer {

/// The joints that there are now. `names` are those of the bodies, by slot; what a scene file
/// cannot say of a joint is added to `notes`.
ordered export_joints(const Session& session, const std::vector<std::string>& names,
                      std::set<std::string>& notes);

} // namespace rigor::viewer
