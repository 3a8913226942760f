#include "base/deadline.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <limits>
#include <optional>

#include <unistd.h>

#include "rigor/export.h"

namespace rigor {
namespace {

struct Deadline {
    double end = std::numeric_limits<double>::infinity(); // s, of the steady clock
    bool passed = false;
};

struct MemoryLimit {
    double bytes = std::numeric_limits<double>::infinity(); // of the process
    double next_look = 0;                                   // s, of the steady clock
    bool exceeded = false;
};

constexpr double kLookInterval = 5e-3; // s: to look takes some 20 us

thread_local Deadline deadline;
thread_local MemoryLimit memory_limit;
thread_local std::optional<int> questions_left; // in tests only

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

/// Bytes of this process in memory; 0 where the system does not tell.
double process_bytes() {
    std::ifstream file("/proc/self/statm");
    double all = 0, resident = 0;
    if (!(file >> all >> resident)) return 0;
    return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

bool memory_is_exceeded(double time) {
    if (memory_limit.exceeded || time < memory_limit.next_look) return memory_limit.exceeded;
    memory_limit.next_look = time + kLookInterval;
    return memory_limit.exceeded = process_bytes() > memory_limit.bytes;
}

} // namespace

MemoryScope::MemoryScope(double bytes) {
    if (bytes < std::numeric_limits<double>::infinity())
        memory_limit = {process_bytes() + bytes, now() + kLookInterval, !(bytes > 0)};
}

MemoryScope::~MemoryScope() {
    memory_limit = {};
}

bool MemoryScope::is_exceeded() const {
    return memory_limit.exceeded;
}

DeadlineScope::DeadlineScope(double seconds)
    : outer_end_(deadline.end), outer_passed_(deadline.passed) {
    deadline.end = std::min(deadline.end, now() + seconds);
}

DeadlineScope::~DeadlineScope() {
    deadline = {outer_end_, outer_passed_};
}

RIGOR_API bool deadline_has_passed() {
    return !deadline_allows(0);
}

DeadlineAfterQuestions::DeadlineAfterQuestions(int questions) {
    questions_left = questions;
}

DeadlineAfterQuestions::~DeadlineAfterQuestions() {
    questions_left.reset();
}

bool DeadlineAfterQuestions::was_reached() const {
    return *questions_left <= 0;
}

bool deadline_allows(double seconds) {
    if (questions_left) return *questions_left > 0 && --*questions_left > 0;
    constexpr double kNone = std::numeric_limits<double>::infinity();
    if (deadline.end == kNone && memory_limit.bytes == kNone) return true;
    const double time = now();
    deadline.passed = deadline.passed || time + seconds > deadline.end;
    if (memory_limit.bytes < kNone) deadline.passed = deadline.passed || memory_is_exceeded(time);
    return !deadline.passed;
}

} // namespace rigor
