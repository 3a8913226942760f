// Every engine in this build does the same elementary physics, and quality is what it says.

#include <gmock/gmock.h>

#include <limits>

#include "bench/peers/race.h"
#include "bench/scenes/scene_builder.h"
#include "rigor/rotation.h"
#include "test_support.h"

namespace rigor::bench {
namespace {

constexpr double kDt = 1.0 / 60;

Scene with_ground(const std::function<void(SceneBuilder&)>& build) {
    SceneBuilder scene("test");
    scene.add_ground(20);
    build(scene);
    return std::move(scene).finish();
}

std::vector<Engine> engines_in_this_build() {
    std::vector<Engine> all = engines();
    std::erase_if(all, [](const Engine& e) { return !e.make; });
    return all;
}

class PeerEngine : public ::testing::TestWithParam<Engine> {
  protected:
    /// The engine after so many steps, and how good that is.
    void run(const Scene& scene, int steps) {
        inspector_ = std::make_unique<Inspector>(Inspector::make(scene).value());
        auto made = GetParam().make({scene, inspector_->masses(), 1});
        ASSERT_TRUE(made) << to_string(made.error());
        peer_ = std::move(made).value();
        for (int i = 0; i < steps; ++i) peer_->step(kDt);
        quality_ = inspector_->inspect(*peer_, true);
    }

    std::unique_ptr<Inspector> inspector_;
    std::unique_ptr<Peer> peer_;
    Quality quality_;
};

// After n steps of dt a body has fallen by g t^2 / 2, give or take half a step's speed, which is
// where methods of first order differ.
TEST_P(PeerEngine, FallsByHalfGTSquared) {
    run(with_ground([](SceneBuilder& d) {
            d.add_dynamic({1, 2, 9}, from_axis_angle(normalize(Vec3d{1, 2, 3}), 0.5),
                          CapsuleDef{0.2, 0.5});
            d.add_projectile({-3, 0, 9}, {2, 0, 0}, SphereDef{0.5});
        }),
        60);
    const Motion capsule = peer_->motion(1), ball = peer_->motion(2);
    EXPECT_NEAR(capsule.pose.p.z, 9 - 9.81 / 2, 9.81 * kDt);
    EXPECT_NEAR(capsule.velocity.z, -9.81, 1e-3);
    EXPECT_NEAR(std::abs(dot(capsule.pose.q, from_axis_angle(normalize(Vec3d{1, 2, 3}), 0.5))), 1,
                1e-6);
    EXPECT_NEAR(ball.pose.p.x, -1, 1e-3);
    EXPECT_EQ(quality_.penetration_max, 0);
    const double mass = inspector_->masses()[1].mass, heavy = inspector_->masses()[2].mass;
    const double expected = 0.5 * mass * 9.81 * 9.81 + 0.5 * heavy * (4 + 9.81 * 9.81);
    EXPECT_NEAR(quality_.kinetic_energy / expected, 1, 1e-3);
}

// A spin about the largest axis stays: the same axes and moments reach every engine.
TEST_P(PeerEngine, KeepsASpinAboutAPrincipalAxis) {
    Scene scene = with_ground([](SceneBuilder& d) {
        d.add_dynamic({0, 0, 9}, from_axis_angle(Vec3d{1, 0, 0}, 0.7), BoxDef{{1, 0.6, 0.2}});
    });
    const Vec3d spin = rotate(scene.bodies[1].def.orientation, Vec3d{0, 0, 3});
    scene.bodies[1].def.angular_velocity = spin;
    run(scene, 30);
    EXPECT_LT(length(peer_->motion(1).angular_velocity - spin), 1e-3);
    const Quatd turned = from_axis_angle(normalize(spin), 1.5) * scene.bodies[1].def.orientation;
    EXPECT_NEAR(std::abs(dot(peer_->motion(1).pose.q, turned)), 1, 1e-3);
}

// Two seconds on the ground: nothing sinks by more than soft contacts allow, slides or jumps. The
// hull stands on its base; a margin may hold it above the ground, nothing may let it through.
TEST_P(PeerEngine, RestsOnTheGround) {
    const HullDef wedge{{{-0.5, -0.5, -0.3},
                         {0.5, -0.5, -0.3},
                         {0.5, 0.5, -0.3},
                         {-0.5, 0.5, -0.3},
                         {-0.3, -0.3, 0.3},
                         {0.3, -0.3, 0.3},
                         {0.3, 0.3, 0.3},
                         {-0.3, 0.3, 0.3}}};
    const MassProperties mass = Inspector::make(with_ground([&](SceneBuilder& d) {
                                    d.add_dynamic({0, 0, 5}, {}, wedge);
                                }))
                                    .value()
                                    .masses()[1];
    HullDef centered = wedge;
    for (Vec3d& p : centered.points) p -= mass.center;
    run(with_ground([&](SceneBuilder& d) {
            d.add_dynamic({-3, 0, 0.5}, {}, BoxDef{{1, 1, 1}});
            d.add_dynamic({0, 0, 0.5}, {}, SphereDef{0.5});
            d.add_dynamic({3, 0, 0.3 + mass.center.z}, {}, centered);
        }),
        120);
    EXPECT_LT(quality_.penetration_max, 0.03);
    EXPECT_LT(*quality_.drift, 0.02);
    EXPECT_LT(quality_.kinetic_energy, 100); // of three bodies of half a ton: 0.4 m/s
    for (std::size_t i = 1; i <= 3; ++i) {
        EXPECT_NEAR(peer_->motion(i).pose.p.z, i == 3 ? 0.3 + mass.center.z : 0.5, 0.09)
            << "body " << i;
    }
}

// A pendulum of two links keeps its joints, and the joined do not push each other.
TEST_P(PeerEngine, HoldsJointsTogether) {
    run(make_chains({.scale = 0.01}), 60);
    ASSERT_TRUE(quality_.joint_error);
    EXPECT_LT(*quality_.joint_error, 0.2); // in full swing
    EXPECT_LT(peer_->motion(21).pose.p.z, 9);
    EXPECT_NEAR(peer_->motion(21).pose.p.y, 0, 1e-3);
}

// What an engine does not support is said, not simulated as something else.
TEST_P(PeerEngine, RefusesWhatItDoesNotSupport) {
    if (GetParam().name == "rigor") return; // we can
    const Scene cylinder = with_ground([](SceneBuilder& d) {
        d.add_dynamic({0, 0, 3}, {}, CylinderDef{});
    });
    Scene locked = with_ground([](SceneBuilder& d) { d.add_dynamic({0, 0, 3}, {}, SphereDef{}); });
    locked.bodies[1].def.lock = lock_tx;
    for (const Scene& scene : {cylinder, locked}) {
        const auto inspector = Inspector::make(scene);
        EXPECT_FALSE(GetParam().make({scene, inspector->masses(), 1}));
    }
}

// A run does not depend on what ran before it: the same tower leans the same way twice.
TEST_P(PeerEngine, RepeatsItself) {
    const Scene tower = make_tall_stack20({.scale = 0.25});
    run(tower, 100);
    const Motion first = peer_->motion(5);
    run(tower, 100);
    EXPECT_EQ(peer_->motion(5).pose, first.pose);
}

TEST_P(PeerEngine, SaysWhatItIs) {
    EXPECT_FALSE(GetParam().version.empty());
    EXPECT_FALSE(GetParam().flags.empty());
    EXPECT_GE(GetParam().max_threads, 1);
}

INSTANTIATE_TEST_SUITE_P(, PeerEngine, ::testing::ValuesIn(engines_in_this_build()),
                         [](const auto& engine) { return engine.param.name; });

// An engine that says what it is told to.
class Puppet : public Peer {
  public:
    explicit Puppet(std::vector<Motion> motions) : motions_(std::move(motions)) {}
    void step(double) override {}
    Motion motion(std::size_t i) const override { return motions_[i]; }

