// Duels: the fencing scene as a game, its score, and blades that never pass through each other.
#include "rigor/duel.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "geometry/triangle.h"
#include "rigor/mesh_file.h"
#include "rigor/rotation.h"
#include "rigor/simulation.h"
#include "test_support.h"

namespace rigor::test {
namespace {

constexpr double kRadius = 0.015, kLow = -0.03, kHigh = 0.87; // the capsule of a weapon

Simulation fencing(const std::vector<SceneOverride>& changes = {}) {
    Result<Scene> scene =
        load_scene(std::filesystem::path(RIGOR_SOURCE_DIR) / "scenes/fencing.json", {changes});
    return Simulation::make(std::move(*scene), {.has_input = true}).value();
}

BodyId named(const Simulation& simulation, const std::string& name) {
    for (std::size_t i = 0; i < simulation.scene().bodies.size(); ++i)
        if (simulation.scene().bodies[i].def.name == name) return simulation.body(i);
    throw std::logic_error("no body " + name);
}

/// Between the segments p + s d, s in [0, 1] and q + t e, t in [0, 1]. The distance is convex in
/// (s, t): clamped coordinate descent from the best corner of a coarse grid reaches the minimum.
double segment_distance(const Vec3d& p, const Vec3d& d, const Vec3d& q, const Vec3d& e) {
    const double a = dot(d, d), b = dot(d, e), c = dot(e, e);
    const Vec3d r = p - q;
    double best = 1e300;
    const auto at = [&](double s, double t) { return length(r + d * s - e * t); };
    // The interior minimum, and the minima along the four edges.
    const double det = a * c - b * b;
    if (det > 1e-12 * a * c) {
        const double s = (b * dot(e, r) - c * dot(d, r)) / det;
        const double t = (a * dot(e, r) - b * dot(d, r)) / det;
        if (s >= 0 && s <= 1 && t >= 0 && t <= 1) best = at(s, t);
    }
    for (const double s : {0.0, 1.0})
        best = std::min(best, at(s, std::clamp(dot(r + d * s, e) / c, 0.0, 1.0)));
    for (const double t : {0.0, 1.0})
        best = std::min(best, at(std::clamp(dot(e * t - r, d) / a, 0.0, 1.0), t));
    return best;
}

/// On which side of each other two blades are, where they cross: of their lines the nearest points,
/// and the sign of the way from one to the other along the common normal. Nothing when those points
/// are not on both blades, or the blades are almost parallel.
struct Crossing {
    Vec3d normal; ///< of the two directions
    bool is_above = false;
};

std::optional<Crossing> crossing(const Vec3d& p, const Vec3d& d, const Vec3d& q, const Vec3d& e) {
    const Vec3d normal = cross(d, e), r = p - q;
    const double a = dot(d, d), b = dot(d, e), c = dot(e, e), det = a * c - b * b;
    if (det < 0.01 * a * c) return std::nullopt;
    const double s = (b * dot(e, r) - c * dot(d, r)) / det;
    const double t = (a * dot(e, r) - b * dot(d, r)) / det;
    if (s < 0 || s > 1 || t < 0 || t > 1) return std::nullopt;
    return Crossing{normal, dot(normal, r) > 0};
}

/// Whether one blade came to the other side of the other between two poses, and not around its end.
bool has_tunneled(const std::optional<Crossing>& before, const std::optional<Crossing>& after) {
    return before && after && dot(before->normal, after->normal) > 0 &&
           before->is_above != after->is_above;
}

/// The two blades of a simulation.
struct Blades {
    explicit Blades(const Simulation& simulation)
        : red(named(simulation, "red weapon")), blue(named(simulation, "blue weapon")) {}

