// Flags of the commands that run scenes: run, compare, view.

#include <algorithm>
#include <set>

#include "command_options.h"
#include "common/settings_json.h"

namespace rigor::app {
namespace {

constexpr const char* kScene = "scene file (JSON), or the name of a scene of the gallery";
constexpr const char* kSceneNeed = "a scene: a file, or a name such as wall";
constexpr const char* kAssignment = "PATH=VALUE, e.g. --set bodies[0].mass=3";

/// "--max-events": flags are written with dashes.
std::string dashed(std::string name) {
    std::replace(name.begin(), name.end(), '_', '-');
    return "--" + name;
}

/// Values are checked where those of the scene are, so that a bad one gets the same sentence.
CLI::Option* add_override(CommandOptions& command, SceneRunOptions& options,
                          const std::string& flag, const std::string& path,
                          const std::string& help) {
    const auto set = [&options, path, flag](const std::string& value) {
        options.overrides.push_back({path, value, flag});
    };
    return command->add_option_function<std::string>(flag, set, help);
}

std::string type_of(const Setting& setting) {
    switch (setting.type) {
        case SettingType::boolean:
            return "true|false";
        case SettingType::integer:
            return "INTEGER";
        case SettingType::choice:
            return "NAME";
        default:
            return "NUMBER";
    }
}

/// "a whole number from 1 to 10000".
std::string value_of(const Setting& setting) {
    if (setting.type == SettingType::choice) return "a name: " + listed(setting.choices);
    if (setting.type == SettingType::number) return "a number";
    const std::string rule = rule_of(setting);
    return rule.substr(rule.find("be ") + 3);
}

/// One flag for each setting of the table, and a hidden one with the scene's own spelling, so that
/// messages have the flag as it was written.
void add_settings(CommandOptions& command, SceneRunOptions& options) {
    for (const Setting& setting : settings_table()) {
        if (!setting.in_scenes) continue;
        const std::string name(setting.name);
        std::set<std::string> flags{dashed(name), "--" + name};
        if (name == "max_memory_mb") flags.insert("--max-memory"); // its short name
        for (const std::string& flag : flags) {
            CLI::Option* option =
                add_override(command, options, flag, "settings." + name, flag_help(setting));
            option->group(flag == dashed(name) ? "Settings of the method" : "");
            command.described(option, type_of(setting), value_of(setting));
        }
    }
    const Setting& threads = *find_setting("threads");
    const Setting& lanes = *find_setting("lanes");
    command.number<int>("--threads", options.threads, value_of(threads), "2", flag_help(threads))
        ->group("Settings of the machine");
    command.number<int>("--lanes", options.lanes, value_of(lanes), "4", flag_help(lanes))
        ->group("Settings of the machine");
}

void add_set(CommandOptions& command, SceneRunOptions& options) {
    const auto add = [&options](const std::vector<std::string>& assignments) {
        for (const std::string& a : assignments) {
            const std::size_t equals = a.find('=');
            if (equals == std::string::npos || equals == 0)
                throw CLI::ValidationError(std::string("--set needs ") + kAssignment + ", got \"" +
                                           a + "\"");
            options.overrides.push_back({a.substr(0, equals), a.substr(equals + 1)});
        }
    };
    CLI::Option* option = command->add_option_function<std::vector<std::string>>(
        "--set", add, "override any field of the scene: PATH=VALUE, e.g. bodies[0].mass=3");
    command.described(option->allow_extra_args(false), "PATH=VALUE", kAssignment);
}

CLI::Option* add_scene_run(CommandOptions& command, SceneRunOptions& options) {
    CLI::Option* scene = command->add_option("SCENE", options.scene, kScene);
    command.described(scene, "", kSceneNeed);
    command.number<double>("--time", options.time, "a number", "10",
                           "simulated seconds (default 10)");
    command.number<long long>("--steps", options.steps, "a whole number", "600",
                              "number of steps, instead of --time");
    command.number<double>("--dt", options.dt, "a number", "0.01",
                           "time step, s (default: the scene's)");
    add_set(command, options);
    command->add_flag("--strict", options.strict,
                      "exit 3 when the method does not use a setting, the time step is far too "
                      "large, a body was quarantined, or a contact problem was not solved");
    return scene;
}

} // namespace

void add_run(CLI::App& app, CommandLine& line) {
    CommandOptions run(app.add_subcommand("run", "Run a scene headless and print a summary"), line);
    RunOptions& options = line.run;
    const CLI::Option* scene = add_scene_run(run, options);
    run.described(add_override(run, options, "--method", "method",
                               "method (default: the scene's): " + listed(scene_methods())),
                  "NAME", "a method: " + listed(scene_methods()));
    run.text("--json", options.json, "FILE", "a file, or - for stdout",
             "write the summary as JSON to FILE, or - for stdout");
    run.text("--csv", options.csv, "FILE", "a file, or - for stdout",
             "write all states as CSV to FILE, or - for stdout");
    run.text("--record", options.record, "FILE", "a file",
             "write a recording for rigor replay to FILE");
    run.text("--certificate", options.certificate, "FILE", "a file",
             "write all states, forces and impulses to FILE, for rigor-check");
    run.number<long long>("--every", options.every, "a whole number", "10",
                          "write every Nth step to the CSV (default 1)");
    run->add_flag("--all-bodies", options.all_bodies,
                  "final states even of more than 1,000 bodies");
    run->add_flag("--quiet", options.quiet, "no summary on stdout; warnings are on stderr");
    run->add_flag("--list", options.list, "list the scenes that have a name, and stop");
    add_settings(run, options);
    run->footer(R"(examples:
  rigor run --list
  rigor run wall
  rigor run scenes/asymmetric_top.json --time 10 --csv top.csv
  rigor run asymmetric_top --integrator rk4 --dt 0.001 --json -
  rigor run thrown_shapes --set gravity[2]=-1.62
  rigor run see_saw --method faithful --strict --record see_saw.rec
  rigor run newtons_cradle --certificate cradle.jsonl && rigor-check cradle.jsonl)");
    run->callback([&line, scene] {
        if (!line.run.list && scene->count() == 0) throw CLI::RequiredError("SCENE");
        line.command = [&line] { return run_command(line.run); };
    });
}

void add_compare(CLI::App& app, CommandLine& line) {
    CommandOptions compare(
        app.add_subcommand("compare", "Run a scene under several methods, side by side"), line);
    CompareOptions& options = line.compare;
    add_scene_run(compare, options)->required();
    compare
        .text(
            "--methods", options.methods, "NAME,...",
            "names of methods, e.g. --methods fast,faithful",
            "methods, with settings of their own after a colon: " + listed(scene_methods(), "and"))
        ->required();
    compare.text("--json", options.json, "FILE", "a file, or - for stdout",
                 "write JSON to FILE, or - for stdout");
    compare.text("--plot", options.plot, "FILE.svg", "a file, e.g. --plot compare.svg",
                 "write energy, momentum, distance to the first and penetration to FILE.svg");
    add_settings(compare, options);
    compare->footer(R"(examples:
  rigor compare slopes --methods fast,penalty --plot slopes.svg
  rigor compare see_saw --methods faithful,fast,fast:substeps=16 --time 2
  rigor compare flat_stick --methods "baber2006,baber2006:resting=separation;tolerance=0.1")");
    compare->callback(
        [&line] { line.command = [&line] { return compare_command(line.compare); }; });
}

void add_view(CLI::App& app, CommandLine& line) {
    CommandOptions view(app.add_subcommand("view", "The interactive simulator, in the browser"),
                        line);
    ViewOptions& options = line.view;
    view.described(view->add_option("SCENE", options.scene,
                                    std::string(kScene) + "; without one, the gallery"),
                   "", kSceneNeed);
    view.texts("--methods,--method", options.methods, "NAME,...",
               "names of methods, e.g. --methods fast,faithful",
               "one method, or up to four side by side: " + listed(scene_methods(), "and"));
    view.number<int>("--port", options.port, "a whole number from 0 to 65535", "8017",
                     "port (default 8017; 0: any that is free)");
    view.text("--listen", options.listen, "ADDRESS", "an address, e.g. --listen 0.0.0.0",
              "address to listen on instead of 127.0.0.1; a token is then required");
    view->add_flag_callback(
        "--no-open", [&options] { options.open = false; }, "do not open a browser");
    view->add_flag_callback(
        "--no-reload", [&options] { options.reload = false; },
        "do not open the scene again when its file, or a file it names, changes");
    view.number<int>("--threads", options.threads, "a whole number from 1 to 256", "2",
                     "worker threads (default: all but one)");
    view.number<int>("--history-mb", options.history_mb, "a whole number from 1 to 1000000", "256",
                     "memory for the history (stepping back), MB (default 256)");
    view.text("--scenes", options.scenes, "FOLDER", "a folder", "folder of the gallery");
    view.text("--page", options.page, "FOLDER", "a folder",
              "serve the page from this folder: for work on it");
    view.described(view->add_option("--allow-origin", options.origins,
                                    "an origin that may connect beside our own: for work on the "
                                    "page"),
                   "ORIGIN", "an origin, e.g. --allow-origin http://localhost:5173");
    view->footer(R"(examples:
  rigor view
  rigor view wall
  rigor view scenes/see_saw.json --methods fast,faithful)");
    view->callback([&line] { line.command = [&line] { return view_command(line.view); }; });
}

} // namespace rigor::app
