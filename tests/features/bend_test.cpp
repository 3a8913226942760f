// Bodies of fencers that bend: the deformation, refitted volumes, and hits on what is deformed.
#include "features/duel/bend.h"

#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "geometry/mesh.h"
#include "rigor/mesh_file.h"
#include "rigor/recording.h"
#include "rigor/simulation.h"
#include "test_support.h"

namespace rigor::test {
namespace {

using testing::HasSubstr;

constexpr double kDegree = std::numbers::pi / 180;
const BendDef kBend{.waist = {0, 0, 0.95}, .neck = {0, 0, 1.5}};

TriangleSoup fencer_mesh() {
    return load_mesh(std::filesystem::path(RIGOR_SOURCE_DIR) / "scenes/meshes/fencer.obj").value();
}

std::vector<Vec3d> bent_vertices(const std::vector<Vec3d>& rest, const Bend& bend) {
    std::vector<Vec3d> out;
    for (const Vec3d& v : rest) out.push_back(bent(kBend, bend, v));
    return out;
}

/// Any bend that the limits allow.
Bend random_bend(Random& random) {
    const double most = kBend.max_angle_deg * kDegree, about = random.uniform(0, 6.283);
    const double lean = random.uniform(0, most);
    return {{lean * std::cos(about), lean * std::sin(about), 0}, random.uniform(-most, most)};
}

// The neck moves by the share of the weapon's way; it can be read off the definition.
TEST(Bend, TheNeckFollowsTheWeapon) {
    const Vec3d rest{0.45, 0, 1.1};
    for (const Vec3d& way : {Vec3d{0.1, 0, 0}, Vec3d{0, 0.1, 0}, Vec3d{-0.06, 0.08, 0.3}}) {
        BendDef def = kBend;
        def.twist = 0;
        const Bend bend = bend_toward(def, rest, rest + way);
        const double angle = 0.5 * 0.1 / 0.55;
        EXPECT_NEAR(length(bend.lean), angle, 1e-12);
        const Vec3d neck = bent(def, bend, def.neck), flat = normalize(Vec3d{way.x, way.y, 0});
        EXPECT_NEAR(dot(neck, flat), 0.55 * std::sin(angle), 1e-12);
        EXPECT_NEAR(neck.z, 0.95 + 0.55 * std::cos(angle), 1e-12);
    }
}

// A weapon that goes around the axis turns the chest after it, one along its direction does not.
TEST(Bend, TheChestTurnsAfterTheWeapon) {
    const Vec3d rest{0.4, 0, 1.1};
    EXPECT_NEAR(bend_toward(kBend, rest, rest + Vec3d{0, 0.1, 0}).twist, 0.5 * 0.25, 1e-12);
    EXPECT_NEAR(bend_toward(kBend, rest, rest - Vec3d{0, 0.1, 0}).twist, -0.5 * 0.25, 1e-12);
    EXPECT_EQ(bend_toward(kBend, rest, rest + Vec3d{0.3, 0, 0.2}).twist, 0);
    BendDef stiff = kBend;
    stiff.lean = stiff.twist = 0;
    const Bend none = bend_toward(stiff, rest, {3, 2, 1});
    EXPECT_EQ(length(none.lean), 0);
    EXPECT_EQ(none.twist, 0);
}

TEST(Bend, HasALargestAngle) {
    const Bend bend = bend_toward(kBend, {0.4, 0, 1}, {100, 200, 1});
    EXPECT_NEAR(length(bend.lean), 30 * kDegree, 1e-12);
    EXPECT_NEAR(std::abs(bend.twist), 30 * kDegree, 1e-12);
}

// Legs stay to the last bit, the head keeps its form, and a bend of nothing changes nothing.
TEST(Bend, LegsStayAndTheHeadIsRigid) {
    Random random(3);
    for (int i = 0; i < 200; ++i) {
        const Bend bend = random_bend(random);
        const Vec3d leg{random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3), 0.9};
        EXPECT_EQ(bent(kBend, bend, leg), leg);
        const auto head = [&] {
            return Vec3d{random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2),
                         random.uniform(1.5, 1.9)};
        };
        const Vec3d a = head(), b = head();
        EXPECT_NEAR(length(bent(kBend, bend, a) - bent(kBend, bend, b)), length(a - b), 1e-12);
        EXPECT_LT(length(bent(kBend, {}, a) - a), 1e-15);
    }
}

