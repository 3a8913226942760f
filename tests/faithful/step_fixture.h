// A world state without a World, so that single stages of a step can be tested.
#pragma once

#include "contact_dynamics/step_context.h"
#include "dynamics/angular_velocity.h"
#include "model/body_builder.h"
#include "support/bodies.h"

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
        const BodyId id = insert_body(state, build_body(def).value());
        const std::uint32_t i = id.index;
        set_velocity(state.bodies, i, def.velocity);
        set_angular_velocity(state.bodies, i, def.angular_velocity);
        return {id, i, state.bodies.traits[i].first_shape};
    }

    AddedBody add(const ShapeGeometry& geometry, const Vec3d& position,
                  const Vec3d& velocity = {}) {
        BodyDef def = test::body(geometry, position);
        def.velocity = velocity;
        return add(def);
    }

    AddedBody add_ground() { return add(test::ground()); }
};

} // namespace rigor::faithful
