// Contact manifolds: properties that hold for all of them, on many random pairs.

#include "collide/contacts.h"

#include <numbers>
#include <set>

#include "collide/distance.h"
#include "collide/manifold_properties.h"
#include "geometry/sample_shapes.h"

namespace rigor::test {
namespace {

constexpr ContactSettings<double> kSettings{0.02, 1e-4};

/// The one manifold of two convex shapes, from nothing.
template <class S>
Manifold<S> manifold_of(const Shape<S>& a, const Shape<S>& b, const Pose<S>& pose,
                        const ContactSettings<S>& wanted) {
    std::vector<PartContact<S>> contacts;
    find_contacts(a, b, pose, wanted, contacts);
    return contacts.empty() ? Manifold<S>{} : contacts.front().manifold;
}

/// A pose near `pose`, along the normal of the two, at which they are `gap` apart.
Posed brought_to(const Shape<double>& a, const Shape<double>& b, Posed pose, double gap) {
    for (int i = 0; i < 3; ++i) {
        const Distance<double> d = distance(a, b, pose);
        pose.p -= d.normal * (d.distance - gap);
    }
    return pose;
}

/// Poses of two shapes of the samples: in general position, aligned, nearly aligned; apart,
/// touching, and sunk in.
template <class Visit>
void for_poses(int count, Visit&& visit) {
    const std::vector<Specimen<double>> samples = convex_samples_in_double();
    Random random(31);
    for (const Specimen<double>& a : samples) {
        for (const Specimen<double>& b : samples) {
            for (int i = 0; i < count; ++i) {
                Posed pose = random.pose(1);
                if (i % 3 == 1) pose.q = {};
                if (i % 3 == 2) pose.q = normalize(from_rotation_vector(random.vec(-1e-3, 1e-3)));
                if (length(pose.p) < 0.1) continue;
                const double gap = std::array{0.01, 0.0, -0.001, -0.02}[random.bits() % 4];
                pose = brought_to(a.shape, b.shape, pose, gap);
                SCOPED_TRACE(message(a.name, " and ", b.name, " at ", pose.p, pose.q));
                visit(a.shape, b.shape, pose);
                if (::testing::Test::HasFailure()) return;
            }
        }
    }
}

} // namespace

TEST(Contacts, LieOnBothSurfacesAndSayHowFarTheSolidsAreApart) {
    int seen = 0;
    for_poses(12, [&](const auto& a, const auto& b, const Posed& pose) {
        const Distance<double> d = distance(a, b, pose);
        const Manifold<double> m = manifold_of(a, b, pose, kSettings);
        ASSERT_EQ(m.count > 0, d.distance <= kSettings.margin) << d.distance;
        if (m.count == 0) return;
        ++seen;
        expect_on_surfaces(a, b, pose, m, 3 * kSettings.tolerance);
        // The normal separates them as well as any other, but for the preference of faces.
        EXPECT_GE(room_along(a, b, pose, m.normal), d.distance - 2 * kSettings.tolerance);
        EXPECT_NEAR(least_separation(m), d.distance, 4 * kSettings.tolerance);
    });
    EXPECT_GT(seen, 2000);
}

TEST(Contacts, AreMirroredWhenTheSolidsAreSwapped) {
    int different = 0, seen = 0;
    for_poses(12, [&](const auto& a, const auto& b, const Posed& pose) {
        const Manifold<double> m = manifold_of(a, b, pose, kSettings);
        const Manifold<double> swapped = manifold_of(b, a, inverse(pose), kSettings);
        ++seen;
        const Manifold<double> back = mirrored(swapped, pose);
        if (change_both_ways(m, back, kSettings.margin - 1e-5) > 1e-5) ++different;
    });
    // Two round caps in parallel are polygons that differ: which four of their points are kept may
    // too.
    EXPECT_LE(different, seen / 200);
}

TEST(Contacts, HardlyChangeWhenTheSolidsHardlyMove) {
    Random random(33);
    int seen = 0, jumps_without_memory = 0;
    for_poses(12, [&](const auto& a, const auto& b, const Posed& pose) {
        std::vector<PartContact<double>> contacts;
        find_contacts(a, b, pose, kSettings, contacts);
        const Manifold<double> before =
            contacts.empty() ? Manifold<double>{} : contacts[0].manifold;
        const Posed moved{pose.p + random.vec(-5e-7, 5e-7),
                          normalize(from_rotation_vector(random.vec(-5e-7, 5e-7)) * pose.q)};
        find_contacts(a, b, moved, kSettings, contacts);
        const Manifold<double> after = contacts.empty() ? Manifold<double>{} : contacts[0].manifold;
        ++seen;
        EXPECT_LE(change_both_ways(before, after, kSettings.margin - 1e-5), 1e-3);
        const Manifold<double> fresh = manifold_of(a, b, moved, kSettings);
        if (change_both_ways(before, fresh, kSettings.margin - 1e-5) > 1e-3) ++jumps_without_memory;
    });
    // Where two axes are equally good only memory can decide.
    EXPECT_LE(jumps_without_memory, seen / 200);
}

// The same numbers in float, as far as float can tell.
TEST(Contacts, InFloatAreThoseInDouble) {
    const ContactSettings<float> wanted{0.02f, 1e-4f};
    int seen = 0;
    for_poses(6, [&](const auto& a, const auto& b, const Posed& pose) {
        const Shape<float> af = to_float(a), bf = to_float(b);
        const Manifold<float> m = manifold_of(af, bf, cast<float>(pose), wanted);
        const Distance<double> d = distance(a, b, pose);
        ASSERT_EQ(m.count > 0, d.distance <= kSettings.margin);
        if (m.count == 0) return;
        ++seen;
        expect_on_surfaces(af, bf, cast<float>(pose), m, 5e-4f);
        EXPECT_NEAR(static_cast<double>(least_separation(m)), d.distance, 5e-4);
    });
    EXPECT_GT(seen, 1000);
}

// Where both solids stand in the world does not matter.
TEST(Contacts, MoveWithBothSolids) {
    Random random(34);
    for_poses(3, [&](const auto& a, const auto& b, const Posed& pose) {
        const Posed world = random.pose(10);
        const Posed seen = relative_pose<double>(world, world * pose);
        std::vector<PartContact<double>> contacts;
        find_contacts(a, b, pose, kSettings, contacts);
        const Manifold<double> here = contacts.empty() ? Manifold<double>{} : contacts[0].manifold;
        find_contacts(a, b, seen, kSettings, contacts);
        const Manifold<double> there = contacts.empty() ? Manifold<double>{} : contacts[0].manifold;
        EXPECT_LE(change_both_ways(here, there, kSettings.margin - 1e-5), 1e-5);
    });
}

namespace {

Shape<double> shape_of(ShapeGeometry geometry, double rounding = 0) {
    return make_shape(define(std::move(geometry), rounding)).value();
}

Shape<double> cube() {
    return shape_of(BoxDef{{1, 1, 1}});
}

Quatd turned(const Vec3d& axis, double angle) {
    return normalize(from_rotation_vector(axis * angle));
}

std::set<std::pair<FeatureKind, FeatureKind>> kinds(const Manifold<double>& m) {
    std::set<std::pair<FeatureKind, FeatureKind>> out;
    for (int i = 0; i < m.count; ++i) {
        const ContactPoint<double>& p = m.points[static_cast<std::size_t>(i)];
        out.insert({p.feature_a.kind(), p.feature_b.kind()});
    }
    return out;
}

std::set<std::pair<std::uint32_t, std::uint32_t>> ids(const Manifold<double>& m) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> out;
    for (int i = 0; i < m.count; ++i) {
        const ContactPoint<double>& p = m.points[static_cast<std::size_t>(i)];
        out.insert({p.feature_a.value(), p.feature_b.value()});
    }
    return out;
}

constexpr FeatureKind kVertex = FeatureKind::vertex, kEdge = FeatureKind::edge,
                      kFace = FeatureKind::face;

} // namespace

