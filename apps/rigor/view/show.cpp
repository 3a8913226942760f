#include "view/show.h"

#include <nlohmann/json.hpp>

namespace rigor::view {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kLongestQueue = 2000;
constexpr std::size_t kMostEvents = 200;                       // kept until they are told
constexpr auto kFrameTime = std::chrono::microseconds(15'000); // not more often are pictures made
constexpr auto kStatsTime = milliseconds(100);
constexpr auto kSeekTime = milliseconds(20); // between two looks at the commands

std::shared_ptr<const std::string> text_of(const json& message) {
    return std::make_shared<const std::string>(
        message.dump(-1, ' ', false, json::error_handler_t::replace));
}

} // namespace

Show::Show(ShowOptions options, Mailbox& mailbox)
    : options_(std::move(options)), mailbox_(mailbox) {}

Show::~Show() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    arrived_.notify_one();
    if (thread_.joinable()) thread_.join();
}

void Show::start() {
    thread_ = std::thread([this] { run(); });
}

bool Show::submit(Command command) {
    {
        const std::lock_guard lock(mutex_);
        // Who leaves must be heard.
        const bool may_wait = std::holds_alternative<Message>(command.what);
        if (may_wait && commands_.size() >= kLongestQueue) return false;
        commands_.push_back(std::move(command));
    }
    arrived_.notify_one();
    return true;
}

// When nothing is due, commands are waited for.
Clock::time_point Show::next_deadline() const {
    if (goal_) return Clock::now();
    Clock::time_point next = Clock::now() + std::chrono::hours(1);
    if (running_ && !worlds_.empty()) next = pacer_.due();
    if (clients_.empty()) return next;
    if (changed_) next = std::min(next, published_ + kFrameTime);
    if (stats_due_) next = std::min(next, told_stats_ + kStatsTime);
    return next;
}

std::deque<Command> Show::take_commands() {
    const Clock::time_point deadline = next_deadline();
    std::unique_lock lock(mutex_);
    arrived_.wait_until(lock, deadline, [&] { return stopping_ || !commands_.empty(); });
    return std::exchange(commands_, {});
}

void Show::run() {
    for (;;) {
        for (const Command& command : take_commands()) obey(command);
        {
            const std::lock_guard lock(mutex_);
            if (stopping_) return;
        }
        if (goal_) {
            approach_goal();
        } else if (running_ && !worlds_.empty() && Clock::now() >= pacer_.due()) {
            step_all();
            pacer_.stepped(worlds_[0].stage.state().time_step, speed_, Clock::now());
        }
        publish_if_due();
    }
}

void Show::step_all() {
    for (World& world : worlds_) world.stage.step();
    changed_ = stats_due_ = true;
    if (!clients_.empty()) collect_events();
}

void Show::approach_goal() {
    const Clock::time_point deadline = Clock::now() + kSeekTime;
    bool arrived = true;
    for (World& world : worlds_) arrived = world.stage.approach(*goal_, deadline) && arrived;
    if (!arrived) return;
    goal_.reset();
    changed_all();
}

void Show::changed_all() {
    for (World& world : worlds_) world.painter.repaint();
    changed_ = stats_due_ = true;
    pacer_.start(Clock::now());
}

void Show::publish_if_due() {
    if (clients_.empty()) return;
    const Clock::time_point now = Clock::now();
    if (changed_ && !goal_ && now - published_ >= kFrameTime) publish();
    if (stats_due_ && now - told_stats_ >= kStatsTime) tell_stats();
}

void Show::publish() {
    changed_ = false;
    published_ = Clock::now();
    tell_changes();
    tell_state();
    if (worlds_.empty()) return;
    auto picture = std::make_shared<Picture>();
    picture->sequence = ++sequence_;
    picture->generation = generation_;
    for (std::size_t i = 0; i < worlds_.size(); ++i) {
        picture->worlds.push_back(worlds_[i].painter.paint(
            worlds_[i].stage, static_cast<std::uint8_t>(i), sequence_, wishes_));
    }
    mailbox_.put(std::shared_ptr<const Picture>(std::move(picture)));
}

/// Bodies that came or went, and settings that changed: by an action, or because time was left for
/// one in which they are different.
void Show::tell_changes() {
    for (std::size_t i = 0; i < worlds_.size(); ++i) {
        World& world = worlds_[i];
        if (world.told != world.stage.state().members) tell_bodies(i);
        json settings = settings_message(i);
        if (std::string text = settings.dump(); text != world.told_settings) {
            world.told_settings = std::move(text);
            tell_all(settings);
        }
        if (world.stage.difference() && !world.told_difference) {
            world.told_difference = true;
            tell_all({{"type", "notice"},
                      {"text", "at step " + std::to_string(*world.stage.difference()) +
                                   " the world is not what it was when it was recorded"}});
        }
    }
}

json Show::settings_message(std::size_t index) const {
    const Stage& stage = worlds_[index].stage;
    return {{"type", "settings"},
            {"world", index},
            {"method", name(stage.world().settings().method)},
            {"settings", describe_settings(stage)}};
}

