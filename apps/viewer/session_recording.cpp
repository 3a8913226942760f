#include "viewer/session_recording.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace rigor::viewer {
namespace {

constexpr int kFormat = 1;
constexpr std::int64_t kMaxSteps = 1'000'000'000;
constexpr std::size_t kMaxWorlds = 4;

json write_world(const RecordedWorld& world) {
    json actions = json::array(), hashes = json::array();
    for (const TimedAction& timed : world.actions) {
        json action = write_action(timed.action);
        action["step"] = timed.step;
        action["group"] = timed.group;
        actions.push_back(std::move(action));
    }
    for (const auto& [step, hash] : world.hashes) hashes.push_back({step, hash_text(hash)});
    return {{"method", world.method}, {"actions", actions}, {"hashes", hashes}};
}

Error bad(const std::string& where, const std::string& rule) {
    return {ErrorCode::invalid_value, where, rule};
}

Result<TimedAction> read_action(const json& entry, const std::string& where) {
    Result<UserAction> action = parse_action(entry, where);
    if (!action) return action.error();
    JsonFields fields(entry, where);
    TimedAction timed;
    timed.step = static_cast<std::uint64_t>(fields.integer("step", 0, kMaxSteps));
    timed.group = static_cast<std::uint64_t>(fields.integer("group", 0, kMaxSteps));
    timed.action = std::move(*action);
    if (!fields.ok()) return fields.error();
    return timed;
}

bool read_hash(const json& entry, std::map<std::uint64_t, std::uint64_t>& hashes) {
    if (!entry.is_array() || entry.size() != 2 || !entry[0].is_number_unsigned() ||
        !entry[1].is_string())
        return false;
    const std::string& text = entry[1].get_ref<const std::string&>();
    std::uint64_t hash = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), hash, 16);
    if (text.size() != 16 || error != std::errc() || end != text.data() + text.size()) return false;
    hashes[entry[0].get<std::uint64_t>()] = hash;
    return true;
}

Result<RecordedWorld> read_world(const json& object, const std::string& where) {
    JsonFields fields(object, where);
    RecordedWorld world;
    world.method = fields.text("method");
    if (!fields.ok()) return fields.error();
    const json actions = object.value("actions", json::array());
    const json hashes = object.value("hashes", json::array());
    if (!actions.is_array() || !hashes.is_array())
        return bad(where, "actions and hashes must be arrays");
    for (std::size_t i = 0; i < actions.size(); ++i) {
        Result<TimedAction> timed =
            read_action(actions[i], where + ".actions[" + std::to_string(i) + "]");
        if (!timed) return timed.error();
        if (!world.actions.empty() && timed->step < world.actions.back().step)
            return bad(where + ".actions", "must be in the order of their steps");
        world.actions.push_back(std::move(*timed));
    }
    for (const json& entry : hashes)
        if (!read_hash(entry, world.hashes))
            return bad(where + ".hashes", "must be pairs of a step and 16 hexadecimal digits");
    return world;
}

/// Written as [path, value] each.
Result<std::vector<SceneOverride>> read_overrides(const json& file) {
    constexpr std::size_t kMost = 100;
    const json all = file.value("set", json::array());
    const Error rule = bad("recording.set", "must be at most 100 pairs of a path and a value");
    if (!all.is_array() || all.size() > kMost) return rule;
    std::vector<SceneOverride> overrides;
    for (const json& pair : all) {
        if (!pair.is_array() || pair.size() != 2 || !pair[0].is_string() || !pair[1].is_string())
            return rule;
        overrides.push_back({pair[0].get<std::string>(), pair[1].get<std::string>()});
    }
    return overrides;
}

} // namespace

std::string hash_text(std::uint64_t hash) {
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
    return text;
}

std::string write_recording(const SessionRecording& recording) {
    json worlds = json::array();
    for (const RecordedWorld& world : recording.worlds) worlds.push_back(write_world(world));
    json file = {{"rigor_recording", kFormat},     {"name", recording.name},
                 {"numerics", recording.numerics}, {"steps", recording.steps},
                 {"worlds", std::move(worlds)},    {"scene", recording.scene}};
    for (const SceneOverride& o : recording.overrides) file["set"].push_back({o.path, o.value});
    return file.dump(1, ' ', false, json::error_handler_t::replace);
}

Result<SessionRecording> parse_recording(const std::string& text) {
    const Result<json> file = parse_json(text);
    if (!file) return Error{file.error().code, "recording", file.error().message};
    JsonFields fields(*file, "recording");
    fields.integer("rigor_recording", kFormat, kFormat);
    SessionRecording recording;
    recording.name = fields.text("name");
    recording.scene = fields.text("scene", std::size_t{8} << 20);
    recording.numerics = static_cast<int>(fields.integer("numerics", 0, INT32_MAX));
    recording.steps = static_cast<std::uint64_t>(fields.integer("steps", 0, kMaxSteps));
    if (!fields.ok()) return fields.error();
    Result<std::vector<SceneOverride>> overrides = read_overrides(*file);
    if (!overrides) return overrides.error();
    recording.overrides = std::move(*overrides);
    const json worlds = file->value("worlds", json::array());
    if (!worlds.is_array() || worlds.empty() || worlds.size() > kMaxWorlds)
        return bad("recording.worlds", "must be an array of 1 to 4 worlds");
    for (std::size_t i = 0; i < worlds.size(); ++i) {
        Result<RecordedWorld> world =
            read_world(worlds[i], "recording.worlds[" + std::to_string(i) + "]");
        if (!world) return world.error();
        recording.worlds.push_back(std::move(*world));
    }
    return recording;
}

} // namespace rigor::viewer
