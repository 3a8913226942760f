// Which bodies break, when, into what; and that a break can be repeated.
#include <limits>

#include "features/breakable.h"
#include "rigor/simulation.h"

namespace rigor::test {
namespace {

BodyDef box_at(const Vec3d& position, const Vec3d& size, const char* name = "box") {
    BodyDef def{.name = name, .position = position};
    def.shapes.push_back({.geometry = BoxDef{size}});
    return def;
}

std::string refusal(const BodyDef& def, const FractureDef& how) {
    World world;
    const BodyId id = world.add_body(def).value();
    Fracture fracture;
    const auto watched = fracture.watch(world, id, def, how);
    return watched ? "" : to_string(watched.error());
}

TEST(Fracture, RefusesWhatCannotBreakInOneSentence) {
    const BodyDef box = box_at({}, {1, 1, 1});
    EXPECT_EQ(refusal(box, {.impulse = 1.0}), "");
    EXPECT_EQ(refusal(box, {.pieces = 0, .impulse = 1.0}), "pieces: must be from 2 to 1000, got 0");
    EXPECT_EQ(refusal(box, {.pieces = 1, .impulse = 1.0}), "pieces: must be from 2 to 1000, got 1");
    EXPECT_EQ(refusal(box, {.pieces = 1001, .impulse = 1.0}),
              "pieces: must be from 2 to 1000, got 1001");
    EXPECT_EQ(refusal(box, {}),
              "fracture: exactly one of impulse, force, momentum and bonds must be given");
    EXPECT_NE(refusal(box, {.impulse = 1.0, .force = 1.0}), "");
    EXPECT_NE(refusal(box, {.impulse = -1.0}), "");
    EXPECT_NE(refusal(box, {.impulse = std::numeric_limits<double>::quiet_NaN()}), "");
    EXPECT_NE(refusal(box, {.impulse = 1.0, .min_size = -1}), "");
    EXPECT_NE(refusal(box, {.impulse = 1.0, .energy = -1}), "");
    BodyDef fixed = box;
    fixed.type = BodyType::static_body;
    EXPECT_EQ(refusal(fixed, {.impulse = 1.0}), "fracture: only a dynamic body can break");
    BodyDef sensor = box;
    sensor.shapes[0].sensor = true;
    sensor.mass_properties = {1, {}, Sym3d::identity()};
    EXPECT_EQ(refusal(sensor, {.impulse = 1.0}),
              "shapes: a body that can break needs a shape that is not a sensor");
}

constexpr Method kColliding[] = {Method::fast,        Method::faithful,  Method::baber2006,
                                 Method::kavan2003,   Method::baber2011, Method::kenwright,
                                 Method::galoppo2007, Method::penalty};

TEST(Fracture, BreaksEveryShapeUnderEveryMethod) {
    for (const Method method : kColliding) {
        for (const auto& [name, shape] : breakable_shapes()) {
            SCOPED_TRACE(message(rigor::name(method), ": ", name));
            Random random(3);
            BodyDef def{.name = "body", .angular_velocity = {1, 2, 3}};
            def.shapes.push_back(shape);
            def.shapes[0].material.color = 0x112233ff;
            def.shapes[0].material.kinetic_friction = 0.25;
            HitBody hit(weightless(method), def, {.pieces = 10, .impulse = 1e-6}, random);
            // kenwright finds contacts where a step begins, and only where bodies overlap.
            const bool is_late = method == Method::kenwright;
            for (int i = 0; i < (is_late ? 4 : 1) && hit.fracture.events().empty(); ++i)
                hit.step(is_late ? 1.0 / 600 : 1.0 / 60);
            ASSERT_EQ(hit.fracture.events().size(), 1u);
            const FractureEvent& event = hit.fracture.events()[0];
            EXPECT_GE(event.pieces.size(), 8u) << event.failure;
            EXPECT_EQ(event.name, "body");
            EXPECT_GT(event.impulse, 0);
            for (const BodyId piece : event.pieces)
                for (const ShapeId id : hit.world.shapes(piece))
                    if (std::string(name) != "compound") {
                        EXPECT_EQ(hit.world.material(id).color, 0x112233ffu);
                        EXPECT_EQ(hit.world.material(id).kinetic_friction, 0.25);
                    }
        }
    }
}

// A ball of 1 kg at 10 m/s that stops dead gives 10 N s; e = 0.
TEST(Fracture, BreaksAboveItsImpulseAndNotBelow) {
    for (const Method method : kColliding) {
        for (const double threshold : {6.0, 12.0}) {
            World world(weightless(method));
            BodyDef wall = box_at({0, 0, 0}, {1, 1, 1});
            wall.mass = 1e6;
            BodyDef ball{.position = {-0.8, 0, 0}, .velocity = {10, 0, 0}};
            ball.shapes.push_back({.geometry = SphereDef{0.25}});
            ball.mass = 1;
            const BodyId id = world.add_body(wall).value();
            ASSERT_TRUE(world.add_body(ball));
            Fracture fracture;
            ASSERT_TRUE(fracture.watch(world, id, wall, {.impulse = threshold}));
            std::size_t breaks = 0;
            for (int i = 0; i < 10; ++i) {
                fracture.before_step(world);
                world.step(1.0 / 60);
                fracture.after_step(world, 1.0 / 60);
                breaks += fracture.events().size();
            }
            EXPECT_EQ(breaks > 0, threshold < 10) << rigor::name(method) << " " << threshold;
        }
    }
}

// A load that rests is a force: 100 kg on a table are 981 N.
TEST(Fracture, BreaksUnderARestingLoad) {
    for (const Method method : kColliding) {
        for (const double threshold : {700.0, 2500.0}) {
            WorldSettings settings;
            settings.method = method;
            World world(settings);
            BodyDef floor{.type = BodyType::static_body};
            floor.shapes.push_back({.geometry = PlaneDef{}});
            ASSERT_TRUE(world.add_body(floor));
            BodyDef table = box_at({0, 0, 0.1}, {1, 1, 0.2}), load = box_at({0, 0, 0.7}, {1, 1, 1});
            table.mass = 1, load.mass = 100;
            // A single pass of impulses gives a light body between two others little more than its
            // own momentum, and lets the load sink through it: here it breaks by its own weight.
            const bool has_table = method != Method::kenwright;
            if (!has_table) load.position.z = 0.5;
            const BodyDef& watched = has_table ? table : load;
            const BodyId id = world.add_body(watched).value();
            if (has_table) world.add_body(load).value();
            Fracture fracture;
            ASSERT_TRUE(fracture.watch(world, id, watched, {.force = threshold}));
            std::size_t breaks = 0;
            for (int i = 0; i < 30 && breaks == 0; ++i) {
                fracture.before_step(world);
                world.step(1.0 / 60);
                fracture.after_step(world, 1.0 / 60);
                breaks += fracture.events().size();
            }
            EXPECT_EQ(breaks > 0, threshold < 981) << rigor::name(method) << " " << threshold;
        }
    }
}

TEST(Fracture, BreaksByItsOwnMomentumWhenItIsHit) {
    for (const double threshold : {4.0, 6.0}) {
        World world(weightless(Method::fast));
        BodyDef wall = box_at({1.2, 0, 0}, {1, 1, 1});
        wall.type = BodyType::static_body;
        ASSERT_TRUE(world.add_body(wall));
        BodyDef box = box_at({0, 0, 0}, {1, 1, 1});
        box.mass = 1, box.velocity = {5, 0, 0};
        const BodyId id = world.add_body(box).value();
        Fracture fracture;
        ASSERT_TRUE(fracture.watch(world, id, box, {.momentum = threshold}));
        std::size_t breaks = 0;
        for (int i = 0; i < 20 && breaks == 0; ++i) {
            fracture.before_step(world);
            world.step(1.0 / 60);
            fracture.after_step(world, 1.0 / 60);
            breaks += fracture.events().size();
        }
        EXPECT_EQ(breaks > 0, threshold < 5);
    }
}

TEST(Fracture, GatheredPiecesAreSmallerNearTheImpact) {
    Random random(4);
    BodyDef plate = box_at({}, {2, 2, 0.1});
    HitBody hit(weightless(Method::fast), plate, {.pieces = 60, .impulse = 1e-9}, random);
    hit.step(1.0 / 60);
    ASSERT_EQ(hit.fracture.events().size(), 1u);
    const FractureEvent& event = hit.fracture.events()[0];
    double near = 0, far = 0;
    int near_count = 0, far_count = 0;
    for (const BodyId id : event.pieces) {
        const double distance = length(hit.world.state(id).position - event.point);
        const double mass = hit.world.mass_properties(id).mass;
        if (distance < 0.3) near += mass, ++near_count;
        if (distance > 0.7) far += mass, ++far_count;
    }
    ASSERT_GT(near_count, 5);
    ASSERT_GT(far_count, 3);
    EXPECT_LT(near / near_count, 0.5 * far / far_count);
}

constexpr const char* kScene = R"({"rigor": 1, "method": "fast", "bodies": [
  {"name": "floor", "type": "static", "shapes": [{"type": "plane", "normal": [0, 0, 1]}]},
  {"name": "ball", "position": [-3, 0, 1], "velocity": [20, 0, 0],
   "shapes": [{"type": "sphere", "radius": 0.3, "density": 5000}]},
  {"name": "a", "position": [0, 0, 0.5], "fracture": {"pieces": 8, "impulse": 500, "min_size": 0.2},
   "shapes": [{"type": "box", "size": [0.5, 1, 1]}]},
  {"name": "b", "position": [0, 0, 1.5], "fracture": {"pieces": 8, "impulse": 500, "at_impact": false},
   "shapes": [{"type": "box", "size": [0.5, 1, 1]}]}]})";

