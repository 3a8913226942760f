// The table of settings: one entry for each setting of a world.
//
// Command-line flags, scene keys, the scene schema, messages, the reference page and the viewer's
// panel are made from it. A new setting is a field of WorldSettings or ContactLaws, the code that
// uses it, and one entry in src/settings/settings_table.cpp.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "rigor/export.h"
#include "rigor/result.h"
#include "rigor/settings.h"

namespace rigor {

enum class SettingType { number, integer, choice, boolean };

RIGOR_API std::string_view name(SettingType type);

/// A value of any setting; a choice is given by its name.
using SettingValue = std::variant<bool, std::int64_t, double, std::string>;

/// As it is written in a scene: 4, 0.001, true, energetic.
RIGOR_API std::string to_string(const SettingValue& value);

class RIGOR_API MethodSet {
  public:
    constexpr MethodSet(std::initializer_list<Method> methods) {
        for (const Method method : methods) bits_ |= bit(method);
    }
    constexpr bool has(Method method) const { return (bits_ & bit(method)) != 0; }
    /// In the order of the enumeration.
    std::vector<Method> list() const;

  private:
    static constexpr unsigned bit(Method method) { return 1u << static_cast<unsigned>(method); }
    unsigned bits_ = 0;
};

/// Condition on another setting for a setting to have an effect.
struct SettingCondition {
    MethodSet methods;                          ///< the condition holds for these only
    std::string_view setting;                   ///< the other one
    std::vector<std::string_view> choices = {}; ///< one of these; empty: it must be given
};

struct Setting {
    std::string_view name;      ///< in scenes and C++; as a flag with dashes
    std::string_view label;     ///< for a panel
    std::string_view help;      ///< one sentence, without the unit
    std::string_view unit = {}; ///< empty: none
    SettingType type = SettingType::number;
    MethodSet methods; ///< those that use it

    std::vector<std::string_view> choices = {};               ///< of a choice
    double min = 0, max = std::numeric_limits<double>::max(); ///< of numbers and integers
    bool excludes_min = false;                                ///< greater than min, not equal
    std::vector<std::int64_t> values = {};                    ///< of an integer: no others
    std::vector<SettingCondition> conditions = {};            ///< all must hold
    bool in_scenes = true; ///< false: a matter of the machine, without effect on results

    /// What a method takes when the setting is not given; none: the method has no such value.
    std::optional<SettingValue> (*default_of)(Method) = nullptr;
    std::optional<SettingValue> (*get)(const WorldSettings&) = nullptr; ///< none: not given
    void (*set)(WorldSettings&, const SettingValue&) = nullptr; ///< the value obeys the rule
};

/// All settings, in the order in which they are listed everywhere.
RIGOR_API std::span<const Setting> settings_table();
/// Null when there is none.
RIGOR_API const Setting* find_setting(std::string_view name);
/// Of those that scenes may give.
RIGOR_API std::vector<std::string_view> scene_setting_names();

/// "must be positive", "must be a whole number from 1 to 10000".
RIGOR_API std::string rule_of(const Setting& setting);
/// Fails with "substeps must be a whole number from 1 to 10000, got 0".
RIGOR_API Result<void> check_value(const Setting& setting, const SettingValue& value);
/// The first setting that breaks its rule.
RIGOR_API Result<void> check_settings(const WorldSettings& settings);

/// "is not used by faithful, only by free and fast", "is not used by faithful without impact euler
/// or mirtich"; empty when the setting has an effect.
RIGOR_API std::string why_unused(const Setting& setting, const WorldSettings& settings);

/// Settings that were given by name, as those of a scene. What is not given is left to the method.
class RIGOR_API SettingValues {
  public:
    struct Entry {
        const Setting* setting;
        SettingValue value;
    };

    /// Replaces a value given before. Throws UsageError when there is no such setting or the value
    /// breaks its rule.
    void set(std::string_view name, SettingValue value);

    std::span<const Entry> entries() const { return entries_; }
    /// Null when it is not given.
    const SettingValue* find(std::string_view name) const;
    template <class T>
    std::optional<T> find_as(std::string_view name) const {
        const SettingValue* value = find(name);
        return value ? std::optional<T>(std::get<T>(*value)) : std::nullopt;
    }

    void apply_to(WorldSettings& settings) const;
    /// "settings.substeps is not used by faithful, only by free and fast", for each that `settings`
    /// make no use of.
    std::vector<std::string> warnings(const WorldSettings& settings) const;

  private:
    std::vector<Entry> entries_;
};

} // namespace rigor
