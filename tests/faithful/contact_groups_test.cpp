// Groups of Moreau time stepping: independent contact problems.

#include "faithful/moreau/contact_groups.h"

#include <gtest/gtest.h>

#include "step_fixture.h"

namespace rigor::faithful {
namespace {

/// A ground and three balls as one island without contacts.
struct ContactGroups : testing::Test {
    ContactGroups() {
        fixture.add_ground();
        for (int i = 0; i < 3; ++i) fixture.add(SphereDef{0.5}, {2.0 * i, 0, 0.5});
        for (std::uint32_t body = 0; body < 4; ++body) world.find_or_add_body(body, fixture.state);
    }

    void add_contact(std::uint32_t a, std::uint32_t b) {
        Contact contact;
        contact.a = a;
        contact.b = b;
        world.contacts.push_back(contact);
    }

    StepFixture fixture;
    Island world;
};

using Bodies = std::vector<std::uint32_t>;

TEST_F(ContactGroups, ShareStaticBodiesOnly) {
    add_contact(0, 1);
    add_contact(2, 3);
    add_contact(0, 2);
    const std::vector<ContactGroup> groups = contact_groups(fixture.state, world);
    ASSERT_EQ(groups.size(), 2u);
    EXPECT_EQ(groups[0].island.bodies, (Bodies{0, 1}));
    EXPECT_EQ(groups[1].island.bodies, (Bodies{2, 3, 0}));
    const std::vector<Contact>& contacts = groups[1].island.contacts;
    ASSERT_EQ(contacts.size(), 2u);
    EXPECT_EQ(groups[1].island.bodies[contacts[1].a], 0u); // indices in the group
    EXPECT_EQ(groups[1].island.bodies[contacts[1].b], 2u);
}

TEST_F(ContactGroups, JointsUniteGroups) {
    add_contact(0, 1);
    add_contact(0, 3);
    world.joints.push_back({0, 1, 3});
    const std::vector<ContactGroup> groups = contact_groups(fixture.state, world);
    ASSERT_EQ(groups.size(), 1u);
    EXPECT_EQ(groups[0].island.bodies, (Bodies{0, 1, 3}));
    ASSERT_EQ(groups[0].island.joints.size(), 1u);
    EXPECT_EQ(groups[0].island.joints[0].a, 1u);
    EXPECT_EQ(groups[0].island.joints[0].b, 2u);
}

TEST_F(ContactGroups, StoreTheMotionOfTheirMovingBodies) {
    add_contact(0, 3);
    std::vector<ContactGroup> groups = contact_groups(fixture.state, world);
    ASSERT_EQ(groups.size(), 1u);
    for (BodyMotion& m : groups[0].island.motion) m.p = {1, 2, 3};
    store_motion(fixture.state, groups[0], world);
    EXPECT_EQ(world.motion[0].p, Vec3d{});
    EXPECT_EQ(world.motion[1].p, Vec3d{});
    EXPECT_EQ(world.motion[3].p, (Vec3d{1, 2, 3}));
}

} // namespace
} // namespace rigor::faithful
