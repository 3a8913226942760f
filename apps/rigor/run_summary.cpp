#include "run_summary.h"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <sstream>

#include "base/deadline.h"
#include "bench/peers/quality.h"
#include "common/ledger_json.h"
#include "run_warnings.h"

namespace rigor::app {
namespace {

constexpr std::size_t kMostFinalBodies = 1000;
constexpr std::size_t kMostIslands = 100, kMostNames = 20; // that are reported

struct StepTimes {
    double mean = 0, p50 = 0, p99 = 0, max = 0; // ms
};

StepTimes step_times(std::vector<double> seconds) {
    if (seconds.empty()) return {};
    std::sort(seconds.begin(), seconds.end());
    const auto quantile = [&](double q) { return 1e3 * bench::percentile(seconds, q); };
    const double sum = std::accumulate(seconds.begin(), seconds.end(), 0.0);
    return {1e3 * sum / static_cast<double>(seconds.size()), quantile(0.5), quantile(0.99),
            quantile(1)};
}

Ledger difference(const Ledger& a, const Ledger& b) {
    Ledger d;
    d.gravity = a.gravity - b.gravity;
    d.forces = a.forces - b.forces;
    d.contact_normal = a.contact_normal - b.contact_normal;
    d.contact_friction = a.contact_friction - b.contact_friction;
    d.impact = a.impact - b.impact;
    d.joints = a.joints - b.joints;
    d.damping = a.damping - b.damping;
    d.edits = a.edits - b.edits;
    d.remainder = a.remainder - b.remainder;
    return d;
}

// Broken between words into lines of at most `width` characters, where the words allow it.
std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
    std::vector<std::string> lines;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        if (lines.empty() || lines.back().size() + 1 + word.size() > width) {
            lines.push_back(word);
        } else {
            lines.back() += ' ' + word;
        }
    }
    return lines;
}

std::string vector_text(const Vec3d& v) {
    return "(" + short_text(v.x) + ", " + short_text(v.y) + ", " + short_text(v.z) + ")";
}

Json final_states(const Simulation& simulation, bool all) {
    const std::vector<BodyId> bodies = simulation.bodies();
    Json::object_t states; // names are unique: appending spares a search for each
    if (bodies.size() > kMostFinalBodies && !all) return states;
    for (const BodyId id : bodies) {
        const BodyState s = simulation.world().state(id);
        states.push_back({std::string(simulation.world().name(id)),
                          {{"position", to_json(s.position)},
                           {"orientation", to_json(s.orientation)},
                           {"velocity", to_json(s.velocity)},
                           {"angular_velocity", to_json(s.angular_velocity)}}});
    }
    return states;
}

Json islands_json(const RunSummary& s, const World& world) {
    Json islands = Json::array();
    for (const IslandLedger& island : s.islands) {
        if (islands.size() == kMostIslands) break;
        Json names = Json::array();
        for (const BodyId id : island.bodies) {
            if (names.size() == kMostNames) break;
            names.push_back(world.name(id));
        }
        islands.push_back({{"bodies", island.bodies.size()},
                           {"names", names},
                           {"ledger", ledger_json<Json>(island.ledger)}});
    }
    return islands;
}

/// Without what nothing came of.
std::string ledger_text(const Ledger& l) {
    const std::pair<const char*, double> entries[] = {
        {"gravity", l.gravity},           {"forces", l.forces},  {"contacts", l.contact_normal},
        {"friction", l.contact_friction}, {"impacts", l.impact}, {"joints", l.joints},
        {"damping", l.damping},           {"edits", l.edits}};
    std::string text;
    for (const auto& [what, work] : entries)
        if (work != 0) text += std::string(what) + " " + short_text(work) + ", ";
    return text + "remainder " + short_text(l.remainder, 3) + " J";
}

/// "5, 4 dynamic; 1320 bytes each": the bodies at the end. Those that broke are not among them,
/// their pieces are.
std::string bodies_text(const RunSummary& s, const Simulation& simulation) {
    const World& world = simulation.world();
    const std::size_t start = simulation.scene().bodies.size(), end = world.body_count();
    std::size_t dynamic_bodies = 0;
    for (const BodyId id : world.bodies())
        dynamic_bodies += world.type(id) == BodyType::dynamic_body;
    std::string text = std::to_string(end) + ", " + std::to_string(dynamic_bodies) + " dynamic";
    if (end != start) text += " (" + std::to_string(start) + " in the scene)";
    if (end > 0) text += "; " + std::to_string(s.memory_bytes / end) + " bytes each";
    return text;
}

std::string islands_text(const RunSummary& s, const World& world) {
    if (s.islands.empty()) return "";
    const IslandLedger& worst = s.islands.front();
    const std::size_t others = worst.bodies.size() - 1;
    std::string text = "  islands    " + std::to_string(s.islands.size()) +
                       (s.islands.size() == 1 ? ": \"" : "; the largest remainder ");
    if (s.islands.size() > 1) text += short_text(worst.ledger.remainder, 3) + " J, of \"";
    text += std::string(world.name(worst.bodies.front())) + '"';
    if (others > 0) text += " and " + std::to_string(others) + (others == 1 ? " other" : " others");
    return text + "\n";
}

