#include "scene/scene_draft.h"

namespace rigor {

namespace {

void read_word(const Field& field, const std::vector<std::string_view>& words,
               std::optional<std::string>& setting) {
    if (field.given()) setting = words[field.one_of(words, 0)];
}

void read_positive(const Field& field, std::optional<double>& setting) {
    if (field.given()) setting = field.positive();
}

} // namespace

void read_settings(const Field& field, SceneSettings& settings) {
    if (!field.given()) return;
    ObjectReader o(field, "settings");
    read_word(o.optional("integrator"), {"euler", "symplectic", "rk4", "exact"},
              settings.integrator);
    read_word(o.optional("impact"),
              {"newton", "poisson", "energetic", "euler", "mirtich", "planar"}, settings.impact);
    read_word(o.optional("multi"), {"propagation", "simultaneous", "reflections"}, settings.multi);
    read_word(o.optional("resting"), {"lp", "lcp", "cone", "separation", "micro", "penalty"},
              settings.resting);
    read_word(o.optional("detection"), {"static", "substep", "bisection", "advancement"},
              settings.detection);
    if (const Field f = o.optional("substeps"); f.given())
        settings.substeps = static_cast<int>(f.integer(1, 10'000, 1));
    if (const Field f = o.optional("max_events"); f.given())
        settings.max_events = f.integer(1, 1'000'000'000'000, 1);
    read_positive(o.optional("tolerance"), settings.tolerance);
    read_positive(o.optional("max_wall_seconds"), settings.max_wall_seconds);
    if (const Field f = o.optional("fixed_steps"); f.given())
        settings.fixed_steps = f.boolean(true);
    read_positive(o.optional("delta"), settings.delta);
    read_positive(o.optional("penalty_depth"), settings.penalty_depth);
    read_positive(o.optional("separation_distance"), settings.separation_distance);
}

std::optional<PeriodicBox> read_periodic(const Field& field) {
    if (!field.given()) return std::nullopt;
    const std::vector<Field> corners = field.items(2, 2);
    if (field.failed()) return std::nullopt;
    const PeriodicBox box{corners[0].vec3(), corners[1].vec3()};
    if (!(box.lo.x < box.hi.x && box.lo.y < box.hi.y && box.lo.z < box.hi.z))
        field.fail("must be [lo, hi] with lo < hi along every axis");
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
