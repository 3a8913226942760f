// The summary of a run, for people and for scripts. Scripts rely on the names of the JSON form.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "output.h"
#include "rigor/simulation.h"

namespace rigor::app {

struct RunSummary {
    double dt = 0;
    long long steps = 0;
    int threads = 1;
    double wall_seconds = 0;          ///< without the measurement of penetrations
    std::vector<double> step_seconds; ///< one per step
    std::map<std::string_view, double> stages;
    Energy energy_start, energy_end;
    Momentum momentum_start, momentum_end;
    Ledger ledger;                     ///< over the run, without the work of building the world
    std::vector<IslandLedger> islands; ///< over the run, the largest remainders first
    std::vector<std::string> quarantined;
    std::vector<std::string> warnings;
    /// Of the warnings: what the method or this build does not honor, or is not made for.
    std::vector<std::string> unhonored;
    int contacts = 0; ///< points, in the last step
    long long events = 0, impacts = 0, impulses = 0, ambiguous = 0,
              unsolved = 0;       ///< as StepReport has them
    long long fallback_steps = 0; ///< to fixed substeps (StepReport::fixed_steps)
    long long crowded_steps = 0;  ///< in which shapes were in crowds
    int max_crowded = 0;          ///< the most of them (StepReport::crowded_count)
    double max_penetration = 0;   ///< at the start and after each step, measured from the poses
    double penetration_end = 0, penetration_end_p99 = 0;
    std::size_t awake = 0;
    std::size_t dynamic_bodies = 0;
    std::uint64_t state_hash = 0;
    std::size_t memory_bytes = 0;
    std::size_t whole_bodies = 0; ///< that should have broken
};

/// From here on the world keeps a ledger for every island.
RunSummary begin_summary(Simulation& simulation, int threads, double dt, long long steps);
/// Warnings about settings that were given as flags name the flags.
void name_flags(const std::vector<SceneOverride>& overrides, RunSummary& summary);
/// What a step did, and how deep bodies overlap after it. Slow: every pair is measured.
void note_step(const StepReport& report, const World& world, RunSummary& summary);
void end_summary(const Simulation& simulation, RunSummary& summary);

/// What makes a run fail under --strict: an input that the method ignores, a time step far too long
/// for it, bodies that overlap at the start, a quarantined body, or an unsolved contact problem.
/// Empty when there is none.
std::string strict_problem(const RunSummary& summary);

/// Of a step, on average.
double mean_milliseconds(const RunSummary& summary);
/// 16 digits.
std::string hex(std::uint64_t value);

/// Final states of more than 1,000 bodies only when `all_bodies` are wanted.
Json to_json(const RunSummary& summary, const Simulation& simulation, bool all_bodies);
std::string to_text(const RunSummary& summary, const Simulation& simulation);

} // namespace rigor::app