TEST(Contacts, OfACubeOnACubeAreItsFourCorners) {
    const Posed above{{0.2, 0.1, 0.999}, {}};
    const Manifold<double> m = manifold_of(cube(), cube(), above, kSettings);
    ASSERT_EQ(m.count, 4);
    EXPECT_EQ(m.normal, (Vec3d{0, 0, 1}));
    double area = 0;
    for (int i = 0; i < 4; ++i) {
        const Vec3d p = m.points[static_cast<std::size_t>(i)].point_a;
        EXPECT_NEAR(m.points[static_cast<std::size_t>(i)].separation, -0.001, 1e-12);
        EXPECT_TRUE(std::abs(p.x - 0.1) < 0.400001 && std::abs(p.y - 0.05) < 0.450001) << p;
        area += std::abs((p.x - 0.1) * (p.y - 0.05));
    }
    EXPECT_NEAR(area, 0.8 * 0.9, 1e-9); // all four corners of the overlap
    // One corner of each on the other's face, and two crossings of edges.
    EXPECT_EQ(kinds(m), (std::set<std::pair<FeatureKind, FeatureKind>>{
                            {kFace, kVertex}, {kVertex, kFace}, {kEdge, kEdge}}));
}

TEST(Contacts, OfCrossedEdgesKnowTheirDirections) {
    // A cube stood on its edge, along x, on another whose edge runs along y.
    const double half = std::sqrt(0.5), angle = std::numbers::pi / 4;
    const Shape<double> box = cube();
    const Quatd lower = turned({0, 1, 0}, angle), upper = turned({1, 0, 0}, angle);
    const Posed pose = inverse(Posed{{}, lower}) * Posed{{0.1, 0.2, 2 * half - 0.001}, upper};
    const Manifold<double> m = manifold_of(box, box, pose, kSettings);
    ASSERT_EQ(m.count, 1);
    EXPECT_NEAR(length(rotate(lower, m.normal) - Vec3d{0, 0, 1}), 0, 1e-12);
    const ContactPoint<double>& p = m.points[0];
    EXPECT_NEAR(p.separation, -0.001, 1e-12);
    EXPECT_NEAR(length(rotate(lower, p.point_a) - Vec3d{0, 0.2, half}), 0, 1e-12);
    ASSERT_EQ(p.feature_a.kind(), kEdge);
    ASSERT_EQ(p.feature_b.kind(), kEdge);
    const Vec3d along_a = edge_direction(box, {}, p.feature_a, p.point_a);
    const Vec3d along_b = edge_direction(box, {}, p.feature_b, Vec3d{});
    EXPECT_NEAR(std::abs(rotate(lower, along_a).y), 1, 1e-12);
    EXPECT_NEAR(std::abs(rotate(upper, along_b).x), 1, 1e-12);
    // The normal of crossed edges is across both [Baber 2006, equation 18].
    EXPECT_NEAR(dot(along_a, m.normal), 0, 1e-12);
    EXPECT_NEAR(dot(rotate(pose.q, along_b), m.normal), 0, 1e-12);
}

