// Bodies that slide and spin at once: their points share the friction.

#include <gtest/gtest.h>

#include "fast_settings.h"
#include "rigor/world.h"
#include "test_support.h"

namespace rigor {
namespace {

/// How far a body at 2 m/s slides on a floor with a friction of 0.3 while it spins.
double slides_by(const ShapeGeometry& geometry, double spin, Method method) {
    WorldSettings settings = test::fast_settings();
    settings.method = method;
    World world(settings);
    test::add_ground(world, 0.3);
    BodyDef def = test::with_material(test::body(geometry, {0, 0, 0.05}), 0.3);
    def.velocity = {2, 0, 0};
    def.angular_velocity = {0, 0, spin};
    const BodyId body = world.add_body(def).value();
    for (int i = 0; i < 90; ++i) world.step(1.0 / 60);
    return world.pose(body).p.x;
}

// The friction of a point that goes sideways slows the body little: a puck that spins slides up to
// twice as far, and both motions end together.
TEST(Sliding, ASpinningPuckSlidesFurther) {
    for (const ShapeGeometry& geometry :
         {ShapeGeometry{CylinderDef{0.3, 0.1}}, ShapeGeometry{BoxDef{{0.5, 0.5, 0.1}}}})
        for (const double spin : {0.0, 4.0, 8.0, 16.0, -8.0}) {
            const double exact = slides_by(geometry, spin, Method::faithful);
            EXPECT_NEAR(slides_by(geometry, spin, Method::fast) / exact, 1, 0.015) << spin;
            EXPECT_GT(exact, spin == 0 ? 0.67 : 0.73) << spin;
        }
}

} // namespace
} // namespace rigor