  private:
    std::vector<Motion> motions_;
};

std::vector<Motion> as_in(const Scene& scene) {
    std::vector<Motion> motions;
    for (const SceneBody& b : scene.bodies) {
        motions.push_back({{b.def.position, b.def.orientation}, b.def.velocity, {}});
    }
    return motions;
}

// Two boxes on the ground, one pushed 10 mm into it and 30 and 40 mm aside: it overlaps by 10 mm
// and has drifted by 50.
TEST(Quality, IsReadFromPoses) {
    const Scene scene = with_ground([](SceneBuilder& d) {
        d.add_dynamic({-3, 0, 0.6}, {}, BoxDef{{1, 1, 1}});
        d.add_dynamic({3, 0, 0.5}, {}, BoxDef{{1, 1, 1}});
    });
    std::vector<Motion> motions = as_in(scene);
    motions[2].pose.p += Vec3d{0.03, 0.04, -0.01};
    motions[1].velocity = {3, 0, 4};
    motions[2].angular_velocity = {0, 0, 6};
    const Quality q = Inspector::make(scene)->inspect(Puppet(motions), true);
    EXPECT_NEAR(q.penetration_max, 0.01, 1e-12);
    EXPECT_NEAR(q.penetration_p99, 0.01, 1e-12);
    EXPECT_NEAR(*q.drift, 0.05, 1e-12);
    EXPECT_FALSE(q.joint_error);
    // 1000 kg at 5 m/s, and a moment of 1000/6 kg m^2 at 6 rad/s.
    EXPECT_NEAR(q.kinetic_energy, 12'500 + 3'000, 1e-8);
    EXPECT_EQ(q.lost, 0u);
    EXPECT_FALSE(Inspector::make(scene)->inspect(Puppet(motions), false).drift);
}

// Turning a link by 90 degrees about its own middle tears both of its ends away, by the diagonal
// of a square with half its length as side.
TEST(Quality, SeesJointsComeApart) {
    const Scene scene = make_chains({.scale = 0.01});
    std::vector<Motion> motions = as_in(scene);
    EXPECT_NEAR(*Inspector::make(scene)->inspect(Puppet(motions), false).joint_error, 0, 1e-12);
    motions[5].pose.q = from_axis_angle(Vec3d{0, 1, 0}, std::acos(0.0)) * motions[5].pose.q;
    EXPECT_NEAR(*Inspector::make(scene)->inspect(Puppet(motions), false).joint_error,
                0.3 * std::sqrt(2.0), 1e-12);
}

TEST(Quality, LeavesOutBodiesThatAreNowhere) {
    const Scene scene = with_ground([](SceneBuilder& d) {
        d.add_dynamic({0, 0, 5}, {}, SphereDef{});
        d.add_dynamic({3, 0, 5}, {}, SphereDef{});
    });
    std::vector<Motion> motions = as_in(scene);
    motions[1].pose.p.x = std::numeric_limits<double>::quiet_NaN();
    const Quality q = Inspector::make(scene)->inspect(Puppet(motions), true);
    EXPECT_EQ(q.lost, 1u);
    EXPECT_EQ(*q.drift, 0);
}

TEST(Percentile, IsTheSmallestValueThatEnoughDoNotExceed) {
    EXPECT_EQ(percentile({}, 0.5), 0);
    EXPECT_EQ(percentile({7}, 0.99), 7);
    EXPECT_EQ(percentile({1, 2, 3, 4}, 0.5), 2);
    EXPECT_EQ(percentile({1, 2, 3, 4}, 0.99), 4);
    EXPECT_EQ(percentile({1, 2, 3, 4}, 0), 1);
}

// Engines take turns, each --repeat times; one that does not support it is reported once.
TEST(Race, TakesTurns) {
    static int made = 0;
    made = 0;
    const Engine refuses{
        .name = "refuses", .make = [](const PeerSetup&) {
            return Result<std::unique_ptr<Peer>>(Error{ErrorCode::unsupported, "", "no"});
        }};
    const Engine runs{
        .name = "runs", .make = [](const PeerSetup& setup) {
            ++made;
            return Result<std::unique_ptr<Peer>>(std::make_unique<Puppet>(as_in(setup.scene)));
        }};
    RaceSettings settings;
    settings.steps = 4;
    settings.repeat = 3;
    int steps = 0;
    const auto rows =
        race(scene_kinds()[4], {{&refuses, 1}, {&runs, 2}}, settings, [&] { ++steps; });
    ASSERT_TRUE(rows);
    ASSERT_EQ(rows->size(), 2u);
    EXPECT_EQ(made, 3);
    EXPECT_EQ(steps, 12);
    EXPECT_EQ((*rows)[0].runs, 0);
    EXPECT_THAT((*rows)[0].notes, ::testing::ElementsAre("skipped: no"));
    EXPECT_EQ((*rows)[1].runs, 3);
    EXPECT_EQ((*rows)[1].bodies, 20u);
    EXPECT_LE((*rows)[1].ms_per_step, (*rows)[1].p99);
    EXPECT_EQ(*(*rows)[1].quality.drift, 0);
}

// An engine that throws half-way has no times, and does not take the others down with it.
TEST(Race, OutlivesAnEngineThatGivesUp) {
    class Faint : public Puppet {
      public:
        using Puppet::Puppet;
        void step(double) override {
            if (++steps_ == 3) throw std::runtime_error("normal is not a number");
        }

      private:
        int steps_ = 0;
    };
    const Engine engine{
        .name = "faint", .make = [](const PeerSetup& setup) {
            return Result<std::unique_ptr<Peer>>(std::make_unique<Faint>(as_in(setup.scene)));
        }};
    RaceSettings settings;
    settings.steps = 5;
    settings.repeat = 2;
    const auto rows = race(scene_kinds()[4], {{&engine, 1}}, settings, [] {});
    ASSERT_TRUE(rows);
    EXPECT_EQ((*rows)[0].runs, 0);
    EXPECT_THAT((*rows)[0].notes,
                ::testing::ElementsAre("gave up in step 3: normal is not a number"));
}

} // namespace
} // namespace rigor::bench
