// Where the measured and reference data are. They are not part of the repository:
// tools/prepare_data builds the folder from the public data sets.
#pragma once

#include <cstdlib>
#include <filesystem>

namespace rigor::validation {

/// The folder that the environment variable RIGOR_DATA names. Without the variable: `shared` beside
/// the repository, when `repository` is given and that folder is there. Else an empty path.
inline std::filesystem::path find_data_folder(const std::filesystem::path& repository = {}) {
    if (const char* named = std::getenv("RIGOR_DATA"); named && *named) return named;
    if (repository.empty()) return {};
    const std::filesystem::path beside = repository / ".." / "shared";
    return std::filesystem::is_directory(beside / "reference") ? beside : std::filesystem::path();
}

} // namespace rigor::validation
