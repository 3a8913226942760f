// The broadphase that queries use, brought up to date by the first query after a change.
#pragma once

#include <atomic>
#include <mutex>

#include "model/shape_proxies.h"

namespace rigor {

/// A world that is only stepped never refreshes it. Of several threads that query after a change
/// the first one refreshes it and the others wait; as long as nothing changes, asking costs one
/// load.
class QueryBroadphase {
  public:
    /// For the thread that changes the world, while nobody asks.
    ShapeProxies& change() {
        fresh_.store(false, std::memory_order_relaxed);
        return proxies_;
    }

    /// For any thread, while nobody changes the world.
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
