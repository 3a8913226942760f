#include "viewer/gallery.h"

#include <algorithm>
#include <vector>

#include "viewer/files.h"

namespace rigor::viewer {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxScenes = 1000;

/// Cuts "source: Baber 2006, figure 3" or "Source: ..." off the end of a description.
std::string take_source(std::string& about) {
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
    const auto text_of = [&](const char* key) {
        const auto found = scene.find(key);
        return found != scene.end() && found->is_string() ? found->get<std::string>() : "";
    };
    std::string about = text_of("about");
    const std::string source = take_source(about);
    json entry = {
        {"file", file}, {"name", text_of("name")}, {"about", about}, {"tags", json::array()}};
    if (!source.empty()) entry["source"] = source;
    if (const std::string method = text_of("method"); !method.empty())
        entry["tags"].push_back(method);
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
    if (files.size() > kMaxScenes) files.resize(kMaxScenes);
    json all = json::array();
    for (const std::string& file : files) {
        const fs::file_time_type changed = fs::last_write_time(folder_ / file, error);
        const auto known = cache_.find(file);
        if (known == cache_.end() || known->second.changed != changed)
            cache_[file] = {changed, describe(folder_, file)};
        if (!cache_[file].description.is_null()) all.push_back(cache_[file].description);
    }
    return all;
}

} // namespace rigor::viewer
