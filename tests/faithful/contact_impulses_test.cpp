// Impulses that contacts report: those of a step are what changed the momenta of the bodies beside
// gravity, whatever happened in it.

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "rigor/rotation.h"
#include "support/worlds.h"
#include "test_support.h"

namespace rigor::test {
namespace {

/// A world whose bodies are watched in groups: joints transmit impulses within a group that
/// contacts do not report.
class Balance {
  public:
    explicit Balance(World world) : world_(std::move(world)) {}

    World& world() { return world_; }

    BodyId add(const BodyDef& def) {
        const BodyId id = world_.add_body(def).value();
        if (def.type == BodyType::dynamic_body) {
            bodies_.push_back(id);
            group_.push_back(group_.size());
        }
        return id;
    }

    void join(std::size_t i, std::size_t j, const JointDef& joint) {
        world_.add_joint(joint).value();
        const std::size_t from = group_[j], to = group_[i];
        for (std::size_t& group : group_)
            if (group == from) group = to;
    }

    std::size_t size() const { return bodies_.size(); }
    BodyId body(std::size_t i) const { return bodies_[i]; }

    /// Makes a step. Returns the largest difference of a group between what its contacts report and
    /// what changed its momentum, relative to all that acted on it.
    double step(double dt) {
        const std::vector<Vec3d> before = momenta();
        const StepReport report = world_.step(dt);
        EXPECT_TRUE(report.finished);
        fixed_steps += report.fixed_steps;
        const std::vector<Vec3d> after = momenta();
        std::vector<Vec3d> missing(bodies_.size());
        std::vector<double> scale(bodies_.size(), 1e-6);
        for (std::size_t i = 0; i < bodies_.size(); ++i) {
            const Vec3d weight =
                world_.settings().gravity * world_.mass_properties(bodies_[i]).mass;
            missing[group_[i]] += after[i] - before[i] - weight * dt;
            scale[group_[i]] += length(before[i]) + length(after[i]) + length(weight) * dt;
            for (const ContactView& contact : world_.contacts(bodies_[i])) {
                const double sign = contact.b.body == bodies_[i] ? 1 : -1;
                EXPECT_EQ(contact.count, 1);
                const Vec3d impulse = contact.normal * contact.points[0].impulse + contact.friction;
                missing[group_[i]] -= impulse * sign;
                scale[group_[i]] += length(impulse);
            }
        }
        double worst = 0;
        for (std::size_t i = 0; i < missing.size(); ++i)
            worst = std::max(worst, length(missing[i]) / scale[i]);
        return worst;
    }

    int fixed_steps = 0;

  private:
    std::vector<Vec3d> momenta() const {
        std::vector<Vec3d> p;
        for (const BodyId id : bodies_)
            p.push_back(world_.state(id).velocity * world_.mass_properties(id).mass);
        return p;
    }

