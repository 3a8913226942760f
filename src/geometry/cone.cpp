#include "geometry/cone.h"

#include "geometry/convex.h"
#include "geometry/convex_instantiation.h"
#include "geometry/revolution_profile.h"

// Features: 0 the side, 1 the base.

namespace rigor {
namespace {

/// The unit normal of the side, in the profile.
template <class S>
ProfilePoint<S> side_normal(const Cone<S>& cone) {
    const Vec3<S> n = normalize(Vec3<S>{cone.apex - cone.base, S(0), cone.radius});
    return {n.x, n.z};
}

/// The closest point for `frame.at` in the region of a corner of the profile.
template <class S>
SurfacePoint<S> from_corner(const ProfileFrame<S>& frame, const ProfilePoint<S>& corner,
                            const ProfilePoint<S>& side_normal) {
    const Vec3<S> at{frame.at.r, S(0), frame.at.z}, from{corner.r, S(0), corner.z};
    const Vec3<S> n = direction_from(from, at, {side_normal.r, S(0), side_normal.z});
    return frame.lift(corner, {n.x, n.z}, dot(n, at - from));
}

// In the profile the core is a triangle with one leg on the axis. In the regions of its other
// corners the corner is nearest; elsewhere, inside or outside, the nearer of side and base.
template <class S>
SurfacePoint<S> closest_on_core(const Cone<S>& cone, const Vec3<S>& point) {
    const ProfileFrame<S> frame(point);
    const auto [r, z] = frame.at;
    const ProfilePoint<S> n = side_normal(cone);
    const S slant = n.r * (cone.apex - cone.base) + n.z * cone.radius;
    const S down_side = n.z * r - n.r * (z - cone.apex); // from the apex along the side
    if (down_side < S(0)) return from_corner(frame, {S(0), cone.apex}, n);
    if (r > cone.radius && down_side > slant) {
        return from_corner(frame, {cone.radius, cone.base}, n);
    }

    const S beyond_side = n.r * r + n.z * (z - cone.apex);
    const S beyond_base = cone.base - z;
    if (beyond_side > beyond_base) {
        return frame.lift({r - n.r * beyond_side, z - n.z * beyond_side}, n, beyond_side, 0);
    }
    return frame.lift({r, cone.base}, {S(0), S(-1)}, beyond_base, 1);
}

} // namespace

template <class S>
S cone_inradius(S radius, S height) {
    return radius * height / (radius + std::sqrt(radius * radius + height * height));
}

// Offsetting the side inward by r lowers the apex by r / n_z, n_z = radius / slant; the base rises
// by r. The smaller cone is similar to the given one.
template <class S>
Cone<S> make_cone(S radius, S height, S rounding) {
    if (rounding == S(0)) return {radius, -height * S(0.5), height * S(0.5), S(0)};
    const S scale = S(1) - rounding / cone_inradius(radius, height);
    const S base = rounding - height * S(0.5);
    return {radius * scale, base, base + height * scale, rounding};
}
template Cone<float> make_cone(float, float, float);
template Cone<double> make_cone(double, double, double);
template float cone_inradius(float, float);
template double cone_inradius(double, double);

template <class S>
Vec3<S> core_support(const Cone<S>& cone, const Vec3<S>& direction) {
    const Vec3<S> rim = normalize(Vec3<S>{direction.x, direction.y, S(0)}) * cone.radius;
    const Vec3<S> base_point{rim.x, rim.y, cone.base};
    const Vec3<S> apex{S(0), S(0), cone.apex};
    return dot(direction, apex - base_point) > S(0) ? apex : base_point;
}

template <class S>
Vec3<S> support(const Cone<S>& cone, const Vec3<S>& direction) {
    return rounded_support(cone, direction);
}

// The convex hull of the apex and the base disk (see Cylinder for the disk).
template <class S>
Aabb<S> bounds(const Cone<S>& cone, const Pose<S>& pose) {
    const Mat3<S> m = to_matrix(pose.q);
    Vec3<S> disk;
    for (int i = 0; i < 3; ++i) {
        disk[i] = cone.radius * std::sqrt(m.cx[i] * m.cx[i] + m.cy[i] * m.cy[i]);
    }
    const Vec3<S> base = pose.p + m.cz * cone.base;
    return expand(join(Aabb<S>{base - disk, base + disk}, pose.p + m.cz * cone.apex),
                  cone.rounding);
}

template <class S>
S bounding_radius(const Cone<S>& cone, const Vec3<S>& center) {
    const S r = std::sqrt(center.x * center.x + center.y * center.y);
    const S rim = length(Vec3<S>{r + cone.radius, S(0), center.z - cone.base});
    const S apex = length(Vec3<S>{r, S(0), center.z - cone.apex});
    return std::max(rim, apex) + cone.rounding;
}

template <class S>
std::optional<RayHit<S>> cast_ray(const Cone<S>& cone, const Ray<S>& ray) {
    return cast_convex(cone, ray, bounding_radius(cone, Vec3<S>{}));
}

template <class S>
SurfacePoint<S> closest_point(const Cone<S>& cone, const Vec3<S>& point) {
    return grow(closest_on_core(cone, point), cone.rounding);
}

RIGOR_INSTANTIATE_CONVEX(Cone)

} // namespace rigor
