// Files of a folder, and never of any other.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>

namespace rigor::view {

/// The regular file of this name below the folder, when it has one of the extensions and lies there
/// even after links are followed. No extensions: any.
std::optional<std::filesystem::path> file_inside(const std::filesystem::path& folder,
                                                 const std::string& name,
                                                 std::initializer_list<const char*> extensions);

/// None when it cannot be read, or is larger than 64 MB.
std::optional<std::string> read_file(const std::filesystem::path& path);

/// By its extension.
const char* media_type(const std::filesystem::path& path);

} // namespace rigor::view
