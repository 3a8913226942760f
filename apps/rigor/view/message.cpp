#include "view/message.h"

#include <nlohmann/json.hpp>

namespace rigor::view {
namespace {

constexpr std::size_t kMostWorlds = 4;
constexpr std::size_t kLongestScene = std::size_t{8} << 20;
constexpr std::int64_t kMostSteps = 1'000'000'000;

std::size_t world_of(Fields& f) {
    return f.has("world") ? static_cast<std::size_t>(f.integer("world", 0, kMostWorlds - 1)) : 0;
}

See read_see(Fields& f, const char* key) {
    See see;
    if (f.has(key)) {
        for (const std::string& text : f.texts(key)) {
            const auto overlay = overlay_named(text);
            if (!overlay) f.fail(key, "there is no overlay \"" + text + "\"");
            if (overlay) see.overlays.add(*overlay);
        }
    }
    if (f.has("color")) {
        const std::string text = f.text("color");
        see.color = color_named(text);
        if (f.ok() && !see.color) f.fail("color", "there is no color \"" + text + "\"");
    }
    return see;
}

Said read_hello(Fields& f) {
    f.integer("protocol", 1, 1);
    return Hello{read_see(f, "see")};
}

Said read_open(Fields& f) {
    Open open;
    if (f.has("scene") == f.has("text")) f.fail("scene", "or text must be given, not both");
    if (f.has("scene")) open.file = f.text("scene");
    if (f.has("text")) {
        open.text = f.text("text", kLongestScene);
        open.name = f.has("name") ? f.text("name") : "scene.json";
    }
    if (f.has("methods")) open.methods = f.texts("methods", kMostWorlds);
    if (f.has("method")) open.methods = {f.text("method")};
    return open;
}

Said read_act(Fields& f) {
    Act act;
    if (f.has("world")) act.world = world_of(f);
    Result<Action> action = parse_action(f.object("action"), "action");
    if (!action) {
        f.fail(action.error());
    } else {
        act.action = std::move(*action);
    }
    return act;
}

Said read_inspect(Fields& f) {
    Inspect inspect;
    if (f.has("body")) inspect.body = f.slot("body");
    inspect.world = world_of(f);
    return inspect;
}

Said read_pick(Fields& f) {
    const Pick pick{f.vec3("origin"), f.vec3("direction"), world_of(f)};
    if (f.ok() && !(length(pick.direction) > 0)) f.fail("direction", "must not be zero");
    return pick;
}

Said read_load(Fields& f) {
    Result<Session> session = parse_session(f.text("recording", kLongestScene));
    if (!f.ok()) return Load{};
    if (!session) {
        f.fail(session.error());
        return Load{};
    }
    return Load{std::move(*session)};
}

Said read_settings(const json& object, Fields& f) {
    Act act;
    if (f.has("world")) act.world = world_of(f);
    Result<ChangeSettings> change = parse_settings(object, "settings");
    if (!change) {
        f.fail(change.error());
    } else {
        act.action.deed = std::move(*change);
    }
    return act;
}

std::optional<Said> read(const std::string& type, const json& object, Fields& f) {
    if (type == "hello") return read_hello(f);
    if (type == "see") return read_see(f, "what");
    if (type == "gallery") return AskGallery{};
    if (type == "open") return read_open(f);
    if (type == "run") return Run{};
    if (type == "pause") return Pause{};
    if (type == "step")
        return StepBy{f.has("count") ? static_cast<int>(f.integer("count", -100'000, 100'000)) : 1};
    if (type == "seek") return Seek{static_cast<std::uint64_t>(f.integer("step", 0, kMostSteps))};
    if (type == "speed") return Speed{f.number("value", 0.01, 4)};
    if (type == "restart") return Restart{};
    if (type == "settings") return read_settings(object, f);
    if (type == "act") return read_act(f);
    if (type == "undo") return Undo{};
    if (type == "redo") return Redo{};
    if (type == "inspect") return read_inspect(f);
    if (type == "plot") return Plot{f.slot("body"), f.texts("quantities", 20), world_of(f)};
    if (type == "pick") return read_pick(f);
    if (type == "save") return Save{};
    if (type == "load") return read_load(f);
    if (type == "export") return Export{world_of(f)};
    if (type == "keys") return Act{{0, PressKeys{f.texts("down", 20)}}, {}};
    return std::nullopt;
}

} // namespace

Result<Message> parse_message(std::string_view text, std::string& type) {
    const Result<json> object = parse_json(text);
    if (!object) return Error{object.error().code, "message", object.error().message};
    Fields f(*object, "message");
    const std::string wanted = f.text("type", 40);
    if (!f.ok()) return f.error();
    Fields fields(*object, wanted);
    std::optional<Said> said = read(wanted, *object, fields);
    if (!said)
        return Error{ErrorCode::invalid_value, "message.type",
                     "there is no message \"" + wanted + "\""};
    type = wanted;
    Message message{std::move(*said), {}};
    if (fields.has("id")) message.id = fields.number("id");
    if (!fields.ok()) return fields.error();
    return message;
}

} // namespace rigor::view
