// The methods of a comparison, as they are written on the command line.
#pragma once

#include <string>
#include <vector>

#include "rigor/result.h"
#include "rigor/scene.h"

namespace rigor::app {

/// A method with settings of its own.
struct MethodChoice {
    std::string label; ///< as it was written
    std::vector<SceneOverride> overrides;
};

/// "fast,baber2006:resting=separation;tolerance=0.1": names divided by commas, each with its own
/// assignments after a colon, divided by semicolons. A plain name assigned to is a setting; one
/// with a dot or a bracket is a path of the scene, as for --set. Commas within brackets divide
/// nothing. Whether names and values exist is seen where the scene is read.
Result<std::vector<MethodChoice>> parse_methods(const std::string& text);

} // namespace rigor::app
