// The commands of the program: options in, exit code out.
//
// Parsing the command line (CLI11, slow to compile) is in command_line*.cpp alone; each command is
// a plain function of a plain struct, in a file of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rigor/result.h"
#include "rigor/scene.h"

namespace rigor::app {

enum ExitCode : int {
    done = 0,
    check_failed = 1,
    bad_input = 2,         ///< bad usage or bad input: one sentence on stderr
    simulation_failed = 3, ///< budget exceeded, or a problem in the physics under --strict
};

/// What `run` and `compare` have in common: a scene, what is changed in it, and for how long.
struct SceneRunOptions {
    std::string scene;
    std::optional<double> time;
    std::optional<long long> steps;
    std::optional<double> dt;
    int threads = 1;
    int lanes = 0;
    /// Exit 3 when a body was quarantined, a problem was not solved, or the method ignores an
    /// input.
    bool strict = false;
    /// `--method`, the settings flags and `--set`, as overrides of the scene's text.
    std::vector<SceneOverride> overrides;
};

struct RunOptions : SceneRunOptions {
    long long every = 1;
    bool all_bodies = false;
    bool quiet = false;
    bool list = false; ///< the scenes that have a name, instead of a run
    std::string json, csv, record, certificate;
};
int run_command(const RunOptions& options);

struct NewOptions {
    std::string name; ///< of the scene: a path, with or without .json
};
int new_command(const NewOptions& options);

struct CompareOptions : SceneRunOptions {
    std::string methods; ///< "fast,baber2006:resting=separation;tolerance=0.1"
    std::string json, plot;
};
int compare_command(const CompareOptions& options);

struct ReplayCommandOptions {
    std::string file;
    int threads = 1;
    std::string json, html;
};
int replay_command(const ReplayCommandOptions& options);

struct MassOptions {
    std::string file;
    std::optional<double> density, mass;
    bool hollow = false;
    std::string json;
};
int mass_command(const MassOptions& options);

struct ImpactOptions {
    std::string file;
    std::string impact = "energetic"; ///< the law
    double delta = 1e-3;
    std::size_t index = 0; ///< which impact is plotted
    std::string plot, portrait, json;
};
int impact_command(const ImpactOptions& options);

struct InfoOptions {
    bool settings = false; ///< the table of docs/settings.md instead
    bool schema = false;   ///< the settings of docs/scene.schema.json instead
};
int info_command(const InfoOptions& options);

struct ValidateOptions {
    std::vector<std::string> only; ///< slugs or numbers; empty: all
    std::string data;              ///< folder of measured and reference data; empty: RIGOR_DATA
    std::string json, html;
    bool list = false;
};
int validate_command(const ValidateOptions& options);

struct BenchOptions {
    std::vector<std::string> only;  ///< scenes; empty: all
    std::vector<std::string> peers; ///< engines beside us; empty: all in this build
    int repeat = 1;
    std::uint64_t seed = 1;
    double scale = 1;
    long long steps = 600;
    std::vector<int> threads{1, 2};
    std::string json;
    bool stages = false;
    bool list = false;
};
int bench_command(const BenchOptions& options);

struct ViewOptions {
    std::string scene;                ///< empty: the gallery
    std::vector<std::string> methods; ///< several: compared side by side
    int port = 8017;
    std::string listen; ///< empty: loopback
    bool open = true;   ///< a browser
    bool reload = true; ///< open the scene again when its file changes
    int threads = 1;
    int history_mb = 256;
    std::string scenes, page;         ///< folders
    std::vector<std::string> origins; ///< further ones that may connect
};
int view_command(const ViewOptions& options);

/// Prints "rigor: <error>" on stderr and returns bad_input.
int fail(const Error& error);

} // namespace rigor::app
