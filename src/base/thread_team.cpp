#include "base/thread_team.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace rigor {

// One job at a time. A job has a number; a helper that wakes up and sees a number it has not
// worked on yet takes blocks from `next` until none are left. The job's fields are written
// before the number changes, under the mutex, and read after it was seen to change.
struct ThreadTeam::Shared {
    std::mutex mutex;
    std::condition_variable work_ready;
    std::condition_variable all_done;
    std::uint64_t job = 0;
    bool stop = false;
    int busy_helpers = 0;

    std::size_t count = 0;
    std::size_t grain = 1;
    const std::function<void(std::size_t, std::size_t)>* task = nullptr;
    std::atomic<std::size_t> next{0};

    std::vector<std::thread> helpers;

    void take_blocks() {
        for (;;) {
            const std::size_t begin = next.fetch_add(grain, std::memory_order_relaxed);
            if (begin >= count) return;
            (*task)(begin, std::min(begin + grain, count));
        }
    }

    void help() {
        std::uint64_t seen = 0;
        std::unique_lock lock(mutex);
        for (;;) {
            work_ready.wait(lock, [&] { return stop || job != seen; });
            if (stop) return;
            seen = job;
            lock.unlock();
            take_blocks();
            lock.lock();
            if (--busy_helpers == 0) all_done.notify_one();
        }
    }
};

ThreadTeam::ThreadTeam(int threads) : shared_(std::make_unique<Shared>()) {
    // A system that has no more threads to give makes a smaller team, not a failure: results do
    // not depend on its size.
    try {
        for (int i = 1; i < threads; ++i) {
            shared_->helpers.emplace_back([shared = shared_.get()] { shared->help(); });
        }
    } catch (const std::system_error&) {}
}

ThreadTeam::~ThreadTeam() {
    {
        const std::lock_guard lock(shared_->mutex);
        shared_->stop = true;
    }
    shared_->work_ready.notify_all();
    for (std::thread& helper : shared_->helpers) helper.join();
}

int ThreadTeam::size() const {
    return static_cast<int>(shared_->helpers.size()) + 1;
}

void ThreadTeam::parallel_for(std::size_t count, std::size_t grain,
                              const std::function<void(std::size_t, std::size_t)>& task) {
    Shared& s = *shared_;
    if (s.helpers.empty() || count <= grain) {
        for (std::size_t begin = 0; begin < count; begin += grain) {
            task(begin, std::min(begin + grain, count));
        }
        return;
    }
    {
        const std::lock_guard lock(s.mutex);
        s.count = count;
        s.grain = grain;
        s.task = &task;
        s.next.store(0, std::memory_order_relaxed);
        s.busy_helpers = static_cast<int>(s.helpers.size());
        ++s.job;
    }
    s.work_ready.notify_all();
    s.take_blocks();
    std::unique_lock lock(s.mutex);
    s.all_done.wait(lock, [&] { return s.busy_helpers == 0; });
}

} // namespace rigor
