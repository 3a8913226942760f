// PairContacts of two concave meshes.
#include <gtest/gtest.h>

#include <random>

#include "collide/contacts.h"
#include "collide/convex_distance.h"
#include "collide/distance.h"
#include "collide/nearest_triangles.h"
#include "geometry/concave_samples.h"
#include "geometry/shape.h"
#include "support/ring_mesh.h"
#include "test_support.h"

namespace rigor::test {
namespace {

using PairContacts = std::vector<PartContact<double>>;

Shape<double> mesh_shape(const TriangleSoup& soup) {
    return Shape<double>{make_mesh(soup).value()};
}

/// As `faithful` asks, and as `fast` does.
std::vector<ContactSettings<double>> both_settings() {
    return {{1e-3, 1e-12}, {0.01, 1e-4, 0.9986, true}};
}

PairContacts pair_contacts_of(const Shape<double>& a, const Shape<double>& b, const Posed& b_in_a,
                              const ContactSettings<double>& wanted) {
    PairContacts contacts;
    find_contacts(a, b, b_in_a, wanted, contacts);
    return contacts;
}

double deepest_point(const PairContacts& contacts) {
    double depth = -1;
    for (const auto& c : contacts)
        for (int i = 0; i < c.manifold.count; ++i)
            depth = std::max(depth, -c.manifold.points[static_cast<std::size_t>(i)].separation);
    return depth;
}

std::size_t point_count(const PairContacts& contacts) {
    std::size_t count = 0;
    for (const auto& c : contacts) count += static_cast<std::size_t>(c.manifold.count);
    return count;
}

// One on the other, in line or not, a little into it: the depth is that of the solids, and the
// normal that of the faces, though the corners are also far behind the walls.
TEST(SurfacePairContacts, StackedBodiesPushUpOnly) {
    const Shape<double> shape = mesh_shape(corner_mesh());
    for (const ContactSettings<double>& wanted : both_settings())
        for (const double sink : {-1e-4, 1e-9, 1e-4, 1e-3, 5e-3})
            for (const double x : {0.0, 0.001, 0.25, -0.3})
                for (const double y : {0.0, 0.0005, 0.4}) {
                    SCOPED_TRACE(::testing::Message() << sink << " " << x << " " << y);
                    const Posed pose{{x, y, 2 - sink}, {}};
                    const PairContacts found = pair_contacts_of(shape, shape, pose, wanted);
                    ASSERT_GE(point_count(found), 4u);
                    EXPECT_NEAR(deepest_point(found), sink, 1e-9);
                    for (const auto& c : found) EXPECT_GT(c.manifold.normal.z, 0.999);
                }
}

// In the corner of an L the other one touches the floor and the wall.
TEST(SurfacePairContacts, CornersHaveBothNormals) {
    const Shape<double> shape = mesh_shape(corner_mesh());
    for (const ContactSettings<double>& wanted : both_settings()) {
        const Posed pose{{1 - 2e-4, 0.2, 1 - 4e-4}, {}};
        const PairContacts found = pair_contacts_of(shape, shape, pose, wanted);
        double floor = 0, wall = 0;
        for (const auto& c : found) {
            const double depth = deepest_point({c});
            if (c.manifold.normal.z > 0.999) floor = std::max(floor, depth);
            if (c.manifold.normal.x > 0.999) wall = std::max(wall, depth);
        }
        EXPECT_NEAR(floor, 4e-4, 1e-9);
        EXPECT_NEAR(wall, 2e-4, 1e-9);
        EXPECT_NEAR(deepest_point(found), 4e-4, 1e-9);
    }
}

std::vector<std::pair<const char*, TriangleSoup>> concave_solids() {
    return {{"L", corner_mesh()},
            {"U", channel_mesh()},
            {"table", table_mesh()},
            {"torus", torus_mesh(0.8, 0.25, 14, 8)},
            {"pawn", lathe_mesh(pawn_profile(), 8)}};
}

/// Sharp edges: the rim of a disk, and ridges on both sides of a waist.
std::vector<std::pair<const char*, TriangleSoup>> sharp_solids() {
    return {{"disk", lathe_mesh({{0, 0}, {1, 0}, {0.2, 0.3}, {0.1, 1}, {0, 1}}, 9)},
            {"ridges", lathe_mesh({{0, -1}, {1, -0.9}, {0.2, 0}, {1, 0.9}, {0, 1}}, 7)}};
}

/// Moves B from afar along -d until it touches.
std::optional<double> travel_to_touch(const Shape<double>& a, const Shape<double>& b,
                                      const Posed& start, const Vec3d& d) {
    double t = 0;
    for (int i = 0; i < 60; ++i) {
        const double gap = distance(a, b, Posed{start.p - d * t, start.q}).distance;
        if (gap < 1e-7) return t;
        t += gap;
        if (t > 10) return {};
    }
    return {};
}

// What is pushed in by some length is nowhere deeper than that, at any place and in any order; and
// it is told.
TEST(SurfacePairContacts, NothingIsDeeperThanItWasPushed) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> unit(-1, 1);
    const auto direction = [&] {
        return normalize(Vec3d{unit(random), unit(random), unit(random)});
    };
    int tried = 0;
    for (const auto& [name_a, soup_a] : concave_solids())
        for (const auto& [name_b, soup_b] : concave_solids()) {
            const Shape<double> a = mesh_shape(soup_a), b = mesh_shape(soup_b);
            for (int i = 0; i < 4; ++i) {
                const Vec3d d = direction();
                const Quatd q =
                    normalize(Quatd{unit(random), unit(random), unit(random), unit(random)});
                const Posed start{d * 5.0, q};
                const auto t = travel_to_touch(a, b, start, d);
                if (!t) continue;
                ++tried;
                for (const double push : {1e-6, 1e-4, 2e-3, 1e-2})
                    for (const ContactSettings<double>& wanted : both_settings()) {
                        SCOPED_TRACE(::testing::Message()
                                     << name_a << " " << name_b << " " << i << " push " << push
                                     << " tolerance " << wanted.tolerance);
                        const Posed pose{start.p - d * (*t + push), q};
                        const PairContacts found = pair_contacts_of(a, b, pose, wanted);
                        EXPECT_LE(deepest_point(found), push + 2e-7);
                        EXPECT_GT(deepest_point(found), 0);
                        const PairContacts swapped = pair_contacts_of(b, a, inverse(pose), wanted);
                        EXPECT_NEAR(deepest_point(swapped), deepest_point(found), 1e-9);
                        EXPECT_EQ(point_count(swapped), point_count(found));
                    }
            }
        }
    EXPECT_GT(tried, 60);
}

// What touched along some normal before it was pushed in a little, at a sharp edge too, touches
// along the same one after it.
TEST(SurfacePairContacts, ContactsContinueTheLastSeparation) {
    std::mt19937 random(11);
    std::uniform_real_distribution<double> unit(-1, 1);
    int tried = 0;
    for (const auto& [name_a, soup_a] : sharp_solids())
        for (const auto& [name_b, soup_b] : sharp_solids())
            for (int i = 0; i < 30; ++i) {
                const Shape<double> a = mesh_shape(soup_a), b = mesh_shape(soup_b);
                const Vec3d d = normalize(Vec3d{unit(random), unit(random), unit(random)});
                const Quatd q =
                    normalize(Quatd{unit(random), unit(random), unit(random), unit(random)});
                const Posed start{d * 5.0, q};
                const auto t = travel_to_touch(a, b, start, d);
                if (!t) continue;
                const Vec3d n = distance(a, b, Posed{start.p - d * (*t - 1e-6), q}).normal;
                if (dot(n, d) < 0.1) continue; // grazing: soon another feature is nearer
                ++tried;
                const Posed pose{start.p - d * (*t + 1e-5), q};
                for (const ContactSettings<double>& wanted : both_settings()) {
                    SCOPED_TRACE(::testing::Message() << name_a << " " << name_b << " " << i
                                                      << " tolerance " << wanted.tolerance);
                    bool found = false;
                    for (const auto& c : pair_contacts_of(a, b, pose, wanted))
                        found |= dot(c.manifold.normal, n) > 0.999 && deepest_point({c}) > 0;
                    EXPECT_TRUE(found);
                }
            }
    EXPECT_GT(tried, 60);
}

/// Two stones of an arch, in one frame: flush along a face that only rounding separates.
TriangleSoup stone(int i) {
    const auto corner = [](double r, double part, double y) {
        const double angle = 3.14159265358979 * part / 9;
        return Vec3d{r * std::cos(angle), y, r * std::sin(angle)};
    };
    TriangleSoup soup;
    for (const double y : {-0.3, 0.3})
        for (const auto& [r, part] :
             {std::pair{2.0, 0.0}, {2.5, 0.0}, {2.42, 0.5}, {2.5, 1.0}, {2.0, 1.0}})
            soup.vertices.push_back(corner(r, i + part, y));
    soup.triangles = {{0, 1, 2}, {0, 2, 4}, {2, 3, 4}, {7, 6, 5}, {9, 7, 5}, {9, 8, 7}};
    for (std::uint32_t k = 0; k < 5; ++k) {
        const std::uint32_t next = (k + 1) % 5;
        soup.triangles.push_back({k, next + 5, next});
        soup.triangles.push_back({k, k + 5, next + 5});
    }
    return soup;
}

// Features were sought deeper only where the deepest one found was near the limit: of a table with
// two legs on the floor and two far in it only the first were found.
TEST(SurfacePairContacts, DeepLegsAreFoundBesideShallowOnes) {
    TriangleSoup floor = corner_mesh();
    for (Vec3d& v : floor.vertices) v = (v - Vec3d{1.5, 0.5, 1}) * 8;
    const Shape<double> a = mesh_shape(floor), b = mesh_shape(table_mesh());
    for (const double depth : {0.06, 0.1, 0.2})
        for (const double turn : {0.0, 0.3}) {
            SCOPED_TRACE(::testing::Message() << depth << " " << turn);
            const double angle = std::asin((depth - 1e-3) / 2);
            const Quatd q =
                from_axis_angle(Vec3d{0, 0, 1}, turn) * from_axis_angle(Vec3d{0, 1, 0}, angle);
            double lowest = 0;
            for (const Vec3d& v : table_mesh().vertices) lowest = std::min(lowest, rotate(q, v).z);
            const Posed pose{{0, 0, -depth - lowest}, q};
            for (const ContactSettings<double>& wanted : both_settings())
                EXPECT_NEAR(deepest_point(pair_contacts_of(a, b, pose, wanted)), depth,
                            0.02 * depth);
            EXPECT_NEAR(penetration(a, b, pose), depth, 0.02 * depth);
        }
}

// A point that is inside has to move at least to the nearest place of the surface: so no depth is
// less than that of any point of one solid in the other.
TEST(SurfacePairContacts, DepthIsNoLessThanThatOfAnyPoint) {
    const std::vector<TriangleSoup> soups{corner_mesh(), channel_mesh(), table_mesh(),
                                          ring_mesh(0.8, 0.25, 16, 8)};
    std::mt19937 bits(11);
    const auto uniform = [&](double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(bits);
    };
    int overlaps = 0, less_deep = 0;
    for (const TriangleSoup& soup_a : soups)
        for (const TriangleSoup& soup_b : soups) {
            const Shape<double> a = mesh_shape(soup_a), b = mesh_shape(soup_b);
            for (int i = 0; i < 60; ++i) {
                const Posed pose{{uniform(-2, 2), uniform(-2, 2), uniform(-2, 2)},
                                 normalize(Quatd{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1),
                                                 uniform(-1, 1)})};
                double depth = 0;
                for (const Vec3d& v : soup_b.vertices)
                    depth = std::max(depth, -closest_point(a, transform(pose, v)).distance);
                for (const Vec3d& v : soup_a.vertices)
                    depth = std::max(depth, -closest_point(b, inverse_transform(pose, v)).distance);
                if (depth < 1e-6 || depth > 0.3) continue;
                ++overlaps;
                const double found = penetration(a, b, pose);
                if (found < 0.99 * depth) ++less_deep;
                EXPECT_GT(found, 0.94 * depth);
            }
        }
    EXPECT_LE(less_deep, overlaps / 50);
    EXPECT_GT(overlaps, 100);
}

