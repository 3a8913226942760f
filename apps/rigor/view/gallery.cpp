#include "view/gallery.h"

#include <algorithm>
#include <vector>

#include "view/files.h"

namespace rigor::view {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostScenes = 1000;

/// "…; source: Baber 2006, figure 3" or "…. Source: …" at the end of what a scene says about
/// itself.
std::string source_in(std::string& about) {
    for (const char* mark : {"Source: ", "source: "}) {
        const std::size_t at = about.rfind(mark);
        if (at == std::string::npos) continue;
        std::string source = about.substr(at + std::string(mark).size());
        about.erase(at);
        while (!about.empty() && (about.back() == ' ' || about.back() == ';')) about.pop_back();
        return source;
    }
    return {};
}

json describe(const fs::path& folder, const std::string& file) {
    const auto text = read_file(folder / file);
    if (!text) return nullptr;
    const json scene = json::parse(*text, nullptr, false, true);
    if (!scene.is_object() || !scene.contains("rigor")) return nullptr;
    const auto word = [&](const char* key) {
        const auto found = scene.find(key);
        return found != scene.end() && found->is_string() ? found->get<std::string>() : "";
    };
    std::string about = word("about");
    const std::string source = source_in(about);
    json entry = {
        {"file", file}, {"name", word("name")}, {"about", about}, {"tags", json::array()}};
    if (!source.empty()) entry["source"] = source;
    if (const std::string method = word("method"); !method.empty()) entry["tags"].push_back(method);
    if (const auto joints = scene.find("joints"); joints != scene.end() && !joints->empty())
        entry["tags"].push_back("joints");
    const std::string stem = fs::path(file).stem().string();
    for (const char* extension : {".webp", ".png", ".jpg"}) {
        if (!file_inside(folder, "pictures/" + stem + extension, {extension})) continue;
        entry["picture"] = "/scenes/pictures/" + stem + extension;
        break;
    }
    return entry;
}

} // namespace

json Gallery::scenes() {
    std::vector<std::string> files;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_, error))
        if (entry.path().extension() == ".json") files.push_back(entry.path().filename().string());
    std::sort(files.begin(), files.end());
    if (files.size() > kMostScenes) files.resize(kMostScenes);
    json all = json::array();
    for (const std::string& file : files) {
        const fs::file_time_type changed = fs::last_write_time(folder_ / file, error);
        const auto known = known_.find(file);
        if (known == known_.end() || known->second.changed != changed)
            known_[file] = {changed, describe(folder_, file)};
        if (!known_[file].description.is_null()) all.push_back(known_[file].description);
    }
    return all;
}

} // namespace rigor::view
