// Contacts of extreme solids: vertices from 1e-20 to 1e20 meters, needles, tiny bodies on huge
// ones. Whatever is found must be finite, and end.

#include "collide/contacts.h"
#include "collide/distance.h"
#include "geometry/sample_shapes.h"

namespace rigor::test {
namespace {

/// A number of any size: its exponent is uniform.
double of_any_size(Random& random, int most) {
    double power = 1;
    const int exponent = random.integer(-most, most);
    for (int i = 0; i < std::abs(exponent); ++i) power *= exponent < 0 ? 0.1 : 10;
    return random.uniform(-4, 4) * power;
}

Vec3d vec_of_any_size(Random& random, int most) {
    const double x = of_any_size(random, most), y = of_any_size(random, most),
                 z = of_any_size(random, most);
    return {x, y, z};
}

/// Each number of its own size, or all of one.
Result<Shape<double>> some_hull(Random& random) {
    HullDef hull;
    const int count = random.integer(4, 24);
    const bool alike = random.unit() < 0.5;
    const double scale = of_any_size(random, 20);
    for (int i = 0; i < count; ++i) {
        hull.points.push_back(alike ? random.vec() * scale : vec_of_any_size(random, 20));
    }
    ShapeDef def;
    def.geometry = hull;
    return make_shape(def);
}

template <class S>
bool is_sound(const Manifold<S>& m) {
    if (m.count < 0 || m.count > 4 || !is_finite(m.normal)) return false;
    for (int i = 0; i < m.count; ++i) {
        const ContactPoint<S>& p = m.points[static_cast<std::size_t>(i)];
        if (!is_finite(p.point_a) || !std::isfinite(p.separation)) return false;
    }
    return m.count == 0 || std::abs(length(m.normal) - S(1)) < S(1e-3);
}

/// Twice, the second time with what was remembered.
template <class S>
int unsound(const Shape<S>& a, const Shape<S>& b, Pose<S> pose, S margin) {
    std::vector<PartContact<S>> contacts;
    int count = 0;
    for (int again = 0; again < 2; ++again) {
        find_contacts(a, b, pose, ContactSettings<S>{margin, S(0.05) * margin}, contacts);
        for (const PartContact<S>& c : contacts) count += is_sound(c.manifold) ? 0 : 1;
        pose.p *= S(1.0001);
    }
    return count;
}

TEST(HardContacts, OfHullsOfAnySizeAreFinite) {
    Random random(91);
    int asked = 0;
    for (int i = 0; i < 1500; ++i) {
        SCOPED_TRACE(message("pair ", i));
        const Result<Shape<double>> a = some_hull(random), b = some_hull(random);
        if (!a || !b) continue; // refused with a reason
        const double reach = length(support(*a, {1, 0, 0})) + length(support(*b, {1, 0, 0}));
        Posed pose{random.vec() * reach, random.rotation<double>()};
        if (i % 3 == 0) pose.p = vec_of_any_size(random, 20);
        const double margin = i % 2 == 0 ? 0.02 : 0.02 * reach;
        EXPECT_EQ(unsound(*a, *b, pose, margin), 0);
        EXPECT_EQ(unsound(*a, *a, pose, margin), 0);
        EXPECT_EQ(unsound(to_float(*a), to_float(*b), cast<float>(pose), float(margin)), 0);
        EXPECT_EQ(unsound(to_float(*a), to_float(*a), cast<float>(pose), float(margin)), 0);
        ++asked;
    }
    EXPECT_GT(asked, 100);
}

// The same solids at another size touch at the same places.
TEST(HardContacts, ScaleWithTheSolids) {
    Random random(92);
    for (int i = 0; i < 200; ++i) {
        HullDef unit, large;
        const double scale = i % 2 == 0 ? 0x1p50 : 0x1p-50; // exact
        for (int k = 0; k < 20; ++k) {
            unit.points.push_back(random.direction());
            large.points.push_back(unit.points.back() * scale);
        }
        ShapeDef def, large_def;
        def.geometry = unit;
        large_def.geometry = large;
        const auto a = make_shape(def), b = make_shape(large_def);
        ASSERT_TRUE(a && b);
        const Posed pose{random.direction() * 1.7, random.rotation<double>()};
        std::vector<PartContact<double>> few, many;
        find_contacts(*a, *a, pose, {0.02, 0.001}, few);
        find_contacts(*b, *b, Posed{pose.p * scale, pose.q}, {0.02 * scale, 0.001 * scale}, many);
        ASSERT_EQ(few.size(), many.size());
        for (std::size_t k = 0; k < few.size(); ++k) {
            const Manifold<double>&m = few[k].manifold, &n = many[k].manifold;
            ASSERT_EQ(m.count, n.count);
            EXPECT_LE(length(m.normal - n.normal), 1e-9);
            for (std::size_t p = 0; p < static_cast<std::size_t>(m.count); ++p)
                EXPECT_NEAR(m.points[p].separation * scale, n.points[p].separation, 1e-9 * scale);
        }
    }
}

// A crumb that touches the middle of a large face has the normal of the face, however little they
// overlap: the depth is rounded relative to the large one, by more than the overlap.
TEST(HardContacts, ACrumbOnALargeFaceTouchesTheFace) {
    ShapeDef wall, crumb;
    wall.geometry = BoxDef{{1.4e-3, 20, 20}};
    const Shape<double> a = make_shape(wall).value();
    Random random(1);
    for (int i = 0; i < 2000; ++i) {
        const double size = random.uniform(1e-3, 1e-2);
        crumb.geometry = i % 2 ? ShapeGeometry(CylinderDef{0.7 * size, 1.4 * size})
                               : ShapeGeometry(ConeDef{0.7 * size, 1.4 * size});
        const Shape<double> b = make_shape(crumb).value();
        Posed pose{{-1, random.uniform(-5, 5), random.uniform(-5, 5)},
                   normalize(Quatd{random.unit(), random.unit(), random.unit(), random.unit()})};
        pose.p.x += distance(a, b, pose).distance + random.uniform(0, 2e-11);
        std::vector<PartContact<double>> contacts;
        find_contacts(a, b, pose, ContactSettings<double>{1e-6, 1e-12}, contacts);
        ASSERT_EQ(contacts.size(), 1u);
        const Manifold<double>& m = contacts[0].manifold;
        ASSERT_GT(m.count, 0);
        EXPECT_EQ(m.normal, (Vec3d{-1, 0, 0})) << i;
        for (int k = 0; k < m.count; ++k)
            EXPECT_EQ(m.points[static_cast<std::size_t>(k)].feature_a.kind(), FeatureKind::face);
    }
}

} // namespace
} // namespace rigor::test
