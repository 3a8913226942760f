#include "viewer/welcome.h"

#include <nlohmann/json.hpp>

#include "rigor/scene.h"
#include "rigor/version.h"

namespace rigor::viewer {
namespace {

json setting_names() {
    const auto names = [](const auto& named, std::initializer_list<const char*> all) {
        json list = json::array();
        for (const char* text : all)
            if (named(text)) list.push_back(text);
        return list;
    };
    return {
        {"integrator", names(integrator_named, {"euler", "symplectic", "rk4", "exact"})},
        {"impact",
         names(impact_law_named, {"newton", "poisson", "energetic", "euler", "mirtich", "planar"})},
        {"multi", names(multi_impact_named, {"propagation", "simultaneous", "reflections"})},
        {"resting",
         names(resting_rule_named, {"lp", "lcp", "cone", "separation", "micro", "penalty"})},
        {"detection", names(detection_named, {"static", "substep", "bisection", "advancement"})}};
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
            {"settings", setting_names()}};
}

} // namespace rigor::viewer