// At any bend that is allowed no small tetrahedron of the body turns inside out; at a larger angle
// than check_folds allows one does.
TEST(Bend, WhatIsAllowedDoesNotFold) {
    const auto smallest = [](const BendDef& def, const Bend& bend, double r) {
        double least = 1e300;
        const double e = 1e-5;
        Random random(4);
        for (int i = 0; i < 4000; ++i) {
            const double about = random.uniform(0, 6.283), z = random.uniform(0.9, 1.6);
            const Vec3d p{r * std::cos(about), r * std::sin(about), z};
            const Vec3d o = bent(def, bend, p), x = bent(def, bend, p + Vec3d{e, 0, 0}) - o,
                        y = bent(def, bend, p + Vec3d{0, e, 0}) - o,
                        up = bent(def, bend, p + Vec3d{0, 0, e}) - o;
            least = std::min(least, dot(cross(x, y), up) / (e * e * e));
        }
        return least;
    };
    BendDef def = kBend;
    def.max_angle_deg = 45;
    const double r = 0.55 / (1.5 * 45 * kDegree); // where 45 degrees are the limit
    const std::vector<Vec3d> inside{{0.99 * r, 0, 1.2}}, outside{{0, -1.01 * r, 1.2}};
    EXPECT_TRUE(check_folds(def, inside));
    ASSERT_FALSE(check_folds(def, outside));
    EXPECT_THAT(check_folds(def, outside).error().message, HasSubstr("would fold"));
    const Bend most{{45 * kDegree, 0, 0}, 0.7};
    EXPECT_GT(smallest(def, most, 0.99 * r), 0);
    EXPECT_LT(smallest(def, most, 1.01 * r), 0);
}

/// A world with a mesh and a capsule beside it.
struct MeshAndBlade {
    MeshAndBlade(const TriangleSoup& soup, Method method) : world({.method = method}) {
        BodyDef def;
        def.type = BodyType::kinematic_body;
        def.shapes = {ShapeDef{MeshDef{std::make_shared<const TriangleSoup>(soup)}}};
        body = world.add_body(def).value();
        BodyDef capsule;
        capsule.gravity_scale = 0;
        capsule.shapes = {ShapeDef{CapsuleDef{0.015, 0.9}}};
        capsule.position = {3, 0, 1};
        blade = world.add_body(capsule).value();
    }
    World world;
    BodyId body, blade;
};

// What a refitted mesh answers is what a new mesh of the same vertices does: contacts and rays bit
// for bit, gaps to rounding. Impacts, found to within a tolerance, and depths of overlap depend on
// the order of the tree.
TEST(BentMesh, AnswersLikeANewOne) {
    const TriangleSoup rest = fencer_mesh();
    Random random(5);
    MeshAndBlade refitted(rest, Method::fast);
    const ShapeId mesh = refitted.world.shapes(refitted.body)[0];
    int touching = 0, hits = 0;
    for (int i = 0; i < 60; ++i) {
        TriangleSoup soup = rest;
        soup.vertices = bent_vertices(rest.vertices, random_bend(random));
        refitted.world.set_mesh_vertices(mesh, soup.vertices);
        EXPECT_EQ(refitted.world.mesh_vertices(mesh), soup.vertices);
        MeshAndBlade fresh(soup, Method::fast);
        for (int k = 0; k < 10; ++k) {
            const Posed pose{
                {random.uniform(-0.4, 0.4), random.uniform(-0.4, 0.4), random.uniform(0.8, 1.9)},
                random.rotation()};
            const Posed from{pose.p + random.vec() * 0.5, random.rotation()};
            for (MeshAndBlade* w : {&refitted, &fresh}) w->world.set_pose(w->blade, pose);
            const auto points = refitted.world.contact_points(refitted.body, refitted.blade, 0.01);
            EXPECT_EQ(points, fresh.world.contact_points(fresh.body, fresh.blade, 0.01));
            const double gap = refitted.world.distance(refitted.body, refitted.blade).distance;
            const double wanted = fresh.world.distance(fresh.body, fresh.blade).distance;
            EXPECT_EQ(gap > 0, wanted > 0);
            if (wanted > 0) {
                EXPECT_NEAR(gap, wanted, 1e-13);
            }
            touching += !points.empty();
            const auto impact = [&](const MeshAndBlade& w) {
                return w.world.time_of_impact(w.blade, from, w.body, {});
            };
            EXPECT_EQ(impact(refitted).has_value(), impact(fresh).has_value());
            EXPECT_NEAR(impact(refitted).value_or(1), impact(fresh).value_or(1), 1e-4);
            const RayQuery ray{from.p, pose.p - from.p};
            EXPECT_EQ(refitted.world.cast_ray(ray), fresh.world.cast_ray(ray));
            hits += refitted.world.cast_ray(ray).has_value();
        }
    }
    EXPECT_GT(touching, 100);
    EXPECT_GT(hits, 100);
}

