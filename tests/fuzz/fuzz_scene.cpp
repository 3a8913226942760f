// Any text as a scene: a Scene or a sentence, never a crash, a hang or a broken promise. What
// loads must also build and step.

#include <cstdint>
#include <cstdlib>

#include "rigor/simulation.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    rigor::Result<rigor::Scene> scene = rigor::parse_scene(text, "fuzz.json");
    if (!scene) {
        if (scene.error().message.empty()) std::abort();
        return 0;
    }
    if (scene->bodies.size() > 2000) return 0; // a large pattern is legal, but slow to explore
    const double dt = scene->time_step;
    rigor::Result<rigor::Simulation> simulation = rigor::Simulation::make(std::move(*scene));
    if (!simulation) {
        if (simulation.error().message.empty()) std::abort();
        return 0;
    }
    for (int i = 0; i < 3; ++i) simulation->step(dt);
    for (const rigor::BodyId id : simulation->world().bodies()) {
        if (!is_finite(simulation->world().state(id).position)) std::abort();
    }
    return 0;
}
