// Notices when a scene file, or a file that it names, changes on disk.
//
// It polls times and sizes of files, which works on every file system. A change is reported when
// two polls in a row saw the same, so that a file is not read while an editor writes it.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace rigor::viewer {

/// The names of files in the text of a scene: strings that end like a scene or a mesh. Comments and
/// text that is no valid JSON do no harm.
std::vector<std::string> named_files(std::string_view text);

class FileWatch {
  public:
    using Clock = std::chrono::steady_clock;
    static constexpr auto kInterval = std::chrono::milliseconds(250);

    /// Watches a scene file and the files it names, directly or through others, as they are now.
    /// Call it before reading the file: what changes later is then noticed.
    void watch(const std::filesystem::path& scene);
    void stop() { stamps_.clear(); }
    bool is_active() const { return !stamps_.empty(); }

    /// When the next poll is due.
    Clock::time_point due() const { return polled_ + kInterval; }
    /// Whether a file changed since watch() or the last report. Does nothing before it is due.
    bool poll(Clock::time_point now);

    std::size_t file_count() const { return stamps_.size(); }

  private:
    /// A file that is not there has zeros.
    struct Stamp {
        std::filesystem::file_time_type time{};
        std::uintmax_t size = 0;
        friend bool operator==(const Stamp&, const Stamp&) = default;
    };
    using Stamps = std::map<std::filesystem::path, Stamp>;

    static Stamp stamp(const std::filesystem::path& path);
    void add(const std::filesystem::path& path);

    Stamps stamps_;    ///< as reported
    Stamps last_seen_; ///< by the last poll
    Clock::time_point polled_;
};

} // namespace rigor::viewer
