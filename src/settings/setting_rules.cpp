// Rules of the settings: ranges, conditions between settings, and warnings about unused ones.

#include <algorithm>
#include <charconv>
#include <cmath>

#include "rigor/settings_table.h"
#include "settings/choice_names.h"

namespace rigor {
namespace {

std::string number_text(double value) {
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, value).ptr;
    return {text, end};
}

/// "0, 1, 4 or 8".
std::string joined(const std::vector<std::string>& words, const std::string& last = "or") {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i)
        text += (i == 0 ? "" : i + 1 == words.size() ? " " + last + " " : ", ") + words[i];
    return text;
}

std::string joined_choices(const std::vector<std::string_view>& choices, std::string_view quote) {
    std::vector<std::string> words;
    words.reserve(choices.size());
    for (const std::string_view choice : choices)
        words.push_back(std::string(quote) + std::string(choice) + std::string(quote));
    return joined(words);
}

bool is_within(const Setting& setting, double value) {
    return std::isfinite(value) && value <= setting.max &&
           (setting.excludes_min ? value > setting.min : value >= setting.min);
}

struct Obeys {
    const Setting& setting;

    bool operator()(bool) const { return setting.type == SettingType::boolean; }
    bool operator()(std::int64_t value) const {
        if (setting.type != SettingType::integer) return false;
        const auto& values = setting.values;
        return is_within(setting, static_cast<double>(value)) &&
               (values.empty() || std::find(values.begin(), values.end(), value) != values.end());
    }
    bool operator()(double value) const {
        return setting.type == SettingType::number && is_within(setting, value);
    }
    bool operator()(const std::string& value) const {
        return setting.type == SettingType::choice &&
               std::find(setting.choices.begin(), setting.choices.end(), value) !=
                   setting.choices.end();
    }
};

/// The value that the method will work with.
std::optional<SettingValue> effective(const Setting& setting, const WorldSettings& settings) {
    const std::optional<SettingValue> given = setting.get(settings);
    return given ? given : setting.default_of(settings.method);
}

bool holds(const SettingCondition& condition, const WorldSettings& settings) {
    if (!condition.methods.has(settings.method)) return true;
    const Setting& other = *find_setting(condition.setting);
    if (condition.choices.empty()) return other.get(settings).has_value();
    const std::optional<SettingValue> value = effective(other, settings);
    return value && std::find(condition.choices.begin(), condition.choices.end(),
                              std::get<std::string>(*value)) != condition.choices.end();
}

} // namespace

std::string_view name(SettingType type) {
    constexpr std::string_view kNames[] = {"number", "integer", "choice", "boolean"};
    return kNames[static_cast<std::size_t>(type)];
}

std::string to_string(const SettingValue& value) {
    struct Writer {
        std::string operator()(bool v) const { return v ? "true" : "false"; }
        std::string operator()(std::int64_t v) const { return std::to_string(v); }
        std::string operator()(double v) const { return number_text(v); }
        std::string operator()(const std::string& v) const { return v; }
    };
    return std::visit(Writer{}, value);
}

std::vector<Method> MethodSet::list() const {
    std::vector<Method> methods;
    for (std::size_t i = 0; i < std::size(kChoiceNames<Method>); ++i)
        if (has(static_cast<Method>(i))) methods.push_back(static_cast<Method>(i));
    return methods;
}

const Setting* find_setting(std::string_view name) {
    for (const Setting& setting : settings_table())
        if (setting.name == name) return &setting;
    return nullptr;
}

std::vector<std::string_view> scene_setting_names() {
    std::vector<std::string_view> names;
    for (const Setting& setting : settings_table())
        if (setting.in_scenes) names.push_back(setting.name);
    return names;
}

std::string rule_of(const Setting& setting) {
    const bool is_bounded = setting.max < std::numeric_limits<double>::max();
    const std::string range =
        "from " + number_text(setting.min) + " to " +
        std::to_string(static_cast<std::int64_t>(is_bounded ? setting.max : 0));
    switch (setting.type) {
        case SettingType::boolean:
            return "must be true or false";
        case SettingType::choice:
            return "must be " + joined_choices(setting.choices, "\"");
        case SettingType::integer: {
            if (setting.values.empty()) return "must be a whole number " + range;
            std::vector<std::string> words;
            for (const std::int64_t value : setting.values) words.push_back(std::to_string(value));
            return "must be " + joined(words);
        }
        default:
            if (is_bounded) return "must be " + range;
            return setting.excludes_min ? "must be positive" : "must not be negative";
    }
}

Result<void> check_value(const Setting& setting, const SettingValue& value) {
    if (std::visit(Obeys{setting}, value)) return {};
    return Error{ErrorCode::invalid_value, "",
                 std::string(setting.name) + " " + rule_of(setting) + ", got " + to_string(value)};
}

Result<void> check_settings(const WorldSettings& settings) {
    for (const Setting& setting : settings_table())
        if (const auto value = setting.get(settings))
            if (auto checked = check_value(setting, *value); !checked) return checked;
    return {};
}

std::string why_unused(const Setting& setting, const WorldSettings& settings) {
    const std::string unused = "is not used by " + std::string(name(settings.method));
    if (!setting.methods.has(settings.method)) {
        std::vector<std::string> users;
        for (const Method method : setting.methods.list()) users.emplace_back(name(method));
        return unused + ", only by " + joined(users, "and");
    }
    for (const SettingCondition& condition : setting.conditions) {
        if (holds(condition, settings)) continue;
        const std::string choices = joined_choices(condition.choices, "");
        return unused + " without " + std::string(condition.setting) +
               (choices.empty() ? "" : " " + choices);
    }
    return {};
}

void SettingValues::set(std::string_view name, SettingValue value) {
    const Setting* setting = find_setting(name);
    if (!setting) throw UsageError("there is no setting \"" + std::string(name) + "\"");
    if (const auto checked = check_value(*setting, value); !checked)
        throw UsageError(checked.error().message);
    const auto known = std::find_if(entries_.begin(), entries_.end(),
                                    [&](const Entry& e) { return e.setting == setting; });
    if (known == entries_.end())
        entries_.push_back({setting, std::move(value)});
    else
        known->value = std::move(value);
}

const SettingValue* SettingValues::find(std::string_view name) const {
    for (const Entry& entry : entries_)
        if (entry.setting->name == name) return &entry.value;
    return nullptr;
}

void SettingValues::apply_to(WorldSettings& settings) const {
    for (const Entry& entry : entries_) entry.setting->set(settings, entry.value);
}

std::vector<std::string> SettingValues::warnings(const WorldSettings& settings) const {
    std::vector<std::string> all;
    for (const Entry& entry : entries_)
        if (const std::string why = why_unused(*entry.setting, settings); !why.empty())
            all.push_back("settings." + std::string(entry.setting->name) + " " + why);
    constexpr double kLeastThreshold = 1e-7; // m/s
    if (settings.method == Method::faithful && settings.laws.tolerance &&
        *settings.laws.tolerance < kLeastThreshold)
        all.push_back(
            "settings.tolerance below " + to_string(SettingValue(kLeastThreshold)) +
            " m/s is raised to that under faithful, except for a single ball on a plane or ball");
    return all;
}

} // namespace rigor
