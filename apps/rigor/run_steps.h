// The step loop of a run: number of steps, time budget, early end.
#pragma once

#include <chrono>
#include <functional>

#include "command.h"
#include "rigor/simulation.h"
#include "run_summary.h"

namespace rigor::app {

struct RunLength {
    double dt = 0;
    long long steps = 0;
};

/// Whether the options are valid for any scene.
Result<void> check_scene_run(const SceneRunOptions& options);
/// As many whole steps as it takes; `time_step` is the scene's.
Result<RunLength> run_length(const SceneRunOptions& options, double time_step);

using RunClock = std::chrono::steady_clock;

/// s: until max_run_seconds are over for a run that began at `start`; infinite without a limit.
double seconds_left(const Simulation& simulation, RunClock::time_point start);
/// s: what may be used beyond that to measure and write the results.
inline constexpr double kResultSeconds = 0.5;

/// Steps to the end, and notes in the summary what happens on the way; `after_step` is called with
/// the number of each, from 1, and may end the run by answering false. When a budget is used up or
/// a signal (interruption.h) comes first, `start` being when the run began, the answer says which,
/// as a warning does; else it is empty.
std::string run_steps(Simulation& simulation, const RunLength& length, RunClock::time_point start,
                      RunSummary& summary,
                      const std::function<bool(long long, const StepReport&)>& after_step);

} // namespace rigor::app
