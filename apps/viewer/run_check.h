// The badge of the page: a stretch of a run is simulated again in a thread of its own, with a
// certificate, and held against the laws by the code of rigor-check.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <thread>

#include "check/verdict.h"
#include "viewer/json_fields.h"
#include "viewer/session.h"

namespace rigor::viewer {

/// How much is checked, and how long it may take.
struct CheckLimits {
    double simulated_seconds = 2;              ///< up to the present step
    double wall_seconds = 10;                  ///< for the simulation, and again for the checker
    std::size_t bytes = std::size_t{64} << 20; ///< of the certificate
};

struct CheckTask {
    SessionCopy copy;
    std::uint64_t first = 0, last = 0; ///< steps: from the state after `first` to that after `last`
    std::uint64_t hash = 0;            ///< of the state after `last`
    CheckLimits limits;
};

/// Fails with one sentence where there is nothing to check: no step since the last action, a body
/// that a user holds or has frozen, or too many bodies.
Result<CheckTask> make_check_task(const Session& session, const CheckLimits& limits = {});

/// What came of it. A certificate may be shorter than was asked for, when time or memory were up.
struct CheckOutcome {
    std::string reason; ///< why there is no verdict; empty: there is one
    check::Verdict verdict;
    std::uint64_t first = 0, last = 0;
    double start = 0, time_step = 0; ///< s
};
CheckOutcome run_check(CheckTask task, const std::function<bool()>& is_cancelled = {});

/// The message `check` without the number of its world.
json describe_check(const CheckOutcome& outcome);

/// One check at a time, in its own thread.
class BackgroundCheck {
  public:
    ~BackgroundCheck();

    bool is_running() const { return is_running_; }
    /// Not while another one is running. `done` is called from the other thread, unless the check
    /// was cancelled before.
    void start(CheckTask task, std::function<void(const CheckOutcome&)> done);
    /// After it returns, `done` is not called any more.
    void cancel();

  private:
    std::mutex mutex_;          ///< held while `done` is called
    bool is_cancelled_ = false; ///< guarded by the mutex
    std::atomic<bool> is_running_ = false;
    std::thread thread_;
};

} // namespace rigor::viewer
