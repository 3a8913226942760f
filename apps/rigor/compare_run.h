// One method's run in a comparison: its summary, and its sampled trajectory.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "output.h"
#include "rigor/simulation.h"
#include "run_steps.h"
#include "run_summary.h"

namespace rigor::app {

/// How far the moving bodies are from where the first method has them, m.
struct Distance {
    double mean = 0, most = 0;
};

/// A run as it is plotted. All runs are looked at after the same steps.
struct RunTrack {
    std::vector<double> time, energy, momentum, penetration;
    std::vector<std::vector<Vec3d>> positions; ///< of the moving bodies; of the first run alone
    std::vector<Distance> distance;            ///< of the others, as far as the first one went
};

struct MethodRun {
    std::string label;
    RunSummary summary;
    RunTrack track;
    std::string problem; ///< why it went no further; empty: it did
    Json json;           ///< as `run --json` has it; null when it could not begin
};

struct ComparePlan {
    RunLength length;
    int threads = 1;
    int lanes = 0;
    std::vector<SceneOverride> overrides;    ///< those that the scene was read with
    std::function<void(long long)> progress; ///< called with the number of each step
};

/// Never fails: what goes wrong is the run's problem. `first` is the run to compare with, if any.
MethodRun run_method(const std::string& label, Scene scene, const ComparePlan& plan,
                     const RunTrack* first);

} // namespace rigor::app
