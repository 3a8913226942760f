// Query broadphase, updated by the first query after a change.
#pragma once

#include <atomic>
#include <mutex>

#include "model/shape_proxies.h"

namespace rigor {

/// A world that is only stepped never updates it. Of several threads that query after a change the
/// first one updates it and the others wait; without changes, access costs one load.
class QueryBroadphase {
  public:
    /// For the thread that changes the world, while there are no queries.
    ShapeProxies& change() {
        fresh_.store(false, std::memory_order_relaxed);
        return proxies_;
    }

    /// For any thread, while the world does not change.
    const ShapeProxies& refreshed(const WorldState& state) {
        if (!fresh_.load(std::memory_order_acquire)) refresh(state);
        return proxies_;
    }

  private:
    void refresh(const WorldState& state) {
        const std::lock_guard lock(mutex_);
        if (fresh_.load(std::memory_order_relaxed)) return;
        proxies_.refresh(state);
        fresh_.store(true, std::memory_order_release);
    }

    ShapeProxies proxies_;
    std::atomic<bool> fresh_{false};
    std::mutex mutex_;
};

} // namespace rigor
