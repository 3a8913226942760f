#include "gallery_certificates.h"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>

#include "common/certificate_writer.h"
#include "find_scene.h"
#include "progress.h"

namespace rigor::app {
namespace {

namespace fs = std::filesystem;

struct GalleryRun {
    const char* scene;
    double seconds;
};
constexpr GalleryRun kRuns[] = {{"bouncing_balls", 1}, {"frictional_impact", 1},
                                {"newtons_cradle", 1}, {"rolling_race", 1},
                                {"diamond_2", 1},      {"arch", 0.5},
                                {"spinning_top", 0.2}, {"double_pendulum", 0.3},
                                {"slider_crank", 0.5}, {"ragdolls", 0.4}};

Result<void> write_certificate(const GalleryRun& run, const std::string& method,
                               const std::string& file) {
    const Result<std::string> path = find_scene(run.scene);
    if (!path) return path.error();
    Result<Scene> scene = load_scene(*path, {{{"method", method}}});
    if (!scene) return scene.error();
    const double dt = scene->time_step;
    Result<Simulation> simulation = Simulation::make(std::move(*scene));
    if (!simulation) return simulation.error();
    CertificateWriter writer;
    if (auto opened = writer.open(file, *simulation, dt); !opened) return opened;
    for (double t = 0; t < run.seconds * (1 - 1e-9); t += dt)
        if (auto written = writer.write_step(*simulation, simulation->step(dt)); !written)
            return written;
    return writer.close();
}

/// A line of the table of rigor-check: "holds momentum  6.01e-12 of 1e-09  p' = ...". Keeps the law
/// that is nearest to its tolerance, or farthest beyond it.
void read_line(const std::string& line, double& nearest, CertificateSummary& summary) {
    constexpr std::size_t kName = 6, kNameLength = 19;
    double residual = 0, tolerance = 0;
    if (line.size() < kName + kNameLength) return;
    const char* numbers = line.c_str() + kName + kNameLength;
    if (std::sscanf(numbers, "%lf of %lf", &residual, &tolerance) != 2) return;
    if (residual / tolerance <= nearest) return;
    nearest = residual / tolerance;
    const std::string name = line.substr(kName, kNameLength);
    summary.worst_law = name.substr(0, name.find_last_not_of(' ') + 1);
    summary.residual = residual;
    summary.tolerance = tolerance;
}

CertificateSummary judge(const fs::path& checker, const std::string& file, const std::string& scene,
                         const std::string& method) {
    CertificateSummary summary{scene, method, "none", 0, 0, false};
    FILE* pipe = popen(("\"" + checker.string() + "\" \"" + file + "\" 2>&1").c_str(), "r");
    if (!pipe) return summary;
    std::array<char, 512> line;
    double nearest = -1;
    while (std::fgets(line.data(), static_cast<int>(line.size()), pipe))
        read_line(line.data(), nearest, summary);
    summary.holds = pclose(pipe) == 0;
    return summary;
}

} // namespace

Result<std::vector<CertificateSummary>> certify_gallery() {
    std::error_code error;
    const fs::path checker =
        fs::read_symlink("/proc/self/exe", error).parent_path() / "rigor-check";
    if (error || !fs::exists(checker))
        return Error{ErrorCode::not_found, "--html",
                     "the page has no certificates, for there is no rigor-check beside rigor"};
    const std::string file =
        (fs::temp_directory_path() / ("rigor_" + std::to_string(::getpid()) + ".jsonl")).string();
    std::vector<CertificateSummary> all;
    Progress progress("certificates", static_cast<long long>(2 * std::size(kRuns)));
    for (const char* method : {"faithful", "fast"})
        for (const GalleryRun& run : kRuns) {
            if (const auto written = write_certificate(run, method, file); !written)
                return written.error();
            all.push_back(judge(checker, file, run.scene, method));
            progress.update(static_cast<long long>(all.size()));
        }
    fs::remove(file, error);
    return all;
}

} // namespace rigor::app
