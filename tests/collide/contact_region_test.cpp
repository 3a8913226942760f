// Contact regions against brute force over all features, and against the areas of polygons.

#include "collide/contact_region.h"

#include "collide/distance.h"
#include "geometry/mesh_samples.h"
#include "geometry/sample_shapes.h"
#include "rigor/rotation.h"

namespace rigor::test {
namespace {

using Region = ContactRegion<double>;
using Regions = std::vector<Region>;

constexpr ContactSettings<double> kSettings{1e-3, 1e-12};

Shape<double> shape(ShapeGeometry geometry, double rounding = 0) {
    return make_shape(define(std::move(geometry), rounding)).value();
}

struct Point2 {
    double x, y;
};
using Polygon = std::vector<Point2>; ///< convex, counterclockwise

double left_of(const Point2& p, const Point2& q, const Point2& r) {
    return (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
}

Polygon regular(int corners, double radius, double turn, Point2 at = {0, 0}) {
    Polygon polygon;
    for (int i = 0; i < corners; ++i) {
        const double a = turn + 6.283185307179586 * i / corners;
        polygon.push_back({at.x + radius * std::cos(a), at.y + radius * std::sin(a)});
    }
    return polygon;
}

/// A prism with its lower face at z = bottom.
Shape<double> prism(const Polygon& polygon, double bottom, double height) {
    HullDef hull;
    for (const Point2& p : polygon)
        for (const double z : {bottom, bottom + height}) hull.points.push_back({p.x, p.y, z});
    return shape(hull);
}

bool is_inside(const Polygon& polygon, const Point2& p) {
    for (std::size_t i = 0; i < polygon.size(); ++i)
        if (left_of(polygon[i], polygon[(i + 1) % polygon.size()], p) < -1e-12) return false;
    return true;
}

/// All vertices of the intersection: those of each inside the other, and all crossings of edges.
std::vector<Point2> brute_force(const Polygon& a, const Polygon& b) {
    std::vector<Point2> found;
    const auto add = [&](const Point2& p) {
        for (const Point2& q : found)
            if (std::hypot(p.x - q.x, p.y - q.y) < 1e-9) return;
        found.push_back(p);
    };
    for (const Point2& p : a)
        if (is_inside(b, p)) add(p);
    for (const Point2& p : b)
        if (is_inside(a, p)) add(p);
    for (std::size_t i = 0; i < a.size(); ++i) {
        for (std::size_t j = 0; j < b.size(); ++j) {
            const Point2 &p = a[i], &q = a[(i + 1) % a.size()];
            const Point2 &r = b[j], &s = b[(j + 1) % b.size()];
            const double u = left_of(r, s, p), v = left_of(r, s, q);
            const double w = left_of(p, q, r), x = left_of(p, q, s);
            if (!(u * v < 0 && w * x < 0)) continue;
            const double t = u / (u - v);
            add({p.x + (q.x - p.x) * t, p.y + (q.y - p.y) * t});
        }
    }
    return found;
}

double area(const Region& region) {
    Vec3d sum;
    for (std::size_t i = 1; i + 1 < region.points.size(); ++i)
        sum += cross(region.points[i].point_a - region.points[0].point_a,
                     region.points[i + 1].point_a - region.points[0].point_a);
    return 0.5 * length(sum);
}

double area(const Regions& regions) {
    double sum = 0;
    for (const Region& region : regions) sum += area(region);
    return sum;
}

double area(std::vector<Point2> corners) {
    Point2 middle{0, 0};
    for (const Point2& p : corners) {
        middle.x += p.x / static_cast<double>(corners.size());
        middle.y += p.y / static_cast<double>(corners.size());
    }
    std::sort(corners.begin(), corners.end(), [&](const Point2& p, const Point2& q) {
        return std::atan2(p.y - middle.y, p.x - middle.x) <
               std::atan2(q.y - middle.y, q.x - middle.x);
    });
    double sum = 0;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const Point2 &p = corners[i], &q = corners[(i + 1) % corners.size()];
        sum += 0.5 * (p.x * q.y - p.y * q.x);
    }
    return sum;
}

/// B stands on A, which has its top at z = 0: the region has all vertices and no others.
void expect_vertices(const Region& region, const std::vector<Point2>& expected, double tolerance) {
    EXPECT_EQ(region.points.size(), expected.size());
    for (const Point2& p : expected) {
        double nearest = 1e9;
        for (const ContactPoint<double>& c : region.points)
            nearest = std::min(nearest, std::hypot(c.point_a.x - p.x, c.point_a.y - p.y));
        EXPECT_LT(nearest, tolerance) << "no point at " << p.x << ", " << p.y;
    }
}

Region only(const Regions& regions) {
    EXPECT_EQ(regions.size(), 1u);
    return regions.empty() ? Region{} : regions[0];
}

/// A point of a manifold is one of its region, and a region of up to four is the manifold.
void expect_consistent(const Shape<double>& a, const Shape<double>& b, const Posed& pose) {
    std::vector<PartContact<double>> parts;
    find_contacts(a, b, pose, kSettings, parts);
    for (const PartContact<double>& part : parts) {
        const Manifold<double>& m = part.manifold;
        const Region region = region_of(m, a, b, pose, kSettings);
        ASSERT_GE(region.points.size(), static_cast<std::size_t>(m.count));
        for (int i = 0; i < m.count; ++i) {
            const ContactPoint<double>& own = m.points[static_cast<std::size_t>(i)];
            double nearest = 1e9;
            for (const ContactPoint<double>& p : region.points)
                nearest = std::min(nearest, length(p.point_a - own.point_a));
            EXPECT_LT(nearest, 1e-12);
            if (region.points.size() > 4) continue;
            const ContactPoint<double>& same = region.points[static_cast<std::size_t>(i)];
            EXPECT_EQ(same.point_a, own.point_a);
            EXPECT_EQ(same.separation, own.separation);
        }
    }
}

// Figure 17 of [Baber 2006]: three corners of the upper box on the face of the lower one, and two
// of its edges across an edge of the lower one.
TEST(ContactRegion, OfFigure17HasFiveVertices) {
    const Shape<double> lower = shape(BoxDef{{2, 2, 1}}), upper = shape(BoxDef{{1, 1, 1}});
    const Posed pose{{0.6, 0, 1}, from_axis_angle<double>({0, 0, 1}, 0.7853981633974483)};
    const Region region = only(contact_regions(lower, upper, pose, kSettings));
    expect_vertices(
        region,
        brute_force({{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}, regular(4, std::sqrt(0.5), 0, {0.6, 0})),
        1e-12);
    EXPECT_EQ(region.points.size(), 5u);
    int crossings = 0;
    for (const ContactPoint<double>& p : region.points)
        crossings += p.feature_a.kind() == FeatureKind::edge;
    EXPECT_EQ(crossings, 2);
    expect_consistent(lower, upper, pose);
}

// Coplanar faces, a few listed and many at random; also tilted by 1e-9, far less than the margin.
TEST(ContactRegion, OfTwoPrismsIsTheIntersectionOfTheirFaces) {
    Random random(5);
    for (int i = 0; i < 300; ++i) {
        const int m = i == 0 ? 12 : random.integer(3, 16), n = i == 0 ? 9 : random.integer(3, 16);
        SCOPED_TRACE(message(i, ": ", m, " and ", n));
        const Polygon p = regular(m, random.uniform(0.5, 1), random.uniform(0, 6));
        const Polygon q = regular(n, random.uniform(0.3, 1), random.uniform(0, 6),
                                  {random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5)});
        const Shape<double> a = prism(p, -1, 1), b = prism(q, 0, 1);
        const std::vector<Point2> expected = brute_force(p, q);
        const Posed flat{{0, 0, 1e-6}, {}};
        expect_vertices(only(contact_regions(a, b, flat, kSettings)), expected, 1e-9);
        expect_consistent(a, b, flat);
        const Posed tilted{{0, 0, 1e-6}, from_axis_angle<double>(random.direction(), 1e-9)};
        expect_vertices(only(contact_regions(a, b, tilted, {1e-3, 1e-7})), expected, 1e-6);
        // Seen from the other side it is the same.
        const Region mirrored = only(contact_regions(b, a, inverse(flat), kSettings));
        expect_vertices(mirrored, expected, 1e-5);
    }
}

TEST(ContactRegion, OfTwoHullsOf200VerticesHasAllOfThem) {
    const Polygon p = regular(100, 1, 0.001), q = regular(100, 0.98, 0.02, {0.01, 0.005});
    const Region region =
        only(contact_regions(prism(p, -1, 1), prism(q, 0, 1), Posed{}, kSettings));
    const std::vector<Point2> expected = brute_force(p, q);
    EXPECT_GE(expected.size(), 100u);
    expect_vertices(region, expected, 1e-9);
}

// Two crossed needles: four vertices, a square of a tenth of a millimeter.
TEST(ContactRegion, OfCrossedNeedlesIsASmallSquare) {
    const Shape<double> needle = shape(BoxDef{{2, 1e-4, 1e-4}});
    const Posed pose{{0.3, 0.2, 1e-4}, from_axis_angle<double>({0, 0, 1}, 1.5707963267948966)};
    const Region region = only(contact_regions(needle, needle, pose, kSettings));
    EXPECT_EQ(region.points.size(), 4u);
    EXPECT_NEAR(area(region), 1e-8, 1e-15);
}

TEST(ContactRegion, OfRoundShapes) {
    const Shape<double> box = shape(BoxDef{{2, 2, 1}}), plane = shape(PlaneDef{});
    const Quatd lying = from_axis_angle<double>({1, 0, 0}, 1.5707963267948966);
    const Region capsule = only(
        contact_regions(box, shape(CapsuleDef{0.2, 0.8}), Posed{{0, 0, 0.7}, lying}, kSettings));
    EXPECT_EQ(capsule.points.size(), 2u);
    const Region rolling = only(
        contact_regions(plane, shape(CylinderDef{0.3, 1}), Posed{{0, 0, 0.3}, lying}, kSettings));
    EXPECT_EQ(rolling.points.size(), 2u);
    // A cap is an octagon in the rim: its corners touch.
    const Region standing =
        only(contact_regions(plane, shape(CylinderDef{0.3, 1}), Posed{{0, 0, 0.5}, {}}, kSettings));
    EXPECT_EQ(standing.points.size(), 8u);
    for (const ContactPoint<double>& p : standing.points) {
        EXPECT_NEAR(std::hypot(p.point_a.x, p.point_a.y), 0.3, 1e-12);
        EXPECT_NEAR(p.point_a.z, 0, 1e-12);
    }
    expect_consistent(plane, shape(CylinderDef{0.3, 1}), Posed{{0, 0, 0.5}, {}});
    expect_consistent(shape(CylinderDef{0.3, 1}), plane, Posed{{0, 0, -0.5}, {}});
}

// A table with two legs, in the order of its children, also below a rounded box.
TEST(ContactRegion, OfACompoundHasOneForEachChild) {
    ShapeDef left = define(BoxDef{{0.4, 0.4, 1}}), right = left;
    left.position.x = -1;
    right.position.x = 1;
    right.orientation = from_axis_angle<double>({0, 0, 1}, 0.7853981633974483);
    const Shape<double> table = shape(CompoundDef{{left, right}});
    const Shape<double> floor = shape(BoxDef{{2.4, 3, 1}});
    const Posed pose{{0, 0, 1}, {}};
    const Regions regions = contact_regions(floor, table, pose, kSettings);
    ASSERT_EQ(regions.size(), 2u);
    EXPECT_EQ(regions[0].part_b.child, 0u);
    EXPECT_EQ(regions[1].points.size(), 5u); // one corner beyond the edge of the floor
    EXPECT_NEAR(area(regions[0]), 0.16, 1e-12);
    expect_consistent(floor, table, pose);
    expect_consistent(table, floor, inverse(pose));
}

Shape<double> mesh(const TriangleSoup& soup) {
    return shape(MeshDef{std::make_shared<const TriangleSoup>(soup)});
}

// Triangle by triangle: their areas add up to that of the intersection of the faces.
TEST(ContactRegion, OfMeshesCoverTheIntersection) {
    Random random(7);
    const Polygon bottom{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    for (int i = 0; i < 40; ++i) {
        SCOPED_TRACE(i);
        const double turn = random.uniform(0, 6);
        const Point2 at{random.uniform(-0.8, 0.8), random.uniform(-0.8, 0.8)};
        const double expected =
            area(brute_force(bottom, regular(4, std::sqrt(0.5), turn + 0.7853981633974483, at)));
        const Posed pose{{at.x, at.y, 1}, from_axis_angle<double>({0, 0, 1}, turn)};
        const Shape<double> lower = mesh(box_mesh({2, 2, 1})), upper = mesh(box_mesh({1, 1, 1}));
        const Shape<double> box = shape(BoxDef{{1, 1, 1}});
        EXPECT_NEAR(area(contact_regions(lower, box, pose, kSettings)), expected, 1e-9);
        EXPECT_NEAR(area(contact_regions(box, lower, inverse(pose), kSettings)), expected, 1e-9);
        EXPECT_NEAR(area(contact_regions(lower, upper, pose, kSettings)), expected, 1e-9);
        expect_consistent(lower, box, pose);
        expect_consistent(box, lower, inverse(pose));
        expect_consistent(lower, upper, pose);
    }
}

TEST(ContactRegion, OfAMeshOnAPlaneHasAllItsLowestVertices) {
    TriangleSoup soup = box_mesh({1, 1, 1});
    append(soup, box_mesh({1, 1, 1}, {3, 0, 0}));
    const Shape<double> two = mesh(soup), plane = shape(PlaneDef{});
    const Posed pose{{0, 0, 0.5}, {}};
    EXPECT_EQ(only(contact_regions(plane, two, pose, kSettings)).points.size(), 8u);
    EXPECT_EQ(only(contact_regions(two, plane, inverse(pose), kSettings)).points.size(), 8u);
}

// Random poses of all pairs: the region has the manifold's points, and its nearest point is as near
// as the distance of the two says.
TEST(ContactRegion, AgreesWithTheManifoldForRandomPairs) {
    Random random(11);
    const std::vector<Specimen<double>> samples = convex_samples<double>();
    for (int i = 0; i < 1500; ++i) {
        const auto& x = samples[static_cast<std::size_t>(random.integer(0, 18))];
        const auto& y = samples[static_cast<std::size_t>(random.integer(0, 18))];
        SCOPED_TRACE(message(i, ": ", x.name, " and ", y.name));
        Posed pose{{}, random.rotation()};
        // Moved until they are 0.1 mm apart.
        pose.p = random.direction() * 4.0;
        for (int k = 0; k < 30; ++k) {
            const Distance<double> d = distance(x.shape, y.shape, pose);
            pose.p -= d.normal * (d.distance - 1e-4);
        }
        expect_consistent(x.shape, y.shape, pose);
    }
}

} // namespace
} // namespace rigor::test
