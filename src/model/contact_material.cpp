#include "model/contact_material.h"

#include <algorithm>
#include <cmath>

namespace rigor {
namespace {

bool are_the_same(const MaterialPair& pair, std::int32_t a, std::int32_t b) {
    return (pair.a == a && pair.b == b) || (pair.a == b && pair.b == a);
}

} // namespace

ContactMaterial combine(const WorldState& state, const Material& a, const Material& b) {
    ContactMaterial m{std::sqrt(a.static_friction * b.static_friction),
                      std::sqrt(a.kinetic_friction * b.kinetic_friction),
                      std::max(a.restitution, b.restitution),
                      std::max(a.rolling_resistance, b.rolling_resistance),
                      std::max(a.torsional_friction, b.torsional_friction)};
    for (const MaterialPair& pair : state.material_pairs) {
        if (!are_the_same(pair, a.id, b.id)) continue;
        m.static_friction = pair.static_friction.value_or(m.static_friction);
        m.kinetic_friction = pair.kinetic_friction.value_or(m.kinetic_friction);
        m.restitution = pair.restitution.value_or(m.restitution);
    }
    return m;
}

bool has_directions(const Material& material) {
    return material.surface_velocity != Vec3d{} || material.anisotropy_ratio != 1 ||
           material.patch_radius > 0;
}

SurfaceDirections surface_directions(const WorldState& state, std::uint32_t shape) {
    const ShapeRecord& record = state.shapes[shape];
    const Quatd to_principal = conjugate(state.bodies.traits[record.body.index].principal);
    const Material& m = record.material;
    const Vec3d grain = normalize(rotate(to_principal, m.anisotropy_axis));
    return {rotate(to_principal, m.surface_velocity), grain,
            grain == Vec3d{} ? 1 : m.anisotropy_ratio};
}

void set_material_pair(WorldState& state, const MaterialPair& pair) {
    for (MaterialPair& known : state.material_pairs) {
        if (are_the_same(known, pair.a, pair.b)) {
            known = pair;
            return;
        }
    }
    state.material_pairs.push_back(pair);
}

} // namespace rigor
