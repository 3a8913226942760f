// Typed access to the fields of WorldSettings as SettingValues.
#pragma once

#include <type_traits>
#include <utility>

#include "rigor/settings_table.h"
#include "settings/choice_names.h"

namespace rigor {

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

template <class Struct, class T>
Struct struct_of(T Struct::*);

/// The field, in the settings or in their contact laws.
template <auto Member>
auto& field_in(auto& settings) {
    if constexpr (std::is_same_v<decltype(struct_of(Member)), ContactLaws>)
        return settings.laws.*Member;
    else
        return settings.*Member;
}

template <class T>
SettingValue to_value(const T& field) {
    if constexpr (HasChoiceNames<T>)
        return std::string(name_of(field));
    else if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, double>)
        return field;
    else if (std::in_range<std::int64_t>(field))
        return static_cast<std::int64_t>(field);
    else
        return std::numeric_limits<std::int64_t>::max();
}

template <class T>
T from_value(const SettingValue& value) {
    if constexpr (HasChoiceNames<T>)
        return value_named<T>(std::get<std::string>(value)).value();
    else if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, double>)
        return std::get<T>(value);
    else
        return static_cast<T>(std::get<std::int64_t>(value));
}

template <auto Member>
std::optional<SettingValue> get_field(const WorldSettings& settings) {
    const auto& field = field_in<Member>(settings);
    if constexpr (!is_optional<std::remove_cvref_t<decltype(field)>>)
        return to_value(field);
    else if (field)
        return to_value(*field);
    else
        return std::nullopt;
}

template <auto Member>
void set_field(WorldSettings& settings, const SettingValue& value) {
    auto& field = field_in<Member>(settings);
    using Field = std::remove_reference_t<decltype(field)>;
    if constexpr (is_optional<Field>)
        field = from_value<typename Field::value_type>(value);
    else
        field = from_value<Field>(value);
}

} // namespace rigor
