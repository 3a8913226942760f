// Far from the origin: positions are rounded there, but what bodies do must not depend on it.

#include <gtest/gtest.h>

#include "rigor/rotation.h"
#include "support/worlds.h"
#include "test_support.h"

namespace rigor::test {
namespace {

std::vector<ShapeGeometry> solids() {
    const std::vector<Vec3d> corners{{0.1, 0, -0.05},   {-0.05, 0.1, -0.04}, {-0.06, -0.09, -0.05},
                                     {0.02, 0.01, 0.1}, {0.05, 0.08, 0.05},  {-0.04, 0.02, 0.09}};
    const auto soup = std::make_shared<const TriangleSoup>(
        TriangleSoup{{{0.1, 0, 0}, {-0.1, 0.1, 0}, {-0.1, -0.1, 0}, {0, 0, 0.15}},
                     {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}});
    const CompoundDef hammer{{{.geometry = BoxDef{{0.1, 0.1, 0.05}}},
                              {.geometry = CapsuleDef{0.02, 0.2}, .position = {0, 0, 0.1}}}};
    return {BoxDef{{0.1, 0.2, 0.15}}, CapsuleDef{0.05, 0.1}, CylinderDef{0.06, 0.2}, SphereDef{0.1},
            ConeDef{0.1, 0.2},        HullDef{corners},      MeshDef{soup},          hammer};
}

/// A body that tumbles on a half-space with slow bounces at its end, whose times depend on the last
/// digits of every gap.
struct Toss {
    World world{settings_of(Method::faithful)};
    BodyId tossed;
    int ambiguous = 0; ///< impacts whose outcome depends on the order of contacts

    Toss(const ShapeGeometry& geometry, const BodyDef& floor, const Vec3d& start, bool floor_first,
         const Quatd& view = {}) {
        WorldSettings settings = settings_of(Method::faithful);
        settings.gravity = rotate(view, settings.gravity);
        world = World(settings);
        BodyDef def =
            with_material(body(geometry, start + rotate(view, {0.1, 0.2, 0.3})), 0.3, 0.1);
        def.orientation = view * normalize(Quatd{0.7, 0.3, -0.2, 0.5});
        def.velocity = rotate(view, {0.4, -0.3, -0.5});
        def.angular_velocity = rotate(view, {3, -2, 5});
        if (floor_first) world.add_body(with_material(floor, 0.3, 0.1)).value();
        tossed = world.add_body(def).value();
        if (!floor_first) world.add_body(with_material(floor, 0.3, 0.1)).value();
    }

    BodyState step() {
        ambiguous += world.step(kStep).ambiguous_count;
        return world.state(tossed);
    }
};

/// Contacts are at the same places beside their bodies, with the same normals.
void expect_same_contacts(const World& here, const World& there, const Vec3d& shift,
                          double tolerance) {
    const std::vector<ContactView> a = here.contacts(), b = there.contacts();
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_LT(length(b[i].points[0].point - shift - a[i].points[0].point), tolerance);
        EXPECT_LT(length(b[i].normal - a[i].normal), 1e-14);
    }
}

// Along a half-space nothing changes, so velocities are the same to the bit: neither corners nor
// gaps may be computed from coordinates that are rounded.
TEST(FarFromOrigin, ATossAlongAPlaneIsTheSameToTheBit) {
    for (const ShapeGeometry& shape : solids())
        for (const bool plane_first : {true, false}) {
            const Vec3d near_by{6e3, -8e3, 0}, far_off{6e5, -8e5, 0};
            Toss here(shape, ground(), {}, plane_first);
            Toss there(shape, ground(), near_by, plane_first);
            Toss farther(shape, ground(), far_off, plane_first);
            SCOPED_TRACE(message("shape ", shape.index(), ", plane first ", plane_first));
            for (int i = 0; i < 30; ++i) {
                const BodyState a = here.step();
                for (Toss* other : {&there, &farther}) {
                    const BodyState b = other->step();
                    ASSERT_EQ(a.velocity, b.velocity) << "step " << i;
                    ASSERT_EQ(a.angular_velocity, b.angular_velocity) << "step " << i;
                    ASSERT_EQ(a.position.z, b.position.z) << "step " << i;
                }
            }
            expect_same_contacts(here.world, there.world, near_by, 1e-10);
            expect_same_contacts(here.world, farther.world, far_off, 1e-8);
        }
}

/// Static bodies whose surface is z = 0 at the origin.
std::vector<BodyDef> floors() {
    const auto soup = std::make_shared<const TriangleSoup>(
        TriangleSoup{{{5, 0, 0}, {-5, 5, 0}, {-5, -5, 0}, {0, 0, -1}},
                     {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}}});
    const HeightFieldDef field{10, 10, 3, 3, std::vector<double>(9, 0)};
    return {ground(), body(BoxDef{{10, 10, 1}}, {0, 0, -0.5}, BodyType::static_body),
            body(MeshDef{soup}, {}, BodyType::static_body), body(field, {}, BodyType::static_body)};
}

// A floor that is moved with the body, level or tilted: what a stored position is rounded by,
// 1e-12 m, is all that differs, until it decides an impact.
TEST(FarFromOrigin, AFloorMayBeFarAwayItself) {
    const Vec3d shift{6000, -8000, 100};
    for (const Quatd& view : {Quatd{1, 0, 0, 0}, normalize(Quatd{0.9, 0.2, -0.1, 0.3})})
        for (BodyDef floor : floors())
            for (const bool floor_first : {true, false}) {
                SCOPED_TRACE(message("floor ", floor.shapes[0].geometry.index(), ", tilted ",
                                     view.w < 1, ", floor first ", floor_first));
                floor.orientation = view;
                BodyDef near_floor = floor, far_floor = floor;
                near_floor.position = rotate(view, floor.position);
                far_floor.position = near_floor.position + shift;
                const BoxDef box{{0.1, 0.2, 0.15}};
                Toss here(box, near_floor, {}, floor_first, view);
                Toss there(box, far_floor, shift, floor_first, view);
                for (int i = 0; i < 40 && here.ambiguous + there.ambiguous == 0; ++i) {
                    const Vec3d apart = there.step().position - shift - here.step().position;
                    if (here.ambiguous + there.ambiguous == 0) {
                        ASSERT_LT(length(apart), 1e-9) << "step " << i;
                    }
                }
            }
}

} // namespace
} // namespace rigor::test