/// From poses alone, so that it does not depend on what a method reports.
void note_penetration(const World& world, RunSummary& s) {
    if (world.settings().method == Method::free) return;
    const std::vector<double> depths = world.penetrations();
    if (!depths.empty()) s.max_penetration = std::max(s.max_penetration, depths.back());
}

} // namespace

RunSummary begin_summary(Simulation& simulation, int threads, double dt, long long steps) {
    World& world = simulation.world();
    world.keep_island_ledgers(true);
    RunSummary s;
    s.dt = dt;
    s.steps = steps;
    s.threads = threads;
    s.step_seconds.reserve(static_cast<std::size_t>(std::min(steps, 1000000LL)));
    s.energy_start = world.energy();
    s.momentum_start = world.momentum();
    s.ledger = world.ledger();
    s.warnings = simulation.warnings();
    s.unhonored = simulation.unhonored();
    warn_of_time_step(simulation, s);
    for (const SceneBody& body : simulation.scene().bodies) {
        s.dynamic_bodies += body.def.type == BodyType::dynamic_body;
    }
    if (world.settings().method != Method::free) {
        const std::vector<ShapePenetration> overlaps = world.penetrating_shapes();
        if (!overlaps.empty()) s.max_penetration = overlaps.front().depth;
        warn_of_overlap(world, overlaps, s);
    }
    return s;
}

void name_flags(const std::vector<SceneOverride>& overrides, RunSummary& s) {
    for (const auto& [path, value, origin] : overrides) {
        if (origin.empty()) continue;
        for (auto* warnings : {&s.warnings, &s.unhonored})
            for (std::string& warning : *warnings)
                if (warning.starts_with(path + " ")) warning.replace(0, path.size(), origin);
    }
}

void note_step(const StepReport& report, const World& world, RunSummary& s) {
    for (const StageTime& stage : report.stages) s.stages[stage.name] += stage.seconds;
    s.contacts = report.contacts;
    s.events += report.event_count;
    s.impacts += report.impact_count;
    s.impulses += report.impulse_count;
    s.ambiguous += report.ambiguous_count;
    s.unsolved += report.unsolved_count;
    s.fallback_steps += report.fixed_steps > 0;
    s.crowded_steps += report.crowded_count > 0;
    s.max_crowded = std::max(s.max_crowded, report.crowded_count);
    note_penetration(world, s);
    for (const BodyId id : report.quarantined) {
        s.quarantined.emplace_back(world.name(id));
        s.warnings.push_back("body \"" + std::string(world.name(id)) +
                             "\" became non-finite at t = " + short_text(report.time) +
                             " s and was quarantined: put back, stopped and disabled");
    }
}

void end_summary(const Simulation& simulation, RunSummary& s) {
    const World& world = simulation.world();
    s.energy_end = world.energy();
    s.momentum_end = world.momentum();
    s.ledger = difference(world.ledger(), s.ledger);
    s.islands = world.island_ledgers();
    std::stable_sort(s.islands.begin(), s.islands.end(),
                     [](const IslandLedger& a, const IslandLedger& b) {
                         return std::abs(a.ledger.remainder) > std::abs(b.ledger.remainder);
                     });
    for (const BodyId id : world.bodies())
        s.awake += world.type(id) == BodyType::dynamic_body && !world.is_quarantined(id) &&
                   world.is_awake(id);
    s.state_hash = simulation.state_hash();
    if (world.settings().method != Method::free) {
        const std::vector<double> depths = world.penetrations();
        if (!depths.empty()) {
            s.penetration_end = depths.back();
            s.penetration_end_p99 = bench::percentile(depths, 0.99);
        }
        if (deadline_has_passed())
            s.warnings.push_back(
                "penetrations at the end were not all measured: the budget of "
                "max_run_seconds is used up");
    }
    s.memory_bytes = world.memory_bytes();
    warn_of_energy_gain(simulation, s);
    warn_of_crowds(s);
    if (s.fallback_steps > 0)
        s.warnings.push_back(
            std::to_string(s.fallback_steps) + " of " + std::to_string(s.step_seconds.size()) +
            " steps needed too many events and fell back to fixed substeps (Moreau "
            "time stepping)");
}

std::string strict_problem(const RunSummary& s) {
    if (!s.unhonored.empty()) return s.unhonored.front();
    if (!s.quarantined.empty()) return "body \"" + s.quarantined.front() + "\" became non-finite";
    if (s.unsolved > 0) return std::to_string(s.unsolved) + " contact problems were not solved";
    return "";
}

std::string hex(std::uint64_t value) {
    char text[20];
    std::snprintf(text, sizeof text, "%016" PRIx64, value);
    return text;
}

