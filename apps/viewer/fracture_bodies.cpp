#include "viewer/fracture_bodies.h"

#include <algorithm>

namespace rigor::viewer {
namespace {

void put(std::vector<SessionBody>& bodies, BodyId id, SceneBody definition) {
    if (bodies.size() <= id.index) bodies.resize(id.index + 1);
    bodies[id.index] = {id, std::make_shared<const SceneBody>(std::move(definition))};
}

// A mesh that is drawn for the whole body would be wrong for a piece.
SceneBody piece_of(const SceneBody& whole, const BodyDef& def) {
    SceneBody piece;
    piece.def = def;
    piece.tag = whole.tag;
    if (whole.look) piece.look = LookDef{"", whole.look->color};
    return piece;
}

} // namespace

std::vector<SessionBody> scene_bodies(const Simulation& simulation) {
    const std::vector<SceneBody>& definitions = simulation.scene().bodies;
    std::vector<SessionBody> bodies;
    for (std::size_t i = 0; i < definitions.size(); ++i)
        put(bodies, simulation.body(i), definitions[i]);
    for (const Simulation::Bonded& bonded : simulation.bonded())
        for (std::size_t k = 0; k < bonded.made.pieces.size(); ++k)
            put(bodies, bonded.made.pieces[k],
                piece_of(definitions[bonded.body], bonded.made.definitions[k]));
    return bodies;
}

void apply_fractures(const Simulation& simulation, SessionState& state) {
    if (simulation.fractures().empty()) return;
    std::vector<SessionBody> bodies = *state.bodies;
    for (const FractureEvent& event : simulation.fractures()) {
        if (event.pieces.empty()) continue;
        const std::shared_ptr<const SceneBody> whole = bodies[event.broken.index].definition;
        bodies[event.broken.index] = {};
        std::erase_if(state.drags, [&](const Drag& drag) { return drag.body == event.broken; });
        std::erase(state.frozen, event.broken.index);
        for (std::size_t i = 0; i < event.pieces.size(); ++i) {
            SceneBody piece = piece_of(*whole, event.definitions[i]);
            if (simulation.fracture().is_watched(event.pieces[i])) piece.fracture = whole->fracture;
            put(bodies, event.pieces[i], std::move(piece));
        }
    }
    state.bodies = std::make_shared<const std::vector<SessionBody>>(std::move(bodies));
}

} // namespace rigor::viewer
