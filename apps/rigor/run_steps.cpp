#include "run_steps.h"

#include <cmath>

#include "base/deadline.h"
#include "interruption.h"
#include "run_warnings.h"

namespace rigor::app {
namespace {

Error usage(const std::string& message) {
    return {ErrorCode::invalid_value, "", message};
}

double seconds_since(RunClock::time_point start) {
    return std::chrono::duration<double>(RunClock::now() - start).count();
}

std::string used_up(const std::string& budget) {
    return "the budget of " + budget + " is used up";
}

std::string run_time_used_up(const WorldSettings& settings) {
    return used_up("max_run_seconds, " + short_text(settings.max_run_seconds.value_or(0)) + ",");
}

/// Which budget stopped a step before its end.
std::string budget_of(const StepReport& report, double step_seconds,
                      const WorldSettings& settings) {
    const ContactLaws& laws = settings.laws;
    if (report.over_memory)
        return "max_memory_mb, " + short_text(settings.max_memory_mb.value_or(0)) + ",";
    if (step_seconds < laws.max_wall_seconds)
        return "max_events, " + std::to_string(laws.max_events) + " in one step,";
    return "max_wall_seconds, " + short_text(laws.max_wall_seconds) + " in one step,";
}

} // namespace

Result<void> check_scene_run(const SceneRunOptions& options) {
    const auto is_positive = [](double x) { return x > 0 && std::isfinite(x); };
    if (options.time && options.steps) return usage("--time and --steps exclude each other");
    if (options.time && !is_positive(*options.time)) {
        return usage("--time must be positive, got " + exact_text(*options.time));
    }
    if (options.steps && *options.steps < 0) {
        return usage("--steps must not be negative, got " + std::to_string(*options.steps));
    }
    if (options.dt && !is_positive(*options.dt)) {
        return usage("--dt must be positive, got " + exact_text(*options.dt));
    }
    WorldSettings machine;
    machine.threads = options.threads;
    machine.lanes = options.lanes;
    if (const auto checked = check_settings(machine); !checked)
        return usage("--" + checked.error().message);
    return {};
}

// A rounding error more is not a step more.
Result<RunLength> run_length(const SceneRunOptions& options, double time_step) {
    constexpr double kDefaultTime = 10;
    const double dt = options.dt.value_or(time_step);
    if (options.steps) return RunLength{dt, *options.steps};
    const double steps = options.time.value_or(kDefaultTime) / dt;
    if (steps > 1e15) return usage("--time is more than 1e15 steps");
    return RunLength{dt, static_cast<long long>(std::ceil(steps * (1 - 1e-12) - 1e-6))};
}

double seconds_left(const Simulation& simulation, RunClock::time_point start) {
    const auto limit = simulation.world().settings().max_run_seconds;
    return limit ? *limit - seconds_since(start) : HUGE_VAL;
}

std::string run_steps(Simulation& simulation, const RunLength& length, RunClock::time_point start,
                      RunSummary& summary,
                      const std::function<bool(long long, const StepReport&)>& after_step) {
    const DeadlineScope deadline(seconds_left(simulation, start));
    const RunClock::time_point first_step = RunClock::now();
    double measuring = 0;
    std::string stopped;
    long long i = 0;
    while (i < length.steps && stopped.empty()) {
        const RunClock::time_point step_start = RunClock::now();
        const StepReport report = simulation.step(length.dt);
        ++i;
        summary.step_seconds.push_back(seconds_since(step_start));
        const RunClock::time_point noting = RunClock::now();
        note_step(report, simulation.world(), summary);
        note_fractures(simulation, summary);
        measuring += seconds_since(noting);
        if (!after_step(i, report)) break;
        const WorldSettings& settings = simulation.world().settings();
        if (i < length.steps || !report.finished || report.over_memory) {
            if (deadline_has_passed())
                stopped = run_time_used_up(settings);
            else if (!report.finished || report.over_memory)
                stopped = used_up(budget_of(report, summary.step_seconds.back(), settings));
            else if (const char* signal = Interruption::signal_name())
                stopped = std::string("interrupted by ") + signal;
        }
    }
    summary.wall_seconds = seconds_since(first_step) - measuring;
    if (stopped.empty()) return "";
    summary.steps = i;
    return summary.warnings.emplace_back("stopped after " + std::to_string(i) + " of " +
                                         std::to_string(length.steps) + " steps: " + stopped);
}

} // namespace rigor::app
