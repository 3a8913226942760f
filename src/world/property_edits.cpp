// Edits of mass, material and freezing of bodies while the world runs.

#include "contact_dynamics/joint_rows.h"
#include "dynamics/angular_velocity.h"
#include "model/body_builder.h"
#include "model/material_rules.h"
#include "world/arguments.h"
#include "world/motion_edits.h"

namespace rigor {

ShapeRecord& World::Impl::shape(ShapeId id) {
    ShapeRecord* record = state.shapes.find(id);
    if (!record) {
        throw UsageError(id.is_null() ? "null shape id"
                                      : "no such shape in this world: its body was removed, or the "
                                        "id is of another world");
    }
    return *record;
}

void World::set_mass(BodyId id, double mass) {
    require_positive(mass, "mass");
    const std::uint32_t i = impl_->slot(id);
    BodyStore& bodies = impl_->state.bodies;
    if (!is_dynamic(bodies, i)) throw UsageError("only a dynamic body has a mass");
    const double ratio = mass / bodies.traits[i].mass;
    const Vec3d moments = bodies.traits[i].moments;
    if (const auto checked = check_mass_range(mass, (moments.x + moments.y + moments.z) * ratio);
        !checked)
        throw UsageError(checked.error().message);
    const auto scale = [&](BodyStore& b) {
        b.traits[i].mass = mass;
        b.traits[i].moments *= ratio;
        b.inertia[i].inv_mass = 1 / mass;
        b.inertia[i].inv_moments = b.inertia[i].inv_moments / ratio;
        b.inertia[i].weight = mass * b.traits[i].gravity_scale;
        b.motion[i].p *= ratio; // the velocities stay
        b.motion[i].l *= ratio;
    };
    impl_->wake(i);
    if (is_movable(bodies, i)) {
        impl_->edit(i, scale);
    } else {
        scale(bodies);
    }
    // The frequencies of springs stay, so their stiffness follows the mass.
    JointStore& joints = impl_->state.joints;
    if (i < joints.of_body.size())
        for (const std::uint32_t slot : joints.of_body[i])
            joints[slot].spring_mass = contact_dynamics::spring_mass(impl_->state, joints[slot]);
    impl_->record<&World::set_mass>(id, mass);
}

void World::set_frozen(BodyId id, bool frozen) {
    const std::uint32_t i = impl_->slot(id);
    BodyStore& bodies = impl_->state.bodies;
    impl_->wake(i);
    impl_->wake_around(i);
    impl_->edit(i, [&](BodyStore& b) { b.motion[i].p = b.motion[i].l = {}; });
    bodies.mobility[i] = frozen ? Mobility::immobile : mobility_of(bodies.traits[i]);
    impl_->body_moved(i);
    impl_->record<&World::set_frozen>(id, frozen);
}

Material World::material(ShapeId id) const {
    return impl_->shape(id).material;
}

void World::set_material(ShapeId id, const Material& material) {
    ShapeRecord& shape = impl_->shape(id);
    require(check_material(material));
    const std::uint32_t body = shape.body.index;
    impl_->wake(body);
    impl_->wake_around(body);
    const double density = shape.material.density; // used at creation alone: see set_mass()
    shape.material = material;
    shape.material.density = density;
    impl_->pipeline->material_changed(impl_->state, body);
    impl_->record<&World::set_material>(id, material);
}

} // namespace rigor