/// Few pieces and no floor: `faithful` follows every impact of a heap, which takes long.
constexpr const char* kSmallScene = R"({"rigor": 1, "gravity": [0, 0, 0], "bodies": [
  {"name": "ball", "position": [-1.9, 0.1, 0.2], "velocity": [20, 0, 0],
   "shapes": [{"type": "sphere", "radius": 0.3, "density": 5000}]},
  {"name": "a", "fracture": {"pieces": 3, "impulse": 500, "min_size": 5},
   "shapes": [{"type": "box", "size": [0.5, 1, 1]}]}]})";

Simulation simulation_of(const std::string& text, const char* method, int threads = 1) {
    Scene scene = parse_scene(text, "test").value();
    scene.method = method;
    return Simulation::make(std::move(scene), {.threads = threads}).value();
}

TEST(Fracture, SteppingBackAndBreakingAgainGivesTheSameHash) {
    for (const char* method : {"fast", "faithful"}) {
        SCOPED_TRACE(method);
        const bool is_fast = std::string(method) == "fast";
        Simulation simulation = simulation_of(is_fast ? kScene : kSmallScene, method);
        EXPECT_TRUE(simulation.unhonored().empty());
        for (int i = 0; i < 3; ++i) simulation.step(1.0 / 60);
        const SimulationSnapshot start = simulation.snapshot();
        const std::size_t whole = simulation.world().body_count();
        const auto run = [&] {
            std::vector<std::uint64_t> hashes;
            for (int i = 0; i < (is_fast ? 12 : 4); ++i) {
                simulation.step(1.0 / 60);
                hashes.push_back(simulation.world().state_hash());
            }
            return hashes;
        };
        const auto first = run();
        EXPECT_GT(simulation.world().body_count(), whole) << "something broke";
        simulation.restore(start);
        EXPECT_EQ(simulation.world().body_count(), whole);
        EXPECT_EQ(run(), first);
    }
}

