// rigor bench: the speed scenes, in Rigor and in every other engine found, quality beside speed.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

#include "bench/peers/race.h"
#include "bench/scenes/scenes.h"
#include "command.h"
#include "output.h"
#include "progress.h"
#include "scene/suggestion.h"

namespace rigor::app {
namespace {

using bench::Engine;
using bench::Entrant;
using bench::Row;
using bench::SceneKind;

Error usage(const std::string& option, const std::string& message) {
    return {ErrorCode::invalid_value, "", option + " " + message};
}

Result<void> check(const BenchOptions& options) {
    constexpr double kMaxScale = 500; // two million bodies
    if (options.repeat < 1 || options.repeat > 1000) {
        return usage("--repeat", "must be a whole number from 1 to 1000, got " +
                                     std::to_string(options.repeat));
    }
    if (options.steps < 1 || options.steps > 10'000'000) {
        return usage("--steps", "must be a whole number from 1 to 10000000, got " +
                                    std::to_string(options.steps));
    }
    if (!(options.scale > 0 && options.scale <= kMaxScale)) {
        return usage("--scale", "must be positive and at most " + short_text(kMaxScale) + ", got " +
                                    exact_text(options.scale));
    }
    for (const int n : options.threads) {
        if (n < 1 || n > 1024) {
            return usage("--threads",
                         "must be a whole number from 1 to 1024, got " + std::to_string(n));
        }
    }
    return {};
}

Error unknown_name(const std::string& option, const std::string& kind, const std::string& name,
                   const std::vector<std::string_view>& known) {
    std::string suggestion = did_you_mean(name, known);
    if (suggestion.empty()) suggestion = "; see rigor bench --list";
    return {ErrorCode::not_found, option, "there is no " + kind + " \"" + name + "\"" + suggestion};
}

// In the order of the table, whatever the order they are asked for in.
Result<std::vector<SceneKind>> chosen_scenes(const std::vector<std::string>& only) {
    std::vector<std::string_view> known;
    for (const SceneKind& kind : bench::scene_kinds()) known.push_back(kind.name);
    for (const std::string& name : only) {
        if (std::find(known.begin(), known.end(), name) == known.end()) {
            return unknown_name("--only", "scene", name, known);
        }
    }
    std::vector<SceneKind> chosen;
    for (const SceneKind& kind : bench::scene_kinds()) {
        if (only.empty() || std::find(only.begin(), only.end(), kind.name) != only.end()) {
            chosen.push_back(kind);
        }
    }
    return chosen;
}

// Ourselves always, and the peers asked for; all there are when none is named.
Result<std::vector<const Engine*>> chosen_engines(const std::vector<std::string>& peers) {
    const std::vector<Engine>& all = bench::engines();
    std::vector<std::string_view> known{"none"};
    for (const Engine& engine : all) known.push_back(engine.name);
    for (const std::string& name : peers) {
        if (std::find(known.begin(), known.end(), name) == known.end()) {
            return unknown_name("--peers", "engine", name, known);
        }
    }
    std::vector<const Engine*> chosen;
    for (const Engine& engine : all) {
        const bool is_asked_for = std::find(peers.begin(), peers.end(), engine.name) != peers.end();
        if (is_asked_for && !engine.make) {
            return Error{ErrorCode::not_found, "--peers",
                         "\"" + engine.name + "\" is not in this build; install " + engine.package +
                             " and build again"};
        }
        const bool is_wanted = is_asked_for || peers.empty() || &engine == &all.front();
        if (is_wanted && engine.make) chosen.push_back(&engine);
    }
    return chosen;
}

// An engine that cannot use as many threads as asked for runs once with those it can use.
std::vector<Entrant> entrants(const std::vector<const Engine*>& engines,
                              const std::vector<int>& threads) {
    std::vector<Entrant> all;
    std::set<std::pair<const Engine*, int>> seen;
    for (const int wanted : threads) {
        for (const Engine* engine : engines) {
            const int n = std::min(wanted, engine->max_threads);
            if (seen.insert({engine, n}).second) all.push_back({engine, n});
        }
    }
    return all;
}

std::string joined(const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& part : parts) text += (text.empty() ? "" : "; ") + part;
    return text;
}

Json to_json(const Row& row) {
    const bool has_run = row.runs > 0;
    const auto number = [&](double x) { return has_run ? Json(x) : Json(); };
    const auto optional = [](const std::optional<double>& x) { return x ? Json(*x) : Json(); };
    return {{"scene", row.scene},
            {"engine", row.entrant.engine->name},
            {"version", row.entrant.engine->version},
            {"flags", row.entrant.engine->flags},
            {"threads", row.entrant.threads},
            {"bodies", row.bodies},
            {"ms_per_step", number(row.ms_per_step)},
            {"p99", number(row.p99)},
            {"runs", row.runs},
            {"penetration_max", number(row.quality.penetration_max)},
            {"penetration_p99", number(row.quality.penetration_p99)},
            {"drift", optional(row.quality.drift)},
            {"joint_error", optional(row.quality.joint_error)},
            {"kinetic_energy", number(row.quality.kinetic_energy)},
            {"notes", joined(row.notes)},
            {"stages", row.stages}};
}

// How many times as long as ours with as many threads, or else with the fewest, it takes.
double ratio_to_us(const Row& row, const std::vector<Row>& rows) {
    const std::string& us = bench::engines().front().name;
    const Row* ours = nullptr;
    for (const Row& r : rows) {
        if (r.entrant.engine->name != us) continue;
        if (!ours || r.entrant.threads == row.entrant.threads) ours = &r;
    }
    return ours && ours->ms_per_step > 0 ? row.ms_per_step / ours->ms_per_step : 0;
}

std::string in_mm(const std::optional<double>& meters) {
    return meters ? short_text(1e3 * *meters, 3) : "-";
}

void print_engines(const std::vector<const Engine*>& engines, const BenchOptions& options) {
    for (const Engine* engine : engines) {
        std::printf("%-7s %s (%s)\n", engine->name.c_str(), engine->version.c_str(),
                    engine->flags.c_str());
    }
    for (const Engine& engine : bench::engines()) {
        if (engine.make || !options.peers.empty()) continue;
        std::printf("%-7s not in this build; install %s and build again\n", engine.name.c_str(),
                    engine.package.c_str());
    }
    std::printf("%lld steps of 1/60 s, %d run%s each, in turns; lengths in mm, energy in J\n\n",
                static_cast<long long>(options.steps), options.repeat,
                options.repeat == 1 ? "" : "s");
    std::printf("%-14s %-7s %2s %7s %9s %9s %7s %9s %8s %8s %8s %9s  %s\n", "scene", "engine", "T",
                "bodies", "ms/step", "p99", "ratio", "pen. max", "pen. p99", "drift", "joints",
                "energy", "notes");
}

void print_row(const Row& row, const std::vector<Row>& rows) {
    std::printf("%-14s %-7s %2d %7zu", row.scene.c_str(), row.entrant.engine->name.c_str(),
                row.entrant.threads, row.bodies);
    if (row.runs > 0) {
        const bench::Quality& q = row.quality;
        std::printf(" %9s %9s %6sx %9s %8s %8s %8s %9s", short_text(row.ms_per_step, 4).c_str(),
                    short_text(row.p99, 4).c_str(), short_text(ratio_to_us(row, rows), 3).c_str(),
                    in_mm(q.penetration_max).c_str(), in_mm(q.penetration_p99).c_str(),
                    in_mm(q.drift).c_str(), in_mm(q.joint_error).c_str(),
                    short_text(q.kinetic_energy, 3).c_str());
    } else {
        std::printf(" %9s %9s %7s %9s %8s %8s %8s %9s", "-", "-", "-", "-", "-", "-", "-", "-");
    }
    std::printf("  %s\n", joined(row.notes).c_str());
}

void print_stages(const Row& row) {
    if (row.stages.empty()) return;
    std::printf("    ms by stage:");
    for (const auto& [name, ms] : row.stages) {
        std::printf("  %s %s", name.c_str(), short_text(ms, 3).c_str());
    }
    std::printf("\n");
}

void print_scene(const std::vector<Row>& rows, bool stages) {
    for (const Row& row : rows) {
        print_row(row, rows);
        if (stages) print_stages(row);
    }
    std::fflush(stdout);
}

int list() {
    for (const SceneKind& kind : bench::scene_kinds()) {
        std::printf("%-14s %s\n", std::string(kind.name).c_str(), std::string(kind.about).c_str());
    }
    std::printf("\nengines:");
    for (const Engine& engine : bench::engines()) {
        std::printf(" %s%s", engine.name.c_str(),
                    engine.make ? "" : (" (needs " + engine.package + ")").c_str());
    }
    std::printf("\n");
    return done;
}

} // namespace

