// The steps of a run: how many, and through them to the end or to the end of a budget.
#pragma once

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

/// Steps to the end, and notes in the summary what happens on the way; `after_step` is called with
/// the number of each, from 1, and may end the run by answering false. When a budget is used up or
/// a signal (interruption.h) comes first, the answer says which, as a warning does; else it is
/// empty.
std::string run_steps(Simulation& simulation, const RunLength& length, RunSummary& summary,
                      const std::function<bool(long long, const StepReport&)>& after_step);

} // namespace rigor::app
