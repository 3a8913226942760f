#include "viewer/rate_limiter.h"

namespace rigor::viewer {

RateLimiter::Decision RateLimiter::count(Time now) {
    tokens_ += std::chrono::duration<double>(now - last_).count() * kRate;
    last_ = now;
    if (tokens_ >= kBurst) tokens_ = kBurst, dropped_ = 0;
    if (tokens_ >= 1) {
        tokens_ -= 1;
        return Decision::pass;
    }
    if (++dropped_ > kMaxDropped) return Decision::disconnect;
    return dropped_ == 1 ? Decision::first_drop : Decision::drop;
}

} // namespace rigor::viewer