int bench_command(const BenchOptions& options) {
    if (options.list) return list();
    if (const auto checked = check(options); !checked) return fail(checked.error());
    if (const auto checked = check_outputs({{"--json", options.json}}, {}); !checked)
        return fail(checked.error());
    const auto scenes = chosen_scenes(options.only);
    if (!scenes) return fail(scenes.error());
    const auto engines = chosen_engines(options.peers);
    if (!engines) return fail(engines.error());
    const std::vector<Entrant> all = entrants(*engines, options.threads);

    bench::RaceSettings settings;
    settings.steps = static_cast<int>(options.steps);
    settings.repeat = options.repeat;
    settings.scene = {options.seed, options.scale};
    const bool is_table = options.json != "-";
    if (is_table) print_engines(*engines, options);
    Json json = Json::array();
    for (const SceneKind& kind : *scenes) {
        Result<std::vector<Row>> rows = std::vector<Row>{};
        {
            const auto turns = static_cast<long long>(all.size()) * options.repeat;
            Progress progress("steps", turns * options.steps);
            rows = bench::race(kind, all, settings,
                               [&, done_steps = 0LL]() mutable { progress.update(++done_steps); });
        }
        if (!rows) return fail(rows.error());
        if (is_table) print_scene(*rows, options.stages);
        for (const Row& row : *rows) json.push_back(to_json(row));
    }
    if (!options.json.empty()) {
        if (const auto written = write_json(options.json, json); !written) {
            return fail(written.error());
        }
    }
    return done;
}

} // namespace rigor::app
