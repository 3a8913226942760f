// Runs several engines on one scene, in turns.
#pragma once

#include <functional>
#include <map>
#include <optional>

#include "bench/peers/quality.h"
#include "bench/scenes/scenes.h"

namespace rigor::bench {

/// One engine with a number of threads.
struct Entrant {
    const Engine* engine = nullptr;
    int threads = 1;
};

struct RaceSettings {
    int steps = 600;
    int repeat = 3;
    double dt = 1.0 / 60;
    SceneOptions scene;
};

/// A line of the table.
struct Row {
    std::string scene;
    Entrant entrant;
    std::size_t bodies = 0; ///< that move
    int runs = 0;           ///< none when the engine does not support the scene
    double ms_per_step = 0; ///< the median of the steps; of several runs, of their medians
    double p99 = 0;         ///< ms, likewise
    Quality quality;
    std::map<std::string, double> stages; ///< ms per step, mean over all steps
    std::vector<std::string> notes;
};

/// Runs all entrants one after another, then again, so that what disturbs the machine disturbs
/// all alike. Building a scene is not timed. `on_step` is called after each step, outside its
/// time. Fails when the scene cannot be made.
Result<std::vector<Row>> race(const SceneKind& kind, const std::vector<Entrant>& entrants,
                              const RaceSettings& settings, const std::function<void()>& on_step);

} // namespace rigor::bench
