// The command line of Rigor: what may be said, and which command it goes to.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <functional>
#include <iostream>

#include "command.h"
#include "rigor/scene.h"
#include "rigor/version.h"

namespace rigor::app {
namespace {

constexpr const char* kExamples = R"(
examples:
  rigor view
  rigor view scenes/see_saw.json --methods fast,faithful
  rigor run scenes/asymmetric_top.json --time 10 --csv top.csv
  rigor run scenes/asymmetric_top.json --integrator rk4 --dt 0.001 --json -
  rigor run scenes/thrown_shapes.json --set gravity[2]=-1.62
  rigor compare scenes/slopes.json --methods fast,penalty --plot slopes.svg
  rigor run scenes/see_saw.json --record see_saw.rec && rigor replay see_saw.rec --threads 2
  rigor mass scenes/meshes/pyramid.obj --density 1 --json -
  rigor impact scenes/impacts/baber2011.json --plot impact.svg
  rigor validate --only rocking_block,newtons_cradle
  rigor bench --only pyramid,wall --threads 1

exit codes: 0 done, 1 a check failed, 2 bad usage or bad input, 3 the simulation went wrong
docs: docs/scenes.md (scene files), docs/ (everything else))";

// The settings of a scene that are flags of `run` and `compare` too. Their values are checked where
// the scene's are, so a bad one gets the same sentence.
constexpr std::pair<const char*, const char*> kSettingFlags[] = {
    {"integrator", "euler, symplectic, rk4 or exact"},
    {"substeps", "equal parts each step is divided into"},
    {"impact", "impact law"},
    {"multi", "rule for several impacts at once"},
    {"resting", "rule for resting contact"},
    {"detection", "how the time of contact is found"},
    {"tolerance", "of iterative solvers"},
    {"max_events", "event budget of a step"},
    {"max_wall_seconds", "wall-clock budget"},
    {"fixed_steps", "whether steps with too many events may be made in equal parts"},
    {"delta", "impulse step of the Euler impact law"},
    {"penalty_depth", "penetration that penalty springs allow, m"},
    {"separation_distance", "gap that separation keeps, m"},
};

using Command = std::function<int()>;

/// "--max-events,--max_events": with dashes as flags are written, and by the scene's own name.
std::string flag_names(const std::string& name) {
    std::string dashed = name;
    std::replace(dashed.begin(), dashed.end(), '_', '-');
    return "--" + dashed + (dashed == name ? "" : ",--" + name);
}

void add_override(CLI::App* command, SceneRunOptions& options, const std::string& name,
                  const std::string& path, const char* help) {
    command->add_option_function<std::string>(
        flag_names(name),
        [&options, path, origin = "--" + name](const std::string& value) {
            options.overrides.push_back({path, value, origin});
        },
        help);
}

void add_scene_run(CLI::App* command, SceneRunOptions& options) {
    command->add_option("SCENE", options.scene, "scene file (JSON)")->required();
    command->add_option("--time", options.time, "simulated seconds (default 10)");
    command->add_option("--steps", options.steps, "number of steps, instead of --time");
    command->add_option("--dt", options.dt, "time step, s (default: the scene's)");
    command->add_option("--threads", options.threads, "worker threads (default 1)");
    for (const auto& [name, help] : kSettingFlags)
        add_override(command, options, name, std::string("settings.") + name, help);
    command
        ->add_option_function<std::vector<std::string>>(
            "--set",
            [&options](const std::vector<std::string>& assignments) {
                for (const std::string& a : assignments) {
                    const std::size_t equals = a.find('=');
                    if (equals == std::string::npos || equals == 0) {
                        throw CLI::ValidationError("--set", "needs PATH=VALUE, got \"" + a + "\"");
                    }
                    options.overrides.push_back({a.substr(0, equals), a.substr(equals + 1)});
                }
            },
            "override any field of the scene: PATH=VALUE, e.g. settings.substeps=4")
        ->expected(1)
        ->take_all();
}

void add_run(CLI::App& app, RunOptions& options, Command& command) {
    CLI::App* run = app.add_subcommand("run", "Run a scene headless and print a summary");
    add_scene_run(run, options);
    add_override(run, options, "method", "method", "method by name (default: the scene's)");
    run->add_option("--json", options.json, "write the summary as JSON to FILE, or - for stdout");
    run->add_option("--csv", options.csv, "write all states as CSV to FILE, or - for stdout");
    run->add_option("--record", options.record, "write a recording for rigor replay to FILE");
    run->add_option("--every", options.every, "write every Nth step to the CSV (default 1)");
    run->add_flag("--all-bodies", options.all_bodies,
                  "final states even of more than 1,000 bodies");
    run->add_flag("--strict", options.strict,
                  "exit 3 when something had to be contained or was not solved");
    run->add_flag("--quiet", options.quiet, "no summary on stdout");
    run->callback([&options, &command] { command = [&options] { return run_command(options); }; });
}

void add_compare(CLI::App& app, CompareOptions& options, Command& command) {
    CLI::App* compare =
        app.add_subcommand("compare", "Run a scene under several methods, side by side");
    add_scene_run(compare, options);
    compare
        ->add_option("--methods", options.methods,
                     "names, with settings of their own where wanted: "
                     "\"faithful,baber2006,baber2006:resting=separation;substeps=4\"")
        ->required();
    compare->add_option("--json", options.json, "write JSON to FILE, or - for stdout");
    compare->add_option("--plot", options.plot,
                        "write energy, momentum, distance to the first and depth to FILE.svg");
    compare->callback(
        [&options, &command] { command = [&options] { return compare_command(options); }; });
}

void add_replay(CLI::App& app, ReplayCommandOptions& options, Command& command) {
    CLI::App* replay = app.add_subcommand(
        "replay", "Run a recording again and name the first step and body that differ");
    replay->add_option("FILE", options.file, "recording, from rigor run --record")->required();
    replay->add_option("--threads", options.threads, "worker threads (default 1)");
    replay->add_option("--json", options.json, "write JSON to FILE, or - for stdout");
    replay->callback(
        [&options, &command] { command = [&options] { return replay_command(options); }; });
}

void add_mass(CLI::App& app, MassOptions& options, Command& command) {
    CLI::App* mass = app.add_subcommand("mass", "Mass properties of an OBJ, STL, PLY or glTF mesh");
    mass->add_option("FILE", options.file, "mesh file")->required();
    mass->add_option("--density", options.density, "kg/m3, of a hollow mesh kg/m2 (default 1000)");
    mass->add_option("--mass", options.mass, "total mass, kg, instead of a density");
    mass->add_flag("--hollow", options.hollow, "a uniform shell instead of a solid");
    mass->add_option("--json", options.json, "write JSON to FILE, or - for stdout");
    mass->callback(
        [&options, &command] { command = [&options] { return mass_command(options); }; });
}

void add_impact(CLI::App& app, ImpactOptions& options, Command& command) {
    CLI::App* impact = app.add_subcommand("impact", "Single impacts of two bodies with friction");
    impact->add_option("FILE", options.file, "impacts, in JSON")->required();
    impact->add_option("--impact", options.impact,
                       "newton, poisson, energetic (default), euler, mirtich or planar");
    impact->add_option("--delta", options.delta,
                       "step of euler and mirtich, of the whole impulse (default 0.001)");
    impact->add_option("--plot", options.plot, "write u over p of one impact to FILE.svg");
    impact->add_option("--portrait", options.portrait,
                       "write all ways of sliding of its K and friction to FILE.svg");
    impact->add_option("--index", options.index, "which one, from 0 (default 0)");
    impact->add_option("--json", options.json, "write JSON to FILE, or - for stdout");
    impact->callback(
        [&options, &command] { command = [&options] { return impact_command(options); }; });
}

void add_validate(CLI::App& app, ValidateOptions& options, Command& command) {
    CLI::App* validate = app.add_subcommand("validate", "Run every check against known results");
    validate->add_option("--only", options.only, "slugs or numbers, e.g. --only rocking_block,24")
        ->delimiter(',');
    validate->add_flag("--list", options.list, "print slug, number and title of every check");
    validate->add_option("--data", options.data,
                         "folder of measured data (default: RIGOR_DATA); without it, skipped");
    validate->add_option("--json", options.json, "write JSON to FILE, or - for stdout");
    validate->add_option("--html", options.html,
                         "write a page with plots to FILE, or - for stdout");
    validate->callback(
        [&options, &command] { command = [&options] { return validate_command(options); }; });
}

void add_view(CLI::App& app, ViewOptions& options, Command& command) {
    CLI::App* view = app.add_subcommand("view", "The interactive simulator, in the browser");
    view->add_option("SCENE", options.scene, "scene file (JSON); without one, the gallery");
    view->add_option("--methods,--method", options.methods,
                     "one method, or up to four side by side")
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
    view->callback(
        [&options, &command] { command = [&options] { return view_command(options); }; });
}

void add_bench(CLI::App& app, BenchOptions& options, Command& command) {
    CLI::App* bench = app.add_subcommand(
        "bench", "Time the speed scenes, here and in other engines, with quality beside it");
    bench->add_option("--only", options.only, "scenes, e.g. --only pyramid,wall")->delimiter(',');
    bench->add_option("--peers", options.peers, "bullet, ode, mujoco or none (default: all found)")
        ->delimiter(',');
    bench->add_option("--repeat", options.repeat, "runs of each, in turns (default 1)");
    bench->add_option("--seed", options.seed, "of what is placed at random (default 1)");
    bench->add_option("--scale", options.scale, "multiplies the number of bodies (default 1)");
    bench->add_option("--steps", options.steps, "steps of 1/60 s (default 600)");
    bench->add_option("--threads", options.threads, "numbers of threads (default 1,2)")
        ->delimiter(',');
    bench->add_option("--json", options.json, "write JSON to FILE, or - for stdout");
    bench->add_flag("--stages", options.stages, "where the time goes, stage by stage");
    bench->add_flag("--list", options.list, "list the scenes and engines, and stop");
    bench->callback(
        [&options, &command] { command = [&options] { return bench_command(options); }; });
}

// CLI11 only says that some command is missing.
bool is_unknown_command(CLI::App& app, const std::string& word) {
    const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
    return !word.empty() && word[0] != '-' &&
           std::none_of(commands.begin(), commands.end(),
                        [&](const CLI::App* command) { return command->get_name() == word; });
}

int run_program(int argc, char** argv) {
    CLI::App app("Rigor: a rigid body engine whose results can be checked", "rigor");
    app.footer(kExamples);
    app.require_subcommand(1);
    const VersionInfo version = version_info();
    app.set_version_flag("--version", "rigor " + version.version + ", numerics version " +
                                          std::to_string(version.numerics));
    Command command;
    RunOptions run;
    CompareOptions compare;
    ReplayCommandOptions replay;
    MassOptions mass;
    ImpactOptions impact;
    ValidateOptions validate;
    BenchOptions bench;
    ViewOptions view;
    view.threads = std::max(1, version.hardware_threads - 1);
    add_run(app, run, command);
    add_compare(app, compare, command);
    add_replay(app, replay, command);
    add_mass(app, mass, command);
    add_impact(app, impact, command);
    add_validate(app, validate, command);
    add_bench(app, bench, command);
    add_view(app, view, command);
    app.add_subcommand("info", "Build flags, SIMD level, threads, numerics version")
        ->callback([&command] { command = info_command; });
    if (argc > 1 && is_unknown_command(app, argv[1])) {
        std::cerr << "rigor: unknown command \"" << argv[1]
                  << "\"; the commands are view, run, compare, replay, mass, impact, validate, "
                     "bench and info (see rigor --help)\n";
        return bad_input;
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& e) { // --help, --version
        return app.exit(e);
    } catch (const CLI::ParseError& e) {
        std::cerr << "rigor: " << e.what() << " (see rigor --help)\n";
        return bad_input;
    }
    return command();
}

} // namespace
} // namespace rigor::app

int main(int argc, char** argv) {
    try {
        return rigor::app::run_program(argc, argv);
    } catch (const std::bad_alloc&) {
        std::cerr << "rigor: out of memory\n";
    } catch (const std::exception& e) {
        std::cerr << "rigor: " << e.what() << "\n";
    }
    return rigor::app::simulation_failed;
}
