// TaskSystem: runs parallel loops on the caller's job system.
#pragma once

#include <cstddef>
#include <functional>

namespace rigor {

/// Runs the parallel loops of a step instead of the world's own threads.
struct TaskSystem {
    /// Calls block(0) ... block(count - 1), each once, in any order, on any threads, and returns
    /// when all are done. Results do not depend on how. `block` lives as long as the call and does
    /// not throw.
    std::function<void(std::size_t count, const std::function<void(std::size_t)>& block)> run = {};
};

} // namespace rigor
