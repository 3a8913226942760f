// Materials of a scene file, and pairs of them.

#include <algorithm>

#include "scene/scene_draft.h"

namespace rigor {

namespace {

bool same_surface(const Material& a, const Material& b) {
    return a.static_friction == b.static_friction && a.kinetic_friction == b.kinetic_friction &&
           a.restitution == b.restitution && a.density == b.density &&
           a.rolling_resistance == b.rolling_resistance &&
           a.torsional_friction == b.torsional_friction && a.patch_radius == b.patch_radius &&
           a.surface_velocity == b.surface_velocity && a.anisotropy_axis == b.anisotropy_axis &&
           a.anisotropy_ratio == b.anisotropy_ratio;
}

struct Friction {
    std::optional<double> both, of_rest, of_motion;
};

// `friction` sets both coefficients; or the two are given, each for itself.
Friction read_friction(ObjectReader& o) {
    Friction result;
    const Field friction = o.optional("friction");
    const Field rest = o.optional("static_friction"), motion = o.optional("kinetic_friction");
    if (friction.given()) {
        result.both = friction.non_negative();
        o.at_most_one({"friction", "static_friction"});
        o.at_most_one({"friction", "kinetic_friction"});
    } else if (rest.given() || motion.given()) {
        o.need("static_friction");
        o.need("kinetic_friction");
        result.of_rest = rest.non_negative();
        result.of_motion = motion.non_negative();
        if (rest.given() && *result.of_motion > *result.of_rest)
            motion.fail("must not exceed static_friction");
    }
    return result;
}

int add_material(const std::string& name, Material material, const Field& key, FileScope& scope) {
    std::vector<NamedMaterial>& all = scope.draft.scene.materials;
    const std::string full_name = scope.prefix + name;
    material.id = static_cast<int>(all.size());
    const auto [known, is_new] = scope.draft.materials.emplace(full_name, material.id);
    if (is_new) {
        all.push_back({full_name, material});
    } else if (!same_surface(all[static_cast<std::size_t>(known->second)].material, material)) {
        key.fail("is already defined otherwise in another file of the scene");
    }
    return known->second;
}

/// The material a pair names, or -1 with a warning: the other half of the pair may simply not
/// be part of this scene.
int pair_material(const Field& field, FileScope& scope) {
    const std::string name = field.name();
    const auto found = scope.materials.find(name);
    if (found != scope.materials.end()) return found->second;
    if (field.given() && !field.failed())
        scope.draft.scene.warnings.push_back(field.path() + ": the material \"" + name +
                                             "\" is not defined; the pair is ignored");
    return -1;
}

} // namespace

Material read_material_fields(ObjectReader& o, const Material& base) {
    Material m = base;
    const Friction friction = read_friction(o);
    m.static_friction = friction.of_rest.value_or(friction.both.value_or(m.static_friction));
    m.kinetic_friction = friction.of_motion.value_or(friction.both.value_or(m.kinetic_friction));
    m.restitution = o.optional("restitution").within(0, 1, m.restitution);
    m.density = o.optional("density").non_negative(m.density);
    m.rolling_resistance = o.optional("rolling_resistance").non_negative(m.rolling_resistance);
    m.torsional_friction = o.optional("torsional_friction").non_negative(m.torsional_friction);
    m.patch_radius = o.optional("patch_radius").non_negative(m.patch_radius);
    m.surface_velocity = o.optional("surface_velocity").vec3(m.surface_velocity);
    if (const Field anisotropy = o.optional("anisotropy"); anisotropy.given()) {
        ObjectReader a(anisotropy, "anisotropy");
        m.anisotropy_axis = a.required("axis").direction();
        m.anisotropy_ratio = a.required("ratio").positive();
    }
    return m;
}

void read_materials(const Field& field, FileScope& scope) {
    if (!field.given()) return;
    for (const auto& [key, value] : field.members()) {
        ObjectReader o(value, "material");
        const Material material = read_material_fields(o, {});
        o.done();
        const std::string name = key.name();
        scope.materials.emplace(name, add_material(name, material, key, scope));
    }
}

void read_pairs(const Field& field, FileScope& scope) {
    if (!field.given()) return;
    for (const Field& item : field.items()) {
        MaterialPair pair;
        ObjectReader o(item, "pair");
        pair.a = pair_material(o.required("a"), scope);
        pair.b = pair_material(o.required("b"), scope);
        const Friction friction = read_friction(o);
        pair.static_friction = friction.both ? friction.both : friction.of_rest;
        pair.kinetic_friction = friction.both ? friction.both : friction.of_motion;
        if (const Field f = o.optional("restitution"); f.given())
            pair.restitution = f.within(0, 1, 0);
        o.done();
        if (pair.a < 0 || pair.b < 0) continue;
        if (!scope.draft.pairs.insert(std::minmax(pair.a, pair.b)).second)
            item.fail("repeats a pair of materials");
        scope.draft.scene.pairs.push_back(pair);
    }
}

} // namespace rigor
