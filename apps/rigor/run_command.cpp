// rigor run: a scene, headless.

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <iostream>
#include <numeric>

#include "command.h"
#include "csv_writer.h"
#include "output.h"
#include "progress.h"
#include "rigor/simulation.h"
#include "run_summary.h"

namespace rigor::app {
namespace {

Error usage(const std::string& message) {
    return {ErrorCode::invalid_value, "", message};
}

Result<void> check(const RunOptions& options) {
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
    if (options.threads < 1 || options.threads > 1024) {
        return usage("--threads must be from 1 to 1024, got " + std::to_string(options.threads));
    }
    if (options.every < 1) {
        return usage("--every must be at least 1, got " + std::to_string(options.every));
    }
    return {};
}

// As many whole steps as it takes to reach the time; a rounding error more is not a step more.
Result<long long> number_of_steps(const RunOptions& options, double dt) {
    constexpr double kDefaultTime = 10;
    if (options.steps) return *options.steps;
    const double steps = options.time.value_or(kDefaultTime) / dt;
    if (steps > 1e15) return usage("--time is more than 1e15 steps");
    return static_cast<long long>(std::ceil(steps * (1 - 1e-12) - 1e-6));
}

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

void record(const StepReport& report, const World& world, RunSummary& summary) {
    for (const StageTime& stage : report.stages) summary.stages[stage.name] += stage.seconds;
    summary.contacts = report.contacts;
    summary.max_penetration = std::max(summary.max_penetration, report.penetration);
    for (const BodyId id : report.quarantined) {
        summary.quarantined.emplace_back(world.name(id));
        summary.warnings.push_back("body \"" + std::string(world.name(id)) +
                                   "\" went non-finite at t = " + short_text(report.time) +
                                   " s: put back, stopped and disabled");
    }
}

} // namespace

int run_command(const RunOptions& options) {
    if (const auto checked = check(options); !checked) return fail(checked.error());
    for (const std::string& path : {options.json, options.record})
        if (const auto checked = check_writable(path); !checked) return fail(checked.error());
    Result<Scene> scene = load_scene(options.scene, {options.overrides});
    if (!scene) return fail(scene.error());
    const double dt = options.dt.value_or(scene->time_step);
    const Result<long long> steps = number_of_steps(options, dt);
    if (!steps) return fail(steps.error());

    Result<Simulation> made =
        Simulation::make(std::move(*scene), {options.threads, /*record=*/!options.record.empty()});
    if (!made) {
        Error error = made.error();
        error.where = options.scene + ": " + error.where;
        return fail(error);
    }
    Simulation& simulation = *made;
    CsvWriter csv;
    if (!options.csv.empty()) {
        if (const auto opened = csv.open(options.csv); !opened) return fail(opened.error());
    }

    RunSummary summary = begin_summary(simulation, options, dt, *steps);
    csv.write(simulation);
    const double budget = simulation.scene().settings.max_wall_seconds.value_or(HUGE_VAL);
    bool is_over_budget = false;
    {
        Progress progress("steps", *steps);
        const Clock::time_point start = Clock::now();
        for (long long i = 1; i <= *steps; ++i) {
            const Clock::time_point step_start = Clock::now();
            const StepReport report = simulation.step(dt);
            summary.step_seconds.push_back(seconds_since(step_start));
            record(report, simulation.world(), summary);
            if (i % options.every == 0) csv.write(simulation);
            progress.update(i);
            if (i < *steps && seconds_since(start) > budget) {
                summary.warnings.push_back("stopped after " + std::to_string(i) + " of " +
                                           std::to_string(*steps) +
                                           " steps: the budget of max_wall_seconds is used up");
                summary.steps = i;
                is_over_budget = true;
                break;
            }
        }
        summary.wall_seconds = seconds_since(start);
    }
    end_summary(simulation, summary);

    if (const auto closed = csv.close(); !closed) return fail(closed.error());
    if (!options.record.empty()) {
        const auto saved = simulation.world().recording().save(options.record);
        if (!saved) return fail(saved.error());
    }
    if (!options.json.empty()) {
        const auto written = write_json(options.json, to_json(summary, simulation, options));
        if (!written) return fail(written.error());
    }
    if (options.json != "-" && options.csv != "-" && !options.quiet) {
        if (const auto printed = print(to_text(summary, simulation)); !printed) {
            return fail(printed.error());
        }
    }
    if (is_over_budget) {
        std::cerr << "rigor: " << options.scene << ": " << summary.warnings.back() << "\n";
        return simulation_failed;
    }
    return options.strict && !summary.quarantined.empty() ? simulation_failed : done;
}

} // namespace rigor::app
