// Signals that end a run early, with its results.
#pragma once

#include <csignal>

namespace rigor::app {

/// While one exists, SIGINT and SIGTERM only make a note: the run ends after its step, and what it
/// has so far is written whole. A second signal ends the program at once, and nothing is written.
class Interruption {
  public:
    Interruption();
    ~Interruption();
    Interruption(const Interruption&) = delete;
    Interruption& operator=(const Interruption&) = delete;

    /// "SIGINT", "SIGTERM", or null when there was none.
    static const char* signal_name();

  private:
    struct sigaction previous_interrupt_ {};
    struct sigaction previous_terminate_ {};
};

} // namespace rigor::app
