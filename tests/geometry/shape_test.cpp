// Definitions become shapes or a sentence; shapes answer as their solids do.

#include "geometry/shape.h"

#include "geometry/mass_properties.h"
#include "sample_shapes.h"

namespace rigor::test {
namespace {

const double kNan = std::numeric_limits<double>::quiet_NaN();
const double kInf = std::numeric_limits<double>::infinity();

std::string refusal(const ShapeDef& def) {
    const Result<Shape<double>> shape = make_shape(def);
    return shape ? "accepted" : to_string(shape.error());
}

std::string refusal(ShapeGeometry geometry, double rounding = 0) {
    return refusal(define(std::move(geometry), rounding));
}

TEST(MakeShape, SizesMustBePositiveAndFinite) {
    EXPECT_EQ(refusal(SphereDef{-1}), "radius: radius must be positive, got -1");
    EXPECT_EQ(refusal(SphereDef{0}), "radius: radius must be positive, got 0");
    EXPECT_EQ(refusal(SphereDef{kNan}), "radius: radius must be finite, got nan");
    EXPECT_EQ(refusal(SphereDef{kInf}), "radius: radius must be finite, got inf");
    EXPECT_EQ(refusal(BoxDef{{1, 0, 1}}), "size: size must be positive, got (1, 0, 1)");
    EXPECT_EQ(refusal(BoxDef{{1, kNan, 1}}), "size: size must be finite, got (1, nan, 1)");
    EXPECT_EQ(refusal(CapsuleDef{0, 1}), "radius: radius must be positive, got 0");
    EXPECT_EQ(refusal(CapsuleDef{1, -0.5}), "length: length must not be negative, got -0.5");
    EXPECT_EQ(refusal(CapsuleDef{1, 0}), "accepted");
    EXPECT_EQ(refusal(CylinderDef{1, 0}), "height: height must be positive, got 0");
    EXPECT_EQ(refusal(CylinderDef{-2, 1}), "radius: radius must be positive, got -2");
    EXPECT_EQ(refusal(ConeDef{1, kInf}), "height: height must be finite, got inf");
    EXPECT_EQ(refusal(ConeDef{0, 1}), "radius: radius must be positive, got 0");
}

TEST(MakeShape, RoundingLiesInsideTheSize) {
    EXPECT_EQ(refusal(BoxDef{{1, 2, 3}}, -0.1),
              "rounding: rounding must not be negative, got -0.1");
    EXPECT_EQ(refusal(BoxDef{{1, 2, 3}}, kNan), "rounding: rounding must be finite, got nan");
    EXPECT_EQ(refusal(BoxDef{{1, 2, 3}}, 0.5), "accepted");
    EXPECT_EQ(refusal(BoxDef{{1, 2, 3}}, 0.75),
              "rounding: rounding must be at most half of the smallest size, 0.5, got 0.75");
    EXPECT_EQ(refusal(CylinderDef{1, 1}, 0.75),
              "rounding: rounding must be at most the radius and half the height, 0.5, got 0.75");
    EXPECT_EQ(refusal(SphereDef{0.5}, 0.5), "accepted");
    EXPECT_EQ(refusal(SphereDef{0.5}, 0.6),
              "rounding: rounding must be at most the radius, 0.5, got 0.6");
    EXPECT_EQ(refusal(CapsuleDef{0.5, 1}, 0.6),
              "rounding: rounding must be at most the radius, 0.5, got 0.6");
    EXPECT_EQ(
        refusal(ConeDef{3, 4}, 1.5),
        "rounding: rounding must be less than the radius of the largest ball inside the cone, "
        "1.5, got 1.5");
    EXPECT_EQ(
        refusal(HullDef{{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}}, 0.6),
        "rounding: rounding must be less than the radius of the largest ball inside the hull, "
        "0.57735, got 0.6");
    EXPECT_EQ(refusal(PlaneDef{}, 0.1), "rounding: a plane cannot be rounded, got 0.1");
    EXPECT_EQ(refusal(MeshDef{}, 0.1), "rounding: a mesh cannot be rounded, got 0.1");
    EXPECT_EQ(refusal(HeightFieldDef{}, 0.1),
              "rounding: a height field cannot be rounded, got 0.1");
    EXPECT_EQ(refusal(CompoundDef{{define(SphereDef{})}}, 0.1),
              "rounding: a compound cannot be rounded, got 0.1");
}

TEST(MakeShape, PlaneNormalMustBeAUnit) {
    EXPECT_EQ(refusal(PlaneDef{{0, 0, 0}, 0}),
              "normal: normal must be a unit vector, got (0, 0, 0) of length 0");
    EXPECT_EQ(refusal(PlaneDef{{0, 3, 4}, 0}),
              "normal: normal must be a unit vector, got (0, 3, 4) of length 5");
    EXPECT_EQ(refusal(PlaneDef{{0, kNan, 1}, 0}), "normal: normal must be finite, got (0, nan, 1)");
    EXPECT_EQ(refusal(PlaneDef{{0, 0, 1}, kInf}), "offset: offset must be finite, got inf");
    const Shape<double> shape = make_shape(define(PlaneDef{{0, 0.6001, 0.8}, 2})).value();
    EXPECT_NEAR(length(std::get<Plane<double>>(shape.solid).normal), 1, 1e-15);
}

TEST(MakeShape, PlacesMustBeFiniteAndTurnsUnits) {
    ShapeDef def = define(SphereDef{});
    def.position.y = kNan;
    EXPECT_EQ(refusal(def), "position: position must be finite, got (0, nan, 0)");
    def = define(SphereDef{});
    def.orientation = {2, 0, 0, 0};
    EXPECT_EQ(refusal(def), "orientation: orientation must be a unit quaternion, got [2, 0, 0, 0]");
}

TEST(MakeShape, HullsAndMeshesReportTheirOwnRules) {
    EXPECT_EQ(refusal(HullDef{}), "points: a hull needs at least 4 points, got 0");
    EXPECT_EQ(refusal(MeshDef{}), "mesh: a mesh must have vertices and triangles, got none");
    EXPECT_NE(refusal(HeightFieldDef{}), "accepted");
}

TEST(MakeShape, CompoundNamesThePlaceOfTheMistake) {
    EXPECT_EQ(refusal(CompoundDef{}), "shapes: a compound must hold at least one shape, got none");
    const CompoundDef inner{{define(SphereDef{}), define(BoxDef{{1, 1, -1}})}};
    EXPECT_EQ(refusal(CompoundDef{{define(SphereDef{}), define(inner)}}),
              "shapes[1].shapes[1].size: size must be positive, got (1, 1, -1)");
    ShapeDef deep = define(SphereDef{});
    for (int i = 0; i < 70; ++i) deep = define(CompoundDef{{deep}});
    const Result<Shape<double>> too_deep = make_shape(deep);
    ASSERT_FALSE(too_deep);
    EXPECT_EQ(too_deep.error().code, ErrorCode::limit);
    EXPECT_EQ(too_deep.error().message, "compounds must be nested at most 64 deep");
}

ShapeDef placed(ShapeGeometry geometry, const Vec3d& position, const Quatd& orientation = {}) {
    ShapeDef def = define(std::move(geometry));
    def.position = position;
    def.orientation = orientation;
    return def;
}

/// A dumbbell: a rod along x and two balls, one of them in a compound of its own.
ShapeDef dumbbell() {
    const Quatd to_x = from_axis_angle<double>({0, 1, 0}, std::acos(-1.0) / 2);
    const ShapeDef ball = placed(SphereDef{0.5}, {0, 0, 0.25});
    const CompoundDef nested{{placed(CompoundDef{{ball}}, {2, 0, -0.25})}};
    return define(CompoundDef{{placed(SphereDef{0.5}, {-2, 0, 0}),
                               placed(CylinderDef{0.1, 3}, {}, to_x), define(nested)}});
}

TEST(Compound, NestedPosesAreComposed) {
    const Shape<double> shape = make_shape(dumbbell()).value();
    const auto& compound = *std::get<std::shared_ptr<const Compound<double>>>(shape.solid);
    ASSERT_EQ(compound.children.size(), 3u);
    EXPECT_EQ(compound.children[2].pose.p, (Vec3d{2, 0, 0}));
    const std::vector<ShapeDef> leaves = flatten(dumbbell());
    ASSERT_EQ(leaves.size(), 3u);
    EXPECT_EQ(leaves[2].position, (Vec3d{2, 0, 0}));
}

template <class S>
class AnyShape : public testing::Test {
  protected:
    static Shape<S> make(const ShapeDef& def) {
        const Shape<double> shape = make_shape(def).value();
        if constexpr (std::is_same_v<S, double>) {
            return shape;
        } else {
            return to_float(shape);
        }
    }
    const S tiny = S(64) * std::numeric_limits<S>::epsilon();
};
TYPED_TEST_SUITE(AnyShape, Scalars);

TYPED_TEST(AnyShape, CompoundAnswersAsItsNearestChild) {
    using S = TypeParam;
    const Shape<S> shape = this->make(dumbbell());
    EXPECT_STREQ(name(shape), "compound");
    EXPECT_FALSE(is_convex(shape));
    const Aabb<S> box = bounds(shape, Pose<S>{});
    EXPECT_NEAR(box.lo.x, -2.5, this->tiny);
    EXPECT_NEAR(box.hi.x, 2.5, this->tiny);
    EXPECT_NEAR(box.hi.z, 0.5, this->tiny);
    EXPECT_NEAR(bounding_radius(shape, Vec3<S>{}), 2.5, this->tiny);
    EXPECT_NEAR(support(shape, Vec3<S>{1, 0, 0}).x, 2.5, this->tiny);

    const auto rod = cast_ray(shape, Ray<S>{{0, 0, 5}, {0, 0, -1}});
    ASSERT_TRUE(rod);
    EXPECT_NEAR(rod->t, 4.9, this->tiny * 5);
    EXPECT_EQ(rod->feature, 1u);
    const auto ball = cast_ray(shape, Ray<S>{{5, 0, 0}, {-1, 0, 0}});
    ASSERT_TRUE(ball);
    EXPECT_NEAR(ball->t, 2.5, this->tiny);
    EXPECT_EQ(ball->feature, 2u);
    EXPECT_TRUE(cast_ray(shape, Ray<S>{{2, 0, 0}, {1, 0, 0}})->inside);
    EXPECT_FALSE(cast_ray(shape, Ray<S>{{0, 1, 5}, {0, 0, -1}}));

    const SurfacePoint<S> near = closest_point(shape, Vec3<S>{0, S(0.6), 0});
    EXPECT_NEAR(near.distance, 0.5, this->tiny);
    EXPECT_EQ(near.feature, 1u);
    EXPECT_NEAR(length(near.normal - Vec3<S>{0, 1, 0}), 0, this->tiny);
}

// A ray, a nearest point and a box do not depend on the frame they are asked in.
TYPED_TEST(AnyShape, CompoundTurnsWithItsPose) {
    using S = TypeParam;
    Random random(103);
    const Posed pose = random.pose(1);
    ShapeDef turned = dumbbell();
    for (ShapeDef& child : std::get<CompoundDef>(turned.geometry).shapes) {
        const Posed p = pose * Posed{child.position, child.orientation};
        child.position = p.p;
        child.orientation = p.q;
    }
    const Shape<S> a = this->make(dumbbell()), b = this->make(turned);
    const Pose<S> pose_s = cast<S>(pose);
    for (int i = 0; i < 100; ++i) {
        const Vec3<S> p = random.template vec<S>(-3, 3), q = random.template vec<S>(-2, 2);
        EXPECT_NEAR(closest_point(a, p).distance, closest_point(b, transform(pose_s, p)).distance,
                    this->tiny * 4);
        const auto hit_a = cast_ray(a, Ray<S>{p, q - p});
        const auto hit_b = cast_ray(b, Ray<S>{transform(pose_s, p), rotate(pose_s.q, q - p)});
        ASSERT_EQ(hit_a.has_value(), hit_b.has_value());
        if (hit_a) {
            EXPECT_NEAR(hit_a->t, hit_b->t, this->tiny * 32);
        }
    }
    EXPECT_NEAR(bounds(a, pose_s).hi.x, bounds(b, Pose<S>{}).hi.x, this->tiny * 4);
}

TYPED_TEST(AnyShape, PlaneIsSolidBelow) {
    using S = TypeParam;
    const Shape<S> plane = this->make(define(PlaneDef{{0, 0, 1}, 2}));
    EXPECT_NEAR(closest_point(plane, Vec3<S>{1, 2, 5}).distance, 3, this->tiny);
    EXPECT_NEAR(closest_point(plane, Vec3<S>{1, 2, 0}).distance, -2, this->tiny);
    EXPECT_NEAR(cast_ray(plane, Ray<S>{{0, 0, 6}, {1, 0, -2}})->t, 2, this->tiny);
    EXPECT_FALSE(cast_ray(plane, Ray<S>{{0, 0, 6}, {1, 0, 0}}));
    EXPECT_FALSE(cast_ray(plane, Ray<S>{{0, 0, 6}, {1, 0, 1}}));
    EXPECT_FALSE(cast_ray(plane, Ray<S>{{0, 0, 2}, {1, 0, 1}}));
    EXPECT_EQ(cast_ray(plane, Ray<S>{{0, 0, 2}, {1, 0, -1}})->t, 0);
    EXPECT_TRUE(cast_ray(plane, Ray<S>{{0, 0, 1}, {1, 0, 1}})->inside);
    EXPECT_TRUE(cast_ray(plane, Ray<S>{{0, 0, 1}, {1, 0, 0}})->inside);
    EXPECT_TRUE(cast_ray(plane, Ray<S>{{0, 0, 1}, {}})->inside);
    EXPECT_EQ(bounds(plane, Pose<S>{}).hi.z, S(2));
    EXPECT_EQ(bounds(plane, Pose<S>{}).lo.z, -Aabb<S>::kInfinity);
    EXPECT_EQ(bounding_radius(plane, Vec3<S>{}), Aabb<S>::kInfinity);
    EXPECT_NEAR(support(plane, Vec3<S>{0, 0, 1}).z, 2, this->tiny);
    EXPECT_EQ(radius_of(plane), 0);
}

TEST(Shape, NamesAreThoseOfSceneFiles) {
    const auto named = [](ShapeGeometry g) {
        return std::string(name(make_shape(define(std::move(g))).value()));
    };
    EXPECT_EQ(named(SphereDef{}), "sphere");
    EXPECT_EQ(named(BoxDef{}), "box");
    EXPECT_EQ(named(CapsuleDef{}), "capsule");
    EXPECT_EQ(named(CylinderDef{}), "cylinder");
    EXPECT_EQ(named(ConeDef{}), "cone");
    EXPECT_EQ(named(PlaneDef{}), "plane");
    EXPECT_EQ(named(HullDef{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}), "hull");
    EXPECT_EQ(named(HeightFieldDef{1, 1, 2, 2, {0, 0, 0, 0}}), "height_field");
}

// Two shapes made of the same numbers hash alike; one bit makes a difference.
TEST(Shape, HashIsOfTheContent) {
    const auto hash = [](const Shape<double>& shape) {
        Hasher hasher;
        add_to_hash(hasher, shape);
        return hasher.value();
    };
    std::vector<std::uint64_t> seen;
    const auto first = convex_samples_in_double(), second = convex_samples_in_double();
    for (std::size_t i = 0; i < first.size(); ++i) {
        EXPECT_EQ(hash(first[i].shape), hash(second[i].shape));
        seen.push_back(hash(first[i].shape));
    }
    std::sort(seen.begin(), seen.end());
    EXPECT_EQ(std::unique(seen.begin(), seen.end()), seen.end());
    const double next = std::nextafter(0.5, 1);
    EXPECT_NE(hash(Shape<double>{Sphere<double>{0.5}}), hash(Shape<double>{Sphere<double>{next}}));
    EXPECT_EQ(hash(make_shape(dumbbell()).value()), hash(make_shape(dumbbell()).value()));
}

TEST(Shape, CompoundMassIsTheSumOfItsParts) {
    const double pi = std::acos(-1.0);
    const Shape<double> shape = make_shape(dumbbell()).value();
    const double ball = pi / 6, rod = pi * 0.03;
    EXPECT_NEAR(volume(shape), 2 * ball + rod, 1e-14);
    EXPECT_NEAR(area(shape), 2 * pi + 2 * pi * 0.1 * 3 + 2 * pi * 0.01, 1e-14);
    const MassProperties mass = mass_properties(shape, 100).value();
    EXPECT_NEAR(mass.mass, 100 * (2 * ball + rod), 1e-12);
    EXPECT_NEAR(length(mass.center), 0, 1e-14);
    EXPECT_NEAR(mass.inertia.xx, 100 * (2 * ball * 0.1 + rod * 0.005), 1e-12);

    // Each child of its own stuff: one light, one heavy ball, and a rod of sheet metal.
    const auto& compound = *std::get<std::shared_ptr<const Compound<double>>>(shape.solid);
    const Substance stuff[] = {{100, false}, {2, true}, {300, false}};
    const MassProperties mixed = mass_properties(compound, stuff).value();
    const double sheet = 2 * (2 * pi * 0.1 * 3 + 2 * pi * 0.01);
    EXPECT_NEAR(mixed.mass, 400 * ball + sheet, 1e-12);
    EXPECT_NEAR(mixed.center.x, 400 * ball / mixed.mass, 1e-13);
    const Result<MassProperties> few = mass_properties(compound, std::span(stuff, 2));
    ASSERT_FALSE(few);
    EXPECT_EQ(few.error().message,
              "a compound needs one substance for each of its 3 children, got 2");
}

TEST(Shape, WhatHasNoEndHasNoMass) {
    const Shape<double> plane = make_shape(define(PlaneDef{})).value();
    EXPECT_EQ(volume(plane), kInf);
    EXPECT_EQ(mass_properties(plane, 1).error().message, "a plane is unbounded and has no mass");
    const Shape<double> field =
        make_shape(define(HeightFieldDef{2, 3, 2, 2, {0, 0, 0, 0}})).value();
    EXPECT_EQ(volume(field), kInf);
    EXPECT_NEAR(area(field), 6, 1e-14);
    EXPECT_EQ(mass_properties(field, 1).error().message,
              "a height field is unbounded below and has no mass");
    const Shape<double> both =
        make_shape(define(CompoundDef{{define(SphereDef{}), define(PlaneDef{})}})).value();
    EXPECT_EQ(to_string(mass_properties(both, 1).error()),
              "shapes[1]: a plane is unbounded and has no mass");
    const Shape<double> ball = make_shape(define(SphereDef{})).value();
    EXPECT_EQ(to_string(mass_properties(ball, -2).error()),
              "density: density must be positive and finite, got -2");
    EXPECT_EQ(to_string(mass_properties(ball, kNan).error()),
              "density: density must be positive and finite, got nan");
}

// The same cube as box, hull and mesh: one mass, one answer to every question.
TEST(Shape, BoxHullAndMeshOfACubeAgree) {
    TriangleSoup soup;
    for (int i = 0; i < 8; ++i) {
        soup.vertices.push_back({i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5});
    }
    soup.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                      {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    const Shape<double> box = make_shape(define(BoxDef{})).value();
    const Shape<double> hull = make_shape(define(HullDef{soup.vertices})).value();
    const Shape<double> mesh =
        make_shape(define(MeshDef{std::make_shared<const TriangleSoup>(soup)})).value();
    Random random(107);
    for (const Shape<double>& other : {hull, mesh}) {
        SCOPED_TRACE(name(other));
        EXPECT_NEAR(volume(other), 1, 1e-14);
        EXPECT_NEAR(area(other), 6, 1e-13);
        EXPECT_NEAR(mass_properties(other, 6).value().inertia.yy, 1, 1e-14);
        for (int i = 0; i < 300; ++i) {
            const Vec3d p = random.vec(-1.5, 1.5), q = random.vec(-0.6, 0.6);
            EXPECT_NEAR(closest_point(other, p).distance, closest_point(box, p).distance, 1e-14);
            const auto hit = cast_ray(other, Ray<double>{p, q - p});
            const auto expected = cast_ray(box, Ray<double>{p, q - p});
            ASSERT_EQ(hit.has_value(), expected.has_value());
            if (hit) {
                EXPECT_NEAR(hit->t, expected->t, 1e-13);
                EXPECT_EQ(hit->inside, expected->inside);
            }
        }
    }
}

} // namespace
} // namespace rigor::test
