// Deadline and memory limit of a thread's work: loops that may run long poll them, and end.
//
// It belongs to the thread and not to a call, since solvers far below a step ask for it, and what
// they return once it has passed is discarded by the step above. Results do not depend on it
// otherwise.
#pragma once

namespace rigor {

/// While it exists the work of this thread has to end within these seconds, or earlier if an
/// earlier deadline holds already.
class DeadlineScope {
  public:
    explicit DeadlineScope(double seconds);
    ~DeadlineScope();
    DeadlineScope(const DeadlineScope&) = delete;
    DeadlineScope& operator=(const DeadlineScope&) = delete;

  private:
    double outer_end_;
    bool outer_passed_;
};

/// For tests: while it exists the deadline of this thread passes after so many questions, at any
/// place in the work that a test cares to visit, and the same on every machine.
class DeadlineAfterQuestions {
  public:
    explicit DeadlineAfterQuestions(int questions);
    ~DeadlineAfterQuestions();
    DeadlineAfterQuestions(const DeadlineAfterQuestions&) = delete;
    DeadlineAfterQuestions& operator=(const DeadlineAfterQuestions&) = delete;

    /// Whether it has passed, so that more questions would end elsewhere.
    bool was_reached() const;
};

/// While it exists the process may grow by so many bytes; beyond that the deadline counts as
/// passed. It is looked at every few milliseconds, where the system tells how large a process is
/// (Linux).
class MemoryScope {
  public:
    explicit MemoryScope(double bytes);
    ~MemoryScope();
    MemoryScope(const MemoryScope&) = delete;
    MemoryScope& operator=(const MemoryScope&) = delete;

    /// Whether the deadline passed because of it.
    bool is_exceeded() const;
};

/// Reads a clock: some 30 ns. False without a deadline.
bool deadline_has_passed();

/// Whether there is time left for work that cannot be interrupted and takes about these seconds. If
/// not, the deadline counts as passed from here on.
bool deadline_allows(double seconds);

} // namespace rigor