    World world_;
    std::vector<BodyId> bodies_;
    std::vector<std::size_t> group_; // by body: the first of those that joints connect
};

constexpr double kRounding = 1e-10;

World faithful_world() {
    return World(settings_of(Method::faithful));
}

ShapeGeometry random_shape(Random& random) {
    switch (random.integer(0, 4)) {
        case 0:
            return SphereDef{random.uniform(0.1, 0.4)};
        case 1:
            return CylinderDef{random.uniform(0.2, 0.4), random.uniform(0.05, 0.3)};
        case 2:
            return CapsuleDef{random.uniform(0.1, 0.2), random.uniform(0.2, 0.5)};
        default:
            return BoxDef{random.vec(0.2, 0.7)};
    }
}

BodyDef random_body(Random& random, const Vec3d& position) {
    constexpr double kFrictions[] = {0, 0.2, 0.6, 1.2}, kRestitutions[] = {0, 0, 0.3, 0.8};
    BodyDef def =
        with_material(rigor::test::body(random_shape(random), position),
                      kFrictions[random.integer(0, 3)], kRestitutions[random.integer(0, 3)]);
    if (random.integer(0, 3) > 0) def.orientation = random.rotation<double>();
    def.velocity = random.vec(-2, 2);
    def.angular_velocity = random.vec(-5, 5);
    return def;
}

JointDef random_joint(Random& random, BodyId a, BodyId b, const Vec3d& anchor) {
    JointDef def{.a = a, .b = b, .anchor = anchor};
    switch (random.integer(0, 2)) {
        case 0:
            def.kind = BallJoint{};
            break;
        case 1:
            def.kind = HingeJoint{};
            break;
        default:
            def.kind = FixedJoint{};
            break;
    }
    return def;
}

// Bodies fall on each other and on the ground, slide, roll, bounce and come to rest, some of them
// with joints, in steps short and long.
TEST(ContactImpulses, AreWhatChangesMomentaBesideGravity) {
    constexpr double kSteps[] = {1.0 / 240, 1.0 / 60, 0.05, 0.2};
    for (std::uint64_t seed = 2; seed <= 31; ++seed) {
        SCOPED_TRACE(seed);
        Random random(seed);
        Balance balance(faithful_world());
        add_ground(balance.world(), random.uniform(0, 1), 0.5);
        const int count = random.integer(1, 4);
        std::vector<Vec3d> centers;
        for (int i = 0; i < count; ++i) {
            centers.push_back({random.uniform(-0.6, 0.6), 1.1 * i, random.uniform(0.8, 1.2)});
            balance.add(random_body(random, centers.back()));
        }
        for (std::size_t i = 1; i < balance.size(); ++i)
            if (random.integer(0, 2) == 0)
                balance.join(i - 1, i,
                             random_joint(random, balance.body(i - 1), balance.body(i),
                                          (centers[i - 1] + centers[i]) * 0.5));
        const double dt = kSteps[random.integer(0, 3)];
        for (int i = 0; i < 12 && !HasFailure(); ++i) EXPECT_LT(balance.step(dt), kRounding);
    }
}

// Boxes that clatter, in steps so long that their events are too many: fixed substeps instead.
TEST(ContactImpulses, OfFixedSubstepsAreThoseOfAllOfThem) {
    Balance balance(faithful_world());
    add_ground(balance.world(), 0.5, 0.3);
    Random random(7);
    for (int i = 0; i < 6; ++i) {
        BodyDef box =
            with_material(body(BoxDef{{0.5, 0.4, 0.3}}, {0.1 * i, 0, 0.5 + 0.5 * i}), 0.5, 0.3);
        box.orientation = random.rotation<double>();
        balance.add(box);
    }
    for (int i = 0; i < 2; ++i) EXPECT_LT(balance.step(0.5), kRounding);
    EXPECT_GT(balance.fixed_steps, 0);
}

// A body at rest is not solved again; it weighs as much as before.
TEST(ContactImpulses, OfABodyAtRestCarryIt) {
    for (const double dt : {1.0 / 60, 0.3}) {
        Balance balance(faithful_world());
        add_ground(balance.world(), 0.5);
        for (int i = 0; i < 3; ++i)
            balance.add(
                with_material(body(BoxDef{{1, 1, 0.5}}, {0, 0.1 * i, 0.25 + 0.5 * i}), 0.5));
        for (int i = 0; i < 6; ++i) EXPECT_LT(balance.step(dt), kRounding);
    }
}

// A ball on a wheel that rolls: its load hits the ground and lifts the wheel.
TEST(ContactImpulses, OfAWheelWithALoad) {
    Balance balance(faithful_world());
    add_ground(balance.world(), 0.8);
    balance.add(with_material(body(SphereDef{0.5}, {0, 0, 0.5}), 0.8));
    balance.add(body(SphereDef{0.2}, {0.8, 0, 0.5}));
    balance.join(0, 1,
                 {.a = balance.body(0),
                  .b = balance.body(1),
                  .anchor = {0.8, 0, 0.5},
                  .kind = FixedJoint{}});
    for (int i = 0; i < 20; ++i) EXPECT_LT(balance.step(0.05), kRounding);
}

// A ball in a bowl: the normal turns while it rolls.
TEST(ContactImpulses, OfABallThatRollsOverAnother) {
    Balance balance(faithful_world());
    balance.add(with_material(body(SphereDef{1}, {}, BodyType::static_body), 0.7));
    BodyDef ball = with_material(body(SphereDef{0.3}, {0, 0, 1.3}), 0.7);
    ball.velocity = {0.5, 0, 0};
    ball.angular_velocity = {0, 0.5 / 0.3, 0};
    balance.add(ball);
    for (int i = 0; i < 10; ++i) EXPECT_LT(balance.step(0.1), kRounding);
}

// A step that crosses several cells is made in parts, and reports all of them.
TEST(ContactImpulses, OfAPeriodicWorldAreThoseOfAllParts) {
    WorldSettings settings = settings_of(Method::faithful);
    settings.periodic = PeriodicBox{{0, 0, 0}, {2, 2, 2}};
    settings.gravity = {};
    Balance balance{World(settings)};
    for (int i = 0; i < 3; ++i) {
        BodyDef ball = with_material(body(SphereDef{0.3}, {0.5 + 0.7 * i, 1, 1 + 0.1 * i}), 0.3, 1);
        ball.velocity = {i == 0 ? 40.0 : 0, 0, 0};
        balance.add(ball);
    }
    for (int i = 0; i < 5; ++i) EXPECT_LT(balance.step(0.2), kRounding);
}

// A ball that bounced within a step touches nothing at its end, and its impulse is told all the
// same, with the distance at which it is.
TEST(ContactImpulses, OfABounceAreToldWithTheDistanceAfterwards) {
    World world = faithful_world();
    add_ground(world, 0, 1);
    BodyDef ball = with_material(body(SphereDef{0.5}, {0, 0, 0.6}), 0, 1);
    ball.velocity = {0, 0, -2};
    const BodyId id = world.add_body(ball).value();
    const StepReport report = world.step(0.1);
    EXPECT_EQ(report.contacts, 0);
    const std::vector<ContactView> contacts = world.contacts();
    ASSERT_EQ(contacts.size(), 1u);
    EXPECT_NEAR(contacts[0].points[0].separation, world.state(id).position.z - 0.5, 1e-12);
    EXPECT_TRUE(world.events().begun.empty());
    world.step(0.01);
    EXPECT_TRUE(world.contacts().empty());
}

} // namespace
} // namespace rigor::test
