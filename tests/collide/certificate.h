// Proofs of a distance that need no second implementation.
//
// Points of both solids that are `distance` apart show that the distance is no more; a plane
// across the normal with the solids on its two sides shows that it is no less. Where the solids
// overlap, the plane shows that the depth is no more than claimed.
#pragma once

#include "collide/distance.h"
#include "test_support.h"

namespace rigor::test {

/// Of distances from curved cores, where iterations end a little before rounding.
template <class S>
constexpr S kDistanceTolerance = std::is_same_v<S, double> ? S(1e-10) : S(1e-4);

/// How much room a plane across n leaves between A and B; the signed distance is the most that
/// any direction leaves.
template <class S>
S room_along(const Shape<S>& a, const Shape<S>& b, const Pose<S>& b_in_a, const Vec3<S>& n) {
    const Vec3<S> top_a = support(a, n);
    const Vec3<S> bottom_b = transform(b_in_a, support(b, inverse_rotate(b_in_a.q, -n)));
    return dot(n, bottom_b) - dot(n, top_a);
}

/// How far a point is from the surface of a convex shape.
template <class S>
S off_surface(const Shape<S>& shape, const Vec3<S>& point) {
    return std::abs(closest_point(shape, point).distance);
}

/// The size of numbers that the coordinates of a pair consist of.
template <class S>
S pair_size(const Shape<S>& a, const Shape<S>& b, const Pose<S>& b_in_a) {
    return bounding_radius(a, Vec3<S>{}) + bounding_radius(b, Vec3<S>{}) + length(b_in_a.p);
}

/// What rounding leaves of the direction between sharp solids that nearly touch: a plane across
/// it, turned by epsilon over the distance, cuts as much into them.
template <class S>
S direction_noise(S size, S distance) {
    const S epsilon = std::numeric_limits<S>::epsilon();
    return distance > S(0) ? S(2) * epsilon * size * size / std::max(distance, epsilon) : S(0);
}

/// Expects points on both surfaces, p_b - p_a = distance n, and a plane that proves it, all to
/// within `tolerance`.
template <class S>
void expect_certified(const Shape<S>& a, const Shape<S>& b, const Pose<S>& b_in_a,
                      const Distance<S>& d, S tolerance) {
    ASSERT_TRUE(std::isfinite(d.distance) && is_finite(d.normal) && is_finite(d.point_a) &&
                is_finite(d.point_b));
    EXPECT_NEAR(length(d.normal), S(1), round_off(S(1)));
    EXPECT_LE(length(d.point_b - d.point_a - d.normal * d.distance), tolerance)
        << d.point_a << d.point_b << d.normal << d.distance;
    EXPECT_LE(off_surface(a, d.point_a), tolerance);
    EXPECT_LE(off_surface(b, inverse_transform(b_in_a, d.point_b)), tolerance);
    EXPECT_NEAR(room_along(a, b, b_in_a, d.normal), d.distance,
                tolerance + direction_noise(pair_size(a, b, b_in_a), d.distance));
}

} // namespace rigor::test