TEST(Contacts, OfAVertexOnAVertexIsOnePointBetweenThem) {
    // Corner above corner, a hair apart: the normal is the direction between the corners.
    const Quatd on_corner = turned(normalize(Vec3d{1, -1, 0}), std::acos(1 / std::sqrt(3.0)));
    const double reach = std::sqrt(3.0) / 2;
    for (const double gap : {0.015, 0.002}) {
        const Posed a{{}, on_corner}, b{{0, 0, 2 * reach + gap}, on_corner};
        const Manifold<double> m =
            manifold_of(cube(), cube(), relative_pose<double>(a, b), kSettings);
        ASSERT_EQ(m.count, 1) << gap;
        EXPECT_NEAR(m.points[0].separation, gap, 2 * kSettings.tolerance);
        EXPECT_EQ(m.points[0].feature_a.kind(), kVertex);
        EXPECT_EQ(m.points[0].feature_b.kind(), kVertex);
    }
}

TEST(Contacts, KeepTheirNamesThroughSmallMotions) {
    Random random(35);
    const Shape<double> a = cube(), b = shape_of(HullDef{random_points(16, 7, {0.5, 0.5, 0.5})});
    for (const Shape<double>& other : {a, b}) {
        for (int round = 0; round < 20; ++round) {
            Posed pose = brought_to(a, other, random.pose(1.5), -0.005);
            std::vector<PartContact<double>> contacts;
            find_contacts(a, other, pose, kSettings, contacts);
            const auto first = ids(contacts[0].manifold);
            for (int i = 0; i < 20; ++i) { // trembles by a tenth of the tolerance
                const Posed now{pose.p + random.vec(-1e-5, 1e-5), pose.q};
                find_contacts(a, other, now, kSettings, contacts);
                EXPECT_EQ(ids(contacts[0].manifold), first);
            }
        }
    }
}

