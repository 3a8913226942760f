// rigor compare: a scene under several methods, side by side.

#include <algorithm>
#include <iostream>
#include <sstream>

#include "command.h"
#include "compare_methods.h"
#include "compare_run.h"
#include "find_scene.h"
#include "progress.h"
#include "svg_plot.h"

namespace rigor::app {
namespace {

std::string padded(const std::string& text, std::size_t width) {
    return text + std::string(text.size() < width ? width - text.size() : 0, ' ');
}

std::string column(const std::string& text, std::size_t width) {
    return std::string(text.size() < width ? width - text.size() : 0, ' ') + text;
}

struct Column {
    const char* name;
    std::size_t width;
    std::function<std::string(const MethodRun&)> cell;
};

std::string at_the_end(const MethodRun& run, double Distance::*which) {
    return run.track.distance.empty() ? "-" : short_text(run.track.distance.back().*which, 3);
}

const std::vector<Column>& columns() {
    using Run = const MethodRun&;
    static const std::vector<Column> all = {
        {"ms/step", 9, [](Run r) { return short_text(mean_milliseconds(r.summary), 3); }},
        {"kinetic J", 13, [](Run r) { return short_text(r.summary.energy_end.kinetic, 4); }},
        {"potential", 13, [](Run r) { return short_text(r.summary.energy_end.potential, 5); }},
        {"total", 13, [](Run r) { return short_text(r.summary.energy_end.total(), 5); }},
        {"change", 13,
         [](Run r) {
             return short_text(r.summary.energy_end.total() - r.summary.energy_start.total(), 3);
         }},
        {"momentum", 11,
         [](Run r) { return short_text(length(r.summary.momentum_end.linear), 3); }},
        {"depth mm", 11, [](Run r) { return short_text(1e3 * r.summary.max_penetration, 3); }},
        {"contacts", 9, [](Run r) { return std::to_string(r.summary.contacts); }},
        {"events", 8, [](Run r) { return std::to_string(r.summary.events); }},
        {"impacts", 8, [](Run r) { return std::to_string(r.summary.impacts); }},
        {"remainder", 12, [](Run r) { return short_text(r.summary.ledger.remainder, 2); }},
        {"apart m", 10, [](Run r) { return at_the_end(r, &Distance::mean); }},
        {"at most", 10, [](Run r) { return at_the_end(r, &Distance::most); }},
        {"state", 18, [](Run r) { return hex(r.summary.state_hash); }},
    };
    return all;
}

std::string table(const std::vector<MethodRun>& runs) {
    std::size_t widest = 8;
    for (const MethodRun& run : runs) widest = std::max(widest, run.label.size());
    std::ostringstream out;
    out << padded("method", widest);
    for (const Column& c : columns()) out << column(c.name, c.width);
    out << "\n";
    for (const MethodRun& run : runs) {
        out << padded(run.label, widest);
        if (run.json.is_null()) {
            out << "  failed: " << run.problem << "\n";
            continue;
        }
        for (const Column& c : columns()) out << column(c.cell(run), c.width);
        out << "\n";
    }
    out << "depth: the greatest penetration of the run; remainder: energy that nothing explains, "
           "J; "
           "apart: mean and greatest\ndistance of the bodies from where "
        << runs.front().label << " has them, at the end or where one of the two was stopped\n";
    return out.str();
}

Json to_json(const std::vector<MethodRun>& runs, const CompareOptions& options,
             const RunLength& length) {
    Json methods = Json::array();
    for (const MethodRun& run : runs) {
        Json entry = {{"label", run.label},
                      {"status", run.json.is_null()    ? "failed"
                                 : run.problem.empty() ? "done"
                                                       : "stopped"}};
        if (!run.problem.empty()) entry["problem"] = run.problem;
        if (!run.json.is_null()) entry.update(run.json);
        methods.push_back(std::move(entry));
    }
    return {{"scene", options.scene},
            {"steps", length.steps},
            {"dt", length.dt},
            {"methods", std::move(methods)}};
}

plot::Plot plot_of(const std::vector<MethodRun>& runs, const std::string& scene) {
    plot::Panel energy{"energy, J"}, momentum{"|momentum|, kg m/s"}, apart{"apart, m"},
        depth{"depth, mm"};
    apart.is_logarithmic = true;
    int color = 0;
    for (const MethodRun& run : runs) {
        const RunTrack& track = run.track;
        const auto series = [&](const auto& value) {
            plot::Series s{run.label, {}, {}, plot::Mark::line, color};
            for (std::size_t i = 0; i < track.time.size(); ++i) s.add(track.time[i], value(i));
            return s;
        };
        energy.series.push_back(series([&](std::size_t i) { return track.energy[i]; }));
        momentum.series.push_back(series([&](std::size_t i) { return track.momentum[i]; }));
        depth.series.push_back(series([&](std::size_t i) { return 1e3 * track.penetration[i]; }));
        plot::Series most{run.label, {}, {}, plot::Mark::line, color++};
        for (std::size_t i = 0; i < track.distance.size(); ++i)
            most.add(track.time[i], track.distance[i].most);
        apart.series.push_back(most);
    }
    apart.label = "from " + runs.front().label + ", m";
    return {scene, "time, s", {energy, momentum, apart, depth}};
}

Result<std::vector<Scene>> load_scenes(const std::string& path, const CompareOptions& options,
                                       const std::vector<MethodChoice>& choices) {
    std::vector<Scene> scenes;
    for (const MethodChoice& choice : choices) {
        LoadOptions load{options.overrides};
        load.overrides.insert(load.overrides.end(), choice.overrides.begin(),
                              choice.overrides.end());
        Result<Scene> scene = load_scene(path, load);
        if (!scene) return scene.error();
        scenes.push_back(std::move(*scene));
    }
    return scenes;
}

std::vector<MethodRun> run_all(const std::vector<MethodChoice>& choices, std::vector<Scene> scenes,
                               const RunLength& length, const CompareOptions& options) {
    const long long count = static_cast<long long>(choices.size());
    Progress progress("steps", count * length.steps);
    std::vector<MethodRun> runs;
    for (std::size_t i = 0; i < choices.size(); ++i) {
        const long long before = static_cast<long long>(i) * length.steps;
        std::vector<SceneOverride> overrides = choices[i].overrides;
        overrides.insert(overrides.end(), options.overrides.begin(), options.overrides.end());
        const ComparePlan plan{length, options.threads, options.lanes, std::move(overrides),
                               [&](long long k) { progress.update(before + k); }};
        runs.push_back(run_method(choices[i].label, std::move(scenes[i]), plan,
                                  i > 0 ? &runs.front().track : nullptr));
    }
    return runs;
}

Result<void> write(const std::vector<MethodRun>& runs, const CompareOptions& options,
                   const RunLength& length, const std::string& title) {
    if (!options.plot.empty()) {
        const auto written =
            write_text(options.plot, to_svg(plot_of(runs, title), {.width = 900, .height = 1000}));
        if (!written) return written;
    }
    if (!options.json.empty()) {
        const auto written = write_json(options.json, to_json(runs, options, length));
        if (!written) return written;
    }
    if (options.json == "-" || options.plot == "-") return {};
    std::ostringstream head;
    head << title << ": " << short_text(length.dt * static_cast<double>(length.steps)) << " s in "
         << length.steps << " steps of " << short_text(length.dt) << " s\n";
    return print(head.str() + table(runs));
}

/// Warnings and problems on standard error, and the exit code they make.
int report(const std::vector<MethodRun>& runs, const CompareOptions& options) {
    int code = done;
    for (const MethodRun& run : runs) {
        const std::string subject = options.scene + ": " + run.label;
        const std::string problem = options.strict ? strict_problem(run.summary) : "";
        print_warnings(subject, run.summary.warnings, problem);
        if (!problem.empty())
            std::cerr << "rigor: " << subject << ": " << problem << " (--strict)\n";
        if (run.json.is_null()) std::cerr << "rigor: " << subject << ": " << run.problem << "\n";
        if (!problem.empty() || !run.problem.empty()) code = simulation_failed;
    }
    return code;
}

} // namespace

int compare_command(const CompareOptions& options) {
    if (const auto checked = check_scene_run(options); !checked) return fail(checked.error());
    if (const auto checked = check_svg({"--plot", options.plot}); !checked)
        return fail(checked.error());
    const Result<std::vector<MethodChoice>> choices = parse_methods(options.methods);
    if (!choices) return fail(choices.error());
    const Result<std::string> path = find_scene(options.scene);
    if (!path) return fail(path.error());
    Result<std::vector<Scene>> scenes = load_scenes(*path, options, *choices);
    if (!scenes) return fail(scenes.error());
    const auto writable = check_outputs({{"--json", options.json}, {"--plot", options.plot}},
                                        input_files(*path, scenes->front()));
    if (!writable) return fail(writable.error());
    const std::string title = scenes->front().name;
    const Result<RunLength> length = run_length(options, scenes->front().time_step);
    if (!length) return fail(length.error());

    const std::vector<MethodRun> runs = run_all(*choices, std::move(*scenes), *length, options);
    if (const auto written = write(runs, options, *length, title); !written)
        return fail(written.error());
    return report(runs, options);
}

} // namespace rigor::app
