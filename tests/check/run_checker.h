// Runs of scenes with certificates, and rigor-check on them, as its users call it.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "common/certificate_writer.h"
#include "rigor/simulation.h"

namespace rigor::app {

struct CheckOutcome {
    int exit_code = -1;
    std::string output; ///< both streams

    /// Whether the table names a law as failed.
    bool fails(const std::string& law) const {
        return output.find("FAILS " + law + " ") != std::string::npos;
    }
};

inline CheckOutcome run_checker(const std::string& arguments) {
    const std::string command = std::string(RIGOR_BUILD_DIR "/rigor-check ") + arguments + " 2>&1";
    CheckOutcome outcome;
    FILE* pipe = popen(command.c_str(), "r");
    std::array<char, 4096> buffer;
    while (const std::size_t n = fread(buffer.data(), 1, buffer.size(), pipe))
        outcome.output.append(buffer.data(), n);
    outcome.exit_code = WEXITSTATUS(pclose(pipe));
    return outcome;
}

/// A file of this process alone: ctest runs the tests in several at once.
inline std::string scratch_file(const std::string& name) {
    const std::string own = std::to_string(::getpid()) + "_" + name;
    return (std::filesystem::path(testing::TempDir()) / own).string();
}

/// Runs a scene for a time, and returns the file of its certificate.
inline Result<std::string> certify(Result<Scene> scene, const std::string& name, double time) {
    if (!scene) return scene.error();
    const double dt = scene->time_step;
    Result<Simulation> simulation = Simulation::make(std::move(*scene));
    if (!simulation) return simulation.error();
    const std::string path = scratch_file(name + ".jsonl");
    CertificateWriter writer;
    if (const auto opened = writer.open(path, *simulation, dt); !opened) return opened.error();
    for (double t = 0; t < time * (1 - 1e-9); t += dt) {
        const StepReport report = simulation->step(dt);
        if (const auto written = writer.write_step(*simulation, report); !written)
            return written.error();
    }
    if (const auto closed = writer.close(); !closed) return closed.error();
    return path;
}

/// The same of a scene of the gallery.
inline Result<std::string> certify(const std::string& scene, double time,
                                   const std::string& method = "faithful",
                                   std::vector<SceneOverride> overrides = {}) {
    overrides.push_back({"method", method});
    return certify(
        load_scene(RIGOR_SOURCE_DIR "/scenes/" + scene + ".json", {std::move(overrides)}),
        scene + "_" + method, time);
}

inline std::vector<std::string> lines_of(const std::string& path) {
    std::vector<std::string> lines;
    std::ifstream file(path, std::ios::binary);
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
}

inline void write_lines(const std::string& path, const std::vector<std::string>& lines) {
    std::ofstream file(path, std::ios::binary);
    for (const std::string& line : lines) file << line << "\n";
}

/// Whether the checker rejects a certificate of these lines, by the law of that name.
inline void expect_rejected(const std::vector<std::string>& lines, const std::string& name,
                            const std::string& law) {
    const std::string file = scratch_file(name + ".jsonl");
    write_lines(file, lines);
    const CheckOutcome outcome = run_checker(file);
    EXPECT_EQ(outcome.exit_code, 1) << outcome.output;
    EXPECT_TRUE(outcome.fails(law)) << law << "\n" << outcome.output;
}

/// The lines of a certificate of `steps` steps after the first `skipped`.
inline std::vector<std::string> window(const std::string& scene, int skipped, int steps,
                                       const std::string& method = "faithful") {
    Simulation simulation =
        Simulation::make(
            load_scene(RIGOR_SOURCE_DIR "/scenes/" + scene + ".json", {{{"method", method}}})
                .value())
            .value();
    const double dt = simulation.scene().time_step;
    for (int i = 0; i < skipped; ++i) simulation.step(dt);
    CertificateWriter writer;
    EXPECT_TRUE(writer.begin_window(simulation, bodies_of_scene(simulation), dt));
    simulation.world().keep_motion_records(true);
    for (int i = 0; i < steps; ++i) EXPECT_TRUE(writer.write_step(simulation, simulation.step(dt)));
    EXPECT_TRUE(writer.close());
    std::istringstream text(writer.text());
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
}

inline CheckOutcome check_lines(const std::vector<std::string>& lines) {
    const std::string file = scratch_file("window.jsonl");
    write_lines(file, lines);
    return run_checker(file);
}

} // namespace rigor::app
