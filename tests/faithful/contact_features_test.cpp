// Contacts whose features end or change while bodies move: the end of a cylinder's side, and
// a contact that another one succeeds.

#include <gtest/gtest.h>

#include <numbers>

#include "contact_dynamics/contact_detection.h"
#include "rigor/rotation.h"
#include "step_fixture.h"

namespace rigor::faithful {
namespace {

/// A rounded cylinder along x, 0.36 m between its rims, that crosses the edge of a box along y at
/// `crossing` from its center.
struct CylinderOnEdge {
    StepFixture fixture;
    contact_dynamics::Island island;

    explicit CylinderOnEdge(double crossing) {
        BodyDef box = test::body(BoxDef{{1, 1, 0.2}}, {0.5, 0, -0.1}, BodyType::static_body);
        BodyDef pin = test::body(CylinderDef{0.05, 0.38});
        pin.shapes[0].rounding = 0.01;
        // Its end over the box is lifted, so that the edge at x = 0 carries its side.
        const Quatd lifted = from_rotation_vector(Vec3d{0, -0.2, 0});
        const Vec3d axis = rotate(lifted, {1, 0, 0}), down = rotate(lifted, {0, 0, -1});
        pin.orientation = lifted * from_rotation_vector(Vec3d{0, std::numbers::pi / 2, 0});
        pin.position = axis * -crossing - down * 0.05;
        island.pairs = {{fixture.add(box).shape, fixture.add(pin).shape}};
        contact_dynamics::update_contacts(fixture.state, fixture.laws, 0, 1e-11, island);
    }
};

// The side of a cylinder ends at its rim: the contact there is no crossing of two lines, which
// would go on outside of the cylinder.
TEST(ContactFeatures, TheSideOfACylinderEndsAtItsRim) {
    using contact_dynamics::FeatureForm;
    const CylinderOnEdge inside(0.17), at_end(0.18);
    ASSERT_EQ(inside.island.contacts.size(), 1u);
    EXPECT_EQ(inside.island.contacts[0].geometry.b.form, FeatureForm::line);
    ASSERT_EQ(at_end.island.contacts.size(), 1u);
    EXPECT_EQ(at_end.island.contacts[0].geometry.b.form, FeatureForm::point);
}

// Where features change, the contact that is found and the one that was followed are next to each
// other, and both are on the surfaces. Together they would hold the ball like a glued one.
TEST(ContactFeatures, AContactThatIsSucceededIsNotKept) {
    using namespace contact_dynamics;
    StepFixture fixture;
    const AddedBody ground = fixture.add_ground(), ball = fixture.add(SphereDef{0.5}, {0, 0, 0.5});
    Island island;
    island.pairs = {{ground.shape, ball.shape}};
    update_contacts(fixture.state, fixture.laws, 0, 1e-11, island);
    ASSERT_EQ(island.contacts.size(), 1u);
    BodyFeature& point = island.contacts[0].geometry.b;
    point = {FeatureForm::point, {2e-6, 0, -0.5}, {}, 0, 0};
    update_contacts(fixture.state, fixture.laws, 0, 1e-11, island);
    EXPECT_EQ(island.contacts.size(), 1u);
}

} // namespace
} // namespace rigor::faithful
