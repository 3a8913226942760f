// Bodies that are concave meshes, under `fast`.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "fast_settings.h"
#include "rigor/world.h"
#include "support/ring_mesh.h"
#include "test_support.h"

namespace rigor::test {
namespace {

MeshDef ring() {
    return MeshDef{std::make_shared<const TriangleSoup>(ring_mesh(0.4, 0.1, 24, 12))};
}

// The contact of a ring that swings in another one moves over both. With the contact of the
// beginning of each step the swing grew, and after 5 s a chain of twenty was 29 mm deep in itself;
// and sweeps did not carry the load through so many rings.
TEST(MeshBodies, ChainsOfRingsDoNotSwingByThemselves) {
    for (const double load : {0.0, 2000.0}) {
        SCOPED_TRACE(message("load ", load));
        World world(fast_settings());
        const Quatd upright{std::sqrt(0.5), std::sqrt(0.5), 0, 0},
            across{std::sqrt(0.5), 0, std::sqrt(0.5), 0};
        constexpr int kRings = 20;
        for (int i = 0; i < kRings; ++i) {
            BodyDef def = body(ring(), {0, 0, -0.598 * i},
                               i == 0 ? BodyType::static_body : BodyType::dynamic_body);
            def.orientation = i % 2 == 0 ? upright : across;
            if (i == kRings - 1 && load > 0) def.mass = load;
            world.add_body(def).value();
        }
        const double start = world.energy().total();
        for (int i = 0; i < 300; ++i) {
            world.step(1.0 / 60);
            ASSERT_LT(deepest(world), 1e-3) << "step " << i;
            ASSERT_LT(world.energy().total(), start + 1e-6 * std::abs(start)) << "step " << i;
        }
    }
}

// The widest vertices near the plane were points of the contact, though not the lowest: five of
// twelve rings came to rest 11 to 15 mm deep.
TEST(MeshBodies, RingsLieOnAPlane) {
    Random random(3);
    for (int i = 0; i < 8; ++i) {
        SCOPED_TRACE(message("fall ", i));
        World world(fast_settings());
        world.add_body(body(PlaneDef{{0, 0, 1}, 0}, {}, BodyType::static_body)).value();
        BodyDef def = body(ring(), {0, 0, 0.9});
        def.orientation = normalize(Quatd{random.uniform(-1, 1), random.uniform(-1, 1),
                                          random.uniform(-1, 1), random.uniform(-1, 1)});
        def.velocity = random.vec(-2, 2);
        def.angular_velocity = random.vec(-4, 4);
        const BodyId id = world.add_body(def).value();
        for (int k = 0; k < 600; ++k) world.step(1.0 / 60);
        EXPECT_LT(deepest(world), 1e-3);
        EXPECT_NEAR(world.state(id).position.z, 0.1, 2e-3);
    }
}

} // namespace
} // namespace rigor::test