    double gap(const World& world) const {
        const Posed a = world.pose(red), b = world.pose(blue);
        const Vec3d along{0, 0, kHigh - kLow};
        return segment_distance(transform(a, {0, 0, kLow}), rotate(a.q, along),
                                transform(b, {0, 0, kLow}), rotate(b.q, along)) -
               2 * kRadius;
    }
    std::optional<Crossing> crossing(const World& world) const {
        const Posed a = world.pose(red), b = world.pose(blue);
        const Vec3d along{0, 0, kHigh - kLow};
        return test::crossing(transform(a, {0, 0, kLow}), rotate(a.q, along),
                              transform(b, {0, 0, kLow}), rotate(b.q, along));
    }
    BodyId red, blue;
};

/// Between a segment and a triangle: the least of the distances of the ends from the triangle, and
/// of the segment from the edges; zero where it goes through the face.
double triangle_distance(const Vec3d& p, const Vec3d& q, const Triangle<double>& t) {
    const Vec3d d = q - p, n = cross(t.b - t.a, t.c - t.a);
    const double down = dot(n, d);
    if (down != 0) {
        const double s = dot(n, t.a - p) / down;
        const Vec3d at = p + d * s;
        const auto inside = [&](const Vec3d& u, const Vec3d& v) {
            return dot(cross(v - u, at - u), n) >= 0;
        };
        if (s >= 0 && s <= 1 && inside(t.a, t.b) && inside(t.b, t.c) && inside(t.c, t.a)) return 0;
    }
    double best = 1e300;
    for (const Vec3d& end : {p, q})
        best = std::min(best, length(closest_point(t, end).point - end));
    for (const auto& [u, v] : {std::pair{t.a, t.b}, std::pair{t.b, t.c}, std::pair{t.c, t.a}})
        best = std::min(best, segment_distance(p, d, u, v - u));
    return best;
}

/// A blade and the deformed body it may hit, triangle by triangle and without a search tree: the
/// oracle for hits. The way of a step is looked at in many places.
class BladeAndBody {
  public:
    BladeAndBody(const Simulation& simulation, const char* blade, const char* body)
        : blade_(named(simulation, blade)),
          body_(named(simulation, body)),
          triangles_(load_mesh(std::filesystem::path(RIGOR_SOURCE_DIR) / "scenes/meshes/fencer.obj")
                         .value()
                         .triangles),
          from_(simulation.world().pose(blade_)) {}

    void begin_step(const World& world) { from_ = world.pose(blade_); }

    /// The least distance of the axis of the blade from the body during the last step, or a
    /// distance that is larger than `enough`.
    double gap(const World& world, int places, double enough) const {
        const Posed to = world.pose(blade_), at_body = world.pose(body_);
        const Vec3d middle{0, 0, (kLow + kHigh) / 2}; // the center of mass goes straight
        const Vec3d begin = transform(from_, middle), end = transform(to, middle);
        const std::vector<Vec3d> vertices = world.mesh_vertices(world.shapes(body_)[0]);
        double least = 1e300;
        for (int i = 0; i <= places; ++i) {
            const double share = static_cast<double>(i) / places;
            const Vec3d half = rotate(slerp(from_.q, to.q, share), {0, 0, (kHigh - kLow) / 2});
            const Vec3d center = begin + (end - begin) * share;
            const Vec3d p = inverse_transform(at_body, center - half),
                        q = inverse_transform(at_body, center + half);
            for (const auto& t : triangles_) {
                const Triangle<double> triangle{vertices[t[0]], vertices[t[1]], vertices[t[2]]};
                if (is_far(triangle, p, q, enough)) continue;
                least = std::min(least, triangle_distance(p, q, triangle));
            }
        }
        return least;
    }

  private:
    static bool is_far(const Triangle<double>& t, const Vec3d& p, const Vec3d& q, double enough) {
        for (int k = 0; k < 3; ++k) {
            if (std::min({t.a[k], t.b[k], t.c[k]}) > std::max(p[k], q[k]) + enough) return true;
            if (std::max({t.a[k], t.b[k], t.c[k]}) < std::min(p[k], q[k]) - enough) return true;
        }
        return false;
    }