// And a blade that is pushed out of it is pushed out alike.
TEST(BentMesh, PushesLikeANewOne) {
    const TriangleSoup rest = fencer_mesh();
    Random random(6);
    for (const Method method : {Method::fast, Method::kavan2003}) {
        for (int i = 0; i < 4; ++i) {
            TriangleSoup soup = rest;
            soup.vertices = bent_vertices(rest.vertices, random_bend(random));
            MeshAndBlade refitted(rest, method), fresh(soup, method);
            refitted.world.set_mesh_vertices(refitted.world.shapes(refitted.body)[0],
                                             soup.vertices);
            const Posed pose{{1.2, 0, 1.3}, random.rotation()};
            for (MeshAndBlade* w : {&refitted, &fresh}) {
                w->world.set_pose(w->blade, pose);
                w->world.set_velocity(w->blade, {-3, 0, 0});
                for (int k = 0; k < 30; ++k) w->world.step(1.0 / 60);
            }
            const BodyState a = refitted.world.state(refitted.blade),
                            b = fresh.world.state(fresh.blade);
            EXPECT_EQ(a.position, b.position);
            EXPECT_EQ(a.velocity, b.velocity);
            EXPECT_GT(length(a.velocity - Vec3d{-3, 0, 0}), 0.1) << "it hit nothing";
        }
    }
}

/// Whether the box of every node holds the triangles below it; checks from the leaves' items.
void expect_volumes_hold(const TriangleMesh<double>& mesh) {
    const auto& nodes = mesh.tree.nodes;
    const auto holds = [](const Aabb<double>& box, const Aabb<double>& in) {
        return min(box.lo, in.lo) == box.lo && max(box.hi, in.hi) == box.hi;
    };
    std::size_t items = 0;
    for (std::uint32_t n = 0; n < nodes.size(); ++n) {
        if (nodes[n].count == 0) {
            ASSERT_TRUE(holds(nodes[n].box, nodes[n + 1].box)) << n;
            ASSERT_TRUE(holds(nodes[n].box, nodes[nodes[n].next].box)) << n;
        }
        for (std::uint32_t k = 0; k < nodes[n].count; ++k, ++items)
            for (const std::uint32_t v : mesh.triangles[mesh.tree.items[nodes[n].next + k]])
                ASSERT_TRUE(holds(nodes[n].box, {mesh.vertices[v], mesh.vertices[v]})) << n;
    }
    EXPECT_EQ(items, mesh.triangles.size());
}

TEST(BentMesh, VolumesHoldTheirTrianglesAfterAThousandRefits) {
    const TriangleSoup rest = fencer_mesh();
    auto mesh = make_mesh(rest).value();
    const std::size_t bytes = memory_bytes(*mesh);
    Random random(7);
    for (int i = 0; i < 1000; ++i) {
        mesh = deformed_mesh(*mesh, bent_vertices(rest.vertices, random_bend(random))).value();
        expect_volumes_hold(*mesh);
    }
    EXPECT_LE(memory_bytes(*mesh), 2 * bytes) << "it grows with every refit";
    // Back at rest nothing is left of the way there.
    mesh = deformed_mesh(*mesh, rest.vertices).value();
    EXPECT_EQ(mesh->vertices, make_mesh(rest).value()->vertices);
    EXPECT_EQ(mesh->box.lo, make_mesh(rest).value()->box.lo);
}

