// A world state without a World, so that single stages of a step can be tested.
#pragma once

#include "contact_dynamics/step_context.h"
#include "dynamics/angular_velocity.h"
#include "model/body_builder.h"
#include "rigor/body.h"

namespace rigor::faithful {

/// Slots of a body and of its only shape.
struct AddedBody {
    BodyId id;
    std::uint32_t body = 0, shape = 0;
};

struct StepFixture {
    WorldState state;
    contact_dynamics::Laws laws;
    contact_dynamics::StepBudget budget;
    ThreadTeam team{1};
    Profile profile;
    contact_dynamics::StepContext context{state, laws, budget, team, profile};

    AddedBody add(const BodyDef& def) {
        BuiltBody built = build_body(def).value();
        BodyStore& bodies = state.bodies;
        const BodyId id = bodies.add();
        const std::uint32_t i = id.index;
        bodies.motion[i] = built.motion;
        bodies.inertia[i] = built.inertia;
        bodies.traits[i] = built.traits;
        bodies.mobility[i] = built.mobility;
        built.shapes[0].body = id;
        const std::uint32_t shape = state.shapes.insert(std::move(built.shapes[0])).index;
        bodies.traits[i].first_shape = shape;
        set_velocity(bodies, i, def.velocity);
        set_angular_velocity(bodies, i, def.angular_velocity);
        return {id, i, shape};
    }

    AddedBody add(const ShapeGeometry& geometry, const Vec3d& position,
                  const Vec3d& velocity = {}) {
        BodyDef def;
        def.shapes.push_back({.geometry = geometry});
        def.position = position;
        def.velocity = velocity;
        return add(def);
    }

    AddedBody add_ground() {
        BodyDef def;
        def.type = BodyType::static_body;
        def.shapes.push_back({.geometry = PlaneDef{{0, 0, 1}, 0}});
        return add(def);
    }
};

} // namespace rigor::faithful
