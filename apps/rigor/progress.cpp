#include "progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace rigor::app {
namespace {

// "12.3k", "4.56M": three digits and a power of a thousand.
std::string in_thousands(double value) {
    const char* suffix = "";
    for (const char* next : {"k", "M", "G"}) {
        if (value < 1000) break;
        value /= 1000;
        suffix = next;
    }
    char text[32];
    std::snprintf(text, sizeof text, "%.3g%s", value, suffix);
    return text;
}

std::string clock_time(double seconds) {
    char text[32];
    const long long s = static_cast<long long>(seconds + 0.5);
    if (s >= 3600) {
        std::snprintf(text, sizeof text, "%lld:%02lld:%02lld", s / 3600, s / 60 % 60, s % 60);
    } else {
        std::snprintf(text, sizeof text, "%lld:%02lld", s / 60, s % 60);
    }
    return text;
}

} // namespace

Progress::Progress(std::string unit, long long total)
    : unit_(std::move(unit)),
      total_(std::max(total, 1LL)),
      on_terminal_(isatty(STDERR_FILENO) != 0),
      start_(Clock::now()),
      last_(start_) {}

Progress::~Progress() {
    if (drawn_) std::fprintf(stderr, "\r\033[K");
}

void Progress::update(long long done) {
    if (!on_terminal_) return;
    const Clock::time_point now = Clock::now();
    const double seconds = std::chrono::duration<double>(now - start_).count();
    if (seconds < 0.5 || now - last_ < std::chrono::milliseconds(100)) return;
    last_ = now;
    draw(done, seconds);
}

void Progress::draw(long long done, double seconds) {
    constexpr int kWidth = 30;
    const double share = static_cast<double>(done) / static_cast<double>(total_);
    const int full = static_cast<int>(share * kWidth);
    const double rate = static_cast<double>(done) / seconds;
    const double left = rate > 0 ? static_cast<double>(total_ - done) / rate : 0;
    std::string bar(static_cast<std::size_t>(full), '#');
    bar.resize(kWidth, '.');
    std::fprintf(stderr, "\r[%s] %3.0f %%  %s %s/s  %s left\033[K", bar.c_str(), 100 * share,
                 in_thousands(rate).c_str(), unit_.c_str(), clock_time(left).c_str());
    std::fflush(stderr);
    drawn_ = true;
}

} // namespace rigor::app
