// The table of settings as JSON, for other programs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "rigor/settings_table.h"

namespace rigor::app {

nlohmann::ordered_json to_json(const SettingValue& value);

/// For a panel: an array of {name, label, type, choices?, min?, max?, unit?, default: {method:
/// value}, help, methods}, without the settings of the machine.
nlohmann::ordered_json settings_table_json();

/// What `settings` have been given, by name; without the settings of the machine.
nlohmann::ordered_json given_settings_json(const WorldSettings& settings);

/// The description of "settings" in docs/scene.schema.json.
nlohmann::ordered_json settings_schema();

/// The table as Markdown, for docs/settings.md.
std::string settings_markdown();

/// "How a body moves between contacts: euler, symplectic, rk4 or exact (all but faithful)".
std::string flag_help(const Setting& setting);

} // namespace rigor::app
