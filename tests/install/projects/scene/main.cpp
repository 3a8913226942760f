// A user of scene files and linear programs: a scene of the gallery, and a ball under baber2006.
#include <cstdio>

#include "rigor/linear_programs.h"
#include "rigor/rigor.h"

namespace {

constexpr const char* kBall = R"({"rigor": 1, "method": "baber2006", "settings": {"resting": "lp"},
    "bodies": [
        {"type": "static", "shapes": [{"type": "plane", "normal": [0, 0, 1]}]},
        {"position": [0, 0, 0.5], "shapes": [{"type": "sphere", "radius": 0.5}]}]})";

int run(rigor::Result<rigor::Scene> scene) {
    if (!scene) return std::fprintf(stderr, "%s\n", to_string(scene.error()).c_str()), 1;
    rigor::Result<rigor::Simulation> simulation = rigor::Simulation::make(std::move(*scene));
    if (!simulation) return std::fprintf(stderr, "%s\n", to_string(simulation.error()).c_str()), 1;
    for (int i = 0; i < 10; ++i) simulation->step(1.0 / 60);
    std::printf("%zu bodies, method %s\n", simulation->world().body_count(),
                simulation->method().c_str());
    return 0;
}

} // namespace

int main(int, char** argv) {
    if (!rigor::has_linear_programs()) return 2;
    if (run(rigor::load_scene(argv[1])) != 0) return 1;
    return run(rigor::parse_scene(kBall, "ball"));
}
