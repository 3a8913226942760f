#include "viewer/welcome.h"

#include <nlohmann/json.hpp>

#include "common/settings_json.h"
#include "rigor/scene.h"
#include "rigor/version.h"

namespace rigor::viewer {
namespace {

json setting_names() {
    json names = json::object();
    for (const Setting& setting : settings_table())
        if (!setting.choices.empty()) names[std::string(setting.name)] = setting.choices;
    return names;
}

json method_names() {
    json all = json::array();
    for (const std::string& method : scene_methods())
        if (method_named(method)) all.push_back(method);
    return all;
}

} // namespace

json welcome_message(ClientId client) {
    const VersionInfo version = version_info();
    json overlays = json::array(), colors = json::array();
    for (const Overlay overlay : kOverlays) overlays.push_back(name(overlay));
    for (const ColorMode color : kColorModes) colors.push_back(name(color));
    return {{"type", "welcome"},
            {"protocol", 1},
            {"version", version.version},
            {"numerics", version.numerics},
            {"client", client},
            {"methods", method_names()},
            {"see", overlays},
            {"colors", colors},
            {"settings", setting_names()},
            {"settings_table", json(app::settings_table_json())}};
}

} // namespace rigor::viewer
