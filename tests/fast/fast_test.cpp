// The fast pipeline: what stands, slides, bounces and is conserved; and that nothing but the scene
// decides what comes out.

#include <cmath>

#include "fast_settings.h"
#include "rigor/world.h"
#include "test_support.h"

namespace rigor::test {
namespace {

constexpr double kGravity = 9.81;

BodyDef fixed(BodyDef def) {
    def.type = BodyType::static_body;
    return def;
}

void add_floor(World& world, double friction = 0.5) {
    world.add_body(fixed(with_material(body(BoxDef{{400, 400, 2}}, {0, 0, -1}), friction))).value();
}

/// All kinds of shapes, dropped in a heap.
std::vector<BodyId> add_heap(World& world, int count) {
    Random random(3);
    std::vector<BodyId> ids;
    const std::vector<Vec3d> corners{
        {0.5, 0, -0.3}, {-0.4, 0.4, -0.3}, {-0.4, -0.4, -0.3}, {0, 0, 0.5}, {0.3, 0.3, 0.2}};
    for (int i = 0; i < count; ++i) {
        const Vec3d at{(i % 4) * 1.1 - 2, (i / 4 % 4) * 1.1 - 2, 1 + 1.2 * (i / 16)};
        const std::array<ShapeGeometry, 6> shapes{BoxDef{{0.8, 0.9, 1}}, SphereDef{0.45},
                                                  CapsuleDef{0.3, 0.5},  CylinderDef{0.4, 0.8},
                                                  HullDef{corners},      ConeDef{0.5, 0.8}};
        BodyDef def = body(shapes[static_cast<std::size_t>(i % 6)], at);
        def.orientation = random.rotation();
        ids.push_back(world.add_body(def).value());
    }
    return ids;
}

TEST(Fast, APoisonedBodyInAHeapIsTheOnlyOneToGo) {
    // A force beyond every number acts on one of many that touch: the others do not notice.
    World world(fast_settings());
    add_floor(world);
    const std::vector<BodyId> heap = add_heap(world, 48);
    run(world, 2);
    world.apply_force(heap[20], {1e308, 1e308, 0});
    const StepReport report = world.step(kStep);
    EXPECT_EQ(report.quarantined, std::vector{heap[20]});
    run(world, 1);
    for (const BodyId id : heap) EXPECT_LT(length(world.state(id).velocity), 20);
}

} // namespace

TEST(Fast, ABoxFallsOntoTheFloorAndStays) {
    World world(fast_settings());
    add_floor(world);
    const BodyId box = world.add_body(body(BoxDef{{1, 1, 1}}, {0.3, 0.2, 1.5})).value();
    run(world, 3);
    const BodyState state = world.state(box);
    EXPECT_NEAR(state.position.z, 0.5, 1e-3);
    EXPECT_NEAR(state.position.x, 0.3, 1e-3);
    EXPECT_LE(world.energy().kinetic, 1e-6);
}

// The sag of soft contacts is an error of the step, so it falls with its square; and a stack
// neither trembles in long steps nor in short ones.
TEST(Fast, TheSagOfAStackFallsWithTheSquareOfTheStep) {
    double last = 0;
    for (const double hz : {30.0, 60.0, 120.0, 240.0}) {
        SCOPED_TRACE(hz);
        World world(fast_settings());
        add_floor(world);
        BodyId top;
        for (int i = 0; i < 4; ++i)
            top = world.add_body(body(BoxDef{{1, 1, 1}}, {0, 0, 0.5 + i})).value();
        run_steps(world, static_cast<int>(4 * hz), 1 / hz);
        EXPECT_LE(world.energy().kinetic, 0.2); // of 4 t: below 10 mm/s
        const double sag = 3.5 - world.state(top).position.z;
        if (last > 0) {
            EXPECT_NEAR(last / sag, 4, 0.4);
        }
        last = sag;
    }
    EXPECT_LT(last, 3e-4);
}

// Every kind of ground holds every kind of shape.
TEST(Fast, AllGroundsHoldAllShapes) {
    const auto quad = std::make_shared<const TriangleSoup>(TriangleSoup{
        {{-50, -50, 0}, {50, -50, 0}, {50, 50, 0}, {-50, 50, 0}}, {{0, 1, 2}, {0, 2, 3}}});
    const std::array<ShapeGeometry, 4> grounds{
        PlaneDef{}, BoxDef{{100, 100, 2}}, MeshDef{quad, {}},
        HeightFieldDef{100, 100, 11, 11, std::vector<double>(121, 0.0)}};
    for (std::size_t i = 0; i < grounds.size(); ++i) {
        World world(fast_settings());
        world.add_body(fixed(body(grounds[i], {0, 0, i == 1 ? -1.0 : 0.0}))).value();
        const std::vector<BodyId> ids = add_heap(world, 16);
        run(world, 4);
        for (const BodyId id : ids) {
            const Vec3d p = world.state(id).position;
            EXPECT_TRUE(p.z > 0.1 && p.z < 2) << "ground " << i << " at " << p;
        }
        const std::vector<double> depths = world.penetrations();
        EXPECT_LE(depths.empty() ? 0 : depths.back(), 0.01) << "ground " << i;
    }
}

// The floor carries the weight: so much momentum flows through it in every second.
TEST(Fast, AStackOfTwentyStandsForAMinute) {
    World world(fast_settings());
    add_floor(world, 0.6);
    std::vector<BodyId> boxes;
    for (int i = 0; i < 20; ++i)
        boxes.push_back(world.add_body(body(BoxDef{{1, 1, 1}}, {0, 0, 0.5 + i})).value());
    run(world, 60);
    for (const BodyId id : boxes) {
        const Vec3d p = world.state(id).position;
        EXPECT_LE(std::hypot(p.x, p.y), 0.01);
    }
    EXPECT_LE(world.energy().kinetic, 20.0);
}

// Coulomb: below the friction angle it stays, above it slides as g (sin - mu cos) says.
TEST(Fast, ABoxOnASlopeStaysOrSlidesAsCoulombSays) {
    const double mu = 0.5;
    for (const double tangent : {0.45, 0.8}) {
        const double angle = std::atan(tangent);
        const Quatd tilt = from_rotation_vector(Vec3d{0, angle, 0});
        World world(fast_settings());
        BodyDef slope = fixed(with_material(body(BoxDef{{60, 10, 1}}, {0, 0, 0}), mu));
        slope.orientation = tilt;
        world.add_body(slope).value();
        BodyDef box =
            with_material(body(BoxDef{{1, 1, 0.5}}, rotate(tilt, Vec3d{-20, 0, 0.75})), mu);
        box.orientation = tilt;
        const BodyId id = world.add_body(box).value();
        run(world, 0.5);
        const Vec3d start = world.state(id).position;
        const double first = length(world.state(id).velocity);
        run(world, 1);
        const double way = length(world.state(id).position - start);
        if (tangent < mu) {
            EXPECT_LE(way, 1e-3);
        } else {
            const double a = kGravity * (std::sin(angle) - mu * std::cos(angle));
            EXPECT_NEAR(length(world.state(id).velocity) - first, a, 0.02 * a);
            EXPECT_NEAR(way, first + a / 2, 0.02 * way);
        }
    }
}

// A box that slides over a floor of tiles does not feel where they meet.
TEST(Fast, ABoxSlidesOverTilesWithoutCatching) {
    World world(fast_settings());
    for (int i = 0; i < 50; ++i) {
        for (int j = 0; j < 2; ++j)
            world
                .add_body(
                    fixed(with_material(body(BoxDef{{1, 1, 0.5}}, {i + 0.5, j - 0.5, -0.25}), 0)))
                .value();
    }
    BodyDef def = with_material(body(BoxDef{{0.5, 0.5, 0.2}}, {1, 0.03, 0.1}), 0);
    def.velocity = {3, 0, 0};
    const BodyId box = world.add_body(def).value();
    for (int i = 0; i < 900; ++i) {
        world.step(kStep);
        const BodyState s = world.state(box);
        ASSERT_NEAR(s.velocity.x, 3, 3e-3) << "at step " << i << s.position;
        ASSERT_NEAR(s.position.z, 0.1, 1e-3) << "at step " << i;
    }
}

TEST(Fast, APairOfMaterialsHasItsOwnFriction) {
    World world(fast_settings());
    BodyDef floor = fixed(body(BoxDef{{100, 100, 2}}, {0, 0, -1}));
    floor.shapes[0].material.id = 1;
    world.add_body(floor).value();
    world.set_material_pair({2, 1, 0.0, 0.0, {}});
    BodyDef ice = body(BoxDef{{1, 1, 1}}, {0, 0, 0.5});
    ice.shapes[0].material.id = 2;
    ice.velocity = {3, 0, 0};
    BodyDef wood = ice;
    wood.shapes[0].material.id = 3;
    wood.position.y = 3;
    const BodyId slides = world.add_body(ice).value(), stops = world.add_body(wood).value();
    run(world, 2);
    EXPECT_NEAR(world.state(slides).velocity.x, 3, 1e-3);
    EXPECT_NEAR(world.state(stops).velocity.x, 0, 1e-3);
    EXPECT_THROW(world.set_material_pair({1, 2, -1.0, {}, {}}), UsageError);
}

// A ball dropped from h comes back to e² h.
TEST(Fast, ABallBouncesToTheSquareOfItsRestitution) {
    for (const double e : {0.5, 0.8, 1.0}) {
        World world(fast_settings());
        add_floor(world);
        const double h = 2;
        const BodyId ball =
            world.add_body(with_material(body(SphereDef{0.25}, {0, 0, 0.25 + h}), 0.5, e)).value();
        double top = 0;
        bool down = false;
        for (int i = 0; i < 240; ++i) {
            world.step(kStep);
            const BodyState s = world.state(ball);
            if (s.velocity.z > 0.1) down = true;
            if (down) top = std::max(top, s.position.z - 0.25);
            if (down && s.velocity.z < -0.5) break;
        }
        EXPECT_NEAR(top, e * e * h, 0.06 * h) << e;
        EXPECT_LE(top, h * 1.001);
    }
}

// Coulomb's impulse is mu times the whole normal impulse m (1 + e) |u_n|, of which the bounce is a
// part; it changes the velocity of a solid ball's lowest point by 7/2 of it over the mass.
TEST(Fast, ABounceHasItsShareOfFriction) {
    for (const double e : {0.0, 0.5, 1.0}) {
        SCOPED_TRACE(message("e = ", e));
        WorldSettings settings = fast_settings();
        settings.gravity = {};
        World world(settings);
        add_floor(world, 0.2);
        BodyDef def = with_material(body(SphereDef{0.5}, {0, 0, 0.51}), 0.2, e);
        def.velocity = {10, 0, -2};
        const BodyId ball = world.add_body(def).value();
        run(world, 0.1);
        const Vec3d u = world.velocity_at(ball, world.state(ball).position - Vec3d{0, 0, 0.5});
        const double change = 3.5 * 0.2 * (1 + e) * 2;
        EXPECT_NEAR(u.x, 10 - change, 0.01 * change);
        EXPECT_NEAR(u.z, 2 * e, 1e-5);
    }
}

// Bodies that only meet each other cannot change their common momentum.
TEST(Fast, CollisionsKeepMomentum) {
    WorldSettings settings = fast_settings();
    settings.gravity = {};
    World world(settings);
    for (int i = 0; i < 8; ++i) {
        BodyDef def =
            body(BoxDef{{1, 1, 1}}, {2.0 * (i % 2) - 1, 2.0 * (i / 2 % 2) - 1, 2.0 * (i / 4) - 1});
        def.velocity = def.position * -1.0 + Vec3d{0.1, 0.2, 0.3};
        world.add_body(def).value();
    }
    const Momentum before = world.momentum();
    run(world, 3);
    const Momentum after = world.momentum();
    EXPECT_LE(length(after.linear - before.linear), 1e-5 * length(before.linear) + 1e-3);
    EXPECT_LE(length(after.angular - before.angular), 5.0); // 8,000 kg, of some 1e4 in each body
}

TEST(Fast, TheSameForAnyThreadsAndLanes) {
    std::vector<std::uint64_t> hashes;
    for (const auto& [threads, lanes] :
         {std::pair{1, 1}, {1, 4}, {1, 8}, {2, 8}, {3, 4}, {8, 1}, {1, 1}}) {
        WorldSettings settings = fast_settings();
        settings.threads = threads;
        settings.lanes = lanes;
        World world(settings);
        add_floor(world);
        add_heap(world, 64);
        run(world, 3);
        hashes.push_back(world.state_hash());
    }
    for (const std::uint64_t hash : hashes) EXPECT_EQ(hash, hashes[0]);
}

TEST(Fast, GoesOnFromASnapshotExactly) {
    World world(fast_settings());
    add_floor(world);
    add_heap(world, 48);
    run(world, 1);
    const Snapshot middle = world.snapshot();
    run(world, 1);
    const std::uint64_t end = world.state_hash();
    world.restore(middle);
    run(world, 1);
    EXPECT_EQ(world.state_hash(), end);
    World other(fast_settings());
    other.restore(middle);
    run(other, 1);
    EXPECT_EQ(other.state_hash(), end);
}

// Looking does not change what is looked at.
TEST(Fast, QueriesBetweenStepsChangeNothing) {
    std::vector<std::uint64_t> hashes;
    for (const bool asking : {false, true}) {
        World world(fast_settings());
        add_floor(world);
        add_heap(world, 32);
        for (int i = 0; i < 120; ++i) {
            world.step(kStep);
            if (asking) world.cast_ray(RayQuery{{-5, 0, 0.5}, {1, 0, 0.01}, 100});
        }
        hashes.push_back(world.state_hash());
    }
    EXPECT_EQ(hashes[0], hashes[1]);
}

TEST(Fast, BodiesComeAndGoWhileOthersTouch) {
    World world(fast_settings());
    add_floor(world);
    std::vector<BodyId> ids = add_heap(world, 32);
    Random random(5);
    for (int i = 0; i < 200; ++i) {
        world.step(kStep);
        const auto k =
            static_cast<std::size_t>(random.integer(0, static_cast<int>(ids.size()) - 1));
        world.remove_body(ids[k]);
        ids[k] = world.add_body(body(SphereDef{0.4}, {random.uniform(-2, 2), 0, 4})).value();
    }
    run(world, 3);
    for (const BodyId id : ids) {
        const Vec3d p = world.state(id).position;
        EXPECT_TRUE(is_finite(p) && p.z > 0.1) << p;
    }
}

// What touches nothing moves as if there were no contacts at all: to the last bit.
TEST(Fast, FreeBodiesMoveFreely) {
    WorldSettings settings = fast_settings();
    World fast(settings);
    settings.method = Method::free;
    World free(settings);
    for (World* world : {&fast, &free}) {
        BodyDef def = body(BoxDef{{1, 0.6, 0.3}}, {0, 0, 50});
        def.angular_velocity = {1, 5, 0.1};
        world->add_body(def).value();
        run(*world, 2);
    }
    const BodyState a = fast.state(fast.bodies()[0]), b = free.state(free.bodies()[0]);
    EXPECT_EQ(a.position, b.position);
    EXPECT_EQ(a.orientation, b.orientation);
}

} // namespace rigor::test
