#include "base/deadline.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <optional>

namespace rigor {
namespace {

struct Deadline {
    double end = std::numeric_limits<double>::infinity(); // s, of the steady clock
    bool passed = false;
};

thread_local Deadline deadline;
thread_local std::optional<int> questions_left; // in tests only

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

} // namespace

DeadlineScope::DeadlineScope(double seconds)
    : outer_end_(deadline.end), outer_passed_(deadline.passed) {
    deadline.end = std::min(deadline.end, now() + seconds);
}

DeadlineScope::~DeadlineScope() {
    deadline = {outer_end_, outer_passed_};
}

bool deadline_has_passed() {
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
    if (deadline.end == std::numeric_limits<double>::infinity()) return true;
    deadline.passed = deadline.passed || now() + seconds > deadline.end;
    return !deadline.passed;
}

} // namespace rigor
