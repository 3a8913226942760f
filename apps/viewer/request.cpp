#include "viewer/request.h"

#include <nlohmann/json.hpp>

namespace rigor::viewer {
namespace {

constexpr std::size_t kMaxWorlds = 4;
constexpr std::size_t kMaxSceneBytes = std::size_t{8} << 20;
constexpr std::int64_t kMaxSteps = 1'000'000'000;

std::size_t world_of(JsonFields& f) {
    return f.has("world") ? static_cast<std::size_t>(f.integer("world", 0, kMaxWorlds - 1)) : 0;
}

Subscription read_subscription(JsonFields& f, const char* key) {
    Subscription subscription;
    if (f.has(key)) {
        for (const std::string& text : f.texts(key)) {
            const auto overlay = overlay_named(text);
            if (!overlay) f.fail(key, "there is no overlay \"" + text + "\"");
            if (overlay) subscription.overlays.add(*overlay);
        }
    }
    if (f.has("color")) {
        const std::string text = f.text("color");
        subscription.color = color_mode_named(text);
        if (f.ok() && !subscription.color) f.fail("color", "there is no color \"" + text + "\"");
    }
    return subscription;
}

Request read_hello(JsonFields& f) {
    f.integer("protocol", 1, 1);
    return Hello{read_subscription(f, "see")};
}

Request read_open(JsonFields& f) {
    OpenScene open;
    if (f.has("scene") == f.has("text")) f.fail("scene", "or text must be given, not both");
    if (f.has("scene")) open.file = f.text("scene");
    if (f.has("text")) {
        open.text = f.text("text", kMaxSceneBytes);
        open.name = f.has("name") ? f.text("name") : "scene.json";
    }
    if (f.has("methods")) open.methods = f.texts("methods", kMaxWorlds);
    if (f.has("method")) open.methods = {f.text("method")};
    return open;
}

Request read_act(JsonFields& f) {
    ActionRequest act;
    if (f.has("world")) act.world = world_of(f);
    Result<UserAction> action = parse_action(f.object("action"), "action");
    if (!action) {
        f.fail(action.error());
    } else {
        act.action = std::move(*action);
    }
    return act;
}

Request read_input(const json& object, JsonFields& f) {
    ActionRequest act;
    if (f.has("world")) act.world = world_of(f);
    Result<UserAction> action = parse_action(object, "input");
    if (!action) {
        f.fail(action.error());
    } else {
        act.action = std::move(*action);
    }
    return act;
}

Request read_control(const json& object, JsonFields& f) {
    SetControl control;
    constexpr std::int64_t kMaxIndex = 1000; // of the scene, which has fewer
    control.index = static_cast<std::size_t>(f.integer("index", 0, kMaxIndex));
    const auto value = object.find("value");
    if (value != object.end() && value->is_boolean())
        control.value = f.boolean("value");
    else if (value != object.end() && value->is_string())
        control.value = f.text("value");
    else
        control.value = f.number("value");
    return control;
}

Request read_inspect(JsonFields& f) {
    Inspect inspect;
    if (f.has("body")) inspect.body = f.slot("body");
    inspect.world = world_of(f);
    return inspect;
}

Request read_pick(JsonFields& f) {
    const Pick pick{f.vec3("origin"), f.vec3("direction"), world_of(f)};
    if (f.ok() && !(length(pick.direction) > 0)) f.fail("direction", "must not be zero");
    return pick;
}

Request read_load(JsonFields& f) {
    Result<SessionRecording> recording = parse_recording(f.text("recording", kMaxSceneBytes));
    if (!f.ok()) return LoadRecording{};
    if (!recording) {
        f.fail(recording.error());
        return LoadRecording{};
    }
    return LoadRecording{std::move(*recording)};
}

Request read_settings(const json& object, JsonFields& f) {
    ActionRequest act;
    if (f.has("world")) act.world = world_of(f);
    Result<ChangeSettings> change = parse_settings(object, "settings");
    if (!change) {
        f.fail(change.error());
    } else {
        act.action.action = std::move(*change);
    }
    return act;
}

std::optional<Request> read(const std::string& type, const json& object, JsonFields& f) {
    if (type == "hello") return read_hello(f);
    if (type == "see") return read_subscription(f, "what");
    if (type == "gallery") return ListGallery{};
    if (type == "open") return read_open(f);
    if (type == "run") return Run{};
    if (type == "pause") return Pause{};
    if (type == "step")
        return StepBy{f.has("count") ? static_cast<int>(f.integer("count", -100'000, 100'000)) : 1};
    if (type == "seek") return Seek{static_cast<std::uint64_t>(f.integer("step", 0, kMaxSteps))};
    if (type == "speed") return SetSpeed{f.number("value", 0.01, 4)};
    if (type == "restart") return Restart{};
    if (type == "settings") return read_settings(object, f);
    if (type == "control") return read_control(object, f);
    if (type == "act") return read_act(f);
    if (type == "undo") return Undo{};
    if (type == "redo") return Redo{};
    if (type == "inspect") return read_inspect(f);
    if (type == "plot") return Plot{f.slot("body"), f.texts("quantities", 20), world_of(f)};
    if (type == "pick") return read_pick(f);
    if (type == "save") return SaveRecording{};
    if (type == "load") return read_load(f);
    if (type == "export") return ExportScene{world_of(f)};
    if (type == "check") return CheckRun{world_of(f)};
    if (type == "input") return read_input(object, f);
    if (type == "keys") return ActionRequest{{0, PressKeys{f.texts("down", 20)}}, {}};
    return std::nullopt;
}

} // namespace

Result<ClientMessage> parse_request(std::string_view text, std::string& type) {
    const Result<json> object = parse_json(text);
    if (!object) return Error{object.error().code, "message", object.error().message};
    JsonFields f(*object, "message");
    const std::string wanted = f.text("type", 40);
    if (!f.ok()) return f.error();
    JsonFields fields(*object, wanted);
    std::optional<Request> request = read(wanted, *object, fields);
    if (!request)
        return Error{ErrorCode::invalid_value, "message.type",
                     "there is no message \"" + wanted + "\""};
    type = wanted;
    ClientMessage message{std::move(*request), {}};
    if (fields.has("id")) message.id = fields.number("id");
    if (!fields.ok()) return fields.error();
    return message;
}

} // namespace rigor::viewer
