// Drivers with a world alone: where they move bodies, and what they report of collisions.
#include "rigor/driver.h"

#include <cmath>
#include <limits>

#include "rigor/rotation.h"
#include "rigor/world.h"
#include "test_support.h"

namespace rigor::test {
namespace {

constexpr double kStep = 1.0 / 60;
const double kNan = std::numeric_limits<double>::quiet_NaN();

/// Nine poses that are all different, turned by up to 1.2 rad each.
std::vector<Posed> random_grid(Random& random) {
    std::vector<Posed> grid;
    for (int i = 0; i < 9; ++i)
        grid.push_back({random.vec(), from_rotation_vector(random.vec() * 0.7)});
    return grid;
}

double distance(const Posed& a, const Posed& b) {
    return std::max(length(a.p - b.p), length(to_rotation_vector(a.q * conjugate(b.q))));
}

BodyDef ball(const Vec3d& position, double radius = 0.1) {
    BodyDef def;
    def.position = position;
    def.shapes = {{.geometry = SphereDef{radius}}};
    return def;
}

WorldSettings settings_of(Method method, const Vec3d& gravity = {}) {
    WorldSettings settings;
    settings.method = method;
    settings.gravity = gravity;
    return settings;
}

/// What a driver gave its body before a step and found after it.
struct Told {
    BodyState given, after;
    std::vector<DriverEvent> events;
};

Told step(World& world, Drivers& drivers, BodyId body, double dt = kStep) {
    drivers.before_step(world, dt);
    Told told{world.state(body), {}, {}};
    world.step(dt);
    drivers.after_step(world);
    told.after = world.state(body);
    told.events = drivers.events();
    return told;
}

Vec3d angular_momentum(const World& world, BodyId body, const BodyState& s) {
    const Sym3d inertia = world.mass_properties(body).inertia;
    return rotate(s.orientation, inertia * inverse_rotate(s.orientation, s.angular_velocity));
}

// (32): t = (t_act - t_a) / (t_b - t_a), complete outside of the interval.
TEST(RegainedControl, IsEquation32) {
    EXPECT_EQ(regained_control(2.25, 2, 3), 0.25);
    EXPECT_EQ(regained_control(2, 2, 3), 0);
    EXPECT_EQ(regained_control(3, 2, 3), 1);
    EXPECT_EQ(regained_control(7, 2, 3), 1);
    EXPECT_EQ(regained_control(1, 2, 3), 0);
    EXPECT_EQ(regained_control(2, 2, 2), 1);
}

TEST(GridPose, IsTheKeyPoseAtEveryNode) {
    Random random(1);
    const std::vector<Posed> grid = random_grid(random);
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column)
            EXPECT_LT(distance(grid_pose(grid, {column - 1.0, 1.0 - row}),
                               grid[static_cast<std::size_t>(row * 3 + column)]),
                      1e-15);
    EXPECT_EQ(grid_pose(grid, {5, -7}), grid_pose(grid, {1, -1}));
}

// In the middle of an edge it is the mean position and the middle of the arc; in the middle of a
// cell the position is the mean of four.
TEST(GridPose, IsBilinearInPositionAndSlerpInOrientation) {
    Random random(2);
    const std::vector<Posed> grid = random_grid(random);
    const Posed edge = grid_pose(grid, {-0.5, 1});
    EXPECT_LT(length(edge.p - (grid[0].p + grid[1].p) * 0.5), 1e-15);
    EXPECT_LT(distance(edge, {edge.p, slerp(grid[0].q, grid[1].q, 0.5)}), 1e-15);
    const Posed cell = grid_pose(grid, {0.5, -0.5});
    EXPECT_LT(length(cell.p - (grid[4].p + grid[5].p + grid[7].p + grid[8].p) * 0.25), 1e-15);
}

// No step of h anywhere moves or turns the pose by more than a bound times h.
TEST(GridPose, IsContinuousOverTheWholeGrid) {
    Random random(3);
    constexpr int kSteps = 200;
    constexpr double h = 2.0 / kSteps;
    for (int trial = 0; trial < 10; ++trial) {
        DriverDef def;
        def.grid = random_grid(random);
        if (!check_driver(def)) continue;
        for (int i = 0; i < kSteps; ++i) {
            for (int k = 0; k < kSteps; ++k) {
                const GridPoint at{-1 + h * i, -1 + h * k};
                const Posed here = grid_pose(def.grid, at);
                ASSERT_LT(distance(here, grid_pose(def.grid, {at.x + h, at.y})), 8 * h);
                ASSERT_LT(distance(here, grid_pose(def.grid, {at.x, at.y + h})), 8 * h);
                ASSERT_NEAR(length(here.q), 1, 1e-14);
            }
        }
    }
}

// Four neighbors around a full turn have no continuous interpolation: they are refused.
TEST(GridPose, RefusesOrientationsThatWouldJump) {
    DriverDef def;
    def.grid.resize(9);
    const double turns[] = {0, 120, 0, 240, 350, 0, 0, 0, 0};
    for (std::size_t i = 0; i < 9; ++i)
        def.grid[i].q = from_axis_angle(Vec3d{0, 0, 1}, turns[i] * 3.14159265358979 / 180);
    EXPECT_FALSE(check_driver(def));
    for (std::size_t i = 0; i < 9; ++i) def.grid[i].q = {};
    def.grid[3].q = {0, 1, 0, 0};
    EXPECT_EQ(to_string(check_driver(def).error()),
              "grid: has neighbors turned by 180 degrees or more against each other: orientations "
              "between them would jump");
}

class DriverMethod : public testing::TestWithParam<Method> {};

// A free body that is driven reaches the end of its path, and nobody tells it of anything. Gravity
// does not pull it down: its driver carries it.
TEST_P(DriverMethod, MovesADynamicBodyWhereItsPathGoes) {
    for (const Vec3d& gravity : {Vec3d{}, Vec3d{0, 0, -9.81}}) {
        World world(settings_of(GetParam(), gravity));
        BodyDef def;
        def.shapes = {{.geometry = BoxDef{{0.3, 0.2, 0.1}}, .position = {0.1, 0, 0}}};
        const BodyId body = world.add_body(def).value();
        Drivers drivers;
        DriverDef driver;
        driver.path = [](double t) {
            return Posed{{t, 0, t * t}, from_axis_angle(Vec3d{0, 1, 0}, t)};
        };
        ASSERT_TRUE(drivers.add(world, body, driver));
        for (int i = 0; i < 60; ++i) {
            const Told told = step(world, drivers, body);
            ASSERT_TRUE(told.events.empty()) << "step " << i;
        }
        EXPECT_LT(distance(world.pose(body), driver.path(world.time())), 1e-4);
    }
}

// Two driven balls meet. Each driver is told what World::state says, and the impulse is its mass
// times the change of its velocity; the two impulses are opposite.
TEST_P(DriverMethod, IsToldTheVelocitiesAfterACollision) {
    World world(settings_of(GetParam()));
    const BodyId a = world.add_body(ball({-0.5, 0, 0})).value();
    const BodyId b = world.add_body(ball({0.5, 0.05, 0}, 0.13)).value();
    Drivers drivers;
    DriverDef to_right, to_left;
    to_right.path = [](double t) { return Posed{{-0.5 + 2 * t, 0, 0}, {}}; };
    to_left.path = [](double t) { return Posed{{0.5 - t, 0.05, 0}, {}}; };
    int calls = 0;
    to_right.on_hit = [&](const DriverEvent&) { ++calls; };
    ASSERT_TRUE(drivers.add(world, a, to_right));
    ASSERT_TRUE(drivers.add(world, b, to_left));
    int hits = 0;
    for (int i = 0; i < 20; ++i) {
        drivers.before_step(world, kStep);
        const BodyState before_a = world.state(a), before_b = world.state(b);
        world.step(kStep);
        drivers.after_step(world);
        if (drivers.events().empty()) continue;
        ASSERT_EQ(drivers.events().size(), 2u);
        ++hits;
        for (const DriverEvent& event : drivers.events()) {
            const BodyState now = world.state(event.body);
            const BodyState& before = event.body == a ? before_a : before_b;
            const double mass = world.mass_properties(event.body).mass;
            EXPECT_EQ(event.velocity, now.velocity);
            EXPECT_EQ(event.angular_velocity, now.angular_velocity);
            EXPECT_EQ(event.pose, world.pose(event.body));
            EXPECT_EQ(event.time, world.time());
            EXPECT_LT(length(event.impulse - (now.velocity - before.velocity) * mass), 1e-9);
            EXPECT_LT(length(event.angular_impulse - (angular_momentum(world, event.body, now) -
                                                      angular_momentum(world, event.body, before))),
                      1e-9);
        }
        const Vec3d sum = drivers.events()[0].impulse + drivers.events()[1].impulse;
        // `fast` solves contacts in floats.
        const double round_off = GetParam() == Method::fast ? 1e-6 : 1e-12;
        EXPECT_LT(length(sum), round_off * 10) << "of 10 N s";
        EXPECT_GT(drivers.events()[1].impulse.x, 0);
    }
    EXPECT_GT(hits, 0);
    EXPECT_EQ(calls, hits);
}

INSTANTIATE_TEST_SUITE_P(Methods, DriverMethod,
                         testing::Values(Method::fast, Method::faithful, Method::kavan2003,
                                         Method::baber2011, Method::penalty),
                         [](const auto& method) { return std::string(name(method.param)); });

/// A ball in a hand that does not move, which a thrown ball hits in the first steps.
struct Catch {
    explicit Catch(double grip, double mass = 1) : world(settings_of(Method::faithful)) {
        BodyDef held = ball({0, 0, 0});
        held.mass = mass;
        body = world.add_body(held).value();
        BodyDef thrown = ball({-0.25, 0, 0});
        thrown.mass = 1;
        thrown.velocity = {3, 0, 0};
        other = world.add_body(thrown).value();
        DriverDef def;
        def.grip = grip;
        drivers.add(world, body, def).value();
    }
    void until_hit() {
        while (drivers.events().empty() && world.step_count() < 60) step(world, drivers, body);
        world.remove_body(other);
    }
    World world;
    Drivers drivers;
    BodyId body, other;
};

// After a hit the body is where (32) says: between free flight with the velocity after the hit and
// the hand, which is at the origin: x(t) = (1 - s) v (t - t_a), s = (t - t_a) / (t_b - t_a).
TEST(LossOfControl, FollowsEquation32ToTheEnd) {
    Catch scene(4);
    scene.until_hit();
    ASSERT_EQ(scene.drivers.events().size(), 1u);
    const DriverEvent hit = scene.drivers.events()[0];
    const double time = length(hit.impulse) / 4;
    const DriverState lost = scene.drivers.state(scene.body);
    EXPECT_EQ(lost.control, 0);
    EXPECT_EQ(lost.lost_at, hit.time);
    EXPECT_NEAR(lost.regained_at, hit.time + time, 1e-12);
    ASSERT_GT(time, 10 * kStep);
    for (int i = 1; i < 100; ++i) {
        const Told told = step(scene.world, scene.drivers, scene.body);
        ASSERT_TRUE(told.events.empty());
        const double flown = scene.world.time() - hit.time;
        const double s = std::min(1.0, flown / time);
        const double x = (1 - s) * (hit.pose.p.x + hit.velocity.x * flown);
        ASSERT_NEAR(scene.world.pose(scene.body).p.x, x, 1e-12) << i;
        ASSERT_NEAR(scene.drivers.state(scene.body).control, s, 1e-12);
    }
}

TEST(LossOfControl, LastsForImpulseByGrip) {
    for (const double grip : {1.0, 2.0, 1e6}) {
        Catch scene(grip);
        scene.until_hit();
        const DriverState state = scene.drivers.state(scene.body);
        const double impulse = length(scene.drivers.events()[0].impulse);
        EXPECT_NEAR(impulse, 1.5, 1e-9) << "two equal balls, plastic";
        EXPECT_NEAR(state.regained_at - state.lost_at, impulse / grip, 1e-12);
        step(scene.world, scene.drivers, scene.body);
        EXPECT_EQ(scene.drivers.state(scene.body).control == 1, grip > 100);
    }
}

// A kinematic body has infinite mass: its velocities stay, and it is told the impulse that stopped
// the ball, m v.
TEST(KinematicDriver, IsToldOfTheImpulseAndKeepsItsVelocity) {
    for (const Method method : {Method::fast, Method::faithful}) {
        World world(settings_of(method));
        BodyDef wall;
        wall.type = BodyType::kinematic_body;
        wall.shapes = {{.geometry = BoxDef{{0.2, 1, 1}}}};
        const BodyId body = world.add_body(wall).value();
        BodyDef thrown = ball({-0.5, 0.2, 0});
        thrown.mass = 2;
        thrown.velocity = {3, 0, 0};
        world.add_body(thrown).value();
        Drivers drivers;
        DriverDef def;
        def.path = [](double t) { return Posed{{-t, 0, 0}, {}}; };
        ASSERT_TRUE(drivers.add(world, body, def));
        Vec3d impulse, angular;
        for (int i = 0; i < 30; ++i) {
            const Told told = step(world, drivers, body);
            for (const DriverEvent& event : told.events)
                impulse += event.impulse, angular += event.angular_impulse;
            EXPECT_EQ(told.after.velocity, told.given.velocity);
            EXPECT_EQ(drivers.state(body).control, 1);
        }
        EXPECT_LT(length(impulse - Vec3d{8, 0, 0}), 1e-3) << name(method);
        EXPECT_LT(length(angular - Vec3d{0, 0, -1.6}), 1e-3) << name(method);
    }
}

// Locked in place, a body can only be turned; its driver is told of that, too.
TEST(LossOfControl, HappensToABodyThatCanOnlyTurn) {
    World world(settings_of(Method::fast));
    BodyDef door;
    door.lock = lock_tx | lock_ty | lock_tz;
    door.shapes = {{.geometry = BoxDef{{0.1, 1, 1}}}};
    const BodyId body = world.add_body(door).value();
    BodyDef thrown = ball({-0.4, 0.4, 0});
    thrown.velocity = {5, 0, 0};
    world.add_body(thrown).value();
    Drivers drivers;
    DriverDef def;
    def.grip = 10;
    ASSERT_TRUE(drivers.add(world, body, def));
    std::size_t events = 0;
    double turned = 0;
    for (int i = 0; i < 20; ++i) {
        events += step(world, drivers, body).events.size();
        turned = std::max(turned, std::abs(world.state(body).angular_velocity.z));
    }
    EXPECT_GT(events, 0u);
    EXPECT_GT(turned, 0.01);
}

// The device of a grid follows input at its speed; the velocities are estimated from the step.
TEST(Input, IsFollowedAtTheSpeedOfTheDriver) {
    World world(settings_of(Method::faithful));
    const BodyId body = world.add_body(ball({0, 0, 0})).value();
    DriverDef def;
    for (int i = 0; i < 9; ++i) def.grid.push_back({{i % 3 - 1.0, 1.0 - i / 3, 0}, {}});
    def.speed = 3;
    Drivers drivers;
    ASSERT_TRUE(drivers.add(world, body, def));
    ASSERT_TRUE(drivers.set_input(body, {0.6, -0.8}));
    for (int i = 1; i <= 10; ++i) {
        step(world, drivers, body, 0.01);
        EXPECT_LT(length(world.pose(body).p - Vec3d{0.6, -0.8, 0} * (0.03 * i)), 1e-12);
        EXPECT_NEAR(length(world.state(body).velocity), 3, 1e-9);
    }
    for (int i = 0; i < 60; ++i) step(world, drivers, body, 0.01);
    EXPECT_LT(length(world.pose(body).p - Vec3d{0.6, -0.8, 0}), 1e-12);
    EXPECT_LT(length(world.state(body).velocity), 1e-9);
}

// A script plays until the device is moved.
TEST(Input, TakesOverFromTheScript) {
    World world(settings_of(Method::fast));
    const BodyId body = world.add_body(ball({0, 0, 0})).value();
    DriverDef def;
    for (int i = 0; i < 9; ++i) def.grid.push_back({{i % 3 - 1.0, 1.0 - i / 3, 0}, {}});
    def.script = {{0, {0, 0}}, {1, {1, 0}}};
    def.loop = true;
    Drivers drivers;
    ASSERT_TRUE(drivers.add(world, body, def));
    for (int i = 0; i < 50; ++i) step(world, drivers, body, 0.01);
    EXPECT_NEAR(world.pose(body).p.x, 0.5, 1e-9);
    ASSERT_TRUE(drivers.set_input(body, {0, 1}));
    for (int i = 0; i < 100; ++i) step(world, drivers, body, 0.01);
    EXPECT_LT(length(world.pose(body).p - Vec3d{0, 1, 0}), 1e-9);
}

TEST(Input, WithSixFreedomsIsAPose) {
    World world(settings_of(Method::fast));
    const BodyId body = world.add_body(ball({0, 0, 0})).value();
    Drivers drivers;
    ASSERT_TRUE(drivers.add(world, body, {}));
    const Posed target{{0.1, -0.2, 0.3}, from_rotation_vector(Vec3d{0.5, 0.2, -0.1})};
    ASSERT_TRUE(drivers.set_target(body, target));
    for (int i = 0; i < 60; ++i) {
        step(world, drivers, body);
        EXPECT_LT(length(world.state(body).velocity), 2.001);
    }
    EXPECT_LT(distance(world.pose(body), target), 1e-9);
}

// Copies of the drivers and a snapshot of the world go on alike, also while control is lost.
TEST(Rollback, GoesOnToTheSameBits) {
    Catch scene(1);
    scene.until_hit();
    for (int i = 0; i < 5; ++i) step(scene.world, scene.drivers, scene.body);
    const Snapshot world = scene.world.snapshot();
    const Drivers drivers = scene.drivers;
    const auto run = [&] {
        for (int i = 0; i < 40; ++i) step(scene.world, scene.drivers, scene.body);
        return std::pair{scene.world.state_hash(), scene.drivers.state_hash()};
    };
    const auto first = run();
    scene.world.restore(world);
    scene.drivers = drivers;
    EXPECT_EQ(run(), first);
    EXPECT_NE(drivers.state_hash(), scene.drivers.state_hash());
}

std::string refusal(const Result<void>& result) {
    return result ? "accepted" : to_string(result.error());
}

TEST(BadInput, IsRefusedInOneSentence) {
    World world;
    const BodyId body = world.add_body(ball({0, 0, 0})).value();
    const BodyId plain = world.add_body(ball({2, 0, 0})).value();
    BodyDef floor;
    floor.type = BodyType::static_body;
    floor.shapes = {{.geometry = PlaneDef{}}};
    const BodyId fixed = world.add_body(floor).value();
    Drivers drivers;
    DriverDef grid, keys;
    grid.grid.resize(8);
    EXPECT_EQ(refusal(drivers.add(world, body, grid)),
              "grid: must have 9 poses, 3 rows of 3, got 8");
    grid.grid.resize(9);
    grid.grid[3].p.x = kNan;
    EXPECT_EQ(refusal(drivers.add(world, body, grid)),
              "grid: must have finite poses with unit orientations");
    grid.grid[3].p.x = 0;
    EXPECT_EQ(refusal(drivers.add(world, fixed, grid)),
              "driver: can only be given for a kinematic or dynamic body");
    keys.keyframes = {{0, {}}, {0, {}}};
    EXPECT_EQ(refusal(drivers.add(world, body, keys)), "keyframes: must be in the order of time");
    DriverDef weak;
    weak.grip = 0;
    EXPECT_EQ(refusal(drivers.add(world, body, weak)), "grip: must be positive");
    DriverDef lost;
    lost.script = {{0, {0, 0}}};
    EXPECT_EQ(refusal(drivers.add(world, body, lost)),
              "script: needs a grid: its points are grid coordinates");
    EXPECT_TRUE(drivers.empty());
    ASSERT_TRUE(drivers.add(world, body, grid));
    EXPECT_EQ(refusal(drivers.add(world, body, grid)), "driver: has been given already");
    EXPECT_EQ(refusal(drivers.set_input(plain, {})), "the body has no driver");
    EXPECT_EQ(refusal(drivers.set_input(body, {2, 0})), "x and y must lie in [-1, 1]");
    EXPECT_EQ(refusal(drivers.set_input(body, {kNan, 0})), "x and y must lie in [-1, 1]");
    EXPECT_EQ(refusal(drivers.set_target(body, {})), "the driver has a grid: it takes x and y");
    ASSERT_TRUE(drivers.add(world, plain, {}));
    EXPECT_EQ(refusal(drivers.set_target(plain, {{kNan, 0, 0}, {}})),
              "the pose must be finite and its orientation a unit within 1e-3");
    EXPECT_EQ(refusal(drivers.set_input(plain, {})),
              "the driver has no grid: it takes a position and an orientation");
}

TEST(BadInput, OfAPathIsAUsageError) {
    World world;
    const BodyId body = world.add_body(ball({0, 0, 0})).value();
    Drivers drivers;
    DriverDef def;
    def.path = [](double t) { return Posed{{t < 0.1 ? 0 : kNan, 0, 0}, {}}; };
    ASSERT_TRUE(drivers.add(world, body, def));
    const auto run = [&] {
        for (int i = 0; i < 20; ++i) step(world, drivers, body);
    };
    EXPECT_THROW(run(), UsageError);
    EXPECT_THROW(drivers.state({}), UsageError);
}

} // namespace
} // namespace rigor::test
