// A team of persistent workers, and parallel-for over fixed blocks.
#pragma once

#include <cstddef>
#include <memory>

#include "base/function_ref.h"
#include "rigor/tasks.h"

namespace rigor {

/// The caller and n - 1 helpers, or fewer when the system has no more threads to give. Helpers live
/// as long as the team and sleep between calls.
class ThreadTeam {
  public:
    explicit ThreadTeam(int threads);
    /// Has no threads of its own: all work goes to the caller's.
    explicit ThreadTeam(TaskSystem tasks);
    ~ThreadTeam();
    ThreadTeam(const ThreadTeam&) = delete;
    ThreadTeam& operator=(const ThreadTeam&) = delete;

    int size() const;

    /// Calls task(begin, end) for the blocks [0, grain), [grain, 2 grain), ... of [0, count),
    /// each once, on any worker, and returns when all are done.
    ///
    /// The blocks depend on `grain` alone, never on the number of threads: a sum kept per
    /// block and added up in the order of the blocks has the same bits for any team.
    /// The task must not throw, and must not call the team again.
    void parallel_for(std::size_t count, std::size_t grain,
                      FunctionRef<void(std::size_t begin, std::size_t end)> task);

  private:
    struct Shared;
    std::unique_ptr<Shared> shared_;
};

} // namespace rigor
