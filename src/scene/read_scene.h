// load_scene with a record of the keys that were asked for: for the test that compares the
// readers with the schema.
#pragma once

#include <filesystem>
#include <string>

#include "rigor/scene.h"
#include "scene/reader.h"

namespace rigor {

Result<Scene> read_scene(std::string text, const std::string& name,
                         const std::filesystem::path& folder, const LoadOptions& options,
                         KeyRecord* record);

} // namespace rigor
