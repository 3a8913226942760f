#include "scene/scene_files.h"

#include <algorithm>
#include <fstream>

namespace rigor {

namespace fs = std::filesystem;

namespace {

bool is_inside(const fs::path& folder, const fs::path& file) {
    const auto [end_of_folder, rest] =
        std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
    return end_of_folder == folder.end() && rest != file.end();
}

Error refuse(const std::string& name, const std::string& rule) {
    return {ErrorCode::invalid_value, {}, rule + ", got \"" + name + "\""};
}

} // namespace

Result<fs::path> resolve_in_folder(const fs::path& folder, const std::string& name) {
    const fs::path relative(name);
    if (name.find('\0') != std::string::npos || relative.is_absolute() || relative.empty())
        return refuse(name, "must be a path relative to the scene file");
    if (folder.empty()) return refuse(name, "must not name a file: this scene has no folder");
    std::error_code failed;
    const fs::path root = fs::weakly_canonical(folder, failed);
    const fs::path file = failed ? fs::path() : fs::weakly_canonical(root / relative, failed);
    if (failed || !is_inside(root, file))
        return refuse(name, "must not lead outside the scene's folder");
    return file;
}

Result<std::string> read_file(const fs::path& path, std::size_t max_bytes) {
    std::error_code failed;
    const fs::file_status status = fs::status(path, failed);
    if (!fs::exists(status)) return Error{ErrorCode::not_found, {}, "there is no such file"};
    if (fs::is_directory(status))
        return Error{ErrorCode::io, {}, "must be a file, but is a directory"};
    if (!fs::is_regular_file(status))
        return Error{ErrorCode::io, {}, "must be a regular file"}; // a pipe would never end
    const std::uintmax_t size = fs::file_size(path, failed);
    if (failed) return Error{ErrorCode::io, {}, "cannot be read"};
    if (size > max_bytes)
        return Error{ErrorCode::limit,
                     {},
                     "may hold at most " + std::to_string(max_bytes >> 20) + " MiB, but holds " +
                         std::to_string(size >> 20)};
    std::string bytes(static_cast<std::size_t>(size), '\0');
    std::ifstream in(path, std::ios::binary);
    in.read(bytes.data(), static_cast<std::streamsize>(size));
    if (!in) return Error{ErrorCode::io, {}, "cannot be read"};
    return bytes;
}

} // namespace rigor
