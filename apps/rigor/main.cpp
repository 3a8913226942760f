// The rigor program: which command a command line goes to, and what is said of a wrong one.

#include <algorithm>
#include <exception>
#include <iostream>

#include "command_line.h"
#include "rigor/version.h"
#include "scene/suggestion.h"

namespace rigor::app {
namespace {

constexpr const char* kExamples = R"(
examples:
  rigor view
  rigor run wall
  rigor run scenes/asymmetric_top.json --time 10 --csv top.csv
  rigor compare slopes --methods fast,penalty --plot slopes.svg
  rigor run see_saw --record see_saw.rec && rigor replay see_saw.rec --threads 2
  rigor mass scenes/meshes/pyramid.obj --density 1 --json -
  rigor impact scenes/impacts/baber2011.json --plot impact.svg
  rigor validate --only rocking_block,newtons_cradle
  rigor bench --only pyramid,wall --threads 1
rigor COMMAND --help has more of each

exit codes: 0 done, 1 a check failed, 2 bad usage or bad input, 3 the simulation went wrong
docs: docs/scenes.md (scene files), docs/settings.md (settings), docs/ (everything else))";

std::vector<std::string> command_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(command->get_name());
    return names;
}

std::string suggestion(const std::string& word, const std::vector<std::string>& known) {
    return did_you_mean(word, {known.begin(), known.end()});
}

/// CLI11 only says that some command is missing. Empty: the word is a command or a flag.
std::string unknown_command(const CLI::App& app, const std::string& word) {
    const std::vector<std::string> names = command_names(app);
    const bool is_known = std::find(names.begin(), names.end(), word) != names.end();
    if (is_known || (!word.empty() && word[0] == '-')) return {};
    const std::string near = suggestion(word, names);
    return "unknown command \"" + word + "\"" +
           (near.empty() ? "; the commands are " + listed(names, "and") : near);
}

/// The first flag that the command does not have, with the nearest one that it has.
std::string unknown_flag(const CLI::App& command) {
    std::vector<std::string> known;
    for (const CLI::Option* option : command.get_options())
        for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    for (const std::string& word : command.remaining()) {
        if (word.rfind("--", 0) != 0) continue;
        const std::string flag = word.substr(0, word.find('='));
        return "unknown flag \"" + flag + "\"" + suggestion(flag, known);
    }
    return {};
}

int refuse(const CLI::App& app, const CLI::ParseError& error) {
    const auto chosen = app.get_subcommands();
    std::string message = error.what(), help = "rigor --help";
    if (!chosen.empty()) {
        help = "rigor " + chosen.front()->get_name() + " --help";
        if (const std::string flag = unknown_flag(*chosen.front()); !flag.empty()) message = flag;
    }
    std::cerr << "rigor: " << message << " (see " << help << ")\n";
    return bad_input;
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
    for (const auto add : {add_view, add_run, add_compare, add_replay, add_mass, add_impact,
                           add_validate, add_bench, add_info})
        add(app, line);
    if (argc < 2) {
        std::cout << app.help();
        return done;
    }
    if (const std::string problem = unknown_command(app, argv[1]); !problem.empty()) {
        std::cerr << "rigor: " << problem << " (see rigor --help)\n";
        return bad_input;
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& e) { // --help, --version
        return app.exit(e);
    } catch (const CLI::ParseError& e) {
        return refuse(app, e);
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
