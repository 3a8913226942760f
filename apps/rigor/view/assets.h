// The files of the page: embedded in the program, or read from a folder while the page is worked
// on.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace rigor::view {

class Assets {
  public:
    /// With a folder its files are served, read anew each time.
    explicit Assets(std::filesystem::path folder = {}) : folder_(std::move(folder)) {}

    std::optional<std::string> find(const std::string& path) const;

    /// Whether a page was there when the program was built.
    static bool has_embedded_page();

  private:
    std::filesystem::path folder_;
};

} // namespace rigor::view
