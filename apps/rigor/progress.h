// Progress bar on a terminal, for long operations.
#pragma once

#include <chrono>
#include <string>

namespace rigor::app {

/// Draws on stderr when that is a terminal, and stays silent in a pipe or a file. Appears
/// after half a second, is redrawn ten times a second, and is wiped at the end.
class Progress {
  public:
    /// `unit` is what is counted: "steps".
    Progress(std::string unit, long long total);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void update(long long done);

  private:
    using Clock = std::chrono::steady_clock;

    void draw(long long done, double seconds);

    std::string unit_;
    long long total_;
    bool on_terminal_;
    bool drawn_ = false;
    Clock::time_point start_, last_;
};

} // namespace rigor::app
