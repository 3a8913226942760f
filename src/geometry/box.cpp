#include "geometry/box.h"

#include "geometry/convex.h"
#include "geometry/convex_instantiation.h"

// Faces are numbered +x -x +y -y +z -z.

namespace rigor {
namespace {

template <class S>
std::uint32_t face_of(int axis, S side) {
    return static_cast<std::uint32_t>(2 * axis + (side < S(0) ? 1 : 0));
}

template <class S>
Vec3<S> face_normal(int axis, S side) {
    Vec3<S> normal;
    normal[axis] = side < S(0) ? S(-1) : S(1);
    return normal;
}

template <class S>
std::optional<RayHit<S>> cast_sharp(const Box<S>& box, const Ray<S>& given) {
    const std::optional<UnitRay<S>> ray = unit_ray(given);
    if (!ray) return cast_point(box, given);
    RaySpan<S> span;
    for (int axis = 0; axis < 3; ++axis) {
        for (const S side : {S(1), S(-1)}) {
            span.clip_plane(*ray, face_normal(axis, side), box.half[axis], face_of(axis, side));
        }
    }
    return first_hit(span, *ray);
}

/// The axis of the face nearest to a point inside or outside the core.
template <class S>
int nearest_axis(const Vec3<S>& beyond) {
    int axis = 0;
    for (int i = 1; i < 3; ++i) {
        if (beyond[i] > beyond[axis]) axis = i;
    }
    return axis;
}

template <class S>
SurfacePoint<S> closest_on_core(const Box<S>& box, const Vec3<S>& point) {
    const Vec3<S> beyond = abs(point) - box.half;
    const int axis = nearest_axis(beyond);
    const std::uint32_t face = face_of(axis, point[axis]);
    const Vec3<S> inward = max(-box.half, min(box.half, point));
    const Vec3<S> away = point - inward;
    if (away == Vec3<S>{}) {
        Vec3<S> on_face = point;
        on_face[axis] = std::copysign(box.half[axis], point[axis] < S(0) ? S(-1) : S(1));
        return {on_face, face_normal(axis, point[axis]), beyond[axis], face};
    }
    const Vec3<S> normal = normalize(away);
    return {inward, normal, dot(normal, away), face};
}

} // namespace

template <class S>
Vec3<S> core_support(const Box<S>& box, const Vec3<S>& direction) {
    return {direction.x < S(0) ? -box.half.x : box.half.x,
            direction.y < S(0) ? -box.half.y : box.half.y,
            direction.z < S(0) ? -box.half.z : box.half.z};
}

template <class S>
Vec3<S> support(const Box<S>& box, const Vec3<S>& direction) {
    return rounded_support(box, direction);
}

template <class S>
Aabb<S> bounds(const Box<S>& box, const Pose<S>& pose) {
    const Mat3<S> r = to_matrix(pose.q);
    const Vec3<S> extent = abs(r.cx) * box.half.x + abs(r.cy) * box.half.y + abs(r.cz) * box.half.z;
    return box_around(pose.p, extent, box.rounding);
}

template <class S>
S bounding_radius(const Box<S>& box, const Vec3<S>& center) {
    return length(abs(center) + box.half) + box.rounding;
}

template <class S>
std::optional<RayHit<S>> cast_ray(const Box<S>& box, const Ray<S>& ray) {
    if (box.rounding == S(0)) return cast_sharp(box, ray);
    return cast_convex(box, ray, bounding_radius(box, Vec3<S>{}));
}

template <class S>
SurfacePoint<S> closest_point(const Box<S>& box, const Vec3<S>& point) {
    return grow(closest_on_core(box, point), box.rounding);
}

RIGOR_INSTANTIATE_CONVEX(Box)

} // namespace rigor
