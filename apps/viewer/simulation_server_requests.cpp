// Handlers of the requests of clients.

#include <fstream>
#include <nlohmann/json.hpp>

#include "viewer/files.h"
#include "viewer/simulation_server.h"

namespace rigor::viewer {
namespace {

/// Splits "file.json:3:14", the form of locations in errors of the scene reader.
void add_location(const std::string& where, json& message) {
    const std::size_t second = where.rfind(':');
    const std::size_t first = second == std::string::npos ? second : where.rfind(':', second - 1);
    if (first == std::string::npos || second == 0) return;
    const std::string line = where.substr(first + 1, second - first - 1);
    const std::string column = where.substr(second + 1);
    const auto is_number = [](const std::string& text) {
        return !text.empty() && text.size() < 9 &&
               text.find_first_not_of("0123456789") == std::string::npos;
    };
    if (!is_number(line) || !is_number(column)) return;
    message["file"] = where.substr(0, first);
    message["line"] = std::stoi(line);
    message["column"] = std::stoi(column);
}

json error_message(const Error& error) {
    json message = {{"type", "error"}, {"message", to_string(error)}};
    add_location(error.where, message);
    return message;
}

Result<std::string> read_text(const std::filesystem::path& path, const std::string& name) {
    std::ifstream file(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (!file.is_open() || file.bad()) return Error{ErrorCode::io, name, "the file cannot be read"};
    return text;
}

/// One session for each method; an empty name is the scene's own method.
Result<std::vector<Session>> make_sessions(const std::string& text, const std::string& name,
                                           const std::filesystem::path& folder,
                                           const std::vector<std::string>& methods,
                                           const std::vector<SceneOverride>& overrides,
                                           const SessionOptions& options) {
    SessionOptions each = options;
    each.history_bytes /= methods.size();
    std::vector<Session> sessions;
    for (const std::string& method : methods) {
        LoadOptions load{overrides};
        if (!method.empty()) load.overrides.push_back({"method", method, "method"});
        Result<Scene> scene = parse_scene(text, name, folder, load);
        if (!scene) return scene.error();
        Result<Session> session = Session::make(std::move(*scene), each);
        if (!session) return session.error();
        sessions.push_back(std::move(*session));
    }
    return sessions;
}

} // namespace

void SimulationServer::handle_disconnect(ClientId client) {
    clients_.erase(client);
    inspections_.erase(client);
    std::erase_if(plots_, [&](const PlottedBody& plotted) { return plotted.client == client; });
    for (SimulatedWorld& world : worlds_) {
        const auto& drags = world.session.state().drags;
        const bool is_dragging = std::any_of(drags.begin(), drags.end(),
                                             [&](const Drag& drag) { return drag.user == client; });
        if (is_dragging) (void)world.session.act({client, Release{}}, ++last_group_);
    }
}

void SimulationServer::reply_with_error(const Error& error) {
    reply(error_message(error));
}

// The scene message describes the present state. Changes up to now are sent to the other clients
// first, so that all know the same.
void SimulationServer::handle(const Hello&) {
    send_changes();
    clients_.insert(requester_);
    if (!worlds_.empty()) {
        outbox_.put(OutgoingMessage{OutgoingMessage::Kind::scene, requester_,
                                    std::make_shared<const std::string>(scene_message().dump()),
                                    generation_});
    }
    send(requester_, state_message());
    sent_hud_.clear();
    if (reload_error_) send(requester_, error_message(*reload_error_));
    frames_due_ = stats_due_ = true;
}

Result<void> SimulationServer::open_file(const std::filesystem::path& path,
                                         const std::vector<std::string>& methods) {
    const std::filesystem::path folder = path.parent_path();
    return open(
        SceneFile{path, folder.empty() ? "." : folder, path.string(), path.filename().string()},
        methods);
}

// Watching begins before reading, so that no change is missed.
Result<void> SimulationServer::open(const SceneFile& file,
                                    const std::vector<std::string>& methods) {
    FileWatch watch;
    if (options_.reload) watch.watch(file.path);
    Result<std::string> text = read_text(file.path, file.name);
    if (!text) return text.error();
    Result<std::vector<Session>> sessions =
        make_sessions(*text, file.name, file.folder, methods, {}, options_.session);
    if (!sessions) return sessions.error();
    replace(std::move(*sessions), file.title, std::move(*text), methods);
    scene_file_ = file;
    file_watch_ = std::move(watch);
    return {};
}

void SimulationServer::reload_if_changed() {
    if (!scene_file_ || !file_watch_.poll(Clock::now())) return;
    reload_error_.reset();
    if (auto reloaded = reload(); !reloaded) {
        reload_error_ = reloaded.error();
        reload_error_->message += "; the scene that was open before is kept";
        return broadcast(error_message(*reload_error_));
    }
    broadcast({{"type", "notice"},
               {"text", "\"" + scene_name_ + "\" changed on disk and was opened again"}});
}

Result<void> SimulationServer::reload() {
    const SceneFile file = *scene_file_;
    file_watch_.watch(file.path);
    Result<std::string> text = read_text(file.path, file.name);
    if (!text) return text.error();
    Result<std::vector<Session>> sessions =
        make_sessions(*text, file.name, file.folder, methods_, {}, options_.session);
    if (!sessions) return sessions.error();
    const bool was_running = running_;
    FileWatch watch = std::move(file_watch_);
    replace(std::move(*sessions), scene_name_, std::move(*text), methods_, true);
    scene_file_ = file;
    file_watch_ = std::move(watch);
    running_ = was_running;
    return {};
}

Result<void> SimulationServer::open(const std::string& name, std::string text,
                                    const std::vector<std::string>& methods,
                                    const Overrides& overrides) {
    Result<std::vector<Session>> sessions =
        make_sessions(text, name, options_.scenes, methods, overrides, options_.session);
    if (!sessions) return sessions.error();
    replace(std::move(*sessions), name, std::move(text), methods);
    overrides_ = overrides;
    return {};
}

// The file is still watched, as the text is its own.
Result<void> SimulationServer::apply_controls(Overrides overrides) {
    const std::optional<SceneFile> file = scene_file_;
    Result<std::vector<Session>> sessions =
        make_sessions(scene_text_, file ? file->name : scene_name_,
                      file ? file->folder : options_.scenes, methods_, overrides, options_.session);
    if (!sessions) return sessions.error();
    const bool was_running = running_;
    FileWatch watch = std::move(file_watch_);
    replace(std::move(*sessions), scene_name_, scene_text_, methods_, true);
    scene_file_ = file;
    file_watch_ = std::move(watch);
    overrides_ = std::move(overrides);
    running_ = was_running;
    return {};
}

void SimulationServer::replace(std::vector<Session> sessions, std::string name, std::string text,
                               std::vector<std::string> methods, bool reloaded) {
    check_.cancel(); // its verdict would be shown with the new scene
    worlds_.clear();
    scene_file_.reset();
    overrides_.clear();
    file_watch_.stop();
    reload_error_.reset();
    ++generation_;
    for (Session& session : sessions) {
        FrameBuilder frame_builder(session);
        worlds_.push_back({std::move(session), std::move(frame_builder), {}, {}, {}, false});
        SimulatedWorld& world = worlds_.back();
        world.sent_bodies = world.session.state().bodies;
        world.sent_settings = settings_message(worlds_.size() - 1).dump();
    }
    scene_name_ = std::move(name);
    scene_text_ = std::move(text);
    methods_ = std::move(methods);
    seek_target_.reset();
    events_.clear();
    sent_hud_.clear();
    inspections_.clear();
    plots_.clear();
    running_ = true;
    invalidate_all();
    if (clients_.empty()) return;
    json message = scene_message();
    if (reloaded) message["reloaded"] = true;
    broadcast(message, OutgoingMessage::Kind::scene);
}

void SimulationServer::handle(const OpenScene& request) {
    std::vector<std::string> methods = request.methods;
    if (methods.empty()) methods = {""};
    Result<void> opened;
    if (request.file.empty()) {
        opened = open(request.name, request.text, methods);
    } else {
        const auto path = file_inside(options_.scenes, request.file, {".json"});
        opened = path ? open(SceneFile{*path, options_.scenes, request.file, request.file}, methods)
                      : Error{ErrorCode::not_found, request.file,
                              "there is no such scene in the gallery"};
    }
    if (!opened) reply_with_error(opened.error());
}

void SimulationServer::handle(const Run&) {
    seek_target_.reset();
    running_ = true;
    pacer_.start(Clock::now());
    frames_due_ = true;
}

void SimulationServer::handle(const Pause&) {
    running_ = false;
    frames_due_ = stats_due_ = true;
}

// A few new steps are made at once rather than by a seek, so that their events are reported.
void SimulationServer::handle(const StepBy& request) {
    if (worlds_.empty()) return;
    const Session& first = worlds_[0].session;
    const std::uint64_t now = seek_target_.value_or(first.current_step());
    running_ = false;
    if (request.count < 0)
        return start_seek(now -
                          std::min<std::uint64_t>(now, static_cast<std::uint64_t>(-request.count)));
    const std::uint64_t target = now + static_cast<std::uint64_t>(request.count);
    constexpr int kMaxImmediateSteps = 10;
    if (seek_target_ || target <= first.last_step() || request.count > kMaxImmediateSteps)
        return start_seek(target);
    for (int i = 0; i < request.count; ++i) step_all();
}

void SimulationServer::handle(const Seek& request) {
    if (!worlds_.empty()) start_seek(std::min(request.step, worlds_[0].session.last_step()));
}

void SimulationServer::handle(const SetSpeed& request) {
    speed_ = request.value;
    pacer_.start(Clock::now());
    frames_due_ = true;
}

void SimulationServer::handle(const Restart&) {
    if (worlds_.empty()) return;
    const bool was_running = running_;
    for (SimulatedWorld& world : worlds_) world.session.seek(0, Clock::now());
    seek_target_.reset();
    running_ = was_running;
    invalidate_all();
}

void SimulationServer::handle(const SetControl& request) {
    if (worlds_.empty()) return;
    const std::vector<SceneControl>& controls = worlds_[0].session.scene().controls;
    const auto fail = [&](const std::string& message) {
        reply_with_error({ErrorCode::invalid_value, "", message});
    };
    if (request.index >= controls.size() || controls[request.index].path.empty())
        return fail("the scene has no control " + std::to_string(request.index) +
                    " that gives a value");
    const SceneControl& control = controls[request.index];
    if (control.path == "method" && methods_ != std::vector<std::string>{""})
        return fail("the method is chosen on the page: \"" + control.label +
                    "\" acts when the scene is opened without one");
    Overrides overrides = overrides_;
    std::erase_if(overrides, [&](const SceneOverride& o) { return o.path == control.path; });
    overrides.push_back({control.path, json_text(request.value), control.label});
    if (auto applied = apply_controls(std::move(overrides)); !applied)
        reply_with_error(applied.error());
}

// A time step applies to all worlds, as they are stepped in lockstep.
void SimulationServer::handle(const ActionRequest& request) {
    if (worlds_.empty()) return;
    UserAction action = request.action;
    action.user = requester_;
    const auto* settings = std::get_if<ChangeSettings>(&action.action);
    const bool applies_to_all = !request.world || (settings && settings->time_step);
    if (seek_target_)
        for (SimulatedWorld& world : worlds_)
            world.session.seek(*seek_target_, Clock::time_point::max());
    seek_target_.reset();
    ++last_group_;
    for (std::size_t i = 0; i < worlds_.size(); ++i) {
        if (!applies_to_all && i != *request.world) continue;
        if (auto done = worlds_[i].session.act(action, last_group_); !done)
            return reply_with_error(done.error());
    }
    for (SimulatedWorld& world : worlds_) world.frame_builder.invalidate();
    frames_due_ = stats_due_ = true;
}

// Worlds without an action of the group go back to the same step.
void SimulationServer::handle(const Undo&) {
    std::uint64_t group = 0, step = 0;
    for (const SimulatedWorld& world : worlds_)
        group = std::max(group, world.session.group_to_undo());
    if (group == 0) return;
    for (SimulatedWorld& world : worlds_) {
        if (world.session.group_to_undo() != group) continue;
        world.session.undo();
        step = world.session.current_step();
    }
    for (SimulatedWorld& world : worlds_) world.session.seek(step, Clock::time_point::max());
    seek_target_.reset();
    invalidate_all();
}

void SimulationServer::handle(const Redo&) {
    std::uint64_t group = 0;
    for (const SimulatedWorld& world : worlds_) {
        const std::uint64_t next = world.session.group_to_redo();
        if (next != 0 && (group == 0 || next < group)) group = next;
    }
    for (SimulatedWorld& world : worlds_)
        if (group != 0 && world.session.group_to_redo() == group) world.session.redo();
    invalidate_all();
}

void SimulationServer::handle(const Inspect& request) {
    inspections_.erase(requester_);
    if (!request.body || !find_session(request.world)) return;
    inspections_[requester_] = request;
    json body = describe_body_state(*find_session(request.world), *request.body);
    body["type"] = "body";
    body["world"] = request.world;
    reply(std::move(body));
}

void SimulationServer::handle(const Plot& request) {
    std::erase_if(plots_, [&](const PlottedBody& plotted) {
        return plotted.client == requester_ && plotted.plot.body == request.body &&
               plotted.plot.world == request.world;
    });
    constexpr std::size_t kMaxPlots = 100;
    if (!request.quantities.empty() && plots_.size() < kMaxPlots)
        plots_.push_back({requester_, request});
    stats_due_ = true;
}

void SimulationServer::handle(const Pick& request) {
    const Session* session = find_session(request.world);
    if (!session) return;
    json picked = {{"type", "picked"}, {"world", request.world}, {"body", nullptr}};
    if (const auto hit = session->world().cast_ray({request.origin, request.direction})) {
        picked["body"] = hit->body.index;
        picked["name"] = session->world().name(hit->body);
        picked["point"] = to_json(hit->point);
        picked["normal"] = to_json(hit->normal);
        picked["local_point"] =
            to_json(inverse_transform(session->world().pose(hit->body), hit->point));
        picked["distance"] = hit->distance;
    }
    reply(std::move(picked));
}

// All pages show the verdict, as they show the world. The other thread puts it into the outbox.
void SimulationServer::handle(const CheckRun& request) {
    const Session* session = find_session(request.world);
    if (!session) return;
    const auto tell = [this, world = request.world,
                       generation = generation_](const CheckOutcome& outcome) {
        json message = describe_check(outcome);
        message["world"] = world;
        outbox_.put(
            OutgoingMessage{OutgoingMessage::Kind::reply, {}, to_text(message), generation});
    };
    if (check_.is_running())
        return reply({{"type", "notice"}, {"text", "the check before is still running"}});
    Result<CheckTask> task = make_check_task(*session);
    if (!task) {
        CheckOutcome nothing;
        nothing.reason = task.error().message;
        nothing.first = nothing.last = session->current_step();
        return tell(nothing);
    }
    broadcast({{"type", "check"}, {"world", request.world}, {"status", "running"}});
    check_.start(std::move(*task), tell);
}

} // namespace rigor::viewer
