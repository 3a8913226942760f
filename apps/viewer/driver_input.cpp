#include "viewer/driver_input.h"

#include <nlohmann/json.hpp>

#include "viewer/key_input.h"

namespace rigor::viewer {
namespace {

constexpr double kKeySpeed = 2; // m/s, of a body without a grid

Result<void> named(Result<void> done, const World& world, BodyId body) {
    if (done) return done;
    Error error = done.error();
    error.where = "body \"" + std::string(world.name(body)) + "\"";
    return error;
}

} // namespace

Result<void> apply_driver_input(const DriveInput& input, BodyId body, Simulation& simulation) {
    Drivers& drivers = simulation.drivers();
    const World& world = simulation.world();
    if (input.at) return named(drivers.set_input(body, *input.at), world, body);
    Posed target = world.pose(body);
    if (input.position) target.p = *input.position;
    if (input.orientation) target.q = *input.orientation;
    return named(drivers.set_target(body, target), world, body);
}

// A device that was never moved leaves a body to its script.
void apply_keys_to_drivers(Simulation& simulation, const SessionState& state) {
    const KeyInput keys(state.keys);
    Drivers& drivers = simulation.drivers();
    for (std::size_t i = 0; i < simulation.scene().bodies.size(); ++i) {
        const std::optional<DriverDef>& driver = simulation.scene().bodies[i].driver;
        const BodyId id = simulation.body(i);
        if (!driver || driver->input != "keys" || !simulation.world().is_valid(id)) continue;
        const DriverState now = drivers.state(id);
        if (!keys.any() && !now.has_input) continue;
        if (!driver->grid.empty()) {
            drivers.set_input(id, {-1.0 * keys.left, 1.0 * keys.forward}).value();
            continue;
        }
        const Vec3d direction{-1.0 * keys.left, 1.0 * keys.forward, 1.0 * keys.up};
        const double way = driver->speed.value_or(kKeySpeed) * state.time_step;
        drivers.set_target(id, {now.hand.p + direction * way, now.hand.q}).value();
    }
}

json describe_drivers(const Session& session) {
    json drivers = json::array();
    const std::vector<SessionBody>& bodies = *session.state().bodies;
    for (std::size_t slot = 0; slot < bodies.size(); ++slot) {
        if (bodies[slot].id.is_null() || !bodies[slot].definition->driver) continue;
        const DriverDef& driver = *bodies[slot].definition->driver;
        if (driver.input.empty()) continue;
        drivers.push_back(
            {{"body", slot}, {"input", driver.input}, {"grid", !driver.grid.empty()}});
    }
    return drivers;
}

json describe_duel(const Session& session) {
    const std::optional<Duel>& duel = session.simulation().duel();
    if (!duel) return nullptr;
    const DuelDef& def = duel->definition();
    return {{"names", {def.fencers[0].name, def.fencers[1].name}}, {"rounds", def.rounds}};
}

json describe_duel_state(const Session& session) {
    const std::optional<Duel>& duel = session.simulation().duel();
    if (!duel) return nullptr;
    const DuelState& state = duel->state();
    json control = json::array();
    for (const FencerDef& fencer : duel->definition().fencers)
        control.push_back(session.simulation().drivers().state(fencer.weapon).control);
    return {{"score", state.score},
            {"round", state.round},
            {"over", state.over},
            {"control", std::move(control)},
            {"last_hit", state.last_hit}};
}

json describe_driven(const Session& session) {
    json events = json::array();
    for (const DriverEvent& event : session.simulation().drivers().events()) {
        events.push_back({{"body", event.body.index},
                          {"step", session.current_step()},
                          {"position", to_json(event.pose.p)},
                          {"orientation", to_json(event.pose.q)},
                          {"velocity", to_json(event.velocity)},
                          {"angular_velocity", to_json(event.angular_velocity)},
                          {"impulse", to_json(event.impulse)},
                          {"angular_impulse", to_json(event.angular_impulse)}});
    }
    return events;
}

} // namespace rigor::viewer
