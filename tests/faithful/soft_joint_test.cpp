// Soft joints under `faithful`: they have a potential, so that without damping nothing is gained or
// lost. And joints under other methods, which have the same motion where the step is small.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "rigor/rotation.h"
#include "support/worlds.h"
#include "test_support.h"

namespace rigor {
namespace {

using test::settings_of;

constexpr double kPi = 3.14159265358979323846;
constexpr double kHertz = 1.5, kStiffness = 4 * kPi * kPi * kHertz * kHertz; // for a mass of 1

constexpr SpringDef kSpring{kHertz, 0};

WorldSettings settings_with(const Vec3d& gravity, Method method) {
    WorldSettings settings = settings_of(method);
    settings.gravity = gravity;
    return settings;
}

BodyDef body(const Vec3d& position, double mass, const Sym3d& inertia, const Vec3d& spin) {
    BodyDef def;
    def.position = position;
    def.mass_properties = MassProperties{mass, {}, inertia};
    def.angular_velocity = spin;
    return def;
}

/// A body held by a soft joint at a corner of it, given a push that bends the joint far.
struct HeldBody {
    static constexpr double kMass = 2;
    static constexpr Vec3d kArm = {-0.3, -0.2, -0.1}; ///< of the anchor, at the origin
    static constexpr Sym3d kInertia = {0.10, 0.15, 0.22, 0.02, -0.01, 0.03};
    World world;
    BodyId b;

    HeldBody(JointDef joint, const Vec3d& gravity, Method method, bool by_the_world = true)
        : world(settings_with(gravity, method)) {
        BodyDef wall = body({5, 0, 0}, 3, Sym3d::identity(), {});
        wall.type = BodyType::static_body;
        const BodyId a = by_the_world ? BodyId{} : world.add_body(wall).value();
        b = world.add_body(body(-kArm, kMass, kInertia, {1.5, -2, 2.5})).value();
        world.set_velocity(b, {0.5, 1, -0.7});
        joint.a = a;
        joint.b = b;
        world.add_joint(joint).value();
    }

