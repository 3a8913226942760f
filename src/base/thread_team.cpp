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

/// Of one worker, in a cache line of its own.
struct alignas(64) Share {
    std::atomic<std::uint64_t> claimed{0}; ///< the last job in which a thread took it
    std::atomic<std::uint64_t> done{0};    ///< the last job in which its worker finished it
};

} // namespace

// One job at a time, with a share for each worker that it needs. A worker takes its own share; the
// caller, when it has done its own, takes those whose workers are not awake yet, and waits for the
// rest. So more threads than cores cost little, and a job ends with everything claimed.
//
// Therefore a worker that finds its share of job n unclaimed knows that job n is not over, and may
// read its fields, which the caller writes again only afterward.
struct ThreadTeam::Shared {
    using Task = FunctionRef<void(std::size_t, std::size_t)>;
    static constexpr int kJobShift = 16; ///< below it, the number of shares

    alignas(64) std::atomic<std::uint64_t> ticket{
        0}; ///< the job, and into how many shares it is divided
    alignas(64) std::atomic<std::uint32_t> wake{0};
    std::atomic<int> sleepers{0};
    std::atomic<bool> stop{false};

    alignas(64) std::size_t count = 0;
    std::size_t grain = 1;
    std::size_t share_count = 1;
    bool in_blocks = true;
    const Task* task = nullptr;
    TaskSystem tasks;
    alignas(64) std::atomic<std::size_t> next{0};

    std::vector<Share> shares; ///< the caller's is the first
    std::vector<std::thread> helpers;

    explicit Shared(int threads) : shares(static_cast<std::size_t>(std::max(threads, 1))) {}

    void take_blocks() {
        for (;;) {
            const std::size_t begin = next.fetch_add(grain, std::memory_order_relaxed);
            if (begin >= count) return;
            (*task)(begin, std::min(begin + grain, count));
        }
    }

    void run_share(std::size_t k) {
        if (in_blocks) return take_blocks();
        const std::size_t begin = count * k / share_count, end = count * (k + 1) / share_count;
        if (begin < end) (*task)(begin, end);
    }

    /// Whether no other thread has taken the share in this job, or in a later one.
    bool claim(std::size_t k, std::uint64_t job) {
        std::uint64_t last = shares[k].claimed.load(std::memory_order_relaxed);
        return last < job &&
               shares[k].claimed.compare_exchange_strong(last, job, std::memory_order_acq_rel);
    }

    void await_ticket(std::uint64_t seen) {
        for (int i = 0; i < kSpins; ++i) {
            if (ticket.load(std::memory_order_acquire) != seen) return;
            pause();
        }
        sleepers.fetch_add(1); // before the ticket is read, as the caller writes it before this
        const std::uint32_t woken = wake.load();
        if (ticket.load() == seen) wake.wait(woken);
        sleepers.fetch_sub(1);
    }

    void help(std::size_t k) {
        for (std::uint64_t seen = 0;;) {
            await_ticket(seen);
            if (stop.load(std::memory_order_acquire)) return;
            seen = ticket.load(std::memory_order_acquire);
            const std::uint64_t job = seen >> kJobShift;
            if (k >= (seen & ((1u << kJobShift) - 1)) || !claim(k, job)) continue;
            run_share(k);
            shares[k].done.store(job, std::memory_order_release);
        }
    }

    void publish(std::uint64_t value) {
        ticket.store(value); // before the sleepers are counted
        if (sleepers.load() == 0) return;
        wake.fetch_add(1);
        wake.notify_all();
    }

    void run_job() {
        const std::uint64_t job = (ticket.load(std::memory_order_relaxed) >> kJobShift) + 1;
        publish(job << kJobShift | share_count);
        run_share(0);
        for (std::size_t k = 1; k < share_count; ++k)
            if (claim(k, job)) {
                run_share(k);
                shares[k].done.store(job, std::memory_order_relaxed);
            }
        for (std::size_t k = 1; k < share_count; ++k) await_share(k, job);
    }

    void await_share(std::size_t k, std::uint64_t job) const {
        for (int i = 0; shares[k].done.load(std::memory_order_acquire) != job; ++i)
            if (i < kSpins)
                pause();
            else
                std::this_thread::yield(); // its worker may need this core
    }
};

ThreadTeam::ThreadTeam(int threads) : shared_(std::make_unique<Shared>(threads)) {
    // A system that cannot create more threads gives a smaller team, not a failure: results do not
    // depend on its size.
    try {
        for (std::size_t k = 1; k < shared_->shares.size(); ++k)
            shared_->helpers.emplace_back([shared = shared_.get(), k] { shared->help(k); });
    } catch (const std::system_error&) {}
}

ThreadTeam::~ThreadTeam() {
    shared_->stop.store(true, std::memory_order_release);
    shared_->publish(shared_->ticket.load() + (1u << Shared::kJobShift));
    for (std::thread& helper : shared_->helpers) helper.join();
}

ThreadTeam::ThreadTeam(TaskSystem tasks) : ThreadTeam(1) {
    shared_->tasks = std::move(tasks);
}

int ThreadTeam::size() const {
    return static_cast<int>(shared_->helpers.size()) + 1;
}

void ThreadTeam::run_blocks_of_caller(std::size_t count, std::size_t grain,
                                      FunctionRef<void(std::size_t, std::size_t)> task) {
    const Shared& s = *shared_;
    if (s.tasks.run && count > grain) {
        const auto block = [&](std::size_t i) {
            task(i * grain, std::min((i + 1) * grain, count));
        };
        s.tasks.run((count + grain - 1) / grain, std::ref(block));
        return;
    }
    for (std::size_t begin = 0; begin < count; begin += grain)
        task(begin, std::min(begin + grain, count));
}

void ThreadTeam::parallel_for(std::size_t count, std::size_t grain,
                              FunctionRef<void(std::size_t, std::size_t)> task) {
    Shared& s = *shared_;
    if (s.helpers.empty() || count <= grain) return run_blocks_of_caller(count, grain, task);
    s.count = count;
    s.grain = grain;
    s.share_count = std::min((count + grain - 1) / grain, static_cast<std::size_t>(size()));
    s.in_blocks = true;
    s.task = &task;
    s.next.store(0, std::memory_order_relaxed);
    s.run_job();
}

void ThreadTeam::parallel_for_shares(std::size_t count, std::size_t grain,
                                     FunctionRef<void(std::size_t, std::size_t)> task) {
    Shared& s = *shared_;
    if (s.tasks.run) return run_blocks_of_caller(count, grain, task);
    s.share_count = std::min(count / grain, static_cast<std::size_t>(size()));
    if (s.share_count < 2) {
        if (count > 0) task(0, count);
        return;
    }
    s.count = count;
    s.in_blocks = false;
    s.task = &task;
    s.run_job();
}

} // namespace rigor
