// A state with a few bodies, for tests of single stages of a method step.
#pragma once

#include "dynamics/angular_velocity.h"
#include "literature/method_contacts.h"
#include "model/body_builder.h"
#include "support/bodies.h"

namespace rigor::test {

constexpr double kGravity = 9.81;
constexpr double kBallRadius = 0.5;

struct StageWorld {
    WorldState state;

    explicit StageWorld(double gravity = kGravity) { state.gravity = {0, 0, -gravity}; }

    std::uint32_t add(const BodyDef& def) {
        const std::uint32_t i = insert_body(state, build_body(def).value()).index;
        set_velocity(state.bodies, i, def.velocity);
        return i;
    }
    std::uint32_t add_ground() { return add_static(PlaneDef{{0, 0, 1}, 0}); }
    std::uint32_t add_static(const ShapeGeometry& geometry) {
        return add(body(geometry, {}, BodyType::static_body));
    }
    std::uint32_t add_ball(const Vec3d& position, const Vec3d& velocity = {}, double mass = 1,
                           double radius = kBallRadius) {
        BodyDef def = body(SphereDef{radius}, position);
        def.velocity = velocity;
        const double moment = 0.4 * mass * radius * radius;
        def.mass_properties = MassProperties{mass, {}, Sym3d::diagonal({moment, moment, moment})};
        return add(def);
    }

    /// The first two stages of a step.
    literature::MethodState detect(const literature::MethodParts& method, double time_left = 0.01) {
        ThreadTeam team(1);
        literature::MethodState step(state);
        literature::find_pairs(method, time_left, team, state, step);
        literature::find_contacts(state, method, step);
        return step;
    }
};

} // namespace rigor::test
