// Keys of a scene file that are valid and do nothing, because of other keys beside them.
#pragma once

#include "rigor/scene.h"
#include "scene/reader.h"

namespace rigor {

/// One warning for each, by its path. `root` is a file that was read without a mistake. What a
/// method does not use is told by unused_properties(), which needs to know the method.
void warn_of_useless_keys(const Field& root, Scene& scene);

} // namespace rigor
