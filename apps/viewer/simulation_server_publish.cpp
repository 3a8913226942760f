// What the simulation server sends: frames, state, statistics, events, and replies.

#include <nlohmann/json.hpp>

#include "viewer/driver_input.h"
#include "viewer/simulation_server.h"

namespace rigor::viewer {
namespace {

constexpr std::size_t kMaxEvents = 200; // between two stats messages

} // namespace

std::shared_ptr<const std::string> SimulationServer::to_text(const json& message) {
    return std::make_shared<const std::string>(
        message.dump(-1, ' ', false, json::error_handler_t::replace));
}

void SimulationServer::publish_if_due() {
    if (clients_.empty()) return;
    const Clock::time_point now = Clock::now();
    if (frames_due_ && !seek_target_ && now - frames_published_ >= kFrameInterval) publish();
    if (stats_due_ && now - stats_sent_ >= kStatsInterval) send_stats();
}

void SimulationServer::publish() {
    frames_due_ = false;
    frames_published_ = Clock::now();
    send_changes();
    send_state();
    if (worlds_.empty()) return;
    auto frames = std::make_shared<FrameSet>();
    frames->sequence = ++sequence_;
    frames->generation = generation_;
    for (std::size_t i = 0; i < worlds_.size(); ++i) {
        frames->worlds.push_back(worlds_[i].frame_builder.build(
            worlds_[i].session, static_cast<std::uint8_t>(i), sequence_, subscriptions_));
    }
    outbox_.put(std::shared_ptr<const FrameSet>(std::move(frames)));
}

// Bodies that were added or removed and settings that changed, by an action or by seeking.
void SimulationServer::send_changes() {
    for (std::size_t i = 0; i < worlds_.size(); ++i) {
        SimulatedWorld& world = worlds_[i];
        if (world.sent_bodies != world.session.state().bodies) send_body_changes(i);
        json settings = settings_message(i);
        if (std::string text = settings.dump(); text != world.sent_settings) {
            world.sent_settings = std::move(text);
            broadcast(settings);
        }
        if (world.session.divergence() && !world.sent_divergence) {
            world.sent_divergence = true;
            broadcast({{"type", "notice"},
                       {"text", "at step " + std::to_string(*world.session.divergence()) +
                                    " the state differs from the recorded one"}});
        }
    }
}

json SimulationServer::settings_message(std::size_t index) const {
    const Session& session = worlds_[index].session;
    return {{"type", "settings"},
            {"world", index},
            {"method", name(session.world().settings().method)},
            {"settings", describe_settings(session)}};
}

void SimulationServer::send_body_changes(std::size_t index) {
    SimulatedWorld& world = worlds_[index];
    const std::vector<SessionBody>& before = *world.sent_bodies;
    const std::vector<SessionBody>& now = *world.session.state().bodies;
    const auto id_in = [](const std::vector<SessionBody>& bodies, std::size_t slot) {
        return slot < bodies.size() ? bodies[slot].id : BodyId{};
    };
    json removed = json::array(), added = json::array();
    const std::size_t sent_geometries = world.geometries.all().size();
    for (std::size_t slot = 0; slot < std::max(before.size(), now.size()); ++slot) {
        const BodyId old_id = id_in(before, slot), new_id = id_in(now, slot);
        if (old_id == new_id &&
            (old_id.is_null() || before[slot].definition == now[slot].definition))
            continue;
        if (!old_id.is_null()) removed.push_back(slot);
        if (!new_id.is_null())
            added.push_back(
                describe_body(world.session, static_cast<std::uint32_t>(slot), world.geometries));
    }
    world.sent_bodies = world.session.state().bodies;
    world.frame_builder.invalidate();
    if (!removed.empty())
        broadcast({{"type", "bodies_removed"}, {"world", index}, {"bodies", removed}});
    if (added.empty()) return;
    const std::vector<json>& all = world.geometries.all();
    const json new_geometries(
        std::vector<json>(all.begin() + static_cast<std::ptrdiff_t>(sent_geometries), all.end()));
    broadcast({{"type", "bodies_added"},
               {"world", index},
               {"bodies", added},
               {"geometries", new_geometries}});
}

json SimulationServer::scene_message() {
    const Scene& scene = worlds_[0].session.scene();
    json worlds = json::array();
    for (SimulatedWorld& world : worlds_)
        worlds.push_back(describe_world(world.session, world.geometries));
    json message = {
        {"type", "scene"},     {"name", scene.name},           {"about", scene.about},
        {"file", scene_name_}, {"time_step", scene.time_step}, {"worlds", std::move(worlds)}};
    if (!scene.controls.empty()) message["controls"] = describe_controls(scene);
    if (scene.camera) {
        message["camera"] = {{"position", to_json(scene.camera->position)},
                             {"target", to_json(scene.camera->target)},
                             {"up", to_json(scene.camera->up)},
                             {"fov_deg", scene.camera->fov_deg}};
    }
    return message;
}

json SimulationServer::state_message() {
    json state = {
        {"type", "state"}, {"open", !worlds_.empty()}, {"running", running_}, {"speed", speed_}};
    if (worlds_.empty()) return state;
    const Session& first = worlds_[0].session;
    std::uint64_t last = 0;
    std::size_t undo = 0, redo = 0;
    json hashes = json::array(), grabs = json::array();
    for (std::size_t i = 0; i < worlds_.size(); ++i) {
        const Session& session = worlds_[i].session;
        last = std::max(last, session.last_step());
        undo = std::max(undo, session.undo_count());
        redo = std::max(redo, session.redo_count());
        if (!running_ && !seek_target_)
            hashes.push_back(hash_text(session.simulation().state_hash()));
        for (const Drag& drag : session.state().drags) {
            grabs.push_back({{"world", i},
                             {"hand", drag.user},
                             {"body", drag.body.index},
                             {"point", to_json(drag.point)},
                             {"target", to_json(drag.target)},
                             {"force", length(drag.force)}});
        }
    }
    state["real_speed"] = running_ ? pacer_.real_speed() : 0;
    state["step"] = first.current_step();
    state["time"] = first.world().time();
    state["first_step"] = 0;
    state["last_step"] = last;
    state["seeking"] = seek_target_.has_value();
    state["undo"] = undo;
    state["redo"] = redo;
    state["grabs"] = std::move(grabs);
    state["frozen"] = first.state().frozen;
    if (!hashes.empty()) state["hashes"] = std::move(hashes);
    return state;
}

void SimulationServer::send_state() {
    broadcast(state_message(), OutgoingMessage::Kind::state);
}

void SimulationServer::send_stats() {
    stats_due_ = false;
    stats_sent_ = Clock::now();
    if (worlds_.empty()) return;
    send_events();
    send_hud();
    json worlds = json::array(), plots = json::array(), colors = json::object();
    for (const SimulatedWorld& world : worlds_) {
        json stats = describe_stats(world.session);
        if (&world != &worlds_[0])
            stats["distance"] = describe_distance(world.session, worlds_[0].session);
        worlds.push_back(std::move(stats));
        for (const auto& [color, scale] : world.frame_builder.scales())
            if (scale.max > 0)
                colors[std::string(name(color))] = {{"max", scale.max}, {"unit", scale.unit}};
    }
    for (const PlottedBody& plotted : plots_) {
        const Session* session = find_session(plotted.plot.world);
        if (!session) continue;
        for (const std::string& what : plotted.plot.quantities) {
            const auto value = quantity(*session, plotted.plot.body, what);
            if (!value) continue;
            plots.push_back({{"world", plotted.plot.world},
                             {"body", plotted.plot.body},
                             {"quantity", what},
                             {"value", *value}});
        }
    }
    broadcast({{"type", "stats"},
               {"step", worlds_[0].session.current_step()},
               {"time", worlds_[0].session.world().time()},
               {"worlds", std::move(worlds)},
               {"colors", std::move(colors)},
               {"plots", std::move(plots)}},
              OutgoingMessage::Kind::stats);
    for (const auto& [client, inspect] : inspections_) {
        const Session* session = find_session(inspect.world);
        if (!session) continue;
        json body = describe_body_state(*session, *inspect.body);
        body["type"] = "body";
        body["world"] = inspect.world;
        send(client, body);
    }
}

void SimulationServer::collect_events() {
    for (std::size_t i = 0; i < worlds_.size(); ++i) {
        const Session& session = worlds_[i].session;
        for (json& event : describe_events(session)) {
            if (events_.size() >= kMaxEvents) return;
            event["step"] = session.current_step();
            event["time"] = session.world().time();
            event["world"] = i;
            events_.push_back(std::move(event));
        }
    }
}

void SimulationServer::send_events() {
    if (events_.empty()) return;
    broadcast({{"type", "events"}, {"events", std::exchange(events_, {})}});
}

// Drivers are told at once: a program that drives a body answers in the next step.
void SimulationServer::send_driven() {
    json events = json::array();
    for (std::size_t i = 0; i < worlds_.size(); ++i) {
        for (json& event : describe_driven(worlds_[i].session)) {
            event["world"] = i;
            events.push_back(std::move(event));
        }
    }
    if (!events.empty()) broadcast({{"type", "driven"}, {"events", std::move(events)}});
}

// The state that the head-up display shows, of the first world.
void SimulationServer::send_hud() {
    json hud = {{"type", "hud"}};
    if (json vehicles = describe_vehicles(worlds_[0].session); !vehicles.empty())
        hud["vehicles"] = std::move(vehicles);
    if (json duel = describe_duel_state(worlds_[0].session); !duel.is_null())
        hud["duel"] = std::move(duel);
    if (hud.size() == 1) return;
    std::string text = hud.dump();
    if (text == sent_hud_) return;
    sent_hud_ = std::move(text);
    broadcast(hud);
}

void SimulationServer::send(ClientId client, const json& message) {
    outbox_.put(OutgoingMessage{OutgoingMessage::Kind::reply, client, to_text(message), 0});
}

void SimulationServer::broadcast(const json& message, OutgoingMessage::Kind kind) {
    if (clients_.empty()) return;
    outbox_.put(OutgoingMessage{kind, {}, to_text(message), generation_});
}

void SimulationServer::reply(json message) {
    if (request_id_) message["id"] = *request_id_;
    send(requester_, message);
}

} // namespace rigor::viewer
