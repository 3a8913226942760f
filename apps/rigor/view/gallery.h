// The gallery: every scene of a folder, in a few words.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "view/fields.h"

namespace rigor::view {

/// Scenes are read when they are new or have changed; a scene that is no JSON is left out.
class Gallery {
  public:
    explicit Gallery(std::filesystem::path folder) : folder_(std::move(folder)) {}

    /// [{file, name, about, source?, tags, picture?}], by file name.
    json scenes();

  private:
    struct Entry {
        std::filesystem::file_time_type changed;
        json description; ///< null: no scene
    };

    std::filesystem::path folder_;
    std::map<std::string, Entry> known_; ///< by file name
};

} // namespace rigor::view
