// Conveyors, anisotropic friction, rolling resistance and torsional friction, by closed forms and
// by an ordinary differential equation of the sliding block. `faithful` to 1e-8, `fast` to 1 %.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "../validation/sliding_block.h"
#include "rigor/rotation.h"
#include "support/worlds.h"

namespace rigor {
namespace {

using test::settings_of;
using validation::slide;
using validation::SlidingBlock;

constexpr double kG = 9.81;

struct Case {
    Method method;
    double dt;
    double tolerance; ///< relative to the size of what is expected
};

std::string case_name(const testing::TestParamInfo<Case>& info) {
    return std::string(name(info.param.method)) + "_" +
           std::to_string(std::lround(1 / info.param.dt));
}

class ContactMaterials : public testing::TestWithParam<Case> {
  protected:
    World make_world(const Vec3d& gravity = {0, 0, -kG}) const {
        WorldSettings settings = settings_of(GetParam().method);
        settings.gravity = gravity;
        settings.may_sleep = false;
        return World(settings);
    }
    /// The last step is shorter.
    void run(World& world, double seconds) const {
        const double dt = GetParam().dt;
        const int steps = static_cast<int>(std::floor(seconds / dt));
        for (int i = 0; i < steps; ++i) world.step(dt);
        if (const double rest = seconds - steps * dt; rest > 1e-12) world.step(rest);
    }
    void expect_near(const Vec3d& got, const Vec3d& expected, double scale) const {
        EXPECT_LT(length(got - expected), GetParam().tolerance * scale)
            << got.x << " " << got.y << " " << got.z << " instead of " << expected.x << " "
            << expected.y << " " << expected.z;
    }
    /// The ledger accounts for the energy.
    void expect_balance(const World& world, double energy_start, double scale) const {
        const Ledger ledger = world.ledger();
        const double change = world.energy().total() - energy_start;
        const double work = ledger.forces + ledger.contact_normal + ledger.contact_friction +
                            ledger.impact + ledger.joints + ledger.damping;
        EXPECT_NEAR(change, work, GetParam().tolerance * scale);
    }
    bool is_fast() const { return GetParam().method == Method::fast; }
};

INSTANTIATE_TEST_SUITE_P(BothPipelines, ContactMaterials,
                         testing::Values(Case{Method::faithful, 1.0 / 60, 1e-8},
                                         Case{Method::faithful, 1.0 / 10, 1e-8},
                                         Case{Method::faithful, 1.0 / 333, 1e-8},
                                         Case{Method::fast, 1.0 / 60, 0.01},
                                         Case{Method::fast, 1.0 / 240, 0.01}),
                         case_name);

Material material(double friction) {
    Material m;
    m.static_friction = m.kinetic_friction = friction;
    return m;
}

Material with_grain(double friction, const Vec3d& axis, double ratio) {
    Material m = material(friction);
    m.anisotropy_axis = axis;
    m.anisotropy_ratio = ratio;
    return m;
}

BodyId add(World& world, const ShapeGeometry& shape, const Vec3d& position, const Material& m,
           const Vec3d& velocity = {}, const Vec3d& angular_velocity = {}) {
    BodyDef def;
    def.position = position;
    def.velocity = velocity;
    def.angular_velocity = angular_velocity;
    def.mass = 2;
    def.shapes.push_back({.geometry = shape, .material = m});
    return world.add_body(def).value();
}

BodyId add_floor(World& world, const Material& m) {
    BodyDef def;
    def.type = BodyType::static_body;
    def.shapes.push_back({.geometry = PlaneDef{}, .material = m});
    return world.add_body(def).value();
}

/// Wide and thin, so that it does not tip.
constexpr BoxDef kBlock{{0.4, 0.4, 0.05}};
constexpr Vec3d kOnFloor{0, 0, 0.025};
constexpr double kRadius = 0.1;
constexpr Vec3d kBallOnFloor{0, 0, kRadius};

TEST_P(ContactMaterials, ABlockSlidesAlongAcrossAndAtAnAngleToTheGrain) {
    const Vec3d g{kG * std::sin(0.2), 0.3, -kG * std::cos(0.2)};
    for (const Vec3d& start : {Vec3d{2, 0, 0}, Vec3d{0, 2, 0}, Vec3d{1.5, 1.5, 0}})
        for (const double ratio : {0.5, 1.8}) {
            SCOPED_TRACE(testing::Message() << start.x << " " << start.y << " ratio " << ratio);
            World world = make_world(g);
            add_floor(world, with_grain(0.4, {1, 0, 0}, ratio));
            const BodyId block = add(world, kBlock, kOnFloor, material(0.4), start);
            run(world, 0.3);
            const SlidingBlock s = slide({0, 0, start.x, start.y}, g, 0.4, ratio, 1, 0.3);
            expect_near(world.state(block).velocity, {s.u, s.v, 0}, 2);
            expect_near(world.state(block).position - kOnFloor, {s.x, s.y, 0}, 0.6);
        }
}

// The grain is fixed in its body. The block lies turned by 90 degrees: what was along is across.
TEST_P(ContactMaterials, GrainTurnsWithItsBody) {
    World world = make_world();
    add_floor(world, material(0.4));
    const BodyId block =
        add(world, kBlock, kOnFloor, with_grain(0.4, {1, 0, 0}, 0.5), {1.5, 1.5, 0});
    world.set_pose(block, {kOnFloor, from_rotation_vector(Vec3d{0, 0, std::numbers::pi / 2})});
    run(world, 0.3);
    const SlidingBlock s = slide({0, 0, 1.5, 1.5}, {0, 0, -kG}, 0.4, 1, 0.5, 0.3);
    expect_near(world.state(block).velocity, {s.u, s.v, 0}, 2);
    expect_near(world.state(block).position - kOnFloor, {s.x, s.y, 0}, 0.6);
}

// Parallel grains: ratios multiply. Crossed ones of the same ratio: less friction all round.
TEST_P(ContactMaterials, TwoGrainsCombine) {
    for (const bool crossed : {false, true}) {
        World world = make_world();
        add_floor(world, with_grain(0.4, {1, 0, 0}, 0.5));
        const Vec3d axis = crossed ? Vec3d{0, 1, 0} : Vec3d{1, 0, 0};
        const BodyId block =
            add(world, kBlock, kOnFloor, with_grain(0.4, axis, 0.5), {1.5, 1.5, 0});
        run(world, 0.3);
        const SlidingBlock s =
            slide({0, 0, 1.5, 1.5}, {0, 0, -kG}, 0.4, crossed ? 0.5 : 0.25, crossed ? 0.5 : 1, 0.3);
        expect_near(world.state(block).velocity, {s.u, s.v, 0}, 2);
    }
}

// Held across the grain on a slope where it would slide along it.
TEST_P(ContactMaterials, StaticFrictionHasAGrainToo) {
    const double angle = 0.3; // tan 0.3 = 0.31, between 0.2 and 0.4
    for (const bool along : {false, true}) {
        const double down = kG * std::sin(angle);
        World world = make_world({along ? down : 0, along ? 0 : down, -kG * std::cos(angle)});
        add_floor(world, with_grain(0.4, {1, 0, 0}, 0.5));
        const BodyId block = add(world, kBlock, kOnFloor, material(0.4));
        run(world, 1);
        const double a = along ? down - 0.2 * kG * std::cos(angle) : 0;
        expect_near(world.state(block).velocity, {a, 0, 0}, 1);
        EXPECT_NEAR(world.state(block).position.y, 0, is_fast() ? 1e-4 : 1e-10);
    }
}

TEST_P(ContactMaterials, AConveyorTakesABlockToItsSpeed) {
    World world = make_world();
    Material belt = material(0.25);
    belt.surface_velocity = {2, 0, 0};
    add_floor(world, belt);
    const BodyId block = add(world, kBlock, kOnFloor, material(0.25));
    const double energy = world.energy().total();
    run(world, 0.5); // still sliding
    expect_near(world.state(block).velocity, {0.25 * kG * 0.5, 0, 0}, 2);
    run(world, 1.0);
    expect_near(world.state(block).velocity, {2, 0, 0}, 2);
    expect_near(world.state(block).position - kOnFloor, {3 - 4 / (2 * 0.25 * kG), 0, 0}, 3);
    // The belt did work on the block: exactly its kinetic energy.
    EXPECT_NEAR(world.ledger().contact_friction, 0.5 * 2 * 4, GetParam().tolerance * 4);
    expect_balance(world, energy, 4);
}

// The belt velocity is a direction in its body, which is turned here.
TEST_P(ContactMaterials, AConveyorTurnsWithItsBody) {
    World world = make_world();
    BodyDef def;
    def.type = BodyType::static_body;
    def.position = {0, 0, -0.5};
    def.orientation = from_rotation_vector(Vec3d{0, 0, std::numbers::pi / 2});
    Material belt = material(0.5);
    belt.surface_velocity = {1, 0, 0.7}; // the part out of the surface does not count
    def.shapes.push_back({.geometry = BoxDef{{10, 10, 1}}, .material = belt});
    world.add_body(def).value();
    const BodyId block = add(world, kBlock, kOnFloor, material(0.5));
    run(world, 1);
    expect_near(world.state(block).velocity, {0, 1, 0}, 1);
}

TEST_P(ContactMaterials, AWallHoldsABoxOnABelt) {
    World world = make_world();
    Material belt = material(0.25);
    belt.surface_velocity = {2, 0, 0};
    add_floor(world, belt);
    BodyDef wall;
    wall.type = BodyType::static_body;
    wall.position = {1, 0, 0.5};
    wall.shapes.push_back({.geometry = BoxDef{{1, 4, 1}}, .material = material(0)});
    const BodyId wall_id = world.add_body(wall).value();
    const BodyId block = add(world, kBlock, kOnFloor, material(0.25));
    run(world, 2);
    EXPECT_NEAR(length(world.state(block).velocity), 0, is_fast() ? 1e-3 : 1e-10);
    EXPECT_NEAR(world.state(block).position.x, 0.3, is_fast() ? 2e-3 : 2e-9);
    world.step(GetParam().dt);
    double force = 0;
    for (const ContactView& view : world.contacts())
        if (view.a.body == wall_id || view.b.body == wall_id)
            for (int i = 0; i < view.count; ++i)
                force += view.points[static_cast<std::size_t>(i)].impulse / GetParam().dt;
    EXPECT_NEAR(force, 0.25 * 2 * kG, GetParam().tolerance * 0.25 * 2 * kG);
}

/// A ball that rolls, with rolling resistance c: a = -(c/r) g / (1 + 2/5).
constexpr double rolling_deceleration(double c) {
    return c / kRadius * kG / 1.4;
}

TEST_P(ContactMaterials, RollingResistanceStopsABall) {
    World world = make_world();
    const double c = 0.01, v = 0.7, a = rolling_deceleration(c);
    Material m = material(0.5);
    m.rolling_resistance = c;
    add_floor(world, m);
    const BodyId ball =
        add(world, SphereDef{kRadius}, kBallOnFloor, m, {v, 0, 0}, {0, v / kRadius, 0});
    const double energy = world.energy().total();
    run(world, 0.5);
    expect_near(world.state(ball).velocity, {v - 0.5 * a, 0, 0}, v);
    expect_near(world.state(ball).position - kBallOnFloor, {v * 0.5 - 0.125 * a, 0, 0}, v * 0.5);
    run(world, v / a);
    EXPECT_NEAR(length(world.state(ball).velocity), 0, is_fast() ? 1e-3 : 1e-10);
    const double s = v * v * 1.4 / (2 * kG * c / kRadius);
    expect_near(world.state(ball).position - kBallOnFloor, {s, 0, 0}, s);
    EXPECT_NEAR(world.ledger().contact_friction, -0.7 * 2 * v * v, GetParam().tolerance);
    expect_balance(world, energy, 1);
}

TEST_P(ContactMaterials, RollingResistanceHoldsABallOnAGentleSlope) {
    const double c = 0.01;
    for (const double slope : {0.09, 0.2}) { // the threshold is c / r = 0.1
        SCOPED_TRACE(slope);
        const double angle = std::atan(slope);
        World world = make_world({kG * std::sin(angle), 0, -kG * std::cos(angle)});
        Material m = material(0.5);
        m.rolling_resistance = c;
        add_floor(world, m);
        const BodyId ball = add(world, SphereDef{kRadius}, kBallOnFloor, material(0.5));
        run(world, 1);
        const double a = slope < 0.1 ? 0 : kG * (std::sin(angle) - 0.1 * std::cos(angle)) / 1.4;
        expect_near(world.state(ball).velocity, {a, 0, 0}, 0.7);
        if (slope > 0.1) continue;
        // Soft contacts carry no load in the first step; from then on nothing creeps.
        const double x = world.state(ball).position.x;
        EXPECT_NEAR(x, 0, is_fast() ? 1e-3 : 1e-10);
        run(world, 1);
        EXPECT_NEAR(world.state(ball).position.x, x, is_fast() ? 1e-5 : 1e-10);
    }
}

TEST_P(ContactMaterials, AKickedBallSlidesThenRollsAgainstRollingResistance) {
    World world = make_world();
    const double c = 0.01, mu = 0.2, v = 2;
    Material m = material(mu);
    m.rolling_resistance = c;
    add_floor(world, m);
    const BodyId ball = add(world, SphereDef{kRadius}, kBallOnFloor, m, {v, 0, 0});
    // Slip ends where v - mu g t = r w, with w = 5/2 (mu - c/r) g t / r.
    const double t = v / (kG * (mu + 2.5 * (mu - c / kRadius))), rolls = v - mu * kG * t;
    run(world, t + 0.3);
    const double a = rolling_deceleration(c);
    expect_near(world.state(ball).velocity, {rolls - 0.3 * a, 0, 0}, v);
    expect_near(world.state(ball).position - kBallOnFloor,
                {0.5 * (v + rolls) * t + 0.3 * rolls - 0.045 * a, 0, 0}, v * t);
}

TEST_P(ContactMaterials, TorsionalFrictionStopsASpinningBall) {
    World world = make_world();
    const double c = 0.002, w = 5, inertia = 0.4 * kRadius * kRadius; // per mass
    Material m = material(0.5);
    m.torsional_friction = c;
    add_floor(world, m);
    const BodyId ball = add(world, SphereDef{kRadius}, kBallOnFloor, material(0.5), {}, {0, 0, w});
    const double energy = world.energy().total();
    const double stops = inertia * w / (c * kG);
    run(world, 0.5 * stops);
    expect_near(world.state(ball).angular_velocity, {0, 0, 0.5 * w}, w);
    run(world, 0.7 * stops);
    EXPECT_NEAR(length(world.state(ball).angular_velocity), 0, is_fast() ? 1e-3 : 1e-10);
    const double spin_energy = 0.5 * 2 * inertia * w * w;
    EXPECT_NEAR(world.ledger().contact_friction, -spin_energy, GetParam().tolerance * spin_energy);
    if (!is_fast()) expect_balance(world, energy, spin_energy); // soft contacts sag
}

// The impulse of torsional friction in an impact is bounded by the normal impulse, as that of
// friction is: a ball lands with spin on a belt and sticks to it.
TEST_P(ContactMaterials, ABallLandsWithSpinOnABelt) {
    World world = make_world();
    const double c = 0.002, w = 20, v = 2, inertia = 0.4 * kRadius * kRadius;
    Material m = material(1);
    m.torsional_friction = c;
    m.surface_velocity = {0.7, 0, 0};
    add_floor(world, m);
    const BodyId ball = add(world, SphereDef{kRadius}, kBallOnFloor + Vec3d{0, 0, 1e-6},
                            material(1), {0, 0, -v}, {0, 0, w});
    const double energy = world.energy().total();
    run(world, 0.1);
    // Sticking takes 2/7 of the belt's speed; gravity alone does nothing then but hold it down.
    expect_near(world.state(ball).velocity, {0.2, 0, 0}, 0.2);
    const double hit = (std::sqrt(v * v + 2 * kG * 1e-6) - v) / kG;
    const double spin = w - c * (v + kG * hit) / inertia - c * kG * (0.1 - hit) / inertia;
    EXPECT_NEAR(world.state(ball).angular_velocity.z, spin, GetParam().tolerance * w);
    // An impact within a step of `fast` leaves out what gravity does in half a substep.
    if (!is_fast()) expect_balance(world, energy, 0.5 * 2 * v * v);
}

// Resistance of a flat face: nothing creeps, nothing is unsolved.
TEST_P(ContactMaterials, ABoxWithAllResistancesRestsOnASlope) {
    World world = make_world({2, 1, -kG});
    Material m = with_grain(0.6, {1, 1, 0}, 0.8);
    m.rolling_resistance = 0.01;
    m.torsional_friction = 0.01;
    add_floor(world, m);
    const BodyId block = add(world, BoxDef{{0.4, 0.3, 0.2}}, {0, 0, 0.1}, m);
    for (int i = 0; i < 30; ++i) EXPECT_EQ(world.step(GetParam().dt).unsolved_count, 0);
    EXPECT_NEAR(length(world.state(block).velocity), 0, is_fast() ? 1e-3 : 1e-10);
    EXPECT_NEAR(length(world.state(block).position - Vec3d{0, 0, 0.1}), 0, is_fast() ? 1e-3 : 1e-9);
}

} // namespace
} // namespace rigor
