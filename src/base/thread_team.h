// Thread pool (ThreadTeam): persistent worker threads, and parallel loops over fixed blocks or
// fixed shares.
#pragma once

#include <cstddef>
#include <memory>

#include "base/function_ref.h"
#include "rigor/tasks.h"

namespace rigor {

/// A thread pool of the caller and n - 1 worker threads, or fewer when the system cannot create
/// more. Workers live as long as the pool and sleep between calls.
class ThreadTeam {
  public:
    explicit ThreadTeam(int threads);
    /// Has no threads of its own: all work runs on the caller's task system.
    explicit ThreadTeam(TaskSystem tasks);
    ~ThreadTeam();
    ThreadTeam(const ThreadTeam&) = delete;
    ThreadTeam& operator=(const ThreadTeam&) = delete;

    int size() const;

    /// Calls task(begin, end) once for each block [0, grain), [grain, 2 grain), ... of [0, count),
    /// on any worker, and returns when all are done.
    ///
    /// The blocks depend on `grain` alone and not on the number of threads: a sum kept per block
    /// and added up in block order has the same bits for any team. The task must not throw, and
    /// must not call the team again.
    void parallel_for(std::size_t count, std::size_t grain,
                      FunctionRef<void(std::size_t begin, std::size_t end)> task);

    /// Calls task(begin, end) once for each of up to size() equal shares of [0, count), none
    /// smaller than `grain`. A loop over the same items gives them to the same worker, so that they
    /// stay in its cache: for many short loops over the same data. A sum must not depend on where
    /// shares end. Otherwise as above.
    void parallel_for_shares(std::size_t count, std::size_t grain,
                             FunctionRef<void(std::size_t begin, std::size_t end)> task);

  private:
    void run_blocks_of_caller(std::size_t count, std::size_t grain,
                              FunctionRef<void(std::size_t, std::size_t)> task);
    struct Shared;
    std::unique_ptr<Shared> shared_;
};

} // namespace rigor
