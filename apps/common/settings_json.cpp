#include "common/settings_json.h"

#include <algorithm>

namespace rigor::app {

using Json = nlohmann::ordered_json;

Json to_json(const SettingValue& value) {
    return std::visit([](const auto& v) { return Json(v); }, value);
}

namespace {

bool is_bounded(const Setting& setting) {
    return setting.max < std::numeric_limits<double>::max();
}

Json bound(const Setting& setting, double value) {
    if (setting.type == SettingType::integer) return static_cast<std::int64_t>(value);
    return value;
}

Json defaults_json(const Setting& setting) {
    Json all = Json::object();
    for (const Method method : setting.methods.list())
        if (const auto value = setting.default_of(method))
            all[std::string(name(method))] = to_json(*value);
    return all;
}

bool is_numeric(const Setting& setting) {
    return setting.type == SettingType::number || setting.type == SettingType::integer;
}

Json entry_json(const Setting& setting) {
    Json entry = {{"name", setting.name}, {"label", setting.label}, {"type", name(setting.type)}};
    if (!setting.choices.empty()) entry["choices"] = setting.choices;
    if (is_numeric(setting)) entry["min"] = bound(setting, setting.min);
    if (is_numeric(setting) && is_bounded(setting)) entry["max"] = bound(setting, setting.max);
    if (!setting.unit.empty()) entry["unit"] = setting.unit;
    entry["default"] = defaults_json(setting);
    entry["help"] = setting.help;
    entry["methods"] = Json::array();
    for (const Method method : setting.methods.list()) entry["methods"].push_back(name(method));
    return entry;
}

Json property_schema(const Setting& setting) {
    std::string description(setting.help);
    if (!setting.unit.empty()) description += " In " + std::string(setting.unit) + ".";
    Json property = {{"description", description}};
    if (setting.type == SettingType::choice) {
        property["enum"] = setting.choices;
        return property;
    }
    property["type"] = name(setting.type);
    if (!is_numeric(setting)) return property;
    property[setting.excludes_min ? "exclusiveMinimum" : "minimum"] = bound(setting, setting.min);
    if (is_bounded(setting)) property["maximum"] = bound(setting, setting.max);
    return property;
}

/// "a, b and c".
std::string joined(const std::vector<std::string>& words, const std::string& last) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i)
        text += (i == 0 ? "" : i + 1 < words.size() ? ", " : " " + last + " ") + words[i];
    return text;
}

/// "fast and free", "all but faithful".
std::string methods_text(const MethodSet& methods) {
    std::vector<std::string> used, unused;
    for (int i = 0; i <= static_cast<int>(Method::penalty); ++i) {
        const auto method = static_cast<Method>(i);
        (methods.has(method) ? used : unused).emplace_back(name(method));
    }
    if (unused.empty()) return "all";
    return unused.size() < used.size() ? "all but " + joined(unused, "and") : joined(used, "and");
}

/// "all but free and fast, if impact is euler or mirtich", "...; by kenwright only if multi is
/// given".
std::string users_text(const Setting& setting) {
    std::string text = methods_text(setting.methods);
    for (const SettingCondition& condition : setting.conditions) {
        const bool is_for_all = condition.methods.list() == setting.methods.list();
        text += is_for_all ? ", if " : "; by " + methods_text(condition.methods) + " only if ";
        text += std::string(condition.setting) + " is ";
        const std::vector<std::string> choices(condition.choices.begin(), condition.choices.end());
        text += choices.empty() ? "given" : joined(choices, "or");
    }
    return text;
}

/// "4 (fast); 1 (free)", or the value alone when all methods have the same.
std::string defaults_text(const Setting& setting) {
    std::vector<std::pair<std::string, std::vector<std::string>>> groups; // value, methods
    for (const Method method : setting.methods.list()) {
        const auto value = setting.default_of(method);
        const std::string text = value ? to_string(*value) : "none";
        auto group = std::find_if(groups.begin(), groups.end(),
                                  [&](const auto& g) { return g.first == text; });
        if (group == groups.end()) group = groups.insert(groups.end(), {text, {}});
        group->second.emplace_back(name(method));
    }
    if (groups.size() == 1) return groups[0].first;
    std::string text;
    for (const auto& [value, methods] : groups)
        text += (text.empty() ? "" : "; ") + value + " (" + joined(methods, "and") + ")";
    return text;
}

std::string values_text(const Setting& setting) {
    if (setting.type == SettingType::choice) {
        std::vector<std::string> words(setting.choices.begin(), setting.choices.end());
        return joined(words, "or");
    }
    std::string rule = rule_of(setting);
    rule.erase(0, rule.find("be ") + 3); // after "must be", "must not be"
    if (setting.type == SettingType::number && !setting.excludes_min && !is_bounded(setting))
        rule = "not negative";
    return rule;
}

} // namespace

Json settings_table_json() {
    Json table = Json::array();
    for (const Setting& setting : settings_table())
        if (setting.in_scenes) table.push_back(entry_json(setting));
    return table;
}

Json given_settings_json(const WorldSettings& settings) {
    Json given = Json::object();
    for (const Setting& setting : settings_table())
        if (const auto value = setting.get(settings); value && setting.in_scenes)
            given[std::string(setting.name)] = to_json(*value);
    return given;
}

Json settings_schema() {
    Json properties = Json::object();
    for (const Setting& setting : settings_table())
        if (setting.in_scenes) properties[std::string(setting.name)] = property_schema(setting);
    return {{"description",
             "Settings of the method; what is not given is the method's own choice. "
             "docs/settings.md lists defaults and which methods use each."},
            {"type", "object"},
            {"properties", properties},
            {"additionalProperties", false}};
}

std::string settings_markdown() {
    std::string text =
        "| setting | meaning | values | unit | default | used by |\n"
        "|---|---|---|---|---|---|\n";
    for (const Setting& s : settings_table()) {
        if (!s.in_scenes) continue;
        text += "| `" + std::string(s.name) + "` | " + std::string(s.help) + " | " +
                values_text(s) + " | " + std::string(s.unit) + " | " + defaults_text(s) + " | " +
                users_text(s) + " |\n";
    }
    return text;
}

std::string flag_help(const Setting& setting) {
    std::string text(setting.help);
    if (!text.empty() && text.back() == '.') text.pop_back();
    text += ": " + values_text(setting);
    if (!setting.unit.empty()) text += ", in " + std::string(setting.unit);
    return text + " (used by " + users_text(setting) + ")";
}

} // namespace rigor::app