/// What the tests below choose.
struct Columns {
    bool bends = true;
    Vec3d weapon{0, -0.8, 1.75}; ///< where the weapon of the second fencer starts
    double speed = 6;            ///< of the weapons, in units of their devices
    std::string method = "kavan2003";
};

/// Two fencers: columns of 0.2 x 0.2 x 2 m that bend from 1 to 1.5 m, the first at the origin. The
/// weapons are balls; the first coordinate of their devices is a meter along y.
class TwoColumns {
  public:
    explicit TwoColumns(const Columns& columns) {
        const std::string bend =
            columns.bends ? R"(, "bend": { "waist": [0, 0, 1], "neck": [0, 0, 1.5], "lean": 1 })"
                          : "";
        const std::string text =
            R"({ "rigor": 1, "method": ")" + columns.method + R"(", "bodies": [ )" +
            column("a", 0) + column("b", 20) + weapon("weapon a", {0.5, 0, 1.2}, columns.speed) +
            ", " + weapon("weapon b", columns.weapon, columns.speed) +
            R"( ], "duel": { "rounds": 3, "fencers": [ { "name": "a", "weapon": "weapon a",
            "body": "a")" +
            bend + R"( }, { "name": "b", "weapon": "weapon b", "body": "b" } ] } })";
        simulation_ =
            Simulation::make(parse_scene(text, "columns").value(), {.has_input = true}).value();
    }

    /// Moves the device of weapon 0 or 1, and gives it time to follow.
    void move(std::size_t weapon, double x, int steps) {
        ASSERT_TRUE(simulation_->drivers().set_input(simulation_->body(2 + weapon), {x, 0}));
        for (int i = 0; i < steps; ++i) simulation_->step(1.0 / 60);
    }
    double weapon_at() const { return simulation_->world().pose(simulation_->body(3)).p.y; }
    std::array<int, 2> score() const { return simulation_->duel()->state().score; }
    const World& world() const { return simulation_->world(); }

  private:
    static std::string array(std::initializer_list<double> numbers) {
        std::string out;
        for (const double x : numbers) out += (out.empty() ? "[" : ", ") + std::to_string(x);
        return out + "]";
    }

    static std::string column(const char* name, double x) {
        std::string vertices, triangles = "[0, 2, 1], [0, 3, 2], [16, 17, 18], [16, 18, 19]";
        for (const double z : {0.0, 1.0, 1.25, 1.5, 2.0})
            for (const auto& [u, v] : {std::pair{-1, -1}, {1, -1}, {1, 1}, {-1, 1}})
                vertices += (vertices.empty() ? "" : ", ") + array({0.1 * u, 0.1 * v, z});
        for (int i = 0; i < 16; ++i) {
            const int next = i % 4 == 3 ? i - 3 : i + 1;
            for (const auto& [p, q, r] :
                 {std::tuple{i, next, next + 4}, std::tuple{i, next + 4, i + 4}})
                triangles += ", [" + std::to_string(p) + ", " + std::to_string(q) + ", " +
                             std::to_string(r) + "]";
        }
        return R"({ "name": ")" + std::string(name) +
               R"(", "type": "kinematic", "group": 4, "mask": 2, "position": )" + array({x, 0, 0}) +
               R"(, "shapes": [ { "type": "mesh", "sensor": true, "vertices": [)" + vertices +
               R"(], "triangles": [)" + triangles + "] } ] }, ";
    }

    static std::string weapon(const char* name, const Vec3d& at, double speed) {
        std::string grid;
        for (int i = 0; i < 9; ++i)
            grid += (i == 0 ? "[" : ", [") + array({at.x, at.y + i % 3 - 1, at.z}) + "]";
        return R"({ "name": ")" + std::string(name) + R"(", "position": )" +
               array({at.x, at.y, at.z}) +
               R"(, "gravity_scale": 0, "group": 2, "mask": 4, "shapes": [ { "type": "sphere",
               "radius": 0.05 } ], "driver": { "input": "socket", "speed": )" +
               std::to_string(speed) + R"(, "grid": [)" + grid + "] } }";
    }

    std::optional<Simulation> simulation_;
};