// Flush solids do not overlap, though each triangle alone, left along its normal, would be deep.
TEST(SurfacePairContacts, FlushSolidsHaveNoDepth) {
    for (int i = 0; i < 8; ++i) {
        const Shape<double> a = mesh_shape(stone(i)), b = mesh_shape(stone(i + 1));
        ASSERT_FALSE(std::get<std::shared_ptr<const TriangleMesh<double>>>(a.solid)->hull);
        EXPECT_NEAR(distance(a, b, Posed{}).distance, 0, 1e-12) << i;
        EXPECT_NEAR(penetration(a, b, Posed{}), 0, 1e-12) << i;
    }
}

// The depth alone is that of the signed distance, also of one inside the other, and in compounds.
TEST(SurfacePairContacts, PenetrationIsMinusTheDistance) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> unit(-1, 1);
    int deep = 0;
    for (const auto& [name_a, soup_a] : concave_solids())
        for (const auto& [name_b, soup_b] : concave_solids())
            for (int i = 0; i < 6; ++i) {
                const Shape<double> a = mesh_shape(soup_a), b = mesh_shape(soup_b);
                const Posed pose{Vec3d{unit(random), unit(random), unit(random)} * 2.0,
                                 normalize(Quatd{unit(random), unit(random), unit(random), 1})};
                const double d = distance(a, b, pose).distance;
                EXPECT_NEAR(penetration(a, b, pose), std::max(0.0, -d), 1e-12)
                    << name_a << " " << name_b << " " << i;
                deep += d < 0;
            }
    EXPECT_GT(deep, 30);
}

