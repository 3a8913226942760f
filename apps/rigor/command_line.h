// The command line: what may be given to each command, with help and examples.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <map>

#include "command.h"

namespace rigor::app {

/// What each option needs, for messages: "a number, e.g. --time 10".
using OptionNeeds = std::map<const CLI::Option*, std::string>;

/// The options of all commands, and the command that was chosen.
struct CommandLine {
    RunOptions run;
    CompareOptions compare;
    ReplayCommandOptions replay;
    MassOptions mass;
    ImpactOptions impact;
    ValidateOptions validate;
    BenchOptions bench;
    ViewOptions view;
    InfoOptions info;
    NewOptions new_scene;
    OptionNeeds needs;
    std::function<int()> command;
};

// command_line_scene.cpp: commands that step a scene.
void add_view(CLI::App& app, CommandLine& line);
void add_run(CLI::App& app, CommandLine& line);
void add_compare(CLI::App& app, CommandLine& line);

// command_line_tools.cpp: the others.
void add_replay(CLI::App& app, CommandLine& line);
void add_new(CLI::App& app, CommandLine& line);
void add_mass(CLI::App& app, CommandLine& line);
void add_impact(CLI::App& app, CommandLine& line);
void add_validate(CLI::App& app, CommandLine& line);
void add_bench(CLI::App& app, CommandLine& line);
void add_info(CLI::App& app, CommandLine& line);

/// What is wrong with a command line that CLI11 refused, in one sentence.
std::string usage_problem(const CLI::App& app, const CommandLine& line,
                          const CLI::ParseError& error);
/// Of a word that should be a command; empty when it is one, or a flag.
std::string unknown_command(const CLI::App& app, const std::string& word);

/// "a, b or c".
template <class Words>
std::string listed(const Words& words, const std::string& last = "or") {
    std::string text;
    std::size_t left = std::size(words);
    for (const auto& word : words) {
        --left;
        text += std::string(word) + (left > 1 ? ", " : left == 1 ? " " + last + " " : "");
    }
    return text;
}

} // namespace rigor::app