// A box of the same size, exactly on top and trembling: its corners stay corners.
TEST(Contacts, OfAlignedCubesKeepTheirNames) {
    Random random(36);
    std::vector<PartContact<double>> contacts;
    find_contacts(cube(), cube(), Posed{{0, 0, 1}, {}}, kSettings, contacts);
    const auto first = ids(contacts[0].manifold);
    EXPECT_EQ(first.size(), 4u);
    for (int i = 0; i < 100; ++i) {
        const Posed now{Vec3d{0, 0, 1} + random.vec(-4e-5, 4e-5),
                        normalize(from_rotation_vector(random.vec(-4e-5, 4e-5)))};
        find_contacts(cube(), cube(), now, kSettings, contacts);
        EXPECT_EQ(ids(contacts[0].manifold), first);
    }
}

TEST(Contacts, OfALyingCapsuleAreTwo) {
    const Shape<double> capsule = shape_of(CapsuleDef{0.2, 1});
    const Quatd lying = turned({0, 1, 0}, std::numbers::pi / 2);
    const Shape<double> floor = shape_of(PlaneDef{});
    const Manifold<double> on_plane =
        manifold_of(floor, capsule, Posed{{3, 4, 0.199}, lying}, kSettings);
    EXPECT_EQ(on_plane.count, 2);
    EXPECT_NEAR(least_separation(on_plane), -0.001, 1e-12);
    const Manifold<double> on_box = manifold_of(shape_of(BoxDef{{4, 4, 1}}), capsule,
                                                Posed{{0.3, 0.4, 0.699}, lying}, kSettings);
    EXPECT_EQ(on_box.count, 2);
    EXPECT_NEAR(least_separation(on_box), -0.001, 1e-12);
    const Manifold<double> on_each_other =
        manifold_of(capsule, capsule, Posed{{0.399, 0, 0.3}, {}}, kSettings);
    EXPECT_EQ(on_each_other.count, 2);
    EXPECT_NEAR(least_separation(on_each_other), -0.001, 1e-12);
}

TEST(Contacts, OfAStandingCylinderAreFourOnItsRim) {
    const Shape<double> cylinder = shape_of(CylinderDef{0.5, 1});
    const Shape<double> floor = shape_of(PlaneDef{});
    const Manifold<double> flat = manifold_of(floor, cylinder, Posed{{0, 0, 0.5}, {}}, kSettings);
    ASSERT_EQ(flat.count, 4);
    for (int i = 0; i < 4; ++i) {
        const Vec3d p = flat.points[static_cast<std::size_t>(i)].point_a;
        EXPECT_NEAR(std::hypot(p.x, p.y), 0.5, 1e-12);
    }
    // Tilted, it stands on the lowest point of the rim, whatever its direction.
    for (const double heading : {0.1, 0.7, 2.0, 4.4}) {
        const Vec3d axis{std::cos(heading), std::sin(heading), 0};
        const Posed tilted{{0, 0, 0.68}, turned(axis, 0.5)};
        const Vec3d low =
            transform(tilted, support(cylinder, inverse_rotate(tilted.q, Vec3d{0, 0, -1})));
        const Manifold<double> m = manifold_of(floor, cylinder, tilted, kSettings);
        ASSERT_GE(m.count, 1);
        EXPECT_NEAR(least_separation(m), low.z, 1e-12);
    }
}

TEST(Contacts, OfACompoundAreThoseOfItsChildren) {
    ShapeDef left = define(BoxDef{{1, 1, 1}}), right = define(SphereDef{0.5});
    left.position = {-1, 0, 0};
    right.position = {1, 0, 0};
    const Shape<double> dumbbell = shape_of(CompoundDef{{left, right}});
    std::vector<PartContact<double>> contacts;
    find_contacts(shape_of(PlaneDef{}), dumbbell, Posed{{0, 0, 0.499}, {}}, kSettings, contacts);
    ASSERT_EQ(contacts.size(), 2u);
    EXPECT_EQ(contacts[0].manifold.part_b.child, 0u);
    EXPECT_EQ(contacts[0].manifold.count, 4);
    EXPECT_EQ(contacts[1].manifold.part_b.child, 1u);
    EXPECT_EQ(contacts[1].manifold.count, 1);
    const std::vector<PartContact<double>> before = contacts;
    find_contacts(dumbbell, shape_of(PlaneDef{}), Posed{{0, 0, -0.499}, {}}, kSettings, contacts);
    ASSERT_EQ(contacts.size(), 2u);
    EXPECT_EQ(contacts[0].manifold.count, 4);
    EXPECT_NEAR(contacts[0].manifold.normal.z, -1, 1e-15);
}

} // namespace rigor::test
