// Flags of the commands that run scenes: run, compare, view.

#include <algorithm>

#include "command_line.h"
#include "common/settings_json.h"

namespace rigor::app {
namespace {

constexpr const char* kScene = "scene file (JSON), or the name of a scene of the gallery";

/// "--max-events,--max_events": with dashes as flags are written, and by the scene's own name.
std::string flag_names(const std::string& name) {
    std::string dashed = name;
    std::replace(dashed.begin(), dashed.end(), '_', '-');
    return "--" + dashed + (dashed == name ? "" : ",--" + name);
}

/// Values are checked where those of the scene are, so that a bad one gets the same sentence.
void add_override(CLI::App* command, SceneRunOptions& options, const std::string& name,
                  const std::string& path, const std::string& help, const std::string& group) {
    command
        ->add_option_function<std::string>(
            flag_names(name),
            [&options, path, origin = "--" + name](const std::string& value) {
                options.overrides.push_back({path, value, origin});
            },
            help)
        ->group(group);
}

/// One flag for each setting of the table.
void add_settings(CLI::App* command, SceneRunOptions& options) {
    for (const Setting& setting : settings_table()) {
        const std::string name(setting.name);
        if (setting.in_scenes)
            add_override(command, options, name, "settings." + name, flag_help(setting),
                         "Settings of the method");
    }
    command->add_option("--threads", options.threads, flag_help(*find_setting("threads")))
        ->group("Settings of the machine");
    command->add_option("--lanes", options.lanes, flag_help(*find_setting("lanes")))
        ->group("Settings of the machine");
}

void add_set(CLI::App* command, SceneRunOptions& options) {
    const auto add = [&options](const std::vector<std::string>& assignments) {
        for (const std::string& a : assignments) {
            const std::size_t equals = a.find('=');
            if (equals == std::string::npos || equals == 0)
                throw CLI::ValidationError("--set", "needs PATH=VALUE, got \"" + a + "\"");
            options.overrides.push_back({a.substr(0, equals), a.substr(equals + 1)});
        }
    };
    command
        ->add_option_function<std::vector<std::string>>(
            "--set", add, "override any field of the scene: PATH=VALUE, e.g. bodies[0].mass=3")
        ->expected(1)
        ->take_all();
}

void add_scene_run(CLI::App* command, SceneRunOptions& options) {
    command->add_option("SCENE", options.scene, kScene)->required();
    command->add_option("--time", options.time, "simulated seconds (default 10)");
    command->add_option("--steps", options.steps, "number of steps, instead of --time");
    command->add_option("--dt", options.dt, "time step, s (default: the scene's)");
    add_set(command, options);
    command->add_flag("--strict", options.strict,
                      "exit 3 when the method does not use a setting, a body had to be contained, "
                      "or a contact problem was not solved");
}

} // namespace

void add_run(CLI::App& app, CommandLine& line) {
    CLI::App* run = app.add_subcommand("run", "Run a scene headless and print a summary");
    RunOptions& options = line.run;
    add_scene_run(run, options);
    add_override(run, options, "method", "method",
                 "method (default: the scene's): " + listed(scene_methods()), "Options");
    run->add_option("--json", options.json, "write the summary as JSON to FILE, or - for stdout");
    run->add_option("--csv", options.csv, "write all states as CSV to FILE, or - for stdout");
    run->add_option("--record", options.record, "write a recording for rigor replay to FILE");
    run->add_option("--every", options.every, "write every Nth step to the CSV (default 1)");
    run->add_flag("--all-bodies", options.all_bodies,
                  "final states even of more than 1,000 bodies");
    run->add_flag("--quiet", options.quiet, "no summary on stdout");
    add_settings(run, options);
    run->footer(R"(examples:
  rigor run wall
  rigor run scenes/asymmetric_top.json --time 10 --csv top.csv
  rigor run asymmetric_top --integrator rk4 --dt 0.001 --json -
  rigor run thrown_shapes --set gravity[2]=-1.62
  rigor run see_saw --method faithful --strict --record see_saw.rec)");
    run->callback([&line] { line.command = [&line] { return run_command(line.run); }; });
}

void add_compare(CLI::App& app, CommandLine& line) {
    CLI::App* compare =
        app.add_subcommand("compare", "Run a scene under several methods, side by side");
    CompareOptions& options = line.compare;
    add_scene_run(compare, options);
    compare
        ->add_option(
            "--methods", options.methods,
            "methods, with settings of their own after a colon: " + listed(scene_methods(), "and"))
        ->required();
    compare->add_option("--json", options.json, "write JSON to FILE, or - for stdout");
    compare->add_option("--plot", options.plot,
                        "write energy, momentum, distance to the first and penetration to "
                        "FILE.svg");
    add_settings(compare, options);
    compare->footer(R"(examples:
  rigor compare slopes --methods fast,penalty --plot slopes.svg
  rigor compare see_saw --methods faithful,fast,fast:substeps=16 --time 2
  rigor compare flat_stick --methods "baber2006,baber2006:resting=separation;tolerance=0.1")");
    compare->callback(
        [&line] { line.command = [&line] { return compare_command(line.compare); }; });
}

void add_view(CLI::App& app, CommandLine& line) {
    CLI::App* view = app.add_subcommand("view", "The interactive simulator, in the browser");
    ViewOptions& options = line.view;
    view->add_option("SCENE", options.scene, std::string(kScene) + "; without one, the gallery");
    view->add_option("--methods,--method", options.methods,
                     "one method, or up to four side by side: " + listed(scene_methods(), "and"))
        ->delimiter(',');
    view->add_option("--port", options.port, "port (default 8017; 0: any that is free)");
    view->add_option("--listen", options.listen,
                     "address to listen to instead of 127.0.0.1; a token is then asked for");
    view->add_flag("!--no-open", options.open, "do not open a browser");
    view->add_option("--threads", options.threads, "worker threads (default: all but one)");
    view->add_option("--history-mb", options.history_mb, "memory for going back (default 256)");
    view->add_option("--scenes", options.scenes, "folder of the gallery");
    view->add_option("--page", options.page, "serve the page from this folder: for work on it");
    view->add_option("--allow-origin", options.origins,
                     "an origin that may connect beside our own: for work on the page");
    view->footer(R"(examples:
  rigor view
  rigor view wall
  rigor view scenes/see_saw.json --methods fast,faithful)");
    view->callback([&line] { line.command = [&line] { return view_command(line.view); }; });
}

} // namespace rigor::app
