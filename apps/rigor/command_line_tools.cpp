// Flags of the other commands: replay, mass, impact, validate, bench, info.

#include "command_line.h"
#include "rigor/settings_table.h"

namespace rigor::app {

void add_replay(CLI::App& app, CommandLine& line) {
    CLI::App* replay = app.add_subcommand(
        "replay", "Run a recording again and name the first step and body that differ");
    ReplayCommandOptions& options = line.replay;
    replay->add_option("FILE", options.file, "recording, from rigor run --record")->required();
    replay->add_option("--threads", options.threads, "worker threads (default 1)");
    replay->add_option("--json", options.json, "write JSON to FILE, or - for stdout");
    replay->footer(R"(examples:
  rigor run see_saw --record see_saw.rec
  rigor replay see_saw.rec --threads 2)");
    replay->callback([&line] { line.command = [&line] { return replay_command(line.replay); }; });
}

void add_mass(CLI::App& app, CommandLine& line) {
    CLI::App* mass = app.add_subcommand("mass", "Mass properties of an OBJ, STL, PLY or glTF mesh");
    MassOptions& options = line.mass;
    mass->add_option("FILE", options.file, "mesh file")->required();
    mass->add_option("--density", options.density, "kg/m3, of a hollow mesh kg/m2 (default 1000)");
    mass->add_option("--mass", options.mass, "total mass, kg, instead of a density");
    mass->add_flag("--hollow", options.hollow, "a uniform shell instead of a solid");
    mass->add_option("--json", options.json, "write JSON to FILE, or - for stdout");
    mass->footer(R"(examples:
  rigor mass scenes/meshes/pawn.obj --density 700
  rigor mass scenes/meshes/pyramid.obj --density 1 --json -)");
    mass->callback([&line] { line.command = [&line] { return mass_command(line.mass); }; });
}

void add_impact(CLI::App& app, CommandLine& line) {
    CLI::App* impact = app.add_subcommand("impact", "Single impacts of two bodies with friction");
    ImpactOptions& options = line.impact;
    impact->add_option("FILE", options.file, "impacts, in JSON")->required();
    impact->add_option(
        "--impact", options.impact,
        "impact law (default energetic): " + listed(find_setting("impact")->choices));
    impact->add_option("--delta", options.delta,
                       "step of euler and mirtich, of the whole impulse (default 0.001)");
    impact->add_option("--plot", options.plot, "write u over p of one impact to FILE.svg");
    impact->add_option("--portrait", options.portrait,
                       "write all ways of sliding of its K and friction to FILE.svg");
    impact->add_option("--index", options.index, "which one, from 0 (default 0)");
    impact->add_option("--json", options.json, "write JSON to FILE, or - for stdout");
    impact->footer(R"(examples:
  rigor impact scenes/impacts/baber2011.json --plot impact.svg
  rigor impact scenes/impacts/baber2011.json --impact poisson --json -)");
    impact->callback([&line] { line.command = [&line] { return impact_command(line.impact); }; });
}

void add_validate(CLI::App& app, CommandLine& line) {
    CLI::App* validate = app.add_subcommand("validate", "Run every check against known results");
    ValidateOptions& options = line.validate;
    validate->add_option("--only", options.only, "slugs or numbers, e.g. --only rocking_block,24")
        ->delimiter(',');
    validate->add_flag("--list", options.list, "print slug, number and title of every check");
    validate->add_option("--data", options.data,
                         "folder of measured data (default: RIGOR_DATA); without it, skipped");
    validate->add_option("--json", options.json, "write JSON to FILE, or - for stdout");
    validate->add_option("--html", options.html,
                         "write a page with plots to FILE, or - for stdout");
    validate->footer(R"(examples:
  rigor validate
  rigor validate --list
  rigor validate --only rocking_block,newtons_cradle --html results.html)");
    validate->callback(
        [&line] { line.command = [&line] { return validate_command(line.validate); }; });
}

void add_bench(CLI::App& app, CommandLine& line) {
    CLI::App* bench = app.add_subcommand(
        "bench", "Time the speed scenes, here and in other engines, with quality beside it");
    BenchOptions& options = line.bench;
    bench->add_option("--only", options.only, "scenes, e.g. --only pyramid,wall; --list has them")
        ->delimiter(',');
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
