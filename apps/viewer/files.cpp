#include "viewer/files.h"

#include <algorithm>
#include <fstream>
#include <utility>

namespace rigor::viewer {

namespace fs = std::filesystem;

std::optional<fs::path> file_inside(const fs::path& folder, const std::string& name,
                                    std::initializer_list<const char*> extensions) {
    const fs::path relative(name);
    if (name.empty() || name.find('\0') != std::string::npos || relative.is_absolute())
        return std::nullopt;
    const std::string extension = relative.extension().string();
    if (extensions.size() > 0 &&
        std::none_of(extensions.begin(), extensions.end(),
                     [&](const char* allowed) { return extension == allowed; }))
        return std::nullopt;
    std::error_code error;
    const fs::path root = fs::canonical(folder, error);
    if (error) return std::nullopt;
    const fs::path path = fs::canonical(root / relative, error);
    if (error || !fs::is_regular_file(path, error)) return std::nullopt;
    const auto [end, differs] = std::mismatch(root.begin(), root.end(), path.begin(), path.end());
    return end == root.end() ? std::optional(path) : std::nullopt;
}

std::optional<std::string> read_file(const fs::path& path) {
    constexpr std::uintmax_t kMaxBytes = 64u << 20;
    std::error_code error;
    const std::uintmax_t size = fs::file_size(path, error);
    if (error || size > kMaxBytes) return std::nullopt;
    std::ifstream file(path, std::ios::binary);
    std::string text(size, '\0');
    file.read(text.data(), static_cast<std::streamsize>(size));
    if (!file) return std::nullopt;
    return text;
}

const char* media_type(const fs::path& path) {
    constexpr std::pair<const char*, const char*> kTypes[] = {
        {".html", "text/html; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".json", "application/json; charset=utf-8"},
        {".svg", "image/svg+xml"},
        {".png", "image/png"},
        {".jpg", "image/jpeg"},
        {".webp", "image/webp"},
        {".ico", "image/x-icon"},
        {".woff2", "font/woff2"},
        {".txt", "text/plain; charset=utf-8"},
        {".wasm", "application/wasm"},
    };
    const std::string extension = path.extension().string();
    for (const auto& [known, type] : kTypes)
        if (extension == known) return type;
    return "application/octet-stream";
}

} // namespace rigor::viewer
