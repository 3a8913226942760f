// The gallery: a list of the scenes of a folder.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "viewer/json_fields.h"

namespace rigor::viewer {

/// A scene is read again only when its file changed. Files that are not scenes are left out.
class Gallery {
  public:
    explicit Gallery(std::filesystem::path folder) : folder_(std::move(folder)) {}

    /// [{file, name, about, source?, tags, picture?}], by file name.
    json scenes();

  private:
    struct Entry {
        std::filesystem::file_time_type changed;
        json description; ///< null: not a scene
    };

    std::filesystem::path folder_;
    std::map<std::string, Entry> cache_; ///< by file name
};

} // namespace rigor::viewer
