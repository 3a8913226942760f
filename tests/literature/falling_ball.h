// A ball over the ground, under one of the methods from the literature.
#pragma once

#include "support/worlds.h"

namespace rigor::test {

struct FallingBall {
    static constexpr double kFriction = 0.5;
    static constexpr double kRadius = 0.5;

    World world;
    BodyId id;

    FallingBall(Method method, double gap, double restitution = 0, const ContactLaws& laws = {})
        : world(with_laws(method, laws)) {
        add_ground(world, kFriction, restitution);
        const BodyDef ball = body(SphereDef{kRadius}, {0, 0, kRadius + gap});
        id = world.add_body(with_material(ball, kFriction, restitution)).value();
    }

    static WorldSettings with_laws(Method method, const ContactLaws& laws) {
        WorldSettings settings = settings_of(method);
        settings.laws = laws;
        return settings;
    }

    double gap() const { return world.state(id).position.z - kRadius; }
    double speed() const { return world.state(id).velocity.z; }
    void run(double seconds) { test::run(world, seconds); }
};

} // namespace rigor::test
