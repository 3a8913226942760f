// The controls of a scene, as JSON.

#include <nlohmann/json.hpp>

#include "viewer/describe.h"

namespace rigor::viewer {
namespace {

json to_json(const ControlValue& value) {
    return std::visit([](const auto& v) { return json(v); }, value);
}

json describe_control(const SceneControl& control) {
    constexpr const char* kTypes[] = {"slider", "switch", "button", "choice"};
    json object = {{"type", kTypes[static_cast<std::size_t>(control.type)]},
                   {"label", control.label}};
    if (!control.unit.empty()) object["unit"] = control.unit;
    if (control.type == ControlType::button) {
        object["action"] = control.action;
        return object;
    }
    object["path"] = control.path;
    object["value"] = to_json(control.value);
    if (control.type == ControlType::slider) {
        object["range"] = {control.range.lo, control.range.hi};
        if (control.step > 0) object["step"] = control.step;
    } else {
        for (const ControlValue& value : control.values) object["values"].push_back(to_json(value));
    }
    return object;
}

} // namespace

json describe_controls(const Scene& scene) {
    json all = json::array();
    for (const SceneControl& control : scene.controls) all.push_back(describe_control(control));
    return all;
}

} // namespace rigor::viewer
