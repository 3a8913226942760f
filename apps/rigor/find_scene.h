// Scenes by name: a file, or a scene of the gallery.
#pragma once

#include <filesystem>
#include <string>

#include "rigor/result.h"

namespace rigor::app {

/// The gallery of the source tree the program was built in, or of where it was installed; empty
/// when there is none.
std::filesystem::path gallery_folder();

/// The path of a scene: a file as it is, "wall" as the gallery's wall.json. Fails with the near
/// names when there is neither.
Result<std::string> find_scene(const std::string& scene);

} // namespace rigor::app
