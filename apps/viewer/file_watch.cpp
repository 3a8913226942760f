#include "viewer/file_watch.h"

#include <algorithm>
#include <array>

#include "viewer/files.h"

namespace rigor::viewer {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxFiles = 500;

// What scenes read, and what those files may name in turn.
constexpr std::array<std::string_view, 9> kExtensions = {".json", ".obj", ".stl", ".ply", ".gltf",
                                                         ".glb",  ".dae", ".off", ".bin"};

bool names_others(const fs::path& path) {
    return path.extension() == ".json" || path.extension() == ".gltf";
}

bool ends_like_a_file(std::string_view name) {
    return std::any_of(kExtensions.begin(), kExtensions.end(), [&](std::string_view extension) {
        return name.size() > extension.size() && name.ends_with(extension);
    });
}

} // namespace

// Strings end on their line, so a quotation mark in a comment misleads for one line at most.
std::vector<std::string> named_files(std::string_view text) {
    std::vector<std::string> names;
    while (!text.empty()) {
        const std::size_t line_end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, line_end);
        text.remove_prefix(std::min(line_end + 1, text.size()));
        // Every piece between two marks may be a string, whichever mark opened it.
        for (std::size_t from = line.find('"'); from != std::string_view::npos;) {
            const std::size_t to = line.find('"', from + 1);
            if (to == std::string_view::npos) break;
            const std::string_view name = line.substr(from + 1, to - from - 1);
            if (ends_like_a_file(name)) names.emplace_back(name);
            from = to;
        }
    }
    return names;
}

FileWatch::Stamp FileWatch::stamp(const fs::path& path) {
    std::error_code error;
    Stamp now;
    now.time = fs::last_write_time(path, error);
    if (!error) now.size = fs::file_size(path, error);
    return error ? Stamp{} : now;
}

void FileWatch::add(const fs::path& path) {
    const auto [known, is_new] = stamps_.emplace(path.lexically_normal(), Stamp{});
    if (!is_new) return;
    known->second = stamp(known->first);
    if (!names_others(path)) return;
    for (const std::string& name : named_files(read_file(path).value_or(""))) {
        if (stamps_.size() >= kMaxFiles) return;
        if (fs::path(name).is_relative()) add(path.parent_path() / name);
    }
}

void FileWatch::watch(const fs::path& scene) {
    stamps_.clear();
    add(scene);
    last_seen_ = stamps_;
    polled_ = Clock::now();
}

bool FileWatch::poll(Clock::time_point now) {
    if (!is_active() || now < due()) return false;
    polled_ = now;
    Stamps seen;
    for (const auto& [path, old] : stamps_) seen.emplace(path, stamp(path));
    const bool is_stable = seen == last_seen_;
    last_seen_ = std::move(seen);
    if (!is_stable || last_seen_ == stamps_) return false;
    stamps_ = last_seen_;
    return true;
}

} // namespace rigor::viewer
