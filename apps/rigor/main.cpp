// The rigor program: which command a command line goes to.

#include <algorithm>
#include <exception>
#include <iostream>

#include "command_line.h"
#include "rigor/version.h"

namespace rigor::app {
namespace {

constexpr const char* kExamples = R"(
examples:
  rigor view
  rigor run wall
  rigor run scenes/asymmetric_top.json --time 10 --csv top.csv
  rigor compare slopes --methods fast,penalty --plot slopes.svg
  rigor run see_saw --record see_saw.rec && rigor replay see_saw.rec --threads 2
  rigor new my_scene
  rigor mass scenes/meshes/pyramid.obj --density 1 --json -
  rigor impact scenes/impacts/baber2011.json --plot impact.svg
  rigor validate --only rocking_block,newtons_cradle
  rigor bench --only pyramid,wall --threads 1
rigor COMMAND --help has more of each

exit codes: 0 done, 1 a check failed, 2 bad usage or bad input, 3 the simulation went wrong
docs: docs/scenes.md (scene files), docs/settings.md (settings), docs/ (everything else))";

int refuse(const std::string& problem, const std::string& command = "") {
    std::cerr << "rigor: " << problem << " (see rigor " << (command.empty() ? "" : command + " ")
              << "--help)\n";
    return bad_input;
}

int refuse(const CLI::App& app, const CommandLine& line, const CLI::ParseError& error) {
    const auto chosen = app.get_subcommands();
    return refuse(usage_problem(app, line, error),
                  chosen.empty() ? "" : chosen.front()->get_name());
}

/// rigor help, rigor help COMMAND.
int print_help(const CLI::App& app, int argc, char** argv) {
    if (argc < 3) {
        std::cout << app.help();
        return done;
    }
    if (const std::string problem = unknown_command(app, argv[2]); !problem.empty())
        return refuse(problem);
    const CLI::App* command = argv[2][0] == '-' ? nullptr : app.get_subcommand(argv[2]);
    std::cout << (command == nullptr ? app.help() : command->help("rigor"));
    return done;
}

int run_program(int argc, char** argv) {
    CLI::App app("Rigor: a rigid body engine whose results can be checked", "rigor");
    app.footer(kExamples);
    app.require_subcommand(1);
    const VersionInfo version = version_info();
    app.set_version_flag("--version", "rigor " + version.version + ", numerics version " +
                                          std::to_string(version.numerics));
    CommandLine line;
    line.view.threads = std::max(1, version.hardware_threads - 1);
    for (const auto add : {add_view, add_run, add_compare, add_replay, add_new, add_mass,
                           add_impact, add_validate, add_bench, add_info})
        add(app, line);
    if (argc < 2 || argv[1] == std::string("help")) return print_help(app, argc, argv);
    if (const std::string problem = unknown_command(app, argv[1]); !problem.empty())
        return refuse(problem);
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& e) { // --help, --version
        return app.exit(e);
    } catch (const CLI::ParseError& e) {
        return refuse(app, line, e);
    }
    return line.command();
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
