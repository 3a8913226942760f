// The files of the page, embedded in the program or, for work on the page, read from a folder.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace rigor::viewer {

class Assets {
  public:
    /// With a folder, its files are read anew for each request.
    explicit Assets(std::filesystem::path folder = {}) : folder_(std::move(folder)) {}

    std::optional<std::string> find(const std::string& path) const;

    /// False when the program was built without npm.
    static bool has_embedded_page();

  private:
    std::filesystem::path folder_;
};

} // namespace rigor::viewer
