#include "find_scene.h"

#include <algorithm>
#include <vector>

#include "scene/suggestion.h"

namespace rigor::app {

namespace fs = std::filesystem;

namespace {

/// Names of the gallery that differ by a slip or contain the word, the nearest first.
std::vector<std::string> near_names(const std::string& word, const fs::path& gallery) {
    constexpr std::size_t kMost = 5;
    const int limit = std::max(1, static_cast<int>(word.size()) / 3);
    std::vector<std::pair<int, std::string>> found;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(gallery, error)) {
        if (entry.path().extension() != ".json") continue;
        const std::string name = entry.path().stem().string();
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
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
    for (const fs::path& folder :
         {fs::path("scenes"), program / "../../scenes", program / "../share/rigor/scenes"})
        if (fs::is_directory(folder, error)) return folder;
    return {};
}

Result<std::string> find_scene(const std::string& scene) {
    std::error_code error;
    const bool is_file = fs::exists(scene, error) && !fs::is_directory(scene, error);
    if (is_file || scene.find('/') != std::string::npos) return scene;
    const fs::path gallery = gallery_folder();
    const fs::path name(scene);
    const std::string stem = (name.extension() == ".json" ? name.stem() : name).string();
    const fs::path found = gallery / (stem + ".json");
    if (!gallery.empty() && fs::exists(found, error)) return found.lexically_normal().string();
    const std::vector<std::string> near = near_names(stem, gallery);
    return Error{ErrorCode::not_found, scene,
                 "is neither a file nor a scene of the gallery" +
                     (near.empty() ? "; rigor view lists its scenes"
                                   : "; did you mean " + joined(near) + "?")};
}

} // namespace rigor::app