double mean_milliseconds(const RunSummary& s) {
    return step_times(s.step_seconds).mean;
}

Json to_json(const RunSummary& s, const Simulation& simulation, bool all_bodies) {
    const StepTimes ms = step_times(s.step_seconds);
    Json stages = Json::object();
    for (const auto& [name, seconds] : s.stages) {
        stages[std::string(name)] =
            1e3 * seconds / static_cast<double>(std::max<std::size_t>(s.step_seconds.size(), 1));
    }
    return {
        {"scene", simulation.scene().name},
        {"method", simulation.method()},
        {"integrator", name(simulation.world().settings().integrator)},
        {"threads", s.threads},
        {"steps", s.steps},
        {"dt", s.dt},
        {"time", simulation.world().time()},
        {"bodies", simulation.world().body_count()},
        {"wall_seconds", s.wall_seconds},
        {"ms_per_step", {{"mean", ms.mean}, {"p50", ms.p50}, {"p99", ms.p99}, {"max", ms.max}}},
        {"stages", stages},
        {"memory_bytes", s.memory_bytes},
        {"contacts", s.contacts},
        {"events", s.events},
        {"impacts", s.impacts},
        {"impulses", s.impulses},
        {"ambiguous", s.ambiguous},
        {"unsolved", s.unsolved},
        {"steps_in_parts", s.fallback_steps},
        {"crowded", s.max_crowded},
        {"energy",
         {{"start", s.energy_start.total()},
          {"end", s.energy_end.total()},
          {"kinetic_end", s.energy_end.kinetic},
          {"potential_end", s.energy_end.potential}}},
        {"ledger", ledger_json<Json>(s.ledger)},
        {"island_count", s.islands.size()},
        {"islands", islands_json(s, simulation.world())},
        {"momentum_start", to_json(s.momentum_start.linear)},
        {"momentum_end", to_json(s.momentum_end.linear)},
        {"angular_momentum_start", to_json(s.momentum_start.angular)},
        {"angular_momentum_end", to_json(s.momentum_end.angular)},
        {"max_penetration", s.max_penetration},
        {"penetration_end", {{"max", s.penetration_end}, {"p99", s.penetration_end_p99}}},
        {"state_hash", hex(s.state_hash)},
        {"awake", s.awake},
        {"quarantined", s.quarantined},
        {"warnings", s.warnings},
        {"final", final_states(simulation, all_bodies)},
    };
}

std::string to_text(const RunSummary& s, const Simulation& simulation) {
    const World& world = simulation.world();
    const StepTimes ms = step_times(s.step_seconds);
    const double body_steps = static_cast<double>(s.dynamic_bodies) * static_cast<double>(s.steps);
    std::ostringstream out;
    out << simulation.scene().name << ": method " << simulation.method() << ", integrator "
        << name(world.settings().integrator) << ", " << s.threads
        << (s.threads == 1 ? " thread\n" : " threads\n");
    for (const std::string& line : wrapped(simulation.scene().about, 94))
        out << "  " << line << "\n";
    out << "  time       " << short_text(world.time()) << " s in " << s.steps
        << (s.steps == 1 ? " step of " : " steps of ") << short_text(s.dt) << " s, took "
        << short_text(s.wall_seconds, 3) << " s";
    if (s.wall_seconds > 0) {
        out << " (" << short_text(world.time() / s.wall_seconds, 3) << " x real time, "
            << short_text(1e-6 * body_steps / s.wall_seconds, 3) << " million body-steps/s)";
    }
    out << "\n  step       " << short_text(ms.mean, 3) << " ms mean, " << short_text(ms.p50, 3)
        << " median, " << short_text(ms.p99, 3) << " p99, " << short_text(ms.max, 3) << " max\n"
        << "  bodies     " << bodies_text(s, simulation) << "\n"
        << "  contacts   " << s.contacts << " points at the end; penetration "
        << short_text(1e3 * s.max_penetration, 3) << " mm at most, "
        << short_text(1e3 * s.penetration_end, 3) << " at the end, p99 "
        << short_text(1e3 * s.penetration_end_p99, 3) << "\n"
        << "  energy     " << short_text(s.energy_start.total(), 12) << " J at the start, "
        << short_text(s.energy_end.total(), 12) << " J at the end (kinetic "
        << short_text(s.energy_end.kinetic) << ", potential " << short_text(s.energy_end.potential)
        << ")\n"
        << "  ledger     " << ledger_text(s.ledger) << "\n"
        << islands_text(s, world) << "  momentum   " << vector_text(s.momentum_start.linear)
        << " -> " << vector_text(s.momentum_end.linear) << " kg m/s\n"
        << "  angular    " << vector_text(s.momentum_start.angular) << " -> "
        << vector_text(s.momentum_end.angular) << " kg m2/s\n"
        << "  state      " << hex(s.state_hash) << "\n";
    return out.str();
}

} // namespace rigor::app
