#include "base/thread_team.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <system_error>
#include <thread>
#include <vector>

namespace rigor {

namespace {

/// Spin time before sleeping, about as long as sleeping and waking take. A step has a hundred jobs
/// of some ten microseconds: sleeping between them would cost more than the jobs.
constexpr int kSpins = 2000;

inline void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

/// Waits until the value is no longer `old`: spins first, then sleeps.
template <class T>
void await_change(const std::atomic<T>& value, T old) {
    for (int i = 0; i < kSpins; ++i) {
        if (value.load(std::memory_order_acquire) != old) return;
        pause();
    }
    value.wait(old, std::memory_order_acquire);
}

} // namespace

// One job at a time. Helpers that are awake in time join it; the caller does not wait for the
// others.
//
// The gate counts the working helpers, and is far below zero while it is closed. A helper enters by
// adding one, and takes that back if it then finds the gate closed. The caller closes the gate when
// all blocks are taken, waits until the count is zero, and only then writes the job's fields again.
struct ThreadTeam::Shared {
    static constexpr int kClosed = -(1 << 30);

    std::atomic<std::uint32_t> job{0}; ///< changes with every new job, and at shutdown
    std::atomic<int> gate{kClosed};
    std::atomic<bool> stop{false};

    std::size_t count = 0;
    std::size_t grain = 1;
    const FunctionRef<void(std::size_t, std::size_t)>* task = nullptr;
    TaskSystem tasks;
    std::atomic<std::size_t> next{0};

    std::vector<std::thread> helpers;

    void take_blocks() {
        for (;;) {
            const std::size_t begin = next.fetch_add(grain, std::memory_order_relaxed);
            if (begin >= count) return;
            (*task)(begin, std::min(begin + grain, count));
        }
    }

    void leave() {
        if (gate.fetch_sub(1, std::memory_order_acq_rel) - 1 == kClosed) gate.notify_all();
    }

    void help() {
        std::uint32_t seen = 0;
        while (!stop.load(std::memory_order_acquire)) {
            await_change(job, seen);
            seen = job.load(std::memory_order_acquire);
            if (gate.fetch_add(1, std::memory_order_acq_rel) >= 0) take_blocks();
            leave();
        }
    }

    void open() {
        gate.fetch_sub(kClosed, std::memory_order_acq_rel);
        job.fetch_add(1, std::memory_order_acq_rel);
        job.notify_all();
    }

    void close_and_wait() {
        int now = gate.fetch_add(kClosed, std::memory_order_acq_rel) + kClosed;
        for (; now != kClosed; now = gate.load(std::memory_order_acquire)) await_change(gate, now);
    }
};

ThreadTeam::ThreadTeam(int threads) : shared_(std::make_unique<Shared>()) {
    // A system that cannot create more threads gives a smaller team, not a failure: results do not
    // depend on its size.
    try {
        for (int i = 1; i < threads; ++i) {
            shared_->helpers.emplace_back([shared = shared_.get()] { shared->help(); });
        }
    } catch (const std::system_error&) {}
}

ThreadTeam::~ThreadTeam() {
    shared_->stop.store(true, std::memory_order_release);
    shared_->job.fetch_add(1, std::memory_order_acq_rel);
    shared_->job.notify_all();
    for (std::thread& helper : shared_->helpers) helper.join();
}

ThreadTeam::ThreadTeam(TaskSystem tasks) : ThreadTeam(1) {
    shared_->tasks = std::move(tasks);
}

int ThreadTeam::size() const {
    return static_cast<int>(shared_->helpers.size()) + 1;
}

void ThreadTeam::parallel_for(std::size_t count, std::size_t grain,
                              FunctionRef<void(std::size_t, std::size_t)> task) {
    Shared& s = *shared_;
    if (s.tasks.run && count > grain) {
        const auto block = [&](std::size_t i) {
            task(i * grain, std::min((i + 1) * grain, count));
        };
        s.tasks.run((count + grain - 1) / grain, std::ref(block));
        return;
    }
    if (s.helpers.empty() || count <= grain) {
        for (std::size_t begin = 0; begin < count; begin += grain) {
            task(begin, std::min(begin + grain, count));
        }
        return;
    }
    s.count = count;
    s.grain = grain;
    s.task = &task;
    s.next.store(0, std::memory_order_relaxed);
    s.open();
    s.take_blocks();
    s.close_and_wait();
}

} // namespace rigor
