// Scenes by name: a file, or a scene of the gallery.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "rigor/scene.h"

namespace rigor::app {

/// The gallery of the source tree the program was built in, or of where it was installed; without
/// either, the folder "scenes"; empty when there is none.
std::filesystem::path gallery_folder();

/// The scenes that find_scene() finds by name, those of the folder "scenes" included; sorted.
std::vector<std::string> scene_names();

/// The path of a scene: a file as it is, "wall" as wall.json of the folder "scenes" or of the
/// gallery. Fails with the near names when there is none.
Result<std::string> find_scene(const std::string& scene);

/// The scene file and the files it names: none of them is to be overwritten.
std::vector<std::filesystem::path> input_files(const std::string& path, const Scene& scene);

} // namespace rigor::app
