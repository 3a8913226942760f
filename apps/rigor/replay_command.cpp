// rigor replay: a recording, run again and compared.

#include <filesystem>
#include <iostream>

#include "command.h"
#include "output.h"
#include "progress.h"
#include "replay_page.h"
#include "rigor/recording.h"
#include "rigor/version.h"

namespace rigor::app {
namespace {

/// "4,001 bodies".
std::string count_text(std::uint64_t count, const char* one, const char* many) {
    std::string digits = std::to_string(count);
    for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
    return digits + " " + (count == 1 ? one : many);
}

Json to_json(const ReplayReport& report, const Recording& recording, const std::string& file) {
    Json json{{"file", file},
              {"identical", report.identical()},
              {"steps", report.steps},
              {"recorded_steps", recording.step_count()},
              {"bodies", report.bodies},
              {"numerics", version_info().numerics},
              {"recorded_numerics", recording.numerics()},
              {"recorded_by", recording.recorded_by()}};
    if (const auto& difference = report.difference) {
        json["difference"] = {{"step", difference->step},
                              {"body", difference->name},
                              {"bodies", difference->bodies},
                              {"what", difference->what}};
    }
    return json;
}

std::string to_text(const ReplayReport& report) {
    if (report.identical())
        return "identical: " + count_text(report.steps, "step", "steps") + ", " +
               count_text(report.bodies, "body", "bodies") + "\n";
    const ReplayDifference& d = *report.difference;
    const std::string step = "step " + std::to_string(d.step) + ": ";
    if (d.bodies == 0) return step + d.what + "\n";
    const std::string others =
        d.bodies == 1 ? "" : ", and " + count_text(d.bodies - 1, "other body", "other bodies");
    return step + "body \"" + d.name + "\" differs (" + d.what + ")" + others + "\n";
}

} // namespace

int replay_command(const ReplayCommandOptions& options) {
    if (options.threads < 1 || options.threads > 1024) {
        return fail({ErrorCode::invalid_value, "",
                     "--threads must be a whole number from 1 to 1024, got " +
                         std::to_string(options.threads)});
    }
    const auto writable =
        check_outputs({{"--json", options.json}, {"--html", options.html}}, {options.file});
    if (!writable) return fail(writable.error());
    const Result<Recording> recording = Recording::load(options.file);
    if (!recording) return fail(recording.error());
    if (const int here = version_info().numerics; recording->numerics() != here) {
        std::cerr << "rigor: " << options.file << ": recorded with numerics version "
                  << recording->numerics() << ", this build has " << here
                  << ": differences are to be expected\n";
    }

    ReplayReport report;
    ReplayMovie movie;
    {
        Progress progress("steps", static_cast<long long>(recording->step_count()));
        const auto show = [&](std::uint64_t step) {
            progress.update(static_cast<long long>(step));
        };
        ReplayOptions how{.threads = options.threads, .progress = show};
        if (!options.html.empty()) {
            how.added = [&](BodyId id, const BodyDef& def) { movie.add(id, def); };
            how.stepped = [&](const World& world) { movie.add_frame(world); };
        }
        report = replay(*recording, how);
    }
    if (!options.html.empty()) {
        const std::string title = std::filesystem::path(options.file).filename().string();
        const auto written = write_text(options.html, replay_page(movie, title));
        if (!written) return fail(written.error());
    }
    if (!options.json.empty()) {
        const auto written = write_json(options.json, to_json(report, *recording, options.file));
        if (!written) return fail(written.error());
    }
    if (options.json != "-" && options.html != "-") {
        if (const auto printed = print(to_text(report)); !printed) return fail(printed.error());
    }
    return report.identical() ? done : check_failed;
}

} // namespace rigor::app
