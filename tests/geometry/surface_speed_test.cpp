// The bound on the surface speed from the vertices: no point is faster, and some point is as fast.

#include "geometry/surface_speed.h"

#include "geometry/mesh_samples.h"
#include "sample_shapes.h"

namespace rigor::test {
namespace {

template <class S>
struct SurfaceSpeed : testing::Test {};
TYPED_TEST_SUITE(SurfaceSpeed, Scalars);

template <class S>
Motion<S> random_motion(Random& random, double angle) {
    return {random.pose<S>(1), random.vec<S>(-0.6, 0.6), random.vec<S>(-2, 2),
            random.direction<S>() * static_cast<S>(angle)};
}

Shape<double> mesh_shape(const TriangleSoup& soup) {
    return make_shape(define(MeshDef{std::make_shared<const TriangleSoup>(soup)})).value();
}

/// Everything that can rotate and has an end.
template <class S>
std::vector<Specimen<S>> bounded_zoo() {
    std::vector<Specimen<S>> samples = convex_samples<S>();
    ShapeDef left = define(CylinderDef{0.2, 0.7}, 0.05), right = define(ConeDef{0.4, 0.5});
    left.position = {0.6, -0.2, 0.1};
    left.orientation = normalize(Quatd{1, 0.4, -0.3, 0.2});
    right.position = {-0.5, 0.3, 0};
    const std::vector<Specimen<double>> more{
        {"compound", make_shape(define(CompoundDef{{left, right}})).value()},
        {"mesh", mesh_shape(moved(pyramid_mesh(), {{-1, -2, 0.5}, {}}))},
        {"needle", make_shape(define(HullDef{random_points(60, 9, {1e-4, 3e-4, 2})})).value()}};
    for (const Specimen<double>& s : more) {
        if constexpr (std::is_same_v<S, double>) {
            samples.push_back(s);
        } else {
            samples.push_back({s.name, to_float(s.shape)});
        }
    }
    return samples;
}

/// The largest distance of surface points from an axis by search: a slow lower bound. The farthest
/// point of a solid from the axis is extreme along some direction normal to the axis.
template <class S>
double sampled_radius(const Shape<S>& shape, const Vec3<S>& center, const Vec3<S>& axis) {
    const Vec3<S> u = perpendicular(axis), v = cross(axis, u);
    double most = 0;
    constexpr int kSamples = 4000;
    for (int i = 0; i < kSamples; ++i) {
        const double angle = 6.283185307179586 * i / kSamples;
        const Vec3<S> d = u * S(std::cos(angle)) + v * S(std::sin(angle));
        const Vec3<S> p = support(shape, d) - center;
        most = std::max(most, static_cast<double>(length(cross(axis, p))));
    }
    return most;
}

// The oracle samples directions: it misses the farthest point of a circle of radius r by at most
// about r (pi / 4000)², and a polyhedron's not at all.
TYPED_TEST(SurfaceSpeed, AxisRadiusIsTheFarthestPoint) {
    using S = TypeParam;
    Random random(31);
    for (const auto& [name, shape] : bounded_zoo<S>()) {
        for (int k = 0; k < 8; ++k) {
            SCOPED_TRACE(message(name, " ", k));
            const Vec3<S> center = random.template vec<S>(-0.8, 0.8);
            const Vec3<S> axis = k == 0   ? Vec3<S>{0, 0, 1}
                                 : k == 1 ? Vec3<S>{1, 0, 0}
                                          : random.template direction<S>();
            const double oracle = sampled_radius(shape, center, axis);
            const double bound = axis_radius(shape, center, axis);
            EXPECT_GE(bound, oracle * (1 - 1e-7 * (sizeof(S) == 4 ? 10 : 0)));
            EXPECT_LE(bound, oracle + (sizeof(S) == 4 ? 2e-5 : 2e-6));
        }
    }
}

// Speeds by finite differences of the poses, at all times of the motion: full turns included.
TYPED_TEST(SurfaceSpeed, NoPointIsFasterAtAnyTime) {
    using S = TypeParam;
    Random random(37);
    for (const auto& [name, shape] : bounded_zoo<S>()) {
        for (const double angle : {0.0, 1e-3, 0.5, 4.0, 15.0}) {
            SCOPED_TRACE(message(name, ", angle ", angle));
            const Motion<S> motion = random_motion<S>(random, angle);
            const double bound = surface_speed(shape, motion);
            for (int i = 0; i < 60; ++i) {
                const Vec3<S> p = support(shape, random.template direction<S>());
                const S t = S(random.unit());
                const Vec3<S> arm = rotate(pose_at(motion, t).q, p - motion.local_center);
                const double speed = length(motion.displacement + cross(motion.rotation, arm));
                EXPECT_LE(speed, bound * (1 + (sizeof(S) == 4 ? 1e-5 : 1e-14)));
            }
        }
    }
}

// Never more than from the bounding radius, and much less for what spins about its long axis: a
// needle of 2 m and a millimeter.
TYPED_TEST(SurfaceSpeed, SpinningNeedleIsSlow) {
    using S = TypeParam;
    for (const auto& [name, shape] : bounded_zoo<S>()) {
        if (name != "needle") continue;
        const Motion<S> spin{{}, {}, {}, {0, 0, S(10)}};
        EXPECT_LT(surface_speed(shape, spin), S(0.005));
        EXPECT_GT(surface_speed_bound(spin.displacement, spin.rotation,
                                      bounding_radius(shape, spin.local_center)),
                  S(19));
    }
}

// Closed forms: a disk of radius r whose axis is at the angle a to that of the rotation. Through
// its center the farthest point is on the line normal to both; beside it along that line at d the
// distances add up.
TYPED_TEST(SurfaceSpeed, TiltedDiskAgreesWithItsClosedForm) {
    using S = TypeParam;
    const S tolerance = S(100) * std::numeric_limits<S>::epsilon();
    const Shape<S> disk{Cylinder<S>{S(0.5), S(0), S(0)}};
    for (const double a : {0.0, 1e-6, 0.3, 1.0, 1.5707963}) {
        const Vec3<S> axis{S(0), S(std::sin(a)), S(std::cos(a))};
        EXPECT_NEAR(axis_radius(disk, Vec3<S>{}, axis), S(0.5), tolerance);
        EXPECT_NEAR(axis_radius(disk, Vec3<S>{S(2), 0, 0}, axis), S(2.5), S(4) * tolerance);
    }
    // A tall cylinder about a line across its middle: the corner of its outline.
    const Shape<S> can{Cylinder<S>{S(0.3), S(0.4), S(0)}};
    EXPECT_NEAR(axis_radius(can, Vec3<S>{}, Vec3<S>{S(1), 0, 0}), S(0.5), tolerance);
    EXPECT_EQ(axis_radius(Shape<S>{Plane<S>{{0, 0, 1}, 0}}, Vec3<S>{}, Vec3<S>{0, 0, 1}),
              Aabb<S>::kInfinity);
}

} // namespace
} // namespace rigor::test