TEST(Fracture, ThreadsDoNotMatter) {
    Simulation one = simulation_of(kScene, "fast", 1), two = simulation_of(kScene, "fast", 2);
    for (int i = 0; i < 40; ++i) one.step(1.0 / 60), two.step(1.0 / 60);
    EXPECT_GT(one.world().body_count(), 10u);
    EXPECT_EQ(one.world().state_hash(), two.world().state_hash());
}

TEST(Fracture, PiecesBreakAgainDownToTheirSmallestSize) {
    const auto count = [](double min_size) {
        std::string text = kScene;
        text.replace(text.find("0.2}"), 3, std::to_string(min_size));
        text.replace(text.find("\"impulse\": 500"), 14, "\"impulse\": 100");
        Simulation simulation = simulation_of(text, "fast");
        std::size_t generations = 0;
        for (int i = 0; i < 20; ++i) {
            simulation.step(1.0 / 60);
            for (const FractureEvent& event : simulation.fractures())
                if (event.name.rfind("a.", 0) == 0) ++generations;
        }
        return generations;
    };
    EXPECT_EQ(count(5), 0u) << "every piece is smaller";
    EXPECT_GT(count(0.2), 0u);
}

TEST(Fracture, JointsOfABrokenBodyAreRemovedAndTold) {
    std::string text = kScene;
    text.insert(text.rfind(']') + 1, R"(, "joints": [
        {"name": "nail", "type": "ball", "a": "a", "b": "world", "anchor": [0, 0, 0]}])");
    Simulation simulation = simulation_of(text, "fast");
    const JointId nail = simulation.joint(0);
    bool is_told = false;
    for (int i = 0; i < 30; ++i) {
        simulation.step(1.0 / 60);
        for (const FractureEvent& event : simulation.fractures())
            if (event.name == "a") is_told = event.joints == std::vector<JointId>{nail};
    }
    EXPECT_TRUE(is_told);
    EXPECT_FALSE(simulation.world().is_valid(nail));
}