    BodyId blade_, body_;
    std::vector<std::array<std::uint32_t, 3>> triangles_;
    Posed from_;
};

/// Random input for both weapons: thrusts, sweeps and jumps from corner to corner, new ones at
/// random times, as two impatient users would.
class RandomUsers {
  public:
    explicit RandomUsers(std::uint64_t seed) : random_(seed) {}

    void play(Simulation& simulation, const Blades& blades) {
        for (const BodyId weapon : {blades.red, blades.blue}) {
            if (random_.unit() > 0.08) continue;
            const GridPoint point{random_.uniform(-1, 1), random_.uniform(-1, 1)};
            ASSERT_TRUE(simulation.drivers().set_input(weapon, point));
        }
    }

  private:
    Random random_;
};

struct Fight {
    double smallest_gap = 1e300;
    int blows = 0;
    int touches = 0;
    int tunneled = 0;
    int missed_hits = 0;  ///< a blade went into the body, and it did not count
    int phantom_hits = 0; ///< a hit that no blade made
    double least_control = 1;
};

/// Runs random input. After every step it measures the gap of the blades, and looks on which sides
/// of each other they are: a blade that crossed the other within one step is on the other side.
Fight fight(Simulation& simulation, int steps, std::uint64_t seed) {
    const Blades blades(simulation);
    BladeAndBody red(simulation, "red weapon", "blue fencer");
    BladeAndBody blue(simulation, "blue weapon", "red fencer");
    const bool collides = simulation.world().settings().method != Method::free;
    RandomUsers users(seed);
    Fight result;
    bool counts = simulation.duel()->state().round == 1; // not in the pause after a hit
    std::optional<Crossing> before;
    for (int i = 0; i < steps; ++i) {
        users.play(simulation, blades);
        const int round = simulation.duel()->state().round;
        const std::array<int, 2> score = simulation.duel()->state().score;
        for (BladeAndBody* pair : {&red, &blue}) pair->begin_step(simulation.world());
        const StepReport report = simulation.step(1.0 / 60);
        EXPECT_TRUE(report.finished);
        EXPECT_TRUE(report.quarantined.empty());
        result.smallest_gap = std::min(result.smallest_gap, blades.gap(simulation.world()));
        const std::optional<Crossing> after = blades.crossing(simulation.world());
        // Between rounds the blades are put back.
        if (round == simulation.duel()->state().round)
            result.tunneled += has_tunneled(before, after);
        before = after;
        // A hit ends the round, so until the next one nothing counts; nor does the step in which
        // the blades are put back.
        if (round != simulation.duel()->state().round)
            counts = true;
        else if (counts && collides) {
            const std::array<int, 2> now = simulation.duel()->state().score;
            for (std::size_t k = 0; k < 2; ++k) {
                const BladeAndBody& pair = k == 0 ? red : blue;
                const bool hit = now[k] > score[k];
                if (hit)
                    result.phantom_hits += pair.gap(simulation.world(), 64, 0.1) > 0.02;
                else
                    result.missed_hits +=
                        pair.gap(simulation.world(), 12, kRadius) < kRadius - 1e-6;
            }
            counts = now == score;
        }
        result.blows += !simulation.drivers().events().empty();
        for (const BodyId weapon : {blades.red, blades.blue})
            result.least_control =
                std::min(result.least_control, simulation.drivers().state(weapon).control);
    }
    for (const int score : simulation.duel()->state().score) result.touches += score;
    return result;
}

TEST(SegmentDistance, AgreesWithASearch) {
    Random random(1);
    for (int i = 0; i < 100; ++i) {
        const Vec3d p = random.vec(), d = random.vec(), q = random.vec(), e = random.vec();
        double best = 1e300;
        for (int s = 0; s <= 100; ++s)
            for (int t = 0; t <= 100; ++t)
                best = std::min(best, length(p + d * (s / 100.0) - q - e * (t / 100.0)));
        EXPECT_NEAR(segment_distance(p, d, q, e), best, 0.03);
        EXPECT_LE(segment_distance(p, d, q, e), best + 1e-12);
    }
}

TEST(Crossing, TellsAPassThroughFromAWayAround) {
    const Vec3d x{1, 0, 0}, y{0, 1, 0};
    const auto blade_at = [&](const Vec3d& p) {
        return crossing(p, x, {0.5, -0.5, 0}, y); // the other one stands still
    };
    EXPECT_TRUE(has_tunneled(blade_at({0, 0, 0.1}), blade_at({0, 0, -0.1})));
    EXPECT_FALSE(has_tunneled(blade_at({0, 0, 0.1}), blade_at({0, 0, 0.2})));
    EXPECT_FALSE(has_tunneled(blade_at({0.6, 0, 0.1}), blade_at({0.6, 0, -0.1}))) << "beside it";
}

// RIGOR_FENCING_STEPS makes it longer: 36000 are ten minutes.
TEST(Fencing, BladesNeverPassThroughEachOther) {
    const char* wanted = std::getenv("RIGOR_FENCING_STEPS");
    const char* method = std::getenv("RIGOR_FENCING_METHOD");
    const int steps = wanted ? std::atoi(wanted) : 600;
    for (const std::uint64_t seed : {5, 6}) {
        std::vector<SceneOverride> changes = {{"duel.rounds", "1000"}};
        if (method) changes.push_back({"method", method});
        Simulation simulation = fencing(changes);
        const Fight result = fight(simulation, steps, seed);
        EXPECT_GT(result.smallest_gap, -1e-6);
        EXPECT_EQ(result.tunneled, 0);
        EXPECT_EQ(result.missed_hits, 0);
        EXPECT_EQ(result.phantom_hits, 0);
        EXPECT_GT(result.blows, steps / 100);
        EXPECT_GT(result.touches, 0);
        EXPECT_LT(result.least_control, 0.1);
        std::printf("%d steps: smallest gap %.3g m, %d steps with blows, %d touches\n", steps,
                    result.smallest_gap, result.blows, result.touches);
    }
}

// What the check is worth: where nothing collides, blades go through each other.
TEST(Fencing, TheCheckOfSidesSeesATunneledBlade) {
    Simulation simulation = fencing({{"duel.rounds", "1000"}, {"method", "free"}});
    EXPECT_GT(fight(simulation, 600, 5).tunneled, 0);
}

// Nobody touches the mouse: the script fences against the rule, and somebody scores.
TEST(Fencing, AScriptFencesAgainstTheOpponent) {
    Simulation simulation = fencing();
    EXPECT_TRUE(simulation.warnings().empty());
    int rounds = 1;
    for (int i = 0; i < 60 * 40 && !simulation.duel()->state().over; ++i) {
        simulation.step(1.0 / 60);
        EXPECT_GE(simulation.duel()->state().round, rounds);
        rounds = simulation.duel()->state().round;
    }
    const DuelState& state = simulation.duel()->state();
    EXPECT_GT(state.score[0] + state.score[1], 0);
    EXPECT_FALSE(state.last_hit.empty());
}

// A thrust at an opponent that stands still hits, ends the round, and after the pause the weapons
// are back in guard. When all rounds are played the duel is over and nothing counts any more.
TEST(Fencing, AThrustEndsTheRound) {
    Simulation simulation = fencing({{"duel.rounds", "2"}, {"duel.pause", "0.5"}});
    const Blades blades(simulation);
    const Posed guard = simulation.world().pose(blades.blue);
    Drivers& drivers = simulation.drivers();
    ASSERT_TRUE(drivers.set_input(blades.blue, {0, 0})); // takes over from the rule
    const auto run = [&](int steps) {
        for (int i = 0; i < steps; ++i) simulation.step(1.0 / 60);
    };
    ASSERT_TRUE(drivers.set_input(blades.red, {0, 0}));
    run(10);
    EXPECT_EQ(simulation.duel()->state().score, (std::array{0, 0}));
    ASSERT_TRUE(drivers.set_input(blades.red, {1, 1}));
    for (int i = 0; i < 60 && simulation.duel()->state().last_hit.empty(); ++i) run(1);
    EXPECT_EQ(simulation.duel()->state().last_hit, "red hits blue");
    EXPECT_EQ(simulation.duel()->state().score, (std::array{1, 0}));
    EXPECT_EQ(simulation.duel()->state().round, 1);
    ASSERT_TRUE(drivers.set_input(blades.red, {0, 0}));
    run(32);
    EXPECT_EQ(simulation.duel()->state().round, 2);
    EXPECT_LT(length(simulation.world().pose(blades.blue).p - guard.p), 1e-3);
    ASSERT_TRUE(drivers.set_input(blades.red, {1, 1}));
    run(60);
    EXPECT_EQ(simulation.duel()->state().score, (std::array{2, 0}));
    EXPECT_TRUE(simulation.duel()->state().over);
    ASSERT_TRUE(drivers.set_input(blades.red, {0, 0}));
    run(60);
    ASSERT_TRUE(drivers.set_input(blades.red, {1, 1}));
    run(60);
    EXPECT_EQ(simulation.duel()->state().score, (std::array{2, 0}));
}

TEST(Fencing, TheSameSeedPlaysTheSameDuel) {
    const auto hash = [](const char* seed) {
        Simulation simulation = fencing({{"duel.fencers[1].opponent.seed", seed}});
        for (int i = 0; i < 300; ++i) simulation.step(1.0 / 60);
        return simulation.state_hash();
    };
    EXPECT_EQ(hash("1"), hash("1"));
    EXPECT_NE(hash("1"), hash("2"));
}

// From a snapshot in the middle of a fight both futures are the same bits, score included.
TEST(Fencing, GoesBackAndOnToTheSameBits) {
    Simulation simulation = fencing({{"duel.rounds", "1000"}});
    fight(simulation, 200, 3);
    const SimulationSnapshot before = simulation.snapshot();
    const std::uint64_t hash = simulation.state_hash();
    fight(simulation, 200, 4);
    const std::uint64_t first = simulation.state_hash();
    EXPECT_NE(first, hash);
    simulation.restore(before);
    EXPECT_EQ(simulation.state_hash(), hash);
    fight(simulation, 200, 4);
    EXPECT_EQ(simulation.state_hash(), first);
}

std::string refusal(const std::vector<SceneOverride>& changes) {
    const Result<Scene> scene =
        load_scene(std::filesystem::path(RIGOR_SOURCE_DIR) / "scenes/fencing.json", {changes});
    return scene ? "accepted" : scene.error().message;
}

TEST(Fencing, BadDuelsAreRefusedInOneSentence) {
    EXPECT_EQ(refusal({{"duel.rounds", "0"}}),
              "--set duel.rounds must be a whole number from 1 to 1000, got 0");
    EXPECT_EQ(refusal({{"duel.fencers[0].weapon", "piste"}}),
              "--set duel.fencers[0].weapon must name a body with a driver");
    EXPECT_EQ(refusal({{"duel.fencers[0].body", "blue fencer"}}),
              "duel.fencers must have weapons and bodies that are four different bodies");
    EXPECT_EQ(
        refusal({{"duel.fencers[0].weapon", "red wepon"}}),
        "--set duel.fencers[0].weapon names an unknown body \"red wepon\"; did you mean \"red "
        "weapon\"?");
    EXPECT_EQ(refusal({{"duel.fencers[1].opponent.skill", "2"}}),
              "--set duel.fencers[1].opponent.skill must be at most 1, got 2");
    EXPECT_EQ(refusal({{"duel.fencers[0].weapon", "world"}}),
              "--set duel.fencers[0].weapon must name a body, got \"world\"");
}

} // namespace
} // namespace rigor::test
