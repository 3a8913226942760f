#include "bench/peers/race.h"

#include <algorithm>
#include <chrono>

namespace rigor::bench {
namespace {

using Clock = std::chrono::steady_clock;

struct Samples {
    std::vector<double> medians, p99s; ///< ms, of each run
    std::map<std::string, double> stage_seconds;
};

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return percentile(values, 0.5);
}

// Fails when the engine gives up; its times then do not count.
Result<void> time_run(Peer& peer, const RaceSettings& settings, Samples& samples,
                      const std::function<void()>& on_step) {
    std::vector<double> ms;
    for (int i = 0; i < settings.steps; ++i) {
        const Clock::time_point start = Clock::now();
        try {
            peer.step(settings.dt);
        } catch (const std::exception& e) {
            return Error{ErrorCode::unsupported, "gave up in step " + std::to_string(i + 1),
                         e.what()};
        }
        ms.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
        for (const StageTime& stage : peer.stages()) {
            samples.stage_seconds[std::string(stage.name)] += stage.seconds;
        }
        on_step();
    }
    std::sort(ms.begin(), ms.end());
    samples.medians.push_back(percentile(ms, 0.5));
    samples.p99s.push_back(percentile(ms, 0.99));
    return {};
}

// The runs of an engine end alike, or nearly; the first is looked at.
void record_end(const Peer& peer, bool stands, Inspector& inspector, Row& row) {
    row.quality = inspector.inspect(peer, stands);
    row.notes = peer.notes();
    if (row.quality.lost > 0) {
        row.notes.push_back(std::to_string(row.quality.lost) + " bodies are at no finite place");
    }
}

void finish(const Samples& samples, const RaceSettings& settings, Row& row) {
    row.runs = static_cast<int>(samples.medians.size());
    row.ms_per_step = median(samples.medians);
    row.p99 = median(samples.p99s);
    const double steps = double(row.runs) * settings.steps;
    for (const auto& [name, seconds] : samples.stage_seconds) {
        row.stages[name] = 1e3 * seconds / std::max(steps, 1.0);
    }
}

// An engine interrupted in the middle of a step is in no state to be taken down: it is kept until
// the program ends, and not destroyed even then.
void abandon(std::unique_ptr<Peer> peer) {
    static auto& abandoned = *new std::vector<std::unique_ptr<Peer>>;
    abandoned.push_back(std::move(peer));
}

// One engine's turn: built, run and, the first time, looked at. What goes wrong becomes its note.
void take_turn(const Scene& scene, bool stands, const RaceSettings& settings,
               const std::function<void()>& on_step, Inspector& inspector, Row& row,
               Samples& samples) {
    const Entrant& entrant = row.entrant;
    auto made = entrant.engine->make({scene, inspector.masses(), entrant.threads});
    if (!made) {
        row.notes = {"skipped: " + to_string(made.error())};
        return;
    }
    std::unique_ptr<Peer> peer = std::move(made).value();
    if (const auto timed = time_run(*peer, settings, samples, on_step); !timed) {
        row.notes = {to_string(timed.error())};
        abandon(std::move(peer));
        return;
    }
    if (samples.medians.size() == 1) record_end(*peer, stands, inspector, row);
}

std::vector<Row> empty_rows(const SceneKind& kind, const std::vector<Entrant>& entrants,
                            std::size_t bodies) {
    std::vector<Row> rows(entrants.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i].scene = kind.name;
        rows[i].entrant = entrants[i];
        rows[i].bodies = bodies;
    }
    return rows;
}

} // namespace

Result<std::vector<Row>> race(const SceneKind& kind, const std::vector<Entrant>& entrants,
                              const RaceSettings& settings, const std::function<void()>& on_step) {
    const Scene scene = kind.make(settings.scene);
    Result<Inspector> inspector = Inspector::make(scene);
    if (!inspector) return inspector.error();
    std::vector<Row> rows = empty_rows(kind, entrants, inspector->dynamic_bodies());
    std::vector<Samples> samples(rows.size());
    for (int run = 0; run < settings.repeat; ++run) {
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const bool has_failed = run > 0 && samples[i].medians.empty();
            if (has_failed) continue;
            take_turn(scene, kind.stands, settings, on_step, *inspector, rows[i], samples[i]);
        }
    }
    for (std::size_t i = 0; i < rows.size(); ++i) finish(samples[i], settings, rows[i]);
    return rows;
}

} // namespace rigor::bench
