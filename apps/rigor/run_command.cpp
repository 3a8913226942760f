// rigor run: a scene, headless.

#include <iostream>

#include "command.h"
#include "csv_writer.h"
#include "find_scene.h"
#include "output.h"
#include "progress.h"
#include "rigor/simulation.h"
#include "run_steps.h"
#include "run_summary.h"

namespace rigor::app {
namespace {

Result<void> check(const RunOptions& options) {
    if (const auto checked = check_scene_run(options); !checked) return checked;
    if (options.every < 1)
        return Error{ErrorCode::invalid_value, "",
                     "--every must be at least 1, got " + std::to_string(options.every)};
    for (const std::string& path : {options.json, options.record})
        if (const auto checked = check_writable(path); !checked) return checked;
    return {};
}

} // namespace

int run_command(const RunOptions& options) {
    if (const auto checked = check(options); !checked) return fail(checked.error());
    const Result<std::string> path = find_scene(options.scene);
    if (!path) return fail(path.error());
    Result<Scene> scene = load_scene(*path, {options.overrides});
    if (!scene) return fail(scene.error());
    const Result<RunLength> length = run_length(options, scene->time_step);
    if (!length) return fail(length.error());

    Result<Simulation> made = Simulation::make(
        std::move(*scene), {options.threads, /*record=*/!options.record.empty(), options.lanes});
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

    RunSummary summary = begin_summary(simulation, options.threads, length->dt, length->steps);
    csv.write(simulation);
    std::string stopped;
    {
        Progress progress("steps", length->steps);
        stopped = run_steps(simulation, *length, summary, [&](long long i) {
            if (i % options.every == 0) csv.write(simulation);
            progress.update(i);
        });
    }
    end_summary(simulation, summary);

    if (const auto closed = csv.close(); !closed) return fail(closed.error());
    if (!options.record.empty()) {
        const auto saved = simulation.world().recording().save(options.record);
        if (!saved) return fail(saved.error());
    }
    if (!options.json.empty()) {
        const auto written =
            write_json(options.json, to_json(summary, simulation, options.all_bodies));
        if (!written) return fail(written.error());
    }
    if (options.json != "-" && options.csv != "-" && !options.quiet) {
        if (const auto printed = print(to_text(summary, simulation)); !printed) {
            return fail(printed.error());
        }
    }
    if (!stopped.empty()) {
        std::cerr << "rigor: " << options.scene << ": " << stopped << "\n";
        return simulation_failed;
    }
    const std::string problem = options.strict ? strict_problem(summary) : "";
    if (problem.empty()) return done;
    std::cerr << "rigor: " << options.scene << ": " << problem << " (--strict)\n";
    return simulation_failed;
}

} // namespace rigor::app