// A column that leans by 30 degrees is at z = 1.75 m around y = 0.75 tan 30 = 0.43 m. A weapon
// waits there, 0.25 m beside the upright column.
TEST(BentBody, IsHitWhereTheUprightOneIsMissed) {
    for (const char* method : {"kavan2003", "fast", "faithful"}) {
        for (const bool bends : {true, false}) {
            SCOPED_TRACE(message(method, bends ? " bends" : " is rigid"));
            TwoColumns duel({.bends = bends, .weapon = {0, 0.8, 1.75}, .method = method});
            duel.move(1, -0.4, 20);
            ASSERT_NEAR(duel.weapon_at(), 0.4, 1e-3);
            EXPECT_EQ(duel.score(), (std::array{0, 0}));
            duel.move(0, 1, 40);
            EXPECT_EQ(duel.score(), (std::array{0, bends ? 1 : 0}));
        }
    }
}

// The column has leaned away before the weapon comes to where it stood.
TEST(BentBody, IsMissedWhereTheUprightOneIsHit) {
    for (const char* method : {"kavan2003", "fast", "faithful"}) {
        for (const bool bends : {true, false}) {
            SCOPED_TRACE(message(method, bends ? " bends" : " is rigid"));
            TwoColumns duel({.bends = bends, .method = method});
            duel.move(0, 1, 30);
            EXPECT_EQ(duel.score(), (std::array{0, 0}));
            duel.move(1, 0.75, 40);
            ASSERT_NEAR(duel.weapon_at(), -0.05, 1e-3);
            EXPECT_EQ(duel.score(), (std::array{0, bends ? 0 : 1}));
        }
    }
}

// A weapon that is before the body when a step begins and behind it when it ends has hit it; one
// that passes over its head has not.
TEST(BentBody, IsNotTunneledThrough) {
    for (const char* method : {"kavan2003", "fast", "faithful"}) {
        for (const double z : {1.75, 1.94, 2.06}) {
            SCOPED_TRACE(message(method, " z = ", z));
            TwoColumns duel({.weapon = {0, -0.8, z}, .speed = 1000, .method = method});
            duel.move(1, 0, 5);
            ASSERT_NEAR(duel.weapon_at(), -0.8, 1e-3);
            duel.move(1, 1, 1);
            ASSERT_NEAR(duel.weapon_at(), 0.2, 1e-3);
            EXPECT_TRUE(duel.world().events().entered.empty()) << "the sensor alone saw it";
            EXPECT_EQ(duel.score(), (std::array{0, z > 2.05 ? 0 : 1}));
        }
    }
}

Simulation fencing_with(const SimulationOptions& options) {
    return Simulation::make(
               load_scene(std::filesystem::path(RIGOR_SOURCE_DIR) / "scenes/fencing.json").value(),
               options)
        .value();
}

