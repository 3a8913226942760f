// The world as its users meet it, without contacts.

#include "rigor/world.h"

#include "test_support.h"

namespace rigor {
namespace {

constexpr double kQuarterTurn = 1.5707963267948966;

BodyDef box(const Vec3d& size = {1, 1, 1}) {
    BodyDef def;
    def.name = "box";
    def.shapes.push_back({BoxDef{size}});
    return def;
}

World weightless(Integrator integrator = Integrator::exact) {
    return World({{}, integrator, 1, 1, Method::free});
}

constexpr Integrator kAll[] = {Integrator::euler, Integrator::symplectic, Integrator::rk4,
                               Integrator::exact};

TEST(World, MassComesFromShapesAndDensities) {
    World world({.method = Method::free});
    BodyDef def = box({1, 2, 3});
    const MassProperties plain = world.mass_properties(world.add_body(def).value());
    EXPECT_DOUBLE_EQ(plain.mass, 6000);
    EXPECT_NEAR(plain.inertia.xx, 6000.0 / 12 * (4 + 9), 1e-9);

    def.mass = 12;
    const MassProperties rescaled = world.mass_properties(world.add_body(def).value());
    EXPECT_DOUBLE_EQ(rescaled.mass, 12);
    EXPECT_NEAR(rescaled.inertia.zz, 12.0 / 12 * (1 + 4), 1e-12);

    def.mass_properties = MassProperties{3, {0.1, 0, 0}, Sym3d::diagonal({1, 2, 2.5})};
    const MassProperties given = world.mass_properties(world.add_body(def).value());
    EXPECT_EQ(given.mass, 3);
    EXPECT_EQ(given.inertia.yy, 2);
    EXPECT_EQ(given.center, (Vec3d{0.1, 0, 0}));
}

// Two unit cubes side by side are a 2 x 1 x 1 box, wherever the body's frame is; a sensor on
// top weighs nothing.
TEST(World, ShapesAddUpToTheBodyTheyFill) {
    World world({.method = Method::free});
    BodyDef def;
    for (const double x : {3.0, 4.0}) {
        ShapeDef shape{BoxDef{}};
        shape.position = {x, 0, 0};
        def.shapes.push_back(shape);
    }
    ShapeDef sensor{SphereDef{5}};
    sensor.sensor = true;
    def.shapes.push_back(sensor);
    def.position = {0, 0, 7};
    const BodyId id = world.add_body(def).value();
    const MassProperties mass = world.mass_properties(id);
    EXPECT_NEAR(mass.mass, 2000, 1e-9);
    EXPECT_LT(length(mass.center - Vec3d{3.5, 0, 0}), 1e-14);
    EXPECT_NEAR(mass.inertia.yy, 2000.0 / 12 * (4 + 1), 1e-9);
    EXPECT_LT(length(world.state(id).position - Vec3d{3.5, 0, 7}), 1e-14);
    EXPECT_LT(length(world.pose(id).p - Vec3d{0, 0, 7}), 1e-14);
}

TEST(World, CompoundsAreTheSumOfTheirParts) {
    World world({.method = Method::free});
    ShapeDef left{BoxDef{}}, right{BoxDef{}};
    left.position = {-0.5, 0, 0};
    right.position = {0.5, 0, 0};
    ShapeDef compound{CompoundDef{{left, right}}};
    compound.orientation = from_axis_angle(Vec3d{0, 0, 1}, kQuarterTurn);
    BodyDef def;
    def.shapes = {compound};
    const MassProperties mass = world.mass_properties(world.add_body(def).value());
    EXPECT_NEAR(mass.mass, 2000, 1e-9);
    EXPECT_NEAR(mass.inertia.xx, 2000.0 / 12 * (4 + 1), 1e-9); // along y now
}

TEST(World, FreeFallIsAParabola) {
    World world({.method = Method::free});
    BodyDef def = box();
    def.velocity = {3, 0, 10};
    def.angular_velocity = {1, 2, 3};
    const BodyId id = world.add_body(def).value();
    for (int i = 0; i < 600; ++i) world.step(1.0 / 60);
    const Vec3d expected{30, 0, 100 - 0.5 * 9.81 * 100};
    EXPECT_LT(length(world.state(id).position - expected), 1e-13 * length(expected));
    EXPECT_NEAR(world.time(), 10, 1e-12);
    EXPECT_EQ(world.step_count(), 600u);
}

TEST(World, GravityScaleDecidesHowMuchABodyFalls) {
    World world({.method = Method::free});
    BodyDef def = box();
    def.gravity_scale = -0.5;
    const BodyId id = world.add_body(def).value();
    world.step(2);
    EXPECT_NEAR(world.state(id).position.z, 0.25 * 9.81 * 4, 1e-12);
}

TEST(World, StaticBodiesStayAndKinematicOnesMoveAsTold) {
    World world({.method = Method::free});
    BodyDef def = box();
    def.type = BodyType::static_body;
    def.velocity = {1, 0, 0};
    const BodyId wall = world.add_body(def).value();
    def.type = BodyType::kinematic_body;
    def.angular_velocity = {0, 0, 0.5};
    def.linear_damping = def.angular_damping = 3; // what moves as told is not slowed down
    const BodyId platform = world.add_body(def).value();
    world.apply_force(platform, {1e6, 0, 0});
    for (int i = 0; i < 60; ++i) world.step(1.0 / 60);
    EXPECT_EQ(world.state(wall).position, Vec3d{});
    EXPECT_EQ(world.state(wall).velocity, Vec3d{});
    EXPECT_LT(length(world.state(platform).position - Vec3d{1, 0, 0}), 1e-14);
    EXPECT_LT(length(to_rotation_vector(world.state(platform).orientation) - Vec3d{0, 0, 0.5}),
              1e-14);
    EXPECT_EQ(world.mass_properties(platform).mass, 0);
    EXPECT_EQ(world.energy().total(), 0); // no mass, no energy
    EXPECT_EQ(world.ledger().damping, 0);
    EXPECT_EQ(world.ledger().remainder, 0);
}

// F t = m v and τ t = I w, and the work of both is the kinetic energy.
TEST(World, ForcesAtPointsAccelerateAndTurn) {
    for (const Integrator integrator : kAll) {
        SCOPED_TRACE(name(integrator));
        World world = weightless(integrator);
        const BodyId id = world.add_body(box()).value(); // 1,000 kg, I = 1000/6
        const int steps = 100;
        for (int i = 0; i < steps; ++i) {
            const Vec3d center = world.state(id).position;
            world.apply_force_at(id, {0, 0, 300}, center + Vec3d{0, 0.5, 0});
            world.step(1.0 / steps);
        }
        const BodyState s = world.state(id);
        EXPECT_NEAR(s.velocity.z, 0.3, 1e-12);
        EXPECT_NEAR(s.angular_velocity.x, 150 / (1000.0 / 6), 1e-12);
        const Ledger ledger = world.ledger();
        if (integrator == Integrator::exact || integrator == Integrator::rk4) {
            EXPECT_NEAR(ledger.forces, world.energy().kinetic, 1e-9 * world.energy().kinetic);
            EXPECT_NEAR(ledger.remainder, 0, 1e-9 * world.energy().kinetic);
        }
    }
}

TEST(World, ForcesLastOneStepWhateverTheSubsteps) {
    World world({{}, Integrator::exact, 4, 1, Method::free});
    const BodyId id = world.add_body(box()).value();
    world.apply_force(id, {1000, 0, 0});
    world.step(1);
    EXPECT_NEAR(world.state(id).velocity.x, 1, 1e-14);
    world.step(1);
    EXPECT_NEAR(world.state(id).velocity.x, 1, 1e-14);
}

TEST(World, AnImpulseChangesMomentumAtOnce) {
    World world = weightless();
    const BodyId id = world.add_body(box()).value();
    world.apply_impulse_at(id, {0, 2000, 0}, {0.5, 0, 0});
    EXPECT_NEAR(world.state(id).velocity.y, 2, 1e-14);
    EXPECT_NEAR(world.state(id).angular_velocity.z, 1000 / (1000.0 / 6), 1e-12);
    EXPECT_NEAR(world.velocity_at(id, {0.5, 0, 0}).y, 2 + 0.5 * 6, 1e-12);
    EXPECT_NEAR(world.ledger().edits, world.energy().kinetic, 1e-9);
    EXPECT_LT(length(world.momentum().angular - Vec3d{0, 0, 1000}), 1e-10);
}

// v(t) = v0 exp(-c t), exactly, whatever the step.
TEST(World, DampingIsExponential) {
    for (const int steps : {1, 60}) {
        World world = weightless();
        BodyDef def = box();
        def.velocity = {2, 0, 0};
        def.angular_velocity = {0, 0, 3};
        def.linear_damping = 0.7;
        def.angular_damping = 0.3;
        const BodyId id = world.add_body(def).value();
        for (int i = 0; i < steps; ++i) world.step(1.0 / steps);
        EXPECT_NEAR(world.state(id).velocity.x, 2 * std::exp(-0.7), 1e-13);
        EXPECT_NEAR(world.state(id).angular_velocity.z, 3 * std::exp(-0.3), 1e-13);
        const Ledger ledger = world.ledger();
        EXPECT_LT(ledger.damping, 0);
        EXPECT_NEAR(ledger.edits + ledger.damping, world.energy().kinetic, 1e-9);
        EXPECT_NEAR(ledger.remainder, 0, 1e-9);
    }
}

// Terminal velocity m g = m c v.
TEST(World, AFallingBodyWithDampingReachesTerminalVelocity) {
    World world({.method = Method::free});
    BodyDef def = box();
    def.linear_damping = 2;
    const BodyId id = world.add_body(def).value();
    for (int i = 0; i < 2000; ++i) world.step(0.01);
    EXPECT_NEAR(world.state(id).velocity.z, -9.81 / 2, 1e-3);
}

TEST(World, LockedAxesStayPut) {
    for (const Integrator integrator : kAll) {
        SCOPED_TRACE(name(integrator));
        World world({{1, 2, -9.81}, integrator, 1, 1, Method::free});
        BodyDef def = box({1, 2, 3});
        def.lock = lock_ty | lock_rx | lock_rz; // plane "xz"
        def.orientation = normalize(Quatd{1, 0.2, 0.3, 0.4});
        def.velocity = {1, 5, 2};
        def.angular_velocity = {3, 2, 1};
        const BodyId id = world.add_body(def).value();
        const double spin_energy_start = world.energy().kinetic;
        for (int i = 0; i < 100; ++i) {
            world.apply_force_at(id, {0, 100, 0}, {1, 0, 1});
            world.step(0.01);
            ASSERT_EQ(world.state(id).position.y, 0);
            ASSERT_EQ(world.state(id).angular_velocity.x, 0);
            ASSERT_EQ(world.state(id).angular_velocity.z, 0);
        }
        EXPECT_NEAR(world.state(id).angular_velocity.y, 2, 1e-3);
        EXPECT_GT(world.energy().kinetic, spin_energy_start);
        if (integrator == Integrator::exact) {
            EXPECT_NEAR(world.ledger().remainder, 0, 1e-10 * world.energy().kinetic);
        }
    }
}

// Locks do no work, with two free axes just as with one.
TEST(World, OneLockedAxisKeepsTheEnergy) {
    World world = weightless();
    BodyDef def = box({1, 2, 3});
    def.lock = lock_rz;
    def.angular_velocity = {3, 2, 0};
    def.orientation = normalize(Quatd{1, 0.2, 0.3, 0.4});
    const BodyId id = world.add_body(def).value();
    const double before = world.energy().kinetic;
    for (int i = 0; i < 1000; ++i) world.step(1e-3);
    EXPECT_NEAR(world.energy().kinetic, before, 1e-10 * before);
    EXPECT_EQ(world.state(id).angular_velocity.z, 0);
}

TEST(World, MomentumIsConservedWithoutForces) {
    test::Random random(8);
    for (const Integrator integrator : kAll) {
        World world = weightless(integrator);
        for (int i = 0; i < 20; ++i) {
            BodyDef def = box({1, 2, 3});
            def.velocity = random.vec();
            def.angular_velocity = random.vec();
            def.orientation = random.rotation();
            world.add_body(def).value();
        }
        const Momentum before = world.momentum();
        for (int i = 0; i < 100; ++i) world.step(0.01);
        EXPECT_EQ(world.momentum().linear, before.linear);
        EXPECT_LT(length(world.momentum().angular - before.angular), 1e-9);
    }
}

TEST(World, TheLedgerBalances) {
    test::Random random(9);
    World world({.method = Method::free});
    std::vector<BodyId> ids;
    for (int i = 0; i < 30; ++i) {
        BodyDef def = box({random.uniform(0.5, 2), random.uniform(0.5, 2), random.uniform(0.5, 2)});
        def.velocity = random.vec();
        def.angular_velocity = random.vec(-5, 5);
        if (i % 3 == 0) def.angular_damping = 0.2;
        ids.push_back(world.add_body(def).value());
    }
    for (int i = 0; i < 200; ++i) {
        for (const BodyId id : ids) {
            world.apply_force(id, random.vec(-1000, 1000));
            world.apply_torque(id, random.vec(-500, 500));
        }
        if (i == 50) world.set_velocity(ids[3], {1, 1, 1});
        if (i == 70) world.remove_body(ids.back()), ids.pop_back();
        world.step(0.01);
    }
    const Ledger ledger = world.ledger();
    EXPECT_NEAR(ledger.remainder, 0, 1e-9 * world.energy().kinetic);
    EXPECT_NE(ledger.forces, 0);
    EXPECT_NE(ledger.damping, 0);
}

TEST(World, AStaleIdIsRecognized) {
    World world({.method = Method::free});
    const BodyId id = world.add_body(box()).value();
    world.remove_body(id);
    const BodyId next = world.add_body(box()).value();
    EXPECT_EQ(next.index, id.index);
    EXPECT_FALSE(world.is_valid(id));
    EXPECT_TRUE(world.is_valid(next));
    EXPECT_THROW(world.state(id), UsageError);
    EXPECT_THROW(world.remove_body(id), UsageError);
    EXPECT_THROW(world.state({}), UsageError);
    EXPECT_EQ(world.body_count(), 1u);
    EXPECT_EQ(world.bodies(), std::vector<BodyId>{next});
}

TEST(World, ProgrammingMistakesThrowAndChangeNothing) {
    World world({.method = Method::free});
    const BodyId id = world.add_body(box()).value();
    const std::uint64_t before = world.state_hash();
    const double nan = std::nan("");
    EXPECT_THROW(world.apply_force(id, {nan, 0, 0}), UsageError);
    EXPECT_THROW(world.apply_force_at(id, {1, 0, 0}, {0, nan, 0}), UsageError);
    EXPECT_THROW(world.set_velocity(id, {0, 0, nan}), UsageError);
    EXPECT_THROW(world.set_pose(id, {{}, {2, 0, 0, 0}}), UsageError);
    EXPECT_THROW(world.step(0), UsageError);
    EXPECT_THROW(world.step(nan), UsageError);
    EXPECT_THROW(world.set_settings({{}, Integrator::exact, 0, 1}), UsageError);
    EXPECT_THROW(World({{}, Integrator::exact, 1, 0}), UsageError);
    EXPECT_THROW(World(WorldSettings{.gravity = {nan, 0, 0}}), UsageError);
    EXPECT_EQ(world.state_hash(), before);
}

TEST(World, BadDefinitionsGetASentenceAndLeaveNoTrace) {
    World world({.method = Method::free});
    world.add_body(box()).value();
    const std::uint64_t before = world.state_hash();
    const auto error = [&](const auto& change) {
        BodyDef def = box();
        change(def);
        const Result<BodyId> added = world.add_body(def);
        EXPECT_FALSE(added);
        EXPECT_EQ(world.state_hash(), before);
        return added ? std::string() : to_string(added.error());
    };
    EXPECT_EQ(error([](BodyDef& d) { d.position.x = std::nan(""); }),
              "position: must be finite, got (nan, 0, 0)");
    EXPECT_EQ(error([](BodyDef& d) { d.velocity.x = HUGE_VAL; }),
              "velocity: must be finite, got (inf, 0, 0)");
    EXPECT_EQ(error([](BodyDef& d) { d.velocity.y = -1e200; }),
              "velocity: must be at most 1e100 in size, got 1e+200");
    EXPECT_EQ(error([](BodyDef& d) { d.mass = 1e300; }),
              "mass: mass and inertia must be from 1e-100 to 1e100, got 1e+300 and 2.5e+299");
    EXPECT_NE(error([](BodyDef& d) {
                  ShapeDef nested{SphereDef{}};
                  for (int i = 0; i < 100; ++i) nested = ShapeDef{CompoundDef{{nested}}};
                  d.shapes = {nested};
              }).find("compounds must not nest deeper than 64"),
              std::string::npos);
    EXPECT_EQ(error([](BodyDef& d) {
                  d.orientation = {2, 0, 0, 0};
              }),
              "orientation: must be a unit quaternion within 1e-3, got length 2");
    EXPECT_EQ(error([](BodyDef& d) { d.mass = 0; }), "mass: must be positive and finite, got 0");
    EXPECT_EQ(error([](BodyDef& d) { d.mass = -2; }), "mass: must be positive and finite, got -2");
    EXPECT_EQ(error([](BodyDef& d) { d.linear_damping = -1; }),
              "linear_damping: must be finite and not negative, got -1");
    EXPECT_EQ(error([](BodyDef& d) { d.shapes.clear(); }),
              "shapes: a dynamic body needs mass: give it a shape that is not a sensor, or "
              "mass_properties");
    EXPECT_EQ(error([](BodyDef& d) { d.shapes = {{PlaneDef{}}}; }),
              "shapes[0]: a plane is for static bodies only");
    EXPECT_EQ(error([](BodyDef& d) { d.shapes[0].material.density = 0; }),
              "shapes[0].density: must be positive and finite, got 0");
    EXPECT_EQ(error([](BodyDef& d) { d.shapes = {{CompoundDef{}}}; }),
              "shapes[0].shapes: must not be empty");
    // 1 + 1 < 5: no distribution of mass has these moments.
    EXPECT_NE(error([](BodyDef& d) {
                  d.mass_properties = MassProperties{1, {}, Sym3d::diagonal({1, 1, 5})};
              }).find("mass_properties"),
              std::string::npos);
    EXPECT_NE(error([](BodyDef& d) { d.shapes = {{SphereDef{-1}}}; }).find("shapes[0].radius"),
              std::string::npos);
    const auto mesh = std::make_shared<TriangleSoup>();
    mesh->vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    mesh->triangles = {{0, 1, 2}};
    EXPECT_EQ(error([&](BodyDef& d) { d.shapes = {{MeshDef{mesh}}}; }),
              "shapes[0]: the mesh of a dynamic body must be closed");
}

TEST(World, ANearlyUnitQuaternionIsNormalized) {
    World world({.method = Method::free});
    BodyDef def = box();
    def.orientation = {1.0005, 0, 0, 0};
    EXPECT_EQ(world.state(world.add_body(def).value()).orientation, Quatd{});
}

TEST(World, RestoringGoesOnToTheSameBits) {
    test::Random random(10);
    World world({.method = Method::free});
    for (int i = 0; i < 50; ++i) {
        BodyDef def = box({1, 2, 3});
        def.velocity = random.vec();
        def.angular_velocity = random.vec(-4, 4);
        if (i % 4 == 0) def.lock = lock_rx;
        world.add_body(def).value();
    }
    const BodyId gone = world.bodies()[7];
    for (int i = 0; i < 20; ++i) world.step(0.01);
    const Snapshot snapshot = world.snapshot();
    const std::uint64_t at_snapshot = world.state_hash();

    const auto go_on = [&] {
        std::vector<std::uint64_t> hashes;
        world.remove_body(gone);
        for (int i = 0; i < 20; ++i) {
            world.step(0.01);
            hashes.push_back(world.state_hash());
        }
        return hashes;
    };
    const auto first = go_on();
    EXPECT_FALSE(world.is_valid(gone));
    world.restore(snapshot);
    EXPECT_EQ(world.state_hash(), at_snapshot);
    EXPECT_TRUE(world.is_valid(gone));
    EXPECT_EQ(go_on(), first);
}

TEST(World, SameBitsForAnyNumberOfThreads) {
    const auto hash = [](int threads) {
        test::Random random(11);
        World world({{0, 0, -9.81}, Integrator::exact, 2, threads, Method::free});
        for (int i = 0; i < 5000; ++i) {
            BodyDef def = box({1, 2, 3});
            def.velocity = random.vec();
            def.angular_velocity = random.vec(-4, 4);
            def.linear_damping = i % 2 * 0.1;
            world.add_body(def).value();
        }
        for (int i = 0; i < 5; ++i) world.step(0.01);
        return world.state_hash();
    };
    const std::uint64_t one = hash(1);
    for (const int threads : {2, 3, 8}) EXPECT_EQ(hash(threads), one) << threads;
}

// Overflow is physics gone wrong, not a mistake of the caller: it is contained and told.
TEST(World, ANonFiniteBodyIsPutBackStoppedAndReported) {
    World world = weightless();
    BodyDef def = box();
    def.velocity = {1, 0, 0};
    const BodyId victim = world.add_body(def).value();
    const BodyId bystander = world.add_body(def).value();
    world.step(1);
    world.apply_force(victim, {1e200, 0, 0});
    const StepReport report = world.step(1e10);
    EXPECT_EQ(report.quarantined, std::vector<BodyId>{victim});
    EXPECT_EQ(report.moved, 1);
    EXPECT_TRUE(world.is_quarantined(victim));
    EXPECT_FALSE(world.is_quarantined(bystander));
    EXPECT_EQ(world.state(victim).position, (Vec3d{1, 0, 0}));
    EXPECT_EQ(world.state(victim).velocity, Vec3d{});
    EXPECT_NEAR(world.state(bystander).position.x, 1 + 1e10, 1e-5);
    EXPECT_NEAR(world.ledger().remainder, 0, 1e-9);
    world.set_velocity(victim, {5, 0, 0}); // disabled: no effect
    EXPECT_TRUE(world.step(1).quarantined.empty());
    EXPECT_EQ(world.state(victim).position, (Vec3d{1, 0, 0}));
    world.remove_body(victim);
    EXPECT_EQ(world.body_count(), 1u);
}

TEST(World, SetPoseMovesTheFrameAndKeepsTheVelocities) {
    World world = weightless();
    BodyDef def;
    ShapeDef shape{BoxDef{{1, 2, 3}}};
    shape.position = {1, 0, 0};
    def.shapes = {shape};
    def.velocity = {1, 2, 3};
    def.angular_velocity = {0.3, 0.2, 0.1};
    const BodyId id = world.add_body(def).value();
    const Quatd q = from_axis_angle(Vec3d{0, 0, 1}, kQuarterTurn);
    world.set_pose(id, {{5, 5, 5}, q});
    EXPECT_LT(length(world.state(id).position - Vec3d{5, 6, 5}), 1e-14);
    EXPECT_EQ(world.state(id).velocity, def.velocity);
    EXPECT_LT(length(world.state(id).angular_velocity - def.angular_velocity), 1e-14);
    EXPECT_NEAR(world.ledger().remainder, 0, 1e-9);
}

TEST(World, AStepTellsWhatItDid) {
    World world({.method = Method::free});
    world.add_body(box()).value();
    const StepReport report = world.step(0.5);
    EXPECT_EQ(report.step, 1u);
    EXPECT_EQ(report.time, 0.5);
    EXPECT_EQ(report.moved, 1);
    ASSERT_EQ(report.stages.size(), 1u);
    EXPECT_EQ(report.stages[0].name, "integrate");
}

} // namespace
} // namespace rigor
