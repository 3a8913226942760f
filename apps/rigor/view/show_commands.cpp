// What the show does when a page says something.

#include <fstream>
#include <nlohmann/json.hpp>

#include "rigor/version.h"
#include "view/files.h"
#include "view/scene_text.h"
#include "view/show.h"

namespace rigor::view {
namespace {

/// "file.json:3:14: the scene has..." as the scene reader writes places.
void add_place(const std::string& where, json& message) {
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

Result<std::string> read_text(const std::filesystem::path& path, const std::string& name) {
    std::ifstream file(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (!file.is_open() || file.bad()) return Error{ErrorCode::io, name, "the file cannot be read"};
    return text;
}

/// One stage for each method; an empty name is the scene's own.
Result<std::vector<Stage>> make_stages(const std::string& text, const std::string& name,
                                       const std::filesystem::path& folder,
                                       const std::vector<std::string>& methods,
                                       const StageOptions& options) {
    StageOptions each = options;
    each.history_bytes /= methods.size();
    std::vector<Stage> stages;
    for (const std::string& method : methods) {
        LoadOptions load;
        if (!method.empty()) load.overrides.push_back({"method", method, "method"});
        Result<Scene> scene = parse_scene(text, name, folder, load);
        if (!scene) return scene.error();
        Result<Stage> stage = Stage::make(std::move(*scene), each);
        if (!stage) return stage.error();
        stages.push_back(std::move(*stage));
    }
    return stages;
}

std::string stem_of(const std::string& name) {
    return std::filesystem::path(name).stem().string();
}

} // namespace

void Show::obey(const Command& command) {
    client_ = command.client;
    id_.reset();
    if (std::holds_alternative<Leave>(command.what)) return leave(command.client);
    if (const auto* wish = std::get_if<Wish>(&command.what)) {
        wishes_ = wish->wishes;
        changed_ = stats_due_ = true;
        return;
    }
    const Message& message = std::get<Message>(command.what);
    id_ = message.id;
    std::visit([&](const auto& said) { on(said); }, message.said);
}

void Show::leave(ClientId client) {
    clients_.erase(client);
    inspected_.erase(client);
    std::erase_if(plots_, [&](const Plotted& plotted) { return plotted.client == client; });
    for (World& world : worlds_) {
        const auto& holds = world.stage.state().holds;
        const bool holds_something = std::any_of(
            holds.begin(), holds.end(), [&](const Hold& hold) { return hold.hand == client; });
        if (holds_something) (void)world.stage.act({client, Release{}}, ++groups_);
    }
}

void Show::refuse(const Error& error) {
    json message = {{"type", "error"}, {"message", to_string(error)}};
    add_place(error.where, message);
    answer(std::move(message));
}

// Who is there already must know all that the newcomer will be told.
void Show::on(const Hello&) {
    tell_changes();
    clients_.insert(client_);
    if (!worlds_.empty()) {
        mailbox_.put(Letter{Letter::Kind::scene, client_,
                            std::make_shared<const std::string>(scene_message().dump()),
                            generation_});
    }
    tell(client_, state_message());
    changed_ = stats_due_ = true;
}

Result<void> Show::open_file(const std::filesystem::path& path,
                             const std::vector<std::string>& methods) {
    const std::string name = path.filename().string();
    Result<std::string> text = read_text(path, path.string());
    if (!text) return text.error();
    Result<std::vector<Stage>> stages =
        make_stages(*text, path.string(), path.parent_path().empty() ? "." : path.parent_path(),
                    methods, options_.stage);
    if (!stages) return stages.error();
    replace(std::move(*stages), name, std::move(*text), methods);
    return {};
}

Result<void> Show::open(const std::string& name, std::string text,
                        const std::vector<std::string>& methods) {
    Result<std::vector<Stage>> stages =
        make_stages(text, name, options_.scenes, methods, options_.stage);
    if (!stages) return stages.error();
    replace(std::move(*stages), name, std::move(text), methods);
    return {};
}

void Show::replace(std::vector<Stage> stages, std::string name, std::string text,
                   std::vector<std::string> methods) {
    worlds_.clear();
    ++generation_;
    for (Stage& stage : stages) {
        Painter painter(stage);
        worlds_.push_back({std::move(stage), std::move(painter), {}, {}, {}, false});
        World& world = worlds_.back();
        world.told = world.stage.state().members;
        world.told_settings = settings_message(worlds_.size() - 1).dump();
    }
    name_ = std::move(name);
    text_ = std::move(text);
    methods_ = std::move(methods);
    goal_.reset();
    events_.clear();
    inspected_.clear();
    plots_.clear();
    running_ = true;
    changed_all();
    if (!clients_.empty()) tell_all(scene_message(), Letter::Kind::scene);
}

void Show::on(const Open& said) {
    std::vector<std::string> methods = said.methods;
    if (methods.empty()) methods = {""};
    Result<void> opened;
    if (said.file.empty()) {
        opened = open(said.name, said.text, methods);
    } else {
        const auto path = file_inside(options_.scenes, said.file, {".json"});
        Result<std::string> text =
            path ? read_text(*path, said.file)
                 : Error{ErrorCode::not_found, said.file, "there is no such scene in the gallery"};
        opened = text ? open(said.file, std::move(*text), methods) : text.error();
    }
    if (!opened) refuse(opened.error());
}

void Show::on(const Run&) {
    goal_.reset();
    running_ = true;
    pacer_.start(Clock::now());
    changed_ = true;
}

void Show::on(const Pause&) {
    running_ = false;
    changed_ = stats_due_ = true;
}

void Show::go_to(std::uint64_t step) {
    running_ = false;
    goal_ = step;
}

// A few steps beyond what is known are done at once, so that what happens in them is told.
void Show::on(const StepBy& said) {
    if (worlds_.empty()) return;
    const Stage& first = worlds_[0].stage;
    const std::uint64_t now = goal_.value_or(first.now());
    running_ = false;
    if (said.count < 0)
        return go_to(now - std::min<std::uint64_t>(now, static_cast<std::uint64_t>(-said.count)));
    const std::uint64_t target = now + static_cast<std::uint64_t>(said.count);
    constexpr int kFew = 10;
    if (goal_ || target <= first.last_step() || said.count > kFew) return go_to(target);
    for (int i = 0; i < said.count; ++i) step_all();
}

void Show::on(const Seek& said) {
    if (!worlds_.empty()) go_to(std::min(said.step, worlds_[0].stage.last_step()));
}

void Show::on(const Speed& said) {
    speed_ = said.value;
    pacer_.start(Clock::now());
    changed_ = true;
}

void Show::on(const Restart&) {
    if (worlds_.empty()) return;
    const bool was_running = running_;
    for (World& world : worlds_) world.stage.approach(0, Clock::now());
    goal_.reset();
    running_ = was_running;
    changed_all();
}

// Different time steps would take the worlds apart, so that setting is always for all.
void Show::on(const Act& said) {
    if (worlds_.empty()) return;
    Action action = said.action;
    action.hand = client_;
    const auto* settings = std::get_if<ChangeSettings>(&action.deed);
    const bool is_for_all = !said.world || (settings && settings->time_step);
    if (goal_)
        for (World& world : worlds_) world.stage.approach(*goal_, Clock::time_point::max());
    goal_.reset();
    ++groups_;
    for (std::size_t i = 0; i < worlds_.size(); ++i) {
        if (!is_for_all && i != *said.world) continue;
        if (auto done = worlds_[i].stage.act(action, groups_); !done) return refuse(done.error());
    }
    for (World& world : worlds_) world.painter.repaint();
    changed_ = stats_due_ = true;
}

// Worlds that had no part in it go back with the others.
void Show::on(const Undo&) {
    std::uint64_t group = 0, step = 0;
    for (const World& world : worlds_) group = std::max(group, world.stage.group_to_undo());
    if (group == 0) return;
    for (World& world : worlds_) {
        if (world.stage.group_to_undo() != group) continue;
        world.stage.undo();
        step = world.stage.now();
    }
    for (World& world : worlds_) world.stage.approach(step, Clock::time_point::max());
    goal_.reset();
    changed_all();
}

void Show::on(const Redo&) {
    std::uint64_t group = 0;
    for (const World& world : worlds_) {
        const std::uint64_t next = world.stage.group_to_redo();
        if (next != 0 && (group == 0 || next < group)) group = next;
    }
    for (World& world : worlds_)
        if (group != 0 && world.stage.group_to_redo() == group) world.stage.redo();
    changed_all();
}

const Stage* Show::stage_at(std::size_t world) {
    return world < worlds_.size() ? &worlds_[world].stage : nullptr;
}

void Show::on(const Inspect& said) {
    inspected_.erase(client_);
    if (!said.body || !stage_at(said.world)) return;
    inspected_[client_] = said;
    json body = describe_body_state(*stage_at(said.world), *said.body);
    body["type"] = "body";
    body["world"] = said.world;
    answer(std::move(body));
}

void Show::on(const Plot& said) {
    std::erase_if(plots_, [&](const Plotted& plotted) {
        return plotted.client == client_ && plotted.plot.body == said.body &&
               plotted.plot.world == said.world;
    });
    constexpr std::size_t kMost = 100;
    if (!said.quantities.empty() && plots_.size() < kMost) plots_.push_back({client_, said});
    stats_due_ = true;
}

void Show::on(const Pick& said) {
    const Stage* stage = stage_at(said.world);
    if (!stage) return;
    json picked = {{"type", "picked"}, {"world", said.world}, {"body", nullptr}};
    if (const auto hit = stage->world().cast_ray({said.origin, said.direction})) {
        picked["body"] = hit->body.index;
        picked["name"] = stage->world().name(hit->body);
        picked["point"] = to_json(hit->point);
        picked["normal"] = to_json(hit->normal);
        picked["local_point"] =
            to_json(inverse_transform(stage->world().pose(hit->body), hit->point));
        picked["distance"] = hit->distance;
    }
    answer(std::move(picked));
}

void Show::on(const Save&) {
    if (worlds_.empty()) return;
    Session session{name_, text_, version_info().numerics, 0, {}};
    for (std::size_t i = 0; i < worlds_.size(); ++i) {
        const Stage& stage = worlds_[i].stage;
        session.steps = std::max(session.steps, stage.last_step());
        session.worlds.push_back({methods_[i], stage.actions(), stage.hashes()});
    }
    answer({{"type", "recording"},
            {"name", stem_of(name_) + ".recording.json"},
            {"text", write_session(session)}});
}

void Show::on(const Load& said) {
    const Session& session = said.session;
    std::vector<std::string> methods;
    for (const SessionWorld& world : session.worlds) methods.push_back(world.method);
    if (auto opened = open(session.name, session.scene, methods); !opened)
        return refuse(opened.error());
    for (std::size_t i = 0; i < worlds_.size(); ++i) {
        const SessionWorld& world = session.worlds[i];
        worlds_[i].stage.expect(world.actions, session.steps, world.hashes);
        for (const TimedAction& timed : world.actions) groups_ = std::max(groups_, timed.group);
    }
    if (session.numerics != version_info().numerics) {
        answer({{"type", "notice"},
                {"text", "the recording was made by another version: it may go differently"}});
    }
    changed_all();
}

void Show::on(const Export& said) {
    const Stage* stage = stage_at(said.world);
    if (!stage) return;
    answer({{"type", "scene_text"},
            {"name", stem_of(name_) + "_" + std::to_string(stage->now()) + ".json"},
            {"text", scene_text(*stage)}});
}

} // namespace rigor::view
