// Far from the origin: positions are rounded there, but what bodies do must not depend on it.

#include <gtest/gtest.h>

#include "support/worlds.h"
#include "test_support.h"

namespace rigor::test {
namespace {

/// A body that tumbles on a half-space with slow bounces at its end, whose times depend on the last
/// digits of every gap.
World tumble(const ShapeGeometry& geometry, const Vec3d& shift, bool plane_first) {
    World world(settings_of(Method::faithful));
    BodyDef tossed = with_material(body(geometry, Vec3d{0.1, 0.2, 0.3} + shift), 0.3, 0.1);
    tossed.orientation = normalize(Quatd{0.7, 0.3, -0.2, 0.5});
    tossed.velocity = {0.4, -0.3, -0.5};
    tossed.angular_velocity = {3, -2, 5};
    if (plane_first) world.add_body(with_material(ground(), 0.3, 0.1)).value();
    world.add_body(tossed).value();
    if (!plane_first) world.add_body(with_material(ground(), 0.3, 0.1)).value();
    return world;
}

// Along a half-space nothing changes, so velocities are the same to the bit: neither corners nor
// gaps may be computed from coordinates that are rounded.
TEST(FarFromOrigin, ATossAlongAPlaneIsTheSameToTheBit) {
    const ShapeGeometry shapes[] = {BoxDef{{0.1, 0.2, 0.15}}, CapsuleDef{0.05, 0.1},
                                    CylinderDef{0.06, 0.2}, SphereDef{0.1}};
    for (const ShapeGeometry& shape : shapes)
        for (const bool plane_first : {true, false}) {
            SCOPED_TRACE(message("shape ", shape.index(), ", plane first ", plane_first));
            World here = tumble(shape, {}, plane_first);
            World there = tumble(shape, {6000, -8000, 0}, plane_first);
            const BodyId id = here.bodies()[plane_first ? 1 : 0];
            for (int i = 0; i < 90; ++i) {
                here.step(1.0 / 60), there.step(1.0 / 60);
                const BodyState a = here.state(id), b = there.state(id);
                ASSERT_EQ(a.velocity, b.velocity) << "step " << i;
                ASSERT_EQ(a.angular_velocity, b.angular_velocity) << "step " << i;
                ASSERT_EQ(a.position.z, b.position.z) << "step " << i;
            }
        }
}

} // namespace
} // namespace rigor::test
