// Properties of materials and joints that a method does not use, as warnings.
#pragma once

#include <string>
#include <vector>

#include "rigor/scene.h"
#include "rigor/settings.h"

namespace rigor {

/// One sentence for each property that some body or joint has and the method ignores.
std::vector<std::string> unused_properties(const Scene& scene, Method method);

} // namespace rigor
