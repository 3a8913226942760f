// Settings, periodic cell and camera of a scene file.

#include "math/number_text.h"
#include "scene/scene_draft.h"

namespace rigor {

namespace {

std::int64_t read_integer(const Field& field, const Setting& setting) {
    const auto lo = static_cast<std::int64_t>(setting.min);
    const auto value = field.integer(lo, static_cast<std::int64_t>(setting.max), lo);
    if (!field.failed() && !check_value(setting, value)) field.fail_got(rule_of(setting));
    return value;
}

double read_number(const Field& field, const Setting& setting) {
    const double value = field.number(1);
    if (!field.failed() && !check_value(setting, value)) field.fail_got(rule_of(setting));
    return value;
}

SettingValue read_value(const Field& field, const Setting& setting) {
    switch (setting.type) {
        case SettingType::boolean:
            return field.boolean(false);
        case SettingType::integer:
            return read_integer(field, setting);
        case SettingType::choice:
            return std::string(setting.choices[field.one_of(setting.choices, 0)]);
        default:
            return read_number(field, setting);
    }
}

} // namespace

// The keys, types and ranges are those of the table of settings.
void read_settings(const Field& field, SettingValues& settings) {
    if (!field.given()) return;
    ObjectReader o(field, "settings");
    for (const Setting& setting : settings_table()) {
        if (!setting.in_scenes) continue;
        const Field value = o.optional(setting.name);
        if (!value.given()) continue;
        SettingValue read = read_value(value, setting);
        if (!value.failed()) settings.set(setting.name, std::move(read));
    }
}

std::optional<PeriodicBox> read_periodic(const Field& field) {
    if (!field.given()) return std::nullopt;
    const std::vector<Field> corners = field.items(2, 2);
    if (field.failed()) return std::nullopt;
    const PeriodicBox box{corners[0].vec3(), corners[1].vec3()};
    if (!(box.lo.x < box.hi.x && box.lo.y < box.hi.y && box.lo.z < box.hi.z))
        field.fail("must be [lo, hi] with lo < hi along every axis, got [" + text(box.lo) + ", " +
                   text(box.hi) + "]");
    return box;
}

std::optional<CameraDef> read_camera(const Field& field) {
    if (!field.given()) return std::nullopt;
    CameraDef camera;
    ObjectReader o(field, "camera");
    camera.position = o.optional("position").vec3(camera.position);
    camera.target = o.optional("target").vec3(camera.target);
    camera.up = o.optional("up").direction(camera.up);
    camera.fov_deg = o.optional("fov_deg").within(1, 179, camera.fov_deg);
    o.done();
    if (camera.position == camera.target) field.fail("must look at another point than its own");
    return camera;
}

} // namespace rigor
