// rigor run: a scene, headless.

#include <iostream>

#include "base/deadline.h"
#include "command.h"
#include "common/certificate_writer.h"
#include "csv_writer.h"
#include "find_scene.h"
#include "interruption.h"
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
    if (options.certificate == "-")
        return Error{ErrorCode::invalid_value, "",
                     "--certificate needs a file: rigor-check reads one"};
    if (options.record == "-")
        return Error{ErrorCode::invalid_value, "",
                     "--record needs a file: a recording is not text for standard output"};
    return {};
}

/// The scene, when no output would overwrite one of its files.
Result<Scene> load(const RunOptions& options) {
    const Result<std::string> path = find_scene(options.scene);
    if (!path) return path.error();
    Result<Scene> scene = load_scene(*path, {options.overrides});
    if (!scene) return scene;
    const auto writable = check_outputs({{"--json", options.json},
                                         {"--csv", options.csv},
                                         {"--record", options.record},
                                         {"--certificate", options.certificate}},
                                        input_files(*path, *scene));
    if (!writable) return writable.error();
    return scene;
}

int list_scenes() {
    for (const std::string& name : scene_names()) std::cout << name << "\n";
    return done;
}

/// What ends a run with exit code 3: a budget, or a problem under --strict.
std::string failure(const std::string& stopped, const RunSummary& summary, bool strict) {
    if (!stopped.empty() || !strict) return stopped;
    return strict_problem(summary);
}

Result<void> write_results(const RunOptions& options, const RunSummary& summary,
                           const Simulation& simulation) {
    if (!options.record.empty()) {
        const auto saved = simulation.world().recording().save(options.record);
        if (!saved) return saved;
    }
    if (!options.json.empty()) {
        const auto written =
            write_json(options.json, to_json(summary, simulation, options.all_bodies));
        if (!written) return written;
    }
    if (options.json == "-" || options.csv == "-" || options.quiet) return {};
    return print(to_text(summary, simulation));
}

} // namespace

int run_command(const RunOptions& options) {
    if (options.list) return list_scenes();
    const RunClock::time_point start = RunClock::now();
    if (const auto checked = check(options); !checked) return fail(checked.error());
    Result<Scene> scene = load(options);
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
    CertificateWriter certificate;
    if (!options.certificate.empty()) {
        if (const auto opened = certificate.open(options.certificate, simulation, length->dt);
            !opened)
            return fail(opened.error());
    }

    const DeadlineScope deadline(seconds_left(simulation, start) + kResultSeconds);
    RunSummary summary = begin_summary(simulation, options.threads, length->dt, length->steps);
    name_flags(options.overrides, summary);
    Result<void> written = csv.write(simulation);
    std::string stopped;
    const Interruption interruption;
    if (written) {
        Progress progress("steps", length->steps);
        const auto after_step = [&](long long i, const StepReport& report) {
            written = certificate.write_step(simulation, report);
            if (written && i % options.every == 0) written = csv.write(simulation);
            progress.update(i);
            return written.ok();
        };
        stopped = run_steps(simulation, *length, start, summary, after_step);
    }
    if (!written) return fail(written.error());
    end_summary(simulation, summary);

    if (const auto closed = csv.close(); !closed) return fail(closed.error());
    if (const auto closed = certificate.close(); !closed) return fail(closed.error());
    if (const auto results = write_results(options, summary, simulation); !results)
        return fail(results.error());
    const std::string problem = failure(stopped, summary, options.strict);
    print_warnings(options.scene, summary.warnings, problem);
    if (problem.empty()) return done;
    std::cerr << "rigor: " << options.scene << ": " << problem
              << (stopped.empty() ? " (--strict)\n" : "\n");
    return simulation_failed;
}

} // namespace rigor::app
