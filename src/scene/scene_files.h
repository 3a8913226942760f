// The files a scene may read: those in its own folder or below, and no others.
#pragma once

#include <filesystem>
#include <string>

#include "rigor/result.h"

namespace rigor {

/// Where the file `name` of a scene in `folder` is. Fails for an absolute path, for one that
/// leads outside (by ".." or by a symbolic link), and when the scene has no folder.
Result<std::filesystem::path> resolve_in_folder(const std::filesystem::path& folder,
                                                const std::string& name);

/// All bytes of a file of at most `max_bytes`. The error names no place: the caller knows it.
Result<std::string> read_file(const std::filesystem::path& path, std::size_t max_bytes);

} // namespace rigor