    Vec3d gap() const { return transform(world.pose(b), kArm); }
    /// Half the axial part of the rotation: its sine times its axis.
    Vec3d bend() const {
        const Quatd q = world.pose(b).q;
        return Vec3d{q.x, q.y, q.z} * (2 * q.w);
    }
    double energy() const { return world.energy().kinetic; }
    double of_translation() const { return 0.5 * kStiffness * kMass * dot(gap(), gap()); }
    double of_rotation() const {
        const Vec3d e = bend();
        const double along = dot(kArm, e);
        const double levers = kMass * (dot(kArm, kArm) * dot(e, e) - along * along);
        return 0.5 * kStiffness * (dot(e, kInertia * e) + levers);
    }
};

TEST(SoftJoints, ABallKeepsItsEnergy) {
    for (const bool by_the_world : {true, false}) {
        HeldBody held({.kind = BallJoint{}, .spring = kSpring}, {}, Method::faithful, by_the_world);
        const double before = held.energy();
        double least = before;
        for (int i = 0; i < 300; ++i) {
            held.world.step(1.0 / 60);
            ASSERT_NEAR(held.energy() + held.of_translation(), before, 1e-8) << i;
            least = std::min(least, held.energy());
        }
        EXPECT_LT(least, 0.7 * before) << "the joint was hardly bent";
    }
}

TEST(SoftJoints, AFixedOneKeepsItsEnergyHoweverFarItBends) {
    HeldBody held({.kind = FixedJoint{}, .spring = kSpring}, {}, Method::faithful);
    const double before = held.energy();
    double farthest = 0;
    for (int i = 0; i < 300; ++i) {
        held.world.step(1.0 / 60);
        ASSERT_NEAR(held.energy() + held.of_translation() + held.of_rotation(), before, 1e-8) << i;
        farthest = std::max(farthest, length(held.bend()));
    }
    EXPECT_GT(farthest, 0.2);
}

/// A joint that locks some of its six degrees of freedom, as bits.
SixDofJoint locking(unsigned bits) {
    SixDofJoint joint;
    const double infinity = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < 6; ++i)
        joint.axes[i] = (bits >> i & 1) != 0 ? Range{0, 0} : Range{-infinity, infinity};
    return joint;
}

/// How far a body is after a second from where `faithful` has it.
double error_of(const JointDef& joint, const Vec3d& gravity, Method method, int hertz) {
    const auto run = [&](Method by, int steps) {
        HeldBody held(joint, gravity, by);
        for (int i = 0; i < steps; ++i) held.world.step(1.0 / steps);
        return held.world.pose(held.b);
    };
    const Posed a = run(Method::faithful, 60), b = run(method, hertz);
    return length(a.p - b.p) + length(rotate(a.q, Vec3d{1, 2, 3}) - rotate(b.q, Vec3d{1, 2, 3}));
}

/// `finest`: steps per second, four times as many as the coarser ones or more.
void expect_agreement(const JointDef& joint, const Vec3d& gravity, int finest = 1920) {
    SCOPED_TRACE(test::message("joint kind ", joint.kind.index()));
    const double coarse = error_of(joint, gravity, Method::fast, 120);
    const double fine = error_of(joint, gravity, Method::fast, 480);
    EXPECT_LT(fine, 0.5 * coarse + 1e-4);
    EXPECT_LT(fine, 1e-2);
    EXPECT_LT(error_of(joint, gravity, Method::baber2006, finest),
              0.5 * error_of(joint, gravity, Method::baber2006, 480) + 1e-4);
}

// The same joint under all methods: where the step is small they agree.
TEST(SoftJoints, OtherMethodsConvergeToTheSameMotion) {
    for (const JointKind& kind :
         {JointKind{BallJoint{}}, JointKind{FixedJoint{}}, JointKind{locking(0b011111)},
          JointKind{locking(0b100111)}, JointKind{locking(0b111000)}, JointKind{locking(0b110011)},
          JointKind{DistanceJoint{.anchor_b = {0.4, 0.1, 0.3}}}})
        expect_agreement({.kind = kind, .spring = kSpring}, {});
}

// Both are of second order: a quarter of the step, a sixteenth of the error.
TEST(SoftJoints, BothHaveSecondOrder) {
    for (const JointKind& kind :
         {JointKind{BallJoint{}}, JointKind{FixedJoint{}}, JointKind{locking(0b011111)},
          JointKind{locking(0b111000)}, JointKind{DistanceJoint{.anchor_b = {0.4, 0.1, 0.3}}}}) {
        const JointDef joint{.kind = kind, .spring = kSpring};
        EXPECT_LT(error_of(joint, {}, Method::fast, 240),
                  error_of(joint, {}, Method::fast, 60) / 10);
        EXPECT_LT(error_of(joint, {}, Method::baber2006, 1920),
                  error_of(joint, {}, Method::baber2006, 480) / 14);
    }
}

// A bounded rotation of a soft joint is a component of the rotation vector.
TEST(SoftJoints, LimitsConvergeToTheSameMotion) {
    SixDofJoint bounded = locking(0b001111);
    bounded.axes[4] = {-0.2, 0.15};
    expect_agreement({.kind = bounded, .spring = SpringDef{kHertz, 0.6}}, {0.3, 0.6, -9});
}

// Stops that do not give way: of the methods, one of each integrator.
TEST(JointMethods, HardLimitsConvergeToTheSameMotion) {
    SixDofJoint bounded = locking(0b000111);
    bounded.axes[3] = {-0.4, 0.4};
    bounded.axes[4] = {-0.5, 0.3};
    bounded.axes[5] = {-0.2, 0.2};
    for (const JointKind& kind :
         {JointKind{HingeJoint{.axis = {0, 0.6, 0.8}, .limits = Range{-0.3, 0.5}}},
          JointKind{SliderJoint{.axis = {0, 0.6, 0.8}, .limits = Range{-0.3, 0.2}}},
          JointKind{DistanceJoint{.anchor_b = {0.4, 0.1, 0.3}, .range = Range{0, 0.8}}},
          JointKind{bounded}})
        for (const Method method : {Method::baber2006, Method::kenwright, Method::galoppo2007}) {
            SCOPED_TRACE(test::message("joint kind ", kind.index(), ", ", name(method)));
            const JointDef joint{.kind = kind};
            const double coarse = error_of(joint, {2, 1, -9}, method, 120);
            const double fine = error_of(joint, {2, 1, -9}, method, 960);
            EXPECT_LT(fine, 0.5 * coarse + 1e-3);
            EXPECT_LT(fine, 0.1); // of a rope, which gets taut and slack; of others 5e-4
        }
}

// Friction of a ball joint acts against the rotation: bounded in length, not about each axis.
TEST(JointMethods, BallFrictionConvergesToTheSameMotion) {
    expect_agreement({.kind = BallJoint{}, .friction = 3}, {2, 1, -9});
}

// A position motor has one stiffness, whatever the step. Where its cap ends decides by how much the
// arm swings over: until steps are short the error jumps.
TEST(JointMethods, PositionMotorsConvergeToTheSameMotion) {
    const MotorDef weak{.target_position = 0.7, .max_force = 12};
    expect_agreement({.kind = HingeJoint{.axis = {0, 0.6, 0.8}, .motor = weak}}, {2, 1, -9}, 3840);
    expect_agreement({.kind = SliderJoint{.axis = {0, 0.6, 0.8}, .motor = weak}}, {2, 1, -9});
}

// The mass along the travel of a suspension changes as an unbalanced wheel turns; its stiffness
// does not.
TEST(JointMethods, UnbalancedWheelsConvergeToTheSameMotion) {
    const WheelJoint wheel{.axis = {0, 1, 0},
                           .motor = MotorDef{.target_velocity = 6.0, .max_force = 5}};
    expect_agreement({.kind = wheel, .spring = SpringDef{3, 0.5}}, {1, 0.5, -9});
}

} // namespace
} // namespace rigor
