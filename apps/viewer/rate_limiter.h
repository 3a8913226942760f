// A token bucket for the messages of one client.
#pragma once

#include <chrono>

namespace rigor::viewer {

/// Allows 240 messages a second and bursts of 480. Further ones are dropped. A client that goes on
/// for 1000 dropped messages without a pause is to be disconnected.
class RateLimiter {
  public:
    using Time = std::chrono::steady_clock::time_point;
    enum class Decision { pass, drop, first_drop, disconnect };

    explicit RateLimiter(Time now) : last_(now) {}
    Decision count(Time now);

  private:
    static constexpr double kRate = 240, kBurst = 480;
    static constexpr int kMaxDropped = 1000;

    double tokens_ = kBurst;
    int dropped_ = 0; ///< since the bucket was last full
    Time last_;
};

} // namespace rigor::viewer
