#include "find_scene.h"

#include <algorithm>
#include <set>

#include "scene/suggestion.h"

namespace rigor::app {

namespace fs = std::filesystem;

namespace {

/// Folders of scenes beside the program: of the source tree it was built in, of its installation.
std::vector<fs::path> gallery_folders() {
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
    std::vector<fs::path> folders;
    for (const fs::path& folder : {program / "../../scenes", program / "../share/rigor/scenes"})
        if (fs::is_directory(folder, error)) folders.push_back(folder.lexically_normal());
    return folders;
}

/// Where a name is looked up: first among the user's own scenes, then in the gallery.
std::vector<fs::path> scene_folders() {
    std::vector<fs::path> folders = gallery_folders();
    std::error_code error;
    if (fs::is_directory("scenes", error)) folders.insert(folders.begin(), "scenes");
    return folders;
}

/// Scenes that differ by a slip or contain the word, the nearest first.
std::vector<std::string> near_names(const std::string& word) {
    constexpr std::size_t kMost = 5;
    const int limit = std::max(1, static_cast<int>(word.size()) / 3);
    std::vector<std::pair<int, std::string>> found;
    for (const std::string& name : scene_names()) {
        const int distance = edit_distance(word, name, limit);
        const bool contains = word.size() > 2 && name.find(word) != std::string::npos;
        if (distance <= limit || contains) found.emplace_back(distance, name);
    }
    std::sort(found.begin(), found.end());
    if (found.size() > kMost) found.resize(kMost);
    std::vector<std::string> names;
    for (const auto& [distance, name] : found) names.push_back(name);
    return names;
}

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
        text += (i == 0 ? "\"" : i + 1 < names.size() ? ", \"" : " or \"") + names[i] + '"';
    return text;
}

} // namespace

fs::path gallery_folder() {
    std::vector<fs::path> folders = gallery_folders();
    if (folders.empty()) folders = scene_folders();
    return folders.empty() ? fs::path() : folders.front();
}

std::vector<std::string> scene_names() {
    std::set<std::string> names;
    std::error_code error;
    for (const fs::path& folder : scene_folders())
        for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
            if (entry.path().extension() == ".json") names.insert(entry.path().stem().string());
    return {names.begin(), names.end()};
}

Result<std::string> find_scene(const std::string& scene) {
    std::error_code error;
    if (scene.empty())
        return Error{ErrorCode::not_found, "",
                     "SCENE is empty: give a file, or a name such as wall"};
    const fs::path name(scene);
    const std::string stem = (name.extension() == ".json" ? name.stem() : name).string();
    const bool is_folder = fs::is_directory(scene, error);
    if (!is_folder && (fs::exists(scene, error) || scene.find('/') != std::string::npos))
        return scene;
    if (scene.find('/') == std::string::npos)
        for (const fs::path& folder : scene_folders())
            if (const fs::path found = folder / (stem + ".json"); fs::exists(found, error))
                return found.string();
    if (is_folder)
        return Error{ErrorCode::not_found, scene, "must be a scene file, but is a folder"};
    const std::vector<std::string> near = near_names(stem);
    return Error{ErrorCode::not_found, scene,
                 "there is no such file, here or in the gallery" +
                     (near.empty() ? "; rigor run --list lists the scenes of the gallery"
                                   : "; did you mean " + joined(near) + "?")};
}

std::vector<fs::path> input_files(const std::string& path, const Scene& scene) {
    std::vector<fs::path> files = scene.files;
    files.insert(files.begin(), path);
    return files;
}

} // namespace rigor::app