// Two threads, a step back and a replayed recording give the same bits.
TEST(BentBody, IsDeterministic) {
    const auto fight = [](Simulation& simulation, std::uint64_t seed) {
        Random random(seed);
        for (int i = 0; i < 120; ++i) {
            for (const std::size_t weapon : {3, 4}) {
                if (random.unit() > 0.1) continue;
                const GridPoint point{random.uniform(-1, 1), random.uniform(-1, 1)};
                ASSERT_TRUE(simulation.drivers().set_input(simulation.body(weapon), point));
            }
            simulation.step(1.0 / 60);
        }
    };
    std::vector<std::uint64_t> hashes;
    for (const int threads : {1, 2}) {
        Simulation simulation = fencing_with({.threads = threads, .has_input = true});
        fight(simulation, 8);
        hashes.push_back(simulation.state_hash());
        const ShapeId trunk = simulation.world().shapes(simulation.body(1))[0];
        EXPECT_TRUE(simulation.world().is_deformed(trunk));
        const auto vertices = simulation.world().mesh_vertices(trunk);
        const SimulationSnapshot before = simulation.snapshot();
        fight(simulation, 9);
        const std::uint64_t after = simulation.state_hash();
        EXPECT_NE(simulation.world().mesh_vertices(trunk), vertices);
        simulation.restore(before);
        EXPECT_EQ(simulation.world().mesh_vertices(trunk), vertices);
        fight(simulation, 9);
        EXPECT_EQ(simulation.state_hash(), after);
    }
    EXPECT_EQ(hashes[0], hashes[1]);
    Simulation recorded = fencing_with({.record = true, .has_input = true});
    fight(recorded, 8);
    EXPECT_EQ(recorded.state_hash(), hashes[0]);
    const Recording recording = Recording::parse(recorded.world().recording().bytes()).value();
    for (const int threads : {1, 2}) {
        const ReplayReport report = replay(recording, {.threads = threads});
        EXPECT_EQ(report.steps, 120u);
        EXPECT_FALSE(report.difference);
    }
}

// A fencer who stands still leaves no deformations in a recording.
TEST(BentBody, ThatRestsIsNotRecordedAgain) {
    const auto bytes = [](double x) {
        Simulation simulation = fencing_with({.record = true, .has_input = true});
        for (const std::size_t weapon : {3, 4})
            EXPECT_TRUE(simulation.drivers().set_input(simulation.body(weapon), {0, 0}));
        for (int i = 0; i < 60; ++i) {
            EXPECT_TRUE(simulation.drivers().set_input(simulation.body(3), {x * i / 60, 0}));
            simulation.step(1.0 / 60);
        }
        return simulation.world().recording().bytes().size();
    };
    const std::size_t still = bytes(0), moving = bytes(1);
    std::printf("recordings of a second: %zu bytes at rest, %zu in motion\n", still, moving);
    EXPECT_LT(still, 120'000u);
    EXPECT_GT(moving, still);
}

std::string bend_refusal(const std::vector<SceneOverride>& changes) {
    const Result<Scene> scene =
        load_scene(std::filesystem::path(RIGOR_SOURCE_DIR) / "scenes/fencing.json", {changes});
    if (!scene) return scene.error().message;
    const Result<Simulation> simulation = Simulation::make(*scene, {.has_input = true});
    return simulation ? "accepted" : to_string(simulation.error());
}

TEST(BentBody, BadBendsAreRefusedInOneSentence) {
    const auto set = [](const char* key, const char* value) {
        return bend_refusal({{std::string("duel.fencers[0].bend") + key, value}});
    };
    EXPECT_EQ(set(".neck", "[0, 0, 0.95]"),
              "--set duel.fencers[0].bend.neck must not be at the waist");
    EXPECT_EQ(set(".lean", "1.5"), "--set duel.fencers[0].bend.lean must lie in [0, 1]");
    EXPECT_EQ(set(".twist", "-1"), "--set duel.fencers[0].bend.twist must lie in [0, 1]");
    EXPECT_EQ(set(".max_angle_deg", "50"),
              "--set duel.fencers[0].bend.max_angle_deg must be positive and at most 45");
    EXPECT_THAT(set(".max_angle_deg", "0"), HasSubstr("must be positive and at most 45"));
    EXPECT_THAT(set(".waste", "1"), HasSubstr("waste"));
    EXPECT_THAT(set(".neck", "[0, 0, 1.05]"), HasSubstr("it would fold"));
    EXPECT_THAT(set("", "{}"), HasSubstr("waist"));
    EXPECT_THAT(
        bend_refusal({{"bodies[1].type", "dynamic"}, {"bodies[1].shapes[0].sensor", "false"}}),
        HasSubstr("must name a static or kinematic body, as it bends"));
    EXPECT_THAT(bend_refusal({{"bodies[1].shapes[0]", R"({"type": "sphere", "radius": 1})"}}),
                HasSubstr("must name a body of meshes without convex pieces, as it bends"));
}

} // namespace
} // namespace rigor::test
