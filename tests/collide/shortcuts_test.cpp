// Closed forms for frequent pairs (box and box, segment and box) give what the general algorithms
// give.

#include "collide/box_clip.h"
#include "collide/certificate.h"
#include "collide/convex_distance.h"
#include "collide/face_clip.h"
#include "collide/oriented_box.h"
#include "geometry/sample_shapes.h"
#include "rigor/rotation.h"

namespace rigor::test {
namespace {

template <class S>
struct Shortcuts : testing::Test {
    static constexpr S kTolerance = kDistanceTolerance<S>;

    static Core<S> box(Random& random) { return core_of(Box<S>{random.vec<S>(0.2, 1), S(0)}); }
    static Transform<S> placement(const Pose<S>& pose) { return {to_matrix(pose.q), pose.p}; }
};
TYPED_TEST_SUITE(Shortcuts, Scalars);

/// How far a point is from the nearest of others, in the plane or in height.
template <class S>
S nearest(const ClipPoint<S>& p, const ClipPoints<S>& others) {
    S least = std::numeric_limits<S>::infinity();
    for (const ClipPoint<S>& q : others) {
        const S plane = std::max(std::abs(p.x - q.x), std::abs(p.y - q.y));
        least = std::min(least, std::max(plane, std::abs(p.height - q.height)));
    }
    return least;
}

template <class S>
bool has_names_of(const ClipPoint<S>& p, const ClipPoints<S>& others) {
    for (const ClipPoint<S>& q : others)
        if (q.reference == p.reference && q.incident == p.incident) return true;
    return false;
}

} // namespace

// The overlap of two faces of boxes, by corners and crossings, against the same face cut as any
// polygon is. All the same points with the same names, unless the difference is rounding.
TYPED_TEST(Shortcuts, FacesOfBoxesOverlapAsPolygonsDo) {
    using S = TypeParam;
    Random random(41);
    int points = 0, other_names = 0;
    for (int i = 0; i < 3000; ++i) {
        const Core<S> a = this->box(random), b = this->box(random);
        const Pose<S> pose = random.pose<S>(1);
        const Transform<S> place = this->placement(pose);
        const auto face = static_cast<std::uint32_t>(random.integer(0, 5));
        const std::uint32_t other = box_face_along(-place.local_direction(box_normal<S>(face)));
        const S slack = i % 2 == 0 ? S(0) : S(1e-3);
        ClipPoints<S> by_corners, by_cutting;
        const BoxFace<S> reference(a.size, face);
        clip_to_box(reference, b.size, place, other, S(10), slack, by_corners);
        FacePolygon<S> incident;
        face_polygon(b, other, incident);
        for (Corner<S>& corner : incident.corners) corner.p = place.point(corner.p);
        clip_to_box(reference, incident, S(10), slack, by_cutting);
        const S near = S(4) * slack + this->kTolerance;
        for (const ClipPoint<S>& p : by_corners) {
            EXPECT_LE(nearest(p, by_cutting), near) << i;
            ++points;
            if (!has_names_of(p, by_cutting)) ++other_names;
        }
        for (const ClipPoint<S>& p : by_cutting) EXPECT_LE(nearest(p, by_corners), near) << i;
    }
    EXPECT_GT(points, 3000);
    EXPECT_LE(200 * other_names, points);
}

// Nothing is nearer than what the closed form finds, and GJK finds nothing else.
TYPED_TEST(Shortcuts, OfASegmentAndABoxAreAsFarApartAsGjkFinds) {
    using S = TypeParam;
    Random random(42);
    int apart = 0;
    for (int i = 0; i < 4000; ++i) {
        const Core<S> a = this->box(random);
        const Core<S> b = core_of(Capsule<S>{S(0.1), S(random.uniform(0, 1))});
        Pose<S> pose = random.pose<S>(2);
        if (i % 4 == 0) pose.q = {}; // along a side
        const auto exact = closed_form_distance(a, b, pose);
        const Distance<S> found = iterated_distance(a, b, pose);
        if (!exact) {
            EXPECT_LE(found.distance, S(-0.1) + this->kTolerance); // they cross
            continue;
        }
        ++apart;
        EXPECT_NEAR(exact->distance, found.distance, this->kTolerance) << i;
        EXPECT_LE(length(exact->point_b - exact->point_a - exact->normal * exact->distance),
                  this->kTolerance);
    }
    EXPECT_GT(apart, 2000);
}

// What an oriented box is said to miss has no point in it.
TYPED_TEST(Shortcuts, AnOrientedBoxMissesNothingThatItHolds) {
    using S = TypeParam;
    Random random(43);
    int missed = 0;
    for (int i = 0; i < 4000; ++i) {
        const Vec3<S> half = random.vec<S>(0.2, 1);
        const Pose<S> pose = random.pose<S>(1);
        const OrientedBox<S> box(Aabb<S>{-half, half}, this->placement(pose));
        // A point of the box, and a triangle through it.
        const Vec3<S> within = transform(pose, multiply(half, random.vec<S>(-0.999, 0.999)));
        const Vec3<S> d = random.vec<S>(-1, 1), e = random.vec<S>(-1, 1);
        const Triangle<S> triangle{within + d + e, within - d, within - e};
        EXPECT_FALSE(box.misses(triangle));
        EXPECT_FALSE(box.misses(bounds(triangle)));
        const Vec3<S> far = random.vec<S>(-3, 3);
        missed += box.misses(Triangle<S>{far, far + d, far + e}) ? 1 : 0;
    }
    EXPECT_GT(missed, 1000);
}

} // namespace rigor::test
