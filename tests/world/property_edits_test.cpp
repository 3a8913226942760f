// Edits of mass, material and freezing while the world runs; and bounding boxes for display.

#include "support/worlds.h"
#include "test_support.h"

namespace rigor::test {
namespace {

constexpr double kFriction = 0.4;

BodyId add_box(World& world, const Vec3d& position) {
    return world.add_body(with_material(body(BoxDef{}, position), kFriction)).value();
}

TEST(SetMass, KeepsVelocitiesAndScalesInertia) {
    World world({.method = Method::free});
    const BodyId box = add_box(world, {});
    world.set_velocity(box, {1, 2, 3});
    world.set_angular_velocity(box, {0.1, 0.2, 0.3});
    const MassProperties before = world.mass_properties(box);
    world.set_mass(box, 2 * before.mass);
    EXPECT_EQ(world.mass_properties(box).mass, 2 * before.mass);
    EXPECT_EQ(world.mass_properties(box).inertia, before.inertia * 2);
    EXPECT_EQ(world.state(box).velocity, (Vec3d{1, 2, 3}));
    EXPECT_NEAR(length(world.state(box).angular_velocity - Vec3d{0.1, 0.2, 0.3}), 0, 1e-15);
    // The energy it brought is booked.
    EXPECT_NEAR(world.ledger().edits, world.energy().kinetic, 1e-9 * world.energy().kinetic);
    EXPECT_THROW(world.set_mass(box, 0), UsageError);
    EXPECT_THROW(world.set_mass(box, NAN), UsageError);
}

// A frozen body holds what lies on it, and falls when it is thawed.
TEST(SetFrozen, StandsInTheAirAndFallsWhenThawed) {
    for (const Method method : {Method::free, Method::fast, Method::faithful}) {
        SCOPED_TRACE(message(name(method)));
        World world(settings_of(method));
        add_ground(world, kFriction);
        const BodyId low = add_box(world, {0, 0, 5}), high = add_box(world, {0, 0, 6.01});
        world.set_velocity(low, {1, 0, 0});
        world.set_frozen(low, true);
        run_steps(world, 60);
        EXPECT_EQ(world.pose(low).p, (Vec3d{0, 0, 5}));
        if (method != Method::free) {
            EXPECT_NEAR(world.pose(high).p.z, 6, 0.02);
        }
        world.set_frozen(low, false);
        run_steps(world, 60);
        EXPECT_LT(world.pose(low).p.z, 1);
    }
}

// On a slope of angle arctan(0.25) a box stays with friction 0.4 and slides without.
TEST(SetMaterial, IsFeltByWhatTouchesAlready) {
    World world(settings_of(Method::fast));
    const Vec3d normal = normalize(Vec3d{0.25, 0, 1});
    const BodyDef slope = body(PlaneDef{normal, 0}, {}, BodyType::static_body);
    world.add_body(with_material(slope, kFriction)).value();
    const double angle = std::atan(0.25);
    BodyDef def = with_material(body(BoxDef{}, normal * 0.5), kFriction);
    def.orientation = {std::cos(angle / 2), 0, std::sin(angle / 2), 0};
    const BodyId box = world.add_body(def).value();
    run_steps(world, 120);
    const double before = world.pose(box).p.x;
    EXPECT_NEAR(before, def.position.x, 0.02);
    Material material = world.material(world.shapes(box)[0]);
    material.static_friction = material.kinetic_friction = 0;
    world.set_material(world.shapes(box)[0], material);
    run_steps(world, 60);
    EXPECT_GT(world.pose(box).p.x, before + 0.5);
    material.restitution = 2;
    EXPECT_THROW(world.set_material(world.shapes(box)[0], material), UsageError);
    EXPECT_THROW(world.material({}), UsageError);
}

TEST(Bounds, HoldAllShapes) {
    World world({.method = Method::free});
    BodyDef def;
    def.position = {1, 2, 3};
    def.shapes = {{SphereDef{0.5}}, {BoxDef{{1, 1, 1}}, {0, 0, 2}}};
    const BodyId id = world.add_body(def).value();
    EXPECT_EQ(world.bounds(id).lo, (Vec3d{0.5, 1.5, 2.5}));
    EXPECT_EQ(world.bounds(id).hi, (Vec3d{1.5, 2.5, 5.5}));
}

TEST(SearchBoxes, NestAndEndInTheShapes) {
    World world({.method = Method::free});
    EXPECT_TRUE(world.search_boxes().empty());
    for (int i = 0; i < 100; ++i) add_box(world, {3.0 * i, 0, 0});
    int leaves = 0;
    std::vector<Bounds> path;
    for (const TreeBox& node : world.search_boxes()) {
        path.resize(static_cast<std::size_t>(node.depth));
        for (const Bounds& above : path) {
            EXPECT_EQ(min(above.lo, node.box.lo), above.lo);
            EXPECT_EQ(max(above.hi, node.box.hi), above.hi);
        }
        path.push_back(node.box);
        leaves += node.leaf;
    }
    EXPECT_EQ(leaves, 100);
}

// Going back shows what touched then, whatever the method.
TEST(Snapshot, RemembersContacts) {
    for (const Method method : {Method::fast, Method::faithful}) {
        SCOPED_TRACE(message(name(method)));
        World world(settings_of(method));
        add_ground(world, kFriction);
        const BodyId box = add_box(world, {0, 0, 0.5});
        run_steps(world, 10);
        const std::size_t contacts = world.contacts().size();
        ASSERT_GT(contacts, 0u);
        const Snapshot then = world.snapshot();
        world.set_pose(box, {{0, 0, 5}, {}});
        world.step(kStep);
        EXPECT_EQ(world.contacts().size(), 0u);
        world.restore(then);
        EXPECT_EQ(world.contacts().size(), contacts);
    }
}

std::string refusal(const std::function<void()>& call) {
    try {
        call();
    } catch (const UsageError& error) {
        return error.what();
    }
    return "";
}

TEST(BodyEdits, RefusalsHaveTheValue) {
    const double nan = std::nan("");
    World world;
    BodyDef def;
    def.shapes = {{BoxDef{{1, 1, 1}}}};
    const BodyId box = world.add_body(def).value();
    const ShapeId shape = world.shapes(box)[0];
    EXPECT_EQ(refusal([&] { world.step(-1); }), "dt must be positive and finite, got -1");
    EXPECT_EQ(refusal([&] { world.set_mass(box, 0); }), "mass must be positive and finite, got 0");
    EXPECT_EQ(refusal([&] { world.set_mass(box, 1e200); }).substr(0, 58),
              "mass and inertia must be from 1e-100 to 1e100, got 1e+200 ");
    EXPECT_EQ(refusal([&] {
                  world.set_velocity(box, {0, nan, 0});
              }),
              "velocity must be finite, got (0, nan, 0)");
    EXPECT_EQ(refusal([&] {
                  world.set_pose(box, {{}, {2, 0, 0, 0}});
              }),
              "orientation must be a unit quaternion within 1e-3, got [2, 0, 0, 0]");
    EXPECT_EQ(refusal([&] {
                  world.set_material_pair({0, 1, -1.0, {}, {}});
              }),
              "static_friction must be finite and not negative, got -1");
    Material material;
    material.restitution = 2;
    EXPECT_EQ(refusal([&] { world.set_material(shape, material); }),
              "restitution must be from 0 to 1, got 2");
    EXPECT_EQ(refusal([&] {
                  world.overlap_box({1, 0, 0}, {0, 1, 1});
              }),
              "the box must have lo <= hi along every axis, got (1, 0, 0) and (0, 1, 1)");
    world.remove_body(box);
    EXPECT_EQ(refusal([&] { (void)world.state(box); }),
              "no such body in this world: it was removed, or the id is of another world");
    EXPECT_EQ(refusal([&] { (void)world.material(shape); }),
              "no such shape in this world: its body was removed, or the id is of another world");
}

} // namespace
} // namespace rigor::test