TEST(Fracture, ARecordingIsReplayedToTheSameHash) {
    Scene scene = parse_scene(kScene, "test").value();
    Simulation simulation = Simulation::make(std::move(scene), {.record = true}).value();
    for (int i = 0; i < 30; ++i) simulation.step(1.0 / 60);
    ASSERT_GT(simulation.world().body_count(), 10u);
    const ReplayReport report = replay(simulation.world().recording(), {.threads = 2});
    EXPECT_TRUE(report.identical()) << report.difference->what;
    EXPECT_EQ(report.steps, 30u);
    EXPECT_EQ(report.bodies, simulation.world().body_count());
}

// Bonds hold the pieces together like one body until they are loaded too much.
TEST(Fracture, BondsHoldUntilTheirForce) {
    for (const double strength : {1e7, 20.0}) {
        std::string text = kScene;
        const std::string old = R"("fracture": {"pieces": 8, "impulse": 500, "min_size": 0.2})";
        text.replace(text.find(old), old.size(),
                     R"("fracture": {"pieces": 6, "bonds": )" + std::to_string(strength) + "}");
        Simulation simulation = simulation_of(text, "fast");
        ASSERT_EQ(simulation.bonded().size(), 1u);
        const BondedBody& made = simulation.bonded()[0].made;
        ASSERT_EQ(made.pieces.size(), 6u);
        ASSERT_GE(made.bonds.size(), 5u);
        double mass = 0;
        for (const BodyId id : made.pieces) mass += simulation.world().mass_properties(id).mass;
        EXPECT_NEAR(mass, 500, 1e-9);
        for (int i = 0; i < 60; ++i) simulation.step(1.0 / 60);
        std::size_t left = 0;
        for (const JointId id : made.bonds) left += simulation.world().is_valid(id);
        EXPECT_EQ(left == made.bonds.size(), strength > 1e6) << left;
    }
}

// Pieces that break into pieces have a bound, and what is left stays whole.
TEST(Fracture, StopsAtItsMaxPieces) {
    for (const int most : {8, 20, 100}) {
        SCOPED_TRACE(most);
        std::string text = kScene;
        const std::string old = R"("fracture": {"pieces": 8, "impulse": 500, "min_size": 0.2})";
        text.replace(text.find(old), old.size(),
                     R"("fracture": {"pieces": 8, "impulse": 1, "min_size": 0.05, "max_pieces": )" +
                         std::to_string(most) + "}");
        Simulation simulation = simulation_of(text, "fast");
        int told = 0;
        for (int i = 0; i < 60; ++i) {
            simulation.step(1.0 / 60);
            for (const FractureEvent& event : simulation.fractures())
                told +=
                    event.failure.find("max_pieces, " + std::to_string(most)) != std::string::npos;
        }
        int bodies = 0; // that came of "a"
        for (const BodyId id : simulation.world().bodies())
            bodies += simulation.world().name(id).starts_with("a");
        EXPECT_GE(bodies, 8);
        EXPECT_LE(bodies, most);
        EXPECT_EQ(told, 1);
    }
}

} // namespace
} // namespace rigor::test