void Show::tell_bodies(std::size_t index) {
    World& world = worlds_[index];
    const std::vector<Member>& before = *world.told;
    const std::vector<Member>& now = *world.stage.state().members;
    const auto id_in = [](const std::vector<Member>& members, std::size_t slot) {
        return slot < members.size() ? members[slot].id : BodyId{};
    };
    json removed = json::array(), added = json::array();
    const std::size_t known = world.geometries.all().size();
    for (std::size_t slot = 0; slot < std::max(before.size(), now.size()); ++slot) {
        const BodyId old_id = id_in(before, slot), new_id = id_in(now, slot);
        if (old_id == new_id && (old_id.is_null() || before[slot].made_from == now[slot].made_from))
            continue;
        if (!old_id.is_null()) removed.push_back(slot);
        if (!new_id.is_null())
            added.push_back(
                describe_body(world.stage, static_cast<std::uint32_t>(slot), world.geometries));
    }
    world.told = world.stage.state().members;
    world.painter.repaint();
    if (!removed.empty())
        tell_all({{"type", "bodies_removed"}, {"world", index}, {"bodies", removed}});
    if (added.empty()) return;
    const std::vector<json>& all = world.geometries.all();
    const json further(
        std::vector<json>(all.begin() + static_cast<std::ptrdiff_t>(known), all.end()));
    tell_all(
        {{"type", "bodies_added"}, {"world", index}, {"bodies", added}, {"geometries", further}});
}

json Show::scene_message() {
    const Scene& scene = worlds_[0].stage.scene();
    json worlds = json::array();
    for (World& world : worlds_) worlds.push_back(describe_world(world.stage, world.geometries));
    json message = {
        {"type", "scene"}, {"name", scene.name},           {"about", scene.about},
        {"file", name_},   {"time_step", scene.time_step}, {"worlds", std::move(worlds)}};
    if (scene.camera) {
        message["camera"] = {{"position", to_json(scene.camera->position)},
                             {"target", to_json(scene.camera->target)},
                             {"up", to_json(scene.camera->up)},
                             {"fov_deg", scene.camera->fov_deg}};
    }
    return message;
}

json Show::state_message() {
    json state = {
        {"type", "state"}, {"open", !worlds_.empty()}, {"running", running_}, {"speed", speed_}};
    if (worlds_.empty()) return state;
    const Stage& first = worlds_[0].stage;
    std::uint64_t last = 0;
    std::size_t undo = 0, redo = 0;
    json hashes = json::array(), grabs = json::array();
    for (std::size_t i = 0; i < worlds_.size(); ++i) {
        const Stage& stage = worlds_[i].stage;
        last = std::max(last, stage.last_step());
        undo = std::max(undo, stage.undo_count());
        redo = std::max(redo, stage.redo_count());
        if (!running_ && !goal_) hashes.push_back(hash_text(stage.world().state_hash()));
        for (const Hold& hold : stage.state().holds) {
            grabs.push_back({{"world", i},
                             {"hand", hold.hand},
                             {"body", hold.body.index},
                             {"point", to_json(hold.point)},
                             {"target", to_json(hold.target)},
                             {"force", length(hold.force)}});
        }
    }
    state["real_speed"] = running_ ? pacer_.real_speed() : 0;
    state["step"] = first.now();
    state["time"] = first.world().time();
    state["first_step"] = 0;
    state["last_step"] = last;
    state["seeking"] = goal_.has_value();
    state["undo"] = undo;
    state["redo"] = redo;
    state["grabs"] = std::move(grabs);
    state["frozen"] = first.state().frozen;
    if (!hashes.empty()) state["hashes"] = std::move(hashes);
    return state;
}

void Show::tell_state() {
    tell_all(state_message(), Letter::Kind::state);
}

void Show::tell_stats() {
    stats_due_ = false;
    told_stats_ = Clock::now();
    if (worlds_.empty()) return;
    tell_events();
    json worlds = json::array(), plots = json::array(), colors = json::object();
    for (const World& world : worlds_) {
        json stats = describe_stats(world.stage);
        if (&world != &worlds_[0])
            stats["distance"] = describe_distance(world.stage, worlds_[0].stage);
        worlds.push_back(std::move(stats));
        for (const auto& [color, scale] : world.painter.scales())
            if (scale.max > 0)
                colors[std::string(name(color))] = {{"max", scale.max}, {"unit", scale.unit}};
    }
    for (const Plotted& plotted : plots_) {
        const Stage* stage = stage_at(plotted.plot.world);
        if (!stage) continue;
        for (const std::string& what : plotted.plot.quantities) {
            const auto value = quantity(*stage, plotted.plot.body, what);
            if (!value) continue;
            plots.push_back({{"world", plotted.plot.world},
                             {"body", plotted.plot.body},
                             {"quantity", what},
                             {"value", *value}});
        }
    }
    tell_all({{"type", "stats"},
              {"step", worlds_[0].stage.now()},
              {"time", worlds_[0].stage.world().time()},
              {"worlds", std::move(worlds)},
              {"colors", std::move(colors)},
              {"plots", std::move(plots)}},
             Letter::Kind::stats);
    for (const auto& [client, inspect] : inspected_) {
        const Stage* stage = stage_at(inspect.world);
        if (!stage) continue;
        json body = describe_body_state(*stage, *inspect.body);
        body["type"] = "body";
        body["world"] = inspect.world;
        tell(client, body);
    }
}

void Show::collect_events() {
    for (std::size_t i = 0; i < worlds_.size(); ++i) {
        const Stage& stage = worlds_[i].stage;
        for (json& event : describe_events(stage)) {
            if (events_.size() >= kMostEvents) return;
            event["step"] = stage.now();
            event["time"] = stage.world().time();
            event["world"] = i;
            events_.push_back(std::move(event));
        }
    }
}

void Show::tell_events() {
    if (events_.empty()) return;
    tell_all({{"type", "events"}, {"events", std::exchange(events_, {})}});
}

void Show::tell(ClientId client, const json& message) {
    mailbox_.put(Letter{Letter::Kind::answer, client, text_of(message), 0});
}

void Show::tell_all(const json& message, Letter::Kind kind) {
    if (clients_.empty()) return;
    mailbox_.put(Letter{kind, {}, text_of(message), generation_});
}

void Show::answer(json message) {
    if (id_) message["id"] = *id_;
    tell(client_, message);
}

} // namespace rigor::view
