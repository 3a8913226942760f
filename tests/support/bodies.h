// Definitions of bodies that tests share.
#pragma once

#include "rigor/body.h"

namespace rigor::test {

/// A body of one shape.
inline BodyDef body(const ShapeGeometry& geometry, const Vec3d& position = {},
                    BodyType type = BodyType::dynamic_body) {
    BodyDef def;
    def.type = type;
    def.position = position;
    def.shapes.push_back({.geometry = geometry});
    return def;
}

/// The body with this friction, static and kinetic, and restitution of its first shape.
inline BodyDef with_material(BodyDef def, double friction, double restitution = 0) {
    Material& material = def.shapes[0].material;
    material.static_friction = material.kinetic_friction = friction;
    material.restitution = restitution;
    return def;
}

/// The half-space z < 0, of the default material.
inline BodyDef ground() {
    return body(PlaneDef{{0, 0, 1}, 0}, {}, BodyType::static_body);
}

} // namespace rigor::test
