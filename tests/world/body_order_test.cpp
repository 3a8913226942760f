// The order in which bodies are added changes nothing beyond rounding, with all pairs of shapes:
// which of two bodies is A and which is B, which contacts come first, which body has which slot.
#include <gtest/gtest.h>

#include <memory>

#include "geometry/concave_samples.h"
#include "rigor/world.h"
#include "support/ring_mesh.h"
#include "support/worlds.h"
#include "test_support.h"

namespace rigor::test {
namespace {

struct Sample {
    const char* name;
    ShapeGeometry geometry;
    bool moves = true; ///< may be dynamic
};

TriangleSoup scaled(TriangleSoup soup, double scale) {
    for (Vec3d& v : soup.vertices) v = v * scale;
    return soup;
}

MeshDef mesh(const TriangleSoup& soup, std::optional<double> concavity = {}) {
    return {std::make_shared<const TriangleSoup>(soup), concavity};
}

/// A square of triangles without an inside.
TriangleSoup sheet(double size, std::uint32_t cells) {
    TriangleSoup soup;
    const std::uint32_t columns = cells + 1;
    for (std::uint32_t j = 0; j < columns; ++j)
        for (std::uint32_t i = 0; i < columns; ++i)
            soup.vertices.push_back(
                {size * (i / double(cells) - 0.5), size * (j / double(cells) - 0.5), 0.2});
    for (std::uint32_t j = 0; j < cells; ++j)
        for (std::uint32_t i = 0; i < cells; ++i) {
            const std::uint32_t a = j * columns + i, c = a + columns + 1;
            soup.triangles.push_back({a, a + 1, c});
            soup.triangles.push_back({a, c, a + columns});
        }
    return soup;
}

CompoundDef dumbbell() {
    CompoundDef def;
    def.shapes.push_back({.geometry = SphereDef{0.2}, .position = {-0.25, 0, 0}});
    def.shapes.push_back({.geometry = BoxDef{{0.3, 0.3, 0.3}}, .position = {0.25, 0, 0}});
    return def;
}

std::vector<Sample> samples() {
    HeightFieldDef hills{3, 3, 7, 7, {}};
    for (int i = 0; i < 49; ++i) hills.heights.push_back(0.1 + 0.02 * ((i * 5) % 7));
    return {
        {"sphere", SphereDef{0.3}},
        {"box", BoxDef{{0.6, 0.5, 0.4}}},
        {"capsule", CapsuleDef{0.15, 0.4}},
        {"cylinder", CylinderDef{0.25, 0.5}},
        {"cone", ConeDef{0.3, 0.6}},
        {"hull", HullDef{{{0.3, 0, 0},
                          {-0.3, 0.1, 0},
                          {0, 0.35, 0},
                          {0.1, -0.3, 0},
                          {0, 0.1, 0.3},
                          {0.1, 0, -0.3}}}},
        {"convex mesh",
         mesh(scaled(grid_mesh({-1, 0, 1}, {-1, 1}, {-1, 1}, [](int, int, int) { return true; }),
                     0.3))},
        {"concave mesh", mesh(scaled(corner_mesh(), 0.3))},
        {"ring", mesh(ring_mesh(0.3, 0.1, 16, 8))},
        {"compound", dumbbell()},
        {"decomposed", mesh(scaled(corner_mesh(), 0.3), 0.05)},
        {"sheet", mesh(sheet(3, 5)), false},
        {"height field", hills, false},
        {"plane", PlaneDef{{0, 0, 1}, 0.2}, false}};
}

/// Bodies in an order, and where they are after some steps, in the order of the definitions.
std::vector<Vec3d> places_after(Method method, const std::vector<BodyDef>& bodies,
                                const std::vector<std::size_t>& order, int steps) {
    WorldSettings settings = settings_of(method);
    settings.may_sleep = false;
    World world(settings);
    std::vector<BodyId> ids(bodies.size());
    for (const std::size_t i : order) ids[i] = world.add_body(bodies[i]).value();
    run_steps(world, steps);
    std::vector<Vec3d> places;
    for (const BodyId id : ids) places.push_back(world.state(id).position);
    return places;
}

double difference(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, length(a[i] - b[i]));
    return most;
}

/// How far two orders lead apart in a time in which a body falls, lands and bounces or slides.
double difference_of_orders(Method method, const Sample& base, const Sample& mover, double friction,
                            int steps, Random& random) {
    const BodyDef below = with_material(body(base.geometry, {}, BodyType::static_body), friction);
    BodyDef above =
        with_material(body(mover.geometry, {random.uniform(-0.1, 0.1), 0.05, 1.0}), friction);
    above.orientation = normalize(Quatd{random.uniform(-1, 1), random.uniform(-1, 1),
                                        random.uniform(-1, 1), random.uniform(-1, 1)});
    above.velocity = {0.2, 0.1, -2};
    above.angular_velocity = random.vec(-1, 1);
    return difference(places_after(method, {below, above}, {0, 1}, steps),
                      places_after(method, {below, above}, {1, 0}, steps));
}

/// Calls visit(base, mover) for all pairs of which the second may fall on the first.
template <class Visit>
void for_pairs(const Visit& visit) {
    for (const Sample& base : samples())
        for (const Sample& mover : samples()) {
            if (!mover.moves) continue;
            SCOPED_TRACE(message(mover.name, " on ", base.name));
            visit(base, mover);
        }
}

/// How the differences of all pairs are spread.
struct Spread {
    int all = 0, within_rounding = 0;
    double most = 0;

    void add(double difference, double rounding) {
        ++all;
        if (difference < rounding) ++within_rounding;
        most = std::max(most, difference);
    }
};

} // namespace

// A body that lands on an edge or a corner, or rolls off one, magnifies rounding, and under
// friction more so: not all pairs end where they did. None ends elsewhere.
TEST(BodyOrder, OfTwoChangesLittleUnderFast) {
    constexpr double kRounding = 1e-5; // m
    for (const double friction : {0.0, 0.5}) {
        SCOPED_TRACE(message("friction ", friction));
        Random random(5);
        Spread spread;
        for_pairs([&](const Sample& base, const Sample& mover) {
            spread.add(difference_of_orders(Method::fast, base, mover, friction, 20, random),
                       kRounding);
        });
        EXPECT_LT(spread.most, 0.05);
        if (friction == 0) {
            EXPECT_GT(spread.within_rounding, 0.75 * spread.all);
        }
    }
}

TEST(BodyOrder, OfTwoChangesLittleUnderFaithful) {
    Random random(5);
    Spread spread;
    for_pairs([&](const Sample& base, const Sample& mover) {
        spread.add(difference_of_orders(Method::faithful, base, mover, 0, 10, random), 1e-8);
    });
    EXPECT_LT(spread.most, 0.05);
    EXPECT_GT(spread.within_rounding, 0.95 * spread.all);
}

} // namespace rigor::test