// Linked rings touch where both are saddles: the edges along one lie across the valley between two
// facets of the other, and below its bottom they are over neither facet.
TEST(SurfacePairContacts, LinkedRingsHoldEachOther) {
    const Shape<double> ring = mesh_shape(ring_mesh(0.4, 0.1, 24, 12));
    const Quatd across{0.5, 0.5, 0.5, 0.5};
    for (const double sink : {1e-5, 1e-4, 1e-3, 5e-3})
        for (const double x : {0.0, 1e-3, 0.02}) {
            SCOPED_TRACE(::testing::Message() << sink << " " << x);
            // A turns about z, and touches B at y = -0.3.
            const Posed pose{{x, -0.6 - sink, 0}, across};
            const Distance<double> d = distance(ring, ring, pose);
            EXPECT_LT(d.distance, 0);
            EXPECT_LT(-d.distance, 1.01 * sink + 0.3 * x) << "facets are 15 degrees steep";
            EXPECT_GT(-d.distance, 0.95 * sink);
            const PairContacts found = pair_contacts_of(ring, ring, pose, both_settings()[1]);
            ASSERT_GT(point_count(found), 1u) << "both sides of the valley";
            for (const auto& c : found) {
                if (!(deepest_point({c}) > 0.5 * sink)) continue;
                EXPECT_GT(c.manifold.normal.y, 0.8);
            }
        }
}

