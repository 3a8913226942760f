// Flags of the other commands: replay, new, mass, impact, validate, bench, info.

#include "command_options.h"
#include "rigor/settings_table.h"

namespace rigor::app {
namespace {

void add_json(CommandOptions& command, std::string& json) {
    command.text("--json", json, "FILE", "a file, or - for stdout",
                 "write JSON to FILE, or - for stdout");
}

} // namespace

void add_replay(CLI::App& app, CommandLine& line) {
    CommandOptions replay(
        app.add_subcommand("replay",
                           "Run a recording again and name the first step and body that differ"),
        line);
    ReplayCommandOptions& options = line.replay;
    replay
        .text("FILE", options.file, "", "a recording, from rigor run --record",
              "recording, from rigor run --record")
        ->required();
    replay.number<int>("--threads", options.threads, "a whole number from 1 to 1024", "2",
                       "worker threads (default 1)");
    add_json(replay, options.json);
    replay.text("--html", options.html, "FILE", "a file, or - for stdout",
                "write a page that plays it to FILE, or - for stdout");
    replay->footer(R"(examples:
  rigor run see_saw --record see_saw.rec
  rigor replay see_saw.rec --threads 2
  rigor replay see_saw.rec --html see_saw.html)");
    replay->callback([&line] { line.command = [&line] { return replay_command(line.replay); }; });
}

void add_new(CLI::App& app, CommandLine& line) {
    CommandOptions command(app.add_subcommand("new", "Write a commented starter scene"), line);
    command
        .text("NAME", line.new_scene.name, "", "a name, e.g. rigor new my_scene",
              "name of the scene; the file is NAME.json")
        ->required();
    command->footer(R"(examples:
  rigor new my_scene && rigor view my_scene.json)");
    command->callback([&line] { line.command = [&line] { return new_command(line.new_scene); }; });
}

void add_mass(CLI::App& app, CommandLine& line) {
    CommandOptions mass(app.add_subcommand("mass", "Mass properties of a mesh file"), line);
    MassOptions& options = line.mass;
    mass.text("FILE", options.file, "", "a mesh file, e.g. scenes/meshes/pawn.obj",
              "mesh file: OBJ, STL, PLY, glTF (gltf or glb), COLLADA (dae) or OFF")
        ->required();
    mass.number<double>("--density", options.density, "a number", "700",
                        "kg/m3, of a hollow mesh kg/m2 (default 1000)");
    mass.number<double>("--mass", options.mass, "a number", "2",
                        "total mass, kg, instead of a density");
    mass->add_flag("--hollow", options.hollow, "a uniform shell instead of a solid");
    add_json(mass, options.json);
    mass->footer(R"(examples:
  rigor mass scenes/meshes/pawn.obj --density 700
  rigor mass scenes/meshes/pyramid.obj --density 1 --json -)");
    mass->callback([&line] { line.command = [&line] { return mass_command(line.mass); }; });
}

void add_impact(CLI::App& app, CommandLine& line) {
    CommandOptions impact(
        app.add_subcommand("impact", "Single impacts of two bodies with friction"), line);
    ImpactOptions& options = line.impact;
    const auto& laws = find_setting("impact")->choices;
    impact
        .text("FILE", options.file, "", "a file of impacts, e.g. scenes/impacts/baber2011.json",
              "impacts, in JSON")
        ->required();
    impact.text("--impact", options.impact, "NAME", "an impact law: " + listed(laws),
                "impact law (default energetic): " + listed(laws));
    impact.number<double>("--delta", options.delta, "a number", "0.001",
                          "impulse step of euler and mirtich, as a share of the whole impulse "
                          "(default 0.001)");
    impact.text("--plot", options.plot, "FILE.svg", "a file, e.g. --plot impact.svg",
                "write velocity over impulse of one impact to FILE.svg");
    impact.text("--portrait", options.portrait, "FILE.svg", "a file, e.g. --portrait impact.svg",
                "write the phase portrait of the sliding velocity of one impact to FILE.svg");
    impact.number<std::size_t>("--index", options.index, "a whole number, 0 or more", "0",
                               "index of the impact to plot, from 0 (default 0)");
    add_json(impact, options.json);
    impact->footer(R"(examples:
  rigor impact scenes/impacts/baber2011.json --plot impact.svg
  rigor impact scenes/impacts/baber2011.json --impact poisson --json -)");
    impact->callback([&line] { line.command = [&line] { return impact_command(line.impact); }; });
}

void add_validate(CLI::App& app, CommandLine& line) {
    CommandOptions validate(app.add_subcommand("validate", "Run every check against known results"),
                            line);
    ValidateOptions& options = line.validate;
    validate.texts("--only", options.only, "NAME,...",
                   "slugs or numbers of checks, e.g. --only rocking_block,24",
                   "slugs or numbers, e.g. --only rocking_block,24");
    validate->add_flag("--list", options.list, "print slug, number and title of every check");
    validate.text("--data", options.data, "FOLDER", "a folder",
                  "folder of measured data (default: RIGOR_DATA); without it, skipped");
    add_json(validate, options.json);
    validate.text("--html", options.html, "FILE", "a file, or - for stdout",
                  "write a page with plots to FILE, or - for stdout");
    validate->footer(R"(examples:
  rigor validate
  rigor validate --list
  rigor validate --only rocking_block,newtons_cradle --html results.html)");
    validate->callback(
        [&line] { line.command = [&line] { return validate_command(line.validate); }; });
}

void add_bench(CLI::App& app, CommandLine& line) {
    CommandOptions bench(
        app.add_subcommand(
            "bench", "Time the speed scenes, here and in other engines, with quality beside it"),
        line);
    BenchOptions& options = line.bench;
    bench.texts("--only", options.only, "NAME,...", "names of scenes, e.g. --only pyramid,wall",
                "scenes, e.g. --only pyramid,wall; --list has them");
    bench.texts("--peers", options.peers, "NAME,...", "names of engines, e.g. --peers bullet,ode",
                "bullet, ode, mujoco or none (default: all found)");
    bench.number<int>("--repeat", options.repeat, "a whole number from 1 to 1000", "3",
                      "runs of each, in turns (default 1)");
    bench.number<std::uint64_t>("--seed", options.seed, "a whole number, 0 or more", "1",
                                "of what is placed at random (default 1)");
    bench.number<double>("--scale", options.scale, "a number", "2",
                         "multiplies the number of bodies (default 1)");
    bench.number<long long>("--steps", options.steps, "a whole number from 1 to 10000000", "600",
                            "steps of 1/60 s (default 600)");
    bench.numbers<int>("--threads", options.threads, "a whole number from 1 to 1024", "1,2",
                       "numbers of threads (default 1,2)");
    add_json(bench, options.json);
    bench->add_flag("--stages", options.stages, "where the time goes, stage by stage");
    bench->add_flag("--list", options.list, "list the scenes and engines, and stop");
    bench->footer(R"(examples:
  rigor bench --list
  rigor bench --only pyramid,wall --threads 1 --peers none)");
    bench->callback([&line] { line.command = [&line] { return bench_command(line.bench); }; });
}

void add_info(CLI::App& app, CommandLine& line) {
    CLI::App* info =
        app.add_subcommand("info", "Build flags, SIMD level, threads, numerics version");
    info->add_flag("--settings", line.info.settings,
                   "instead the table of settings, as in docs/settings.md");
    info->add_flag("--schema", line.info.schema,
                   "instead the settings of docs/scene.schema.json, as JSON");
    info->footer(R"(examples:
  rigor info
  rigor info --settings)");
    info->callback([&line] { line.command = [&line] { return info_command(line.info); }; });
}

} // namespace rigor::app
