#include "run_steps.h"

#include <chrono>
#include <cmath>

#include "interruption.h"

namespace rigor::app {
namespace {

Error usage(const std::string& message) {
    return {ErrorCode::invalid_value, "", message};
}

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Which budget stopped a step before its end.
std::string budget_of(double step_seconds, const ContactLaws& laws) {
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

std::string run_steps(Simulation& simulation, const RunLength& length, RunSummary& summary,
                      const std::function<bool(long long, const StepReport&)>& after_step) {
    const double budget =
        simulation.scene().settings.find_as<double>("max_wall_seconds").value_or(HUGE_VAL);
    const Clock::time_point start = Clock::now();
    double measuring = 0;
    const auto stop = [&](long long i, const std::string& why) {
        summary.steps = i;
        summary.wall_seconds = seconds_since(start) - measuring;
        return summary.warnings.emplace_back("stopped after " + std::to_string(i) + " of " +
                                             std::to_string(length.steps) + " steps: " + why);
    };
    const auto used_up = [](const std::string& which) {
        return "the budget of " + which + " is used up";
    };
    for (long long i = 1; i <= length.steps; ++i) {
        const Clock::time_point step_start = Clock::now();
        const StepReport report = simulation.step(length.dt);
        summary.step_seconds.push_back(seconds_since(step_start));
        const Clock::time_point noting = Clock::now();
        note_step(report, simulation.world(), summary);
        measuring += seconds_since(noting);
        if (!after_step(i, report)) break;
        if (!report.finished)
            return stop(i, used_up(budget_of(summary.step_seconds.back(),
                                             simulation.world().settings().laws)));
        if (i == length.steps) break;
        if (const char* signal = Interruption::signal_name())
            return stop(i, std::string("interrupted by ") + signal);
        if (seconds_since(start) > budget) return stop(i, used_up("max_wall_seconds"));
    }
    summary.wall_seconds = seconds_since(start) - measuring;
    return "";
}

} // namespace rigor::app
