// Access to the files below one folder, and to no others.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>

namespace rigor::viewer {

/// The path of a regular file below the folder with one of the extensions, or any if none are
/// given. None when it does not exist, or lies outside the folder after symbolic links are
/// resolved.
std::optional<std::filesystem::path> file_inside(const std::filesystem::path& folder,
                                                 const std::string& name,
                                                 std::initializer_list<const char*> extensions);

/// None when the file cannot be read or is larger than 64 MiB.
std::optional<std::string> read_file(const std::filesystem::path& path);

/// The MIME type by extension.
const char* media_type(const std::filesystem::path& path);

} // namespace rigor::viewer
