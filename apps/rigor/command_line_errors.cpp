// Error messages of a wrong command line.

#include <algorithm>

#include "command_line.h"
#include "command_options.h"
#include "scene/suggestion.h"

namespace rigor::app {
namespace {

std::vector<std::string> command_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(command->get_name());
    return names;
}

std::string suggestion(const std::string& word, const std::vector<std::string>& known) {
    return did_you_mean(word, {known.begin(), known.end()});
}

bool is_flag(const std::string& word) {
    double number = 0;
    return word.size() > 1 && word[0] == '-' && !parse_number(word, number);
}

std::string unknown_flag(const CLI::App& command, const std::string& word) {
    std::vector<std::string> known;
    for (const CLI::Option* option : command.get_options())
        for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    const std::string flag = word.substr(0, word.find('='));
    return "unknown flag \"" + flag + "\"" + suggestion(flag, known);
}

/// "run takes one scene, got "b.json" as well".
std::string unexpected_word(const CLI::App& command, const std::string& word) {
    for (const CLI::Option* option : command.get_options()) {
        if (!option->get_positional()) continue;
        const std::string what = option->get_name() == "SCENE" ? "scene" : "file";
        return command.get_name() + " takes one " + what + ", got \"" + word + "\" as well";
    }
    return command.get_name() + " takes no arguments but flags, got \"" + word + "\"";
}

/// What stands where nothing may: before the command, or after all that it takes.
std::string unexpected(const CLI::App& app, const CLI::App& command) {
    const std::vector<std::string> before = app.remaining(), after = command.remaining();
    const bool has_command = &app != &command;
    for (const std::string& word : after)
        if (is_flag(word)) return unknown_flag(command, word);
    for (const std::string& word : before) {
        if (!is_flag(word)) continue;
        if (has_command && command.get_option_no_throw(word.substr(0, word.find('='))) != nullptr)
            return word + " is a flag of " + command.get_name() + ": write it after the command";
        return unknown_flag(command, word);
    }
    if (!has_command) return {};
    for (const auto* words : {&after, &before})
        if (!words->empty()) return unexpected_word(command, words->front());
    return {};
}

std::string problem_of_option(const CLI::App& command, const CLI::Option& option,
                              const std::string& need, const std::string& said) {
    const auto says = [&](const char* words) { return said.find(words) != std::string::npos; };
    const std::string name = option.get_name();
    if (says("At Most")) return name + " may be given only once";
    if (option.get_expected_max() == 0) return name + " takes no value";
    if (!says(" is required")) return name + " needs " + need;
    return command.get_name() + " needs " + (option.get_positional() ? "" : name + ": ") + need;
}

} // namespace

std::string unknown_command(const CLI::App& app, const std::string& word) {
    const std::vector<std::string> names = command_names(app);
    const bool is_known = std::find(names.begin(), names.end(), word) != names.end();
    if (is_known || (!word.empty() && word[0] == '-')) return {};
    const std::string near = suggestion(word, names);
    return "unknown command \"" + word + "\"" +
           (near.empty() ? "; the commands are " + listed(names, "and") : near);
}

// CLI11 tells of options by name only: they are found again at the beginning of its sentence, or
// after "Could not convert".
std::string usage_problem(const CLI::App& app, const CommandLine& line,
                          const CLI::ParseError& error) {
    const auto chosen = app.get_subcommands();
    const CLI::App& command = chosen.empty() ? app : *chosen.front();
    if (dynamic_cast<const CLI::ValidationError*>(&error) != nullptr) return error.what();
    if (const std::string problem = unexpected(app, command); !problem.empty()) return problem;
    std::string said = error.what();
    if (const std::string start = "Could not convert: "; said.rfind(start, 0) == 0)
        said.erase(0, start.size());
    const CLI::Option* option =
        command.get_option_no_throw(said.substr(0, said.find_first_of(": ")));
    if (option == nullptr) return error.what();
    const auto need = line.needs.find(option);
    return problem_of_option(command, *option, need == line.needs.end() ? "a value" : need->second,
                             said);
}

} // namespace rigor::app
