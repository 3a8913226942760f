// Support, bounds, nearest points and rays of every convex solid, sharp and rounded, against
// each other: each answer is proved right by another one.

#include "sample_shapes.h"

namespace rigor::test {
namespace {

template <class S>
class ConvexSolid : public testing::Test {
  protected:
    const std::vector<Specimen<S>> samples = convex_samples<S>();
    const S tiny = S(64) * std::numeric_limits<S>::epsilon();
    Random random{11};
};
TYPED_TEST_SUITE(ConvexSolid, Scalars);

template <class S>
S height_along(const Shape<S>& shape, const Vec3<S>& direction) {
    return dot(support(shape, direction), direction);
}

// A nearest surface point is a sample of the surface; none lies beyond the support point, which
// is itself on the surface.
TYPED_TEST(ConvexSolid, SupportIsTheFarthestSurfacePoint) {
    using S = TypeParam;
    for (const auto& [name, shape] : this->samples) {
        SCOPED_TRACE(name);
        std::vector<Vec3<S>> surface;
        for (int i = 0; i < 300; ++i) {
            surface.push_back(closest_point(shape, this->random.template vec<S>(-1.5, 1.5)).point);
        }
        for (int i = 0; i < 100; ++i) {
            const Vec3<S> d = this->random.template direction<S>();
            const Vec3<S> s = support(shape, d);
            EXPECT_NEAR(closest_point(shape, s).distance, 0, this->tiny);
            for (const Vec3<S>& p : surface) ASSERT_LE(dot(p, d), dot(s, d) + this->tiny);
            const Vec3<S> grown = core_support(shape, d) + d * radius_of(shape);
            EXPECT_NEAR(dot(grown, d), dot(s, d), this->tiny);
        }
    }
}

// The length of the direction does not matter, and without one any surface point will do.
TYPED_TEST(ConvexSolid, SupportTakesDirectionsOfAnyLength) {
    using S = TypeParam;
    for (const auto& [name, shape] : this->samples) {
        SCOPED_TRACE(name);
        const Vec3<S> d = this->random.template direction<S>();
        for (const S scale : {S(1e-12), S(1e12)}) {
            EXPECT_NEAR(dot(support(shape, d * scale), d), height_along(shape, d), this->tiny);
        }
        EXPECT_NEAR(closest_point(shape, support(shape, Vec3<S>{})).distance, 0, this->tiny);
    }
}

// Along each axis the box ends where the support point of the posed solid is.
TYPED_TEST(ConvexSolid, BoundsAreTight) {
    using S = TypeParam;
    for (const auto& [name, shape] : this->samples) {
        SCOPED_TRACE(name);
        for (int i = 0; i < 50; ++i) {
            const Pose<S> pose = this->random.template pose<S>(1);
            const Aabb<S> box = bounds(shape, pose);
            for (int axis = 0; axis < 3; ++axis) {
                Vec3<S> e;
                e[axis] = S(1);
                const Vec3<S> local = inverse_rotate(pose.q, e);
                EXPECT_NEAR(box.hi[axis], pose.p[axis] + height_along(shape, local), this->tiny);
                EXPECT_NEAR(box.lo[axis], pose.p[axis] - height_along(shape, -local), this->tiny);
            }
        }
    }
}

// The farthest point of a convex solid from c is the support point in some direction: none goes
// beyond the radius, and a fixed-point iteration d <- s(d) - c climbs there or, on a hull of many
// vertices, close.
TYPED_TEST(ConvexSolid, BoundingRadiusIsReached) {
    using S = TypeParam;
    for (const auto& [name, shape] : this->samples) {
        SCOPED_TRACE(name);
        const Vec3<S> c = this->random.template vec<S>(-0.4, 0.4);
        const S radius = bounding_radius(shape, c);
        S reached = S(0);
        for (int i = 0; i < 60; ++i) {
            Vec3<S> d = this->random.template direction<S>();
            for (int k = 0; k < 60; ++k) d = normalize(support(shape, d) - c);
            reached = std::max(reached, length(support(shape, d) - c));
        }
        EXPECT_LE(reached, radius + this->tiny);
        EXPECT_GE(reached, radius * S(0.995));
    }
}

// Outside, a supporting plane between the solid and the point proves that nothing is nearer; the
// point found proves that something is as near.
TYPED_TEST(ConvexSolid, ClosestPointOutsideIsProvedByItsPlane) {
    using S = TypeParam;
    for (const auto& [name, shape] : this->samples) {
        SCOPED_TRACE(name);
        for (int i = 0; i < 300; ++i) {
            const Vec3<S> p = this->random.template vec<S>(-2, 2);
            const SurfacePoint<S> near = closest_point(shape, p);
            if (!(near.distance > S(0.01))) continue;
            SCOPED_TRACE(message("p = ", p));
            EXPECT_NEAR(length(near.normal), 1, this->tiny);
            EXPECT_NEAR(length(p - near.point), near.distance, this->tiny);
            EXPECT_NEAR(dot(near.normal, p) - height_along(shape, near.normal), near.distance,
                        this->tiny);
            EXPECT_NEAR(closest_point(shape, near.point).distance, 0, this->tiny);
        }
    }
}

// Inside, the depth is the least gap to a supporting plane, and the normal is that plane's.
TYPED_TEST(ConvexSolid, ClosestPointInsideIsTheLeastDepth) {
    using S = TypeParam;
    for (const auto& [name, shape] : this->samples) {
        SCOPED_TRACE(name);
        for (int i = 0; i < 100; ++i) {
            const Vec3<S> p = this->random.template vec<S>(-0.5, 0.5);
            const SurfacePoint<S> near = closest_point(shape, p);
            if (!(near.distance < S(0))) continue;
            SCOPED_TRACE(message("p = ", p));
            EXPECT_NEAR(length(near.normal), 1, this->tiny);
            EXPECT_NEAR(length(p - near.point), -near.distance, this->tiny);
            EXPECT_NEAR(height_along(shape, near.normal) - dot(near.normal, p), -near.distance,
                        this->tiny);
            for (int k = 0; k < 50; ++k) {
                const Vec3<S> n = this->random.template direction<S>();
                EXPECT_GE(height_along(shape, n) - dot(n, p), -near.distance - this->tiny);
            }
        }
    }
}

// The normal is the gradient of the signed distance, which changes by exactly h along it.
TYPED_TEST(ConvexSolid, NormalIsTheGradientOfTheDistance) {
    using S = TypeParam;
    for (const auto& [name, shape] : this->samples) {
        SCOPED_TRACE(name);
        for (int i = 0; i < 100; ++i) {
            const Vec3<S> p = this->random.template vec<S>(-1.5, 1.5);
            const SurfacePoint<S> near = closest_point(shape, p);
            if (!(near.distance > S(0.001))) continue;
            const S h = S(0.25);
            EXPECT_NEAR(closest_point(shape, p + near.normal * h).distance, near.distance + h,
                        this->tiny);
        }
    }
}

// The middle of a solid is as near to one side as to the other: some answer, always the same,
// and a right one.
TYPED_TEST(ConvexSolid, TiesGetADeterministicAnswer) {
    using S = TypeParam;
    for (const auto& [name, shape] : this->samples) {
        for (const Vec3<S>& p :
             {Vec3<S>{}, Vec3<S>{0, 0, S(0.1)}, Vec3<S>{0, 0, S(-3)}, Vec3<S>{0, 0, S(3)}}) {
            SCOPED_TRACE(message(name, ", p = ", p));
            const SurfacePoint<S> near = closest_point(shape, p);
            EXPECT_NEAR(length(near.normal), 1, this->tiny);
            EXPECT_NEAR(length(near.point - p), std::abs(near.distance), this->tiny);
            EXPECT_EQ(closest_point(shape, p).point, near.point);
        }
    }
}

// On the very edges and corners of a core, where rounding leaves no direction to go by, the
// nearest surface point is still one radius away.
TYPED_TEST(ConvexSolid, PointsOnTheEdgesOfTheCoreAreOneRadiusDeep) {
    using S = TypeParam;
    for (const auto& [name, shape] : this->samples) {
        SCOPED_TRACE(name);
        for (int i = 0; i < 300; ++i) {
            const Vec3<S> hair = this->random.template vec<S>() * std::numeric_limits<S>::epsilon();
            const Vec3<S> d = this->random.template direction<S>();
            const Vec3<S> p = core_support(shape, d) + hair * S(i % 3);
            const SurfacePoint<S> near = closest_point(shape, p);
            EXPECT_NEAR(near.distance, -radius_of(shape), this->tiny);
            EXPECT_NEAR(height_along(shape, near.normal), dot(near.normal, near.point), this->tiny);
        }
    }
}

// The answers scale with the solid: nothing in them knows a millimeter from a kilometer.
TYPED_TEST(ConvexSolid, SizeDoesNotMatter) {
    using S = TypeParam;
    const auto make = [](ShapeGeometry geometry, double rounding) {
        const Shape<double> shape = make_shape(define(std::move(geometry), rounding)).value();
        if constexpr (std::is_same_v<S, double>) {
            return shape;
        } else {
            return to_float(shape);
        }
    };
    for (const double k : {1e-4, 1e4}) {
        std::vector<Vec3d> points = random_points(14, 7, {1, 0.8, 0.9});
        for (Vec3d& p : points) p *= k;
        for (const double rounding : {0.0, 0.1 * k}) {
            for (const Shape<S>& shape :
                 {make(BoxDef{Vec3d{1, 0.6, 1.4} * k}, rounding),
                  make(CylinderDef{0.5 * k, k}, rounding),
                  make(ConeDef{0.6 * k, 1.3 * k}, rounding), make(CapsuleDef{0.3 * k, k}, 0),
                  make(HullDef{points}, rounding)}) {
                SCOPED_TRACE(message(name(shape), " times ", k, ", rounding ", rounding));
                const S size = static_cast<S>(k);
                int hits = 0;
                for (int i = 0; i < 100; ++i) {
                    const Vec3<S> origin = this->random.template direction<S>() * (size * S(2));
                    const Vec3<S> target = this->random.template vec<S>(-0.4, 0.4) * size;
                    const SurfacePoint<S> near = closest_point(shape, origin);
                    EXPECT_NEAR(
                        (dot(near.normal, origin) - height_along(shape, near.normal)) / size,
                        near.distance / size, this->tiny);
                    const auto hit = cast_ray(shape, Ray<S>{origin, target - origin});
                    if (!hit) continue;
                    ++hits;
                    const Vec3<S> at = origin + (target - origin) * hit->t;
                    EXPECT_NEAR(closest_point(shape, at).distance / size, 0, S(4) * this->tiny);
                }
                EXPECT_GT(hits, 50);
            }
        }
    }
}

// Along a line the distance to a convex solid is convex: its least value is found by ternary
// search, independently of how the cast works.
template <class S>
S least_distance(const Shape<S>& shape, const Ray<S>& ray, S lo, S hi) {
    const auto f = [&](S t) {
        return closest_point(shape, ray.origin + ray.direction * t).distance;
    };
    for (int i = 0; i < 80; ++i) {
        const S a = lo + (hi - lo) / 3, b = hi - (hi - lo) / 3;
        (f(a) < f(b) ? hi : lo) = f(a) < f(b) ? b : a;
    }
    return f((lo + hi) / 2);
}

TYPED_TEST(ConvexSolid, RayStopsAtTheFirstSurfacePoint) {
    using S = TypeParam;
    for (const auto& [name, shape] : this->samples) {
        SCOPED_TRACE(name);
        int hits = 0;
        for (int i = 0; i < 300; ++i) {
            const Vec3<S> origin = this->random.template direction<S>() * S(3);
            const Vec3<S> target = this->random.template vec<S>(-0.9, 0.9);
            const Ray<S> ray{origin, target - origin};
            SCOPED_TRACE(message("from ", origin, " to ", target));
            const auto hit = cast_ray(shape, ray);
            if (!hit) {
                EXPECT_GE(least_distance(shape, ray, S(0), S(3)), -this->tiny);
                continue;
            }
            ++hits;
            EXPECT_FALSE(hit->inside);
            const SurfacePoint<S> at = closest_point(shape, origin + ray.direction * hit->t);
            EXPECT_NEAR(at.distance, 0, S(4) * this->tiny);
            // The normal belongs to the surface: its supporting plane touches at the hit.
            EXPECT_NEAR(height_along(shape, hit->normal), dot(hit->normal, at.point),
                        S(4) * this->tiny);
            EXPECT_LE(dot(hit->normal, ray.direction), this->tiny);
            for (const S part : {S(0.5), S(0.9), S(0.99)}) {
                const Vec3<S> before = origin + ray.direction * (hit->t * part);
                EXPECT_GT(closest_point(shape, before).distance, -this->tiny);
            }
        }
        EXPECT_GT(hits, 30);
    }
}

TYPED_TEST(ConvexSolid, RayFromInsideHitsAtOnce) {
    using S = TypeParam;
    for (const auto& [name, shape] : this->samples) {
        SCOPED_TRACE(name);
        const Vec3<S> inside{S(0.01), S(-0.02), S(-0.03)};
        ASSERT_LT(closest_point(shape, inside).distance, 0);
        const Vec3<S> d = this->random.template direction<S>();
        const auto hit = cast_ray(shape, Ray<S>{inside, d * S(3)});
        ASSERT_TRUE(hit);
        EXPECT_TRUE(hit->inside);
        EXPECT_EQ(hit->t, 0);
        EXPECT_NEAR(dot(hit->normal, d), -1, this->tiny);
        // Without a direction: only what holds the origin is met.
        const auto still = cast_ray(shape, Ray<S>{inside, {}});
        ASSERT_TRUE(still);
        EXPECT_TRUE(still->inside);
        EXPECT_FALSE(cast_ray(shape, Ray<S>{{3, 3, 3}, {}}));
    }
}

// t counts in units of the direction, and max_t cuts.
TYPED_TEST(ConvexSolid, RayIsMeasuredInItsOwnDirection) {
    using S = TypeParam;
    for (const auto& [name, shape] : this->samples) {
        SCOPED_TRACE(name);
        const Vec3<S> origin{S(2), S(1.5), S(-2)};
        const Vec3<S> to_middle = Vec3<S>{S(0.01), S(0.02), S(-0.05)} - origin;
        const auto hit = cast_ray(shape, Ray<S>{origin, to_middle});
        ASSERT_TRUE(hit);
        for (const S scale : {S(1e-10), S(7), S(1e10)}) {
            const auto scaled = cast_ray(shape, Ray<S>{origin, to_middle * scale});
            ASSERT_TRUE(scaled);
            EXPECT_NEAR(scaled->t * scale, hit->t, this->tiny);
        }
        EXPECT_FALSE(cast_ray(shape, Ray<S>{origin, to_middle, hit->t * S(0.999)}));
        EXPECT_TRUE(cast_ray(shape, Ray<S>{origin, to_middle, hit->t * S(1.001)}));
        EXPECT_FALSE(cast_ray(shape, Ray<S>{origin, -to_middle}));
    }
}

// Rays along the axes and through the middle end where the support point is, from any distance:
// the error of the place is that of the coordinates of the start.
TYPED_TEST(ConvexSolid, AxisParallelRaysMeetTheBounds) {
    using S = TypeParam;
    for (const auto& [name, shape] : this->samples) {
        for (const S far : {S(3), S(1e3), S(1e5)}) {
            for (int axis = 0; axis < 3; ++axis) {
                SCOPED_TRACE(message(name, ", axis ", axis, ", from ", far));
                Vec3<S> e;
                e[axis] = S(1);
                const Vec3<S> top = support(shape, e);
                Vec3<S> origin = top * S(0.999); // just inside the outline
                origin[axis] = far;
                const auto hit = cast_ray(shape, Ray<S>{origin, -e});
                ASSERT_TRUE(hit);
                const Vec3<S> place = origin - e * hit->t;
                EXPECT_NEAR(closest_point(shape, place).distance, 0, this->tiny * far);
            }
        }
    }
}

// Leaving or entering is what counts when a ray starts on the surface.
TYPED_TEST(ConvexSolid, RayFromTheSurfaceHitsOnlyInward) {
    using S = TypeParam;
    for (const auto& [name, shape] : this->samples) {
        SCOPED_TRACE(name);
        for (int i = 0; i < 50; ++i) {
            const SurfacePoint<S> at =
                closest_point(shape, this->random.template direction<S>() * S(2));
            const Vec3<S> out = at.point + at.normal * S(1e-4);
            EXPECT_FALSE(cast_ray(shape, Ray<S>{out, at.normal}));
            const Vec3<S> in = at.point - at.normal * S(0.01);
            if (!(closest_point(shape, in).distance < S(-0.002))) continue; // off a sharp corner
            const auto hit = cast_ray(shape, Ray<S>{at.point, -at.normal});
            ASSERT_TRUE(hit) << at.point;
            EXPECT_NEAR(hit->t, 0, this->tiny);
        }
    }
}

TYPED_TEST(ConvexSolid, RaysThatAreNotNumbersMeetNothing) {
    using S = TypeParam;
    const S nan = std::numeric_limits<S>::quiet_NaN();
    const S infinity = std::numeric_limits<S>::infinity();
    for (const auto& [name, shape] : this->samples) {
        SCOPED_TRACE(name);
        EXPECT_FALSE(cast_ray(shape, Ray<S>{{nan, 0, 0}, {1, 0, 0}}));
        EXPECT_FALSE(cast_ray(shape, Ray<S>{{3, 0, 0}, {nan, 0, 0}}));
        EXPECT_FALSE(cast_ray(shape, Ray<S>{{3, 0, 0}, {-infinity, 0, 0}}));
        EXPECT_FALSE(cast_ray(shape, Ray<S>{{3, 0, 0}, {-1, 0, 0}, nan}));
        EXPECT_FALSE(cast_ray(shape, Ray<S>{{3, 0, 0}, {-1, 0, 0}, S(-1)}));
    }
}

// A ray in the plane of a face touches; one a hair outside does not.
TYPED_TEST(ConvexSolid, RayAlongAFaceOfABoxTouches) {
    using S = TypeParam;
    const Box<S> box{{S(0.5), S(0.5), S(0.5)}, S(0)};
    const auto hit = cast_ray(box, Ray<S>{{-2, 0, S(0.5)}, {1, 0, 0}});
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit->t, S(1.5));
    EXPECT_EQ(hit->normal, (Vec3<S>{-1, 0, 0}));
    EXPECT_EQ(hit->feature, 1u);
    EXPECT_FALSE(cast_ray(box, Ray<S>{{-2, 0, S(0.500001)}, {1, 0, 0}}));
    EXPECT_FALSE(cast_ray(box, Ray<S>{{0, 0, S(0.5)}, {0, 0, 1}})); // leaves from the face
}

// The cone's cast is an iteration; the quadratic of the endless double cone is its oracle.
TYPED_TEST(ConvexSolid, ConeRaysAgreeWithTheQuadratic) {
    using S = TypeParam;
    const double radius = 0.6, height = 1.3, slope = radius / height;
    const Cone<S> cone = make_cone(S(radius), S(height));
    for (int i = 0; i < 500; ++i) {
        const Vec3<S> origin_s = this->random.template direction<S>() * S(2);
        const Vec3<S> direction_s = this->random.template vec<S>(-0.5, 0.5) - origin_s;
        const Vec3d o = cast<double>(origin_s) - Vec3d{0, 0, height / 2},
                    d = cast<double>(direction_s);
        double expected = std::numeric_limits<double>::infinity();
        const double k = slope * slope;
        const double a = d.x * d.x + d.y * d.y - k * d.z * d.z,
                     b = o.x * d.x + o.y * d.y - k * o.z * d.z,
                     c = o.x * o.x + o.y * o.y - k * o.z * o.z;
        if (const double disc = b * b - a * c; disc >= 0) {
            for (const double t : {(-b - std::sqrt(disc)) / a, (-b + std::sqrt(disc)) / a}) {
                const double z = o.z + t * d.z;
                if (t >= 0 && z <= 0 && z >= -height) expected = std::min(expected, t);
            }
        }
        const double t = (-height - o.z) / d.z, x = o.x + t * d.x, y = o.y + t * d.y;
        if (t >= 0 && x * x + y * y <= radius * radius) expected = std::min(expected, t);
        const auto hit = cast_ray(cone, Ray<S>{origin_s, direction_s});
        if (!hit && std::isfinite(expected)) { // a miss by rounding only, at the very edge
            EXPECT_GT(least_distance(Shape<S>{cone}, Ray<S>{origin_s, direction_s}, S(0), S(3)),
                      -this->tiny);
        }
        if (hit && std::isfinite(expected)) {
            EXPECT_NEAR(hit->t, expected, S(16) * this->tiny);
        }
    }
}

} // namespace
} // namespace rigor::test
