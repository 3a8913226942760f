// Controls of a scene file: what the page of the simulator offers for the scene.

#include <algorithm>
#include <cmath>

#include "math/number_text.h"
#include "scene/scene_draft.h"

namespace rigor {

namespace {

const std::vector<std::string_view> kTypes = {"slider", "switch", "button", "choice"};
constexpr std::size_t kMaxControls = 20, kMaxChoices = 20;

std::string shown(const ControlValue& value) {
    struct Writer {
        std::string operator()(bool v) const { return v ? "true" : "false"; }
        std::string operator()(double v) const { return text(v); }
        std::string operator()(const std::string& v) const { return rigor::quoted(v); }
    };
    return std::visit(Writer{}, value);
}

/// A number, true, false or a text.
ControlValue read_value(const Field& field) {
    if (field.is(JsonKind::boolean)) return field.boolean(false);
    if (field.is(JsonKind::string)) return field.text();
    return field.number();
}

/// A value that a scene has without writing it.
std::optional<ControlValue> default_at(const std::string& path, const Scene& scene) {
    if (path == "time_step") return scene.time_step;
    if (path == "method") return scene.method;
    if (path == "gravity[0]") return scene.gravity.x;
    if (path == "gravity[1]") return scene.gravity.y;
    if (path == "gravity[2]") return scene.gravity.z;
    constexpr std::string_view kSettings = "settings.";
    const Setting* setting =
        path.starts_with(kSettings) ? find_setting(path.substr(kSettings.size())) : nullptr;
    if (!setting || !setting->in_scenes) return std::nullopt;
    const auto value = setting->default_of(*method_named(scene.method));
    if (!value) return std::nullopt;
    struct Converter {
        ControlValue operator()(std::int64_t v) const { return static_cast<double>(v); }
        ControlValue operator()(bool v) const { return v; }
        ControlValue operator()(double v) const { return v; }
        ControlValue operator()(const std::string& v) const { return v; }
    };
    return std::visit(Converter{}, *value);
}

/// The value of the scene that a control is for.
ControlValue value_at(const Field& path, const Field& root, const Scene& scene) {
    const std::string name = path.name("-");
    if (path.failed()) return 0.0;
    if (!is_override_path(name))
        return path.fail_got("must be written like settings.substeps or bodies[0].mass"), 0.0;
    if (name.starts_with("controls")) return path.fail("must not lead to the controls"), 0.0;
    const Field value = root.below(name);
    if (!value.given()) {
        if (const auto known = default_at(name, scene)) return *known;
        return path.fail("names no value of the scene, got " + rigor::quoted(name) +
                         "; a control begins with the value that is written there"),
               0.0;
    }
    if (value.is(JsonKind::array) || value.is(JsonKind::object) || value.is(JsonKind::null))
        return path.fail("must name a number, a text, true or false, got " + rigor::quoted(name)),
               0.0;
    return read_value(value);
}

void read_slider(ObjectReader& o, SceneControl& control, bool is_overridden) {
    const Field range = o.required("range"), step = o.optional("step");
    control.unit = o.optional("unit").text();
    control.range = range.range({0, 1});
    control.step = step.given() ? step.positive() : 0;
    o.done();
    if (o.failed()) return;
    const auto [lo, hi] = control.range;
    const double* value = std::get_if<double>(&control.value);
    if (!value) return o.field().fail("is a slider, whose path must name a number");
    if (!(lo < hi))
        return range.fail("must be [lo, hi] with lo < hi, got [" + text(lo) + ", " + text(hi) +
                          "]");
    if (control.step > hi - lo)
        return step.fail_got("must not be greater than the range, " + text(hi - lo));
    if ((*value < lo || *value > hi) && !is_overridden)
        range.fail("must hold the value that the scene has, " + shown(control.value));
}

void read_values(ObjectReader& o, const Field& range, SceneControl& control, bool is_overridden) {
    for (const Field& item : range.items(2, control.type == ControlType::toggle ? 2 : kMaxChoices))
        control.values.push_back(read_value(item));
    o.done();
    if (o.failed()) return;
    const auto& all = control.values;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (std::find(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(i), all[i]) !=
            all.begin() + static_cast<std::ptrdiff_t>(i))
            return range.fail("has " + shown(all[i]) + " twice");
    if (std::find(all.begin(), all.end(), control.value) == all.end() && !is_overridden)
        range.fail("must hold the value that the scene has, " + shown(control.value));
}

void read_switch(ObjectReader& o, SceneControl& control, bool is_overridden) {
    const Field range = o.optional("range");
    if (range.given()) return read_values(o, range, control, is_overridden);
    o.done();
    control.values = {false, true};
    if (!o.failed() && !std::holds_alternative<bool>(control.value))
        o.field().fail("is a switch, whose path must name true or false unless it has a range");
}

std::string read_action(const Field& field) {
    const std::vector<std::string>& known = control_actions();
    return known[field.one_of({known.begin(), known.end()}, 0)];
}

SceneControl read_control(const Field& item, const Field& root, const Scene& scene) {
    SceneControl control;
    ObjectReader o(item, "control");
    const std::size_t type = o.required("type").one_of(kTypes, 0);
    o.set_kind("control " + std::string(kTypes[type]));
    control.type = static_cast<ControlType>(type);
    control.label = o.required("label").name("-");
    if (control.type == ControlType::button) {
        control.action = read_action(o.required("action"));
        return control;
    }
    const Field path = o.required("path");
    if (path.given()) control.value = value_at(path, root, scene);
    if (path.given()) control.path = path.text();
    // A value of the command line may lie where the page does not go.
    const bool is_overridden = path.given() && root.below(control.path).is_override();
    if (control.type == ControlType::slider) read_slider(o, control, is_overridden);
    if (control.type == ControlType::toggle) read_switch(o, control, is_overridden);
    if (control.type == ControlType::choice) {
        const Field range = o.required("range");
        control.unit = o.optional("unit").text();
        read_values(o, range, control, is_overridden);
    }
    return control;
}

/// The values that are tried: the ends of a slider, and all of the others.
std::vector<ControlValue> extremes(const SceneControl& control) {
    if (control.type == ControlType::slider) return {control.range.lo, control.range.hi};
    return control.values;
}

SceneOverride override_of(const SceneControl& control, const ControlValue& value) {
    return {control.path, json_text(value), "the value"};
}

} // namespace

const std::vector<std::string>& control_actions() {
    static const std::vector<std::string> kActions = {"restart",   "run",     "pause", "step",
                                                      "step_back", "undo",    "redo",  "throw",
                                                      "drop",      "explode", "check"};
    return kActions;
}

std::string json_text(const ControlValue& value) {
    if (const auto* words = std::get_if<std::string>(&value)) return json_string(*words);
    return shown(value);
}

void read_controls(const Field& field, const Field& root, Scene& scene) {
    if (!field.given()) return;
    for (const Field& item : field.items(0, kMaxControls)) {
        SceneControl control = read_control(item, root, scene);
        if (item.failed()) return;
        for (std::size_t i = 0; i < scene.controls.size(); ++i) {
            const SceneControl& other = scene.controls[i];
            const std::string there = " is that of controls[" + std::to_string(i) + "]";
            if (other.label == control.label)
                return item.fail_below(
                    {ErrorCode::invalid_value, "label", rigor::quoted(control.label) + there});
            if (!control.path.empty() && other.path == control.path)
                return item.fail_below(
                    {ErrorCode::invalid_value, "path", rigor::quoted(control.path) + there});
        }
        scene.controls.push_back(std::move(control));
    }
}

// All controls are tried at once first: three readings of a scene rather than two for each control.
void try_controls(const Field& root, const std::vector<SceneControl>& controls,
                  const TrialReader& read) {
    std::size_t rounds = 0;
    for (const SceneControl& control : controls)
        rounds = std::max(rounds, extremes(control).size());
    for (std::size_t round = 0; round < rounds; ++round) {
        std::vector<SceneOverride> together;
        for (const SceneControl& control : controls)
            if (const auto values = extremes(control); round < values.size())
                together.push_back(override_of(control, values[round]));
        if (read(together)) continue;
        for (std::size_t i = 0; i < controls.size(); ++i) {
            const auto values = extremes(controls[i]);
            if (round >= values.size()) continue;
            const Result<Scene> alone = read({override_of(controls[i], values[round])});
            if (!alone)
                return root.fail_below({ErrorCode::invalid_value,
                                        "controls[" + std::to_string(i) + "].range",
                                        "the scene refuses " + shown(values[round]) + " for " +
                                            controls[i].path + ": " + to_string(alone.error())});
        }
    }
}

} // namespace rigor