// Both trees at once find the same as all pairs of triangles.
TEST(NearestTriangles, AreThoseOfAllPairs) {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> unit(-1, 1);
    int apart = 0;
    for (const auto& [name_a, soup_a] : concave_solids())
        for (const auto& [name_b, soup_b] : concave_solids()) {
            const auto a = make_mesh(soup_a).value(), b = make_mesh(soup_b).value();
            const Posed pose{Vec3d{unit(random), unit(random), unit(random)} * 4.0,
                             normalize(Quatd{unit(random), unit(random), unit(random), 1})};
            double least = std::numeric_limits<double>::infinity();
            for (std::uint32_t i = 0; i < a->triangles.size(); ++i)
                for (std::uint32_t j = 0; j < b->triangles.size(); ++j)
                    least = std::min(
                        least, convex_distance<double>(core_of(triangle_at(*a, i)),
                                                       core_of(triangle_at(*b, j)), pose, nullptr)
                                   .distance);
            const Distance<double> d =
                nearest_triangles(*a, *b, pose, std::numeric_limits<double>::infinity());
            EXPECT_NEAR(d.distance, std::max(least, 0.0), 1e-9) << name_a << " " << name_b;
            EXPECT_NEAR(length(d.point_b - d.point_a), d.distance, 1e-12);
            apart += least > 0;
            const Distance<double> near = nearest_triangles(*a, *b, pose, 0.5 * d.distance);
            EXPECT_EQ(near.distance == std::numeric_limits<double>::infinity(), least > 0);
        }
    EXPECT_GT(apart, 10);
}

} // namespace
} // namespace rigor::test
