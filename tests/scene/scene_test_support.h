// Helpers: scenes from text, and the error messages of bad ones.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "rigor/scene.h"

namespace rigor::test {

/// A scene of the given sections, on lines of their own: line 2 is the first of `sections`.
inline std::string scene_with(const std::string& sections) {
    return "{ \"rigor\": 1,\n" + sections + "\n}";
}

/// A scene of one body; its text begins at line 2, column 13.
inline std::string scene_of_body(const std::string& body) {
    return scene_with("\"bodies\": [ " + body + " ]");
}

/// A scene of one static body of one shape, which begins at line 2, column 45.
inline std::string scene_of_shape(const std::string& shape) {
    return scene_of_body("{ \"type\": \"static\", \"shapes\": [ " + shape + " ] }");
}

inline Scene parsed(const std::string& text, const std::filesystem::path& folder = {},
                    const LoadOptions& options = {}) {
    Result<Scene> scene = parse_scene(text, "scene.json", folder, options);
    if (scene) return std::move(*scene);
    ADD_FAILURE() << to_string(scene.error());
    return {};
}

/// The sentence a scene is refused with; "accepted" when it is not.
inline std::string refusal(const std::string& text, const std::filesystem::path& folder = {},
                           const LoadOptions& options = {}) {
    const Result<Scene> scene = parse_scene(text, "scene.json", folder, options);
    return scene ? "accepted" : to_string(scene.error());
}

/// A folder of its own for a test, removed afterwards.
class TemporaryFolder {
  public:
    TemporaryFolder() {
        std::string pattern = (std::filesystem::temp_directory_path() / "rigor_XXXXXX").string();
        if (mkdtemp(pattern.data()) == nullptr) ADD_FAILURE() << "no temporary folder";
        path_ = std::filesystem::canonical(pattern);
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }
    void write(const std::string& name, const std::string& text) const {
        std::filesystem::create_directories((path_ / name).parent_path());
        std::ofstream(path_ / name, std::ios::binary) << text;
    }

  private:
    std::filesystem::path path_;
};

} // namespace rigor::test
