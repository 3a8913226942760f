#include "geometry/compound.h"

#include "geometry/convex.h"

namespace rigor {
namespace {

template <class S, class Function>
auto with_solid(const CompoundChild<S>& child, Function&& function) {
    return std::visit([&](const auto& shape) { return function(solid_of(shape)); }, child.shape);
}

} // namespace

template <class S>
Vec3<S> support(const Compound<S>& compound, const Vec3<S>& direction) {
    Vec3<S> best;
    S height = -std::numeric_limits<S>::infinity();
    for (const CompoundChild<S>& child : compound.children) {
        const Vec3<S> local_direction = inverse_rotate(child.pose.q, direction);
        const Vec3<S> local =
            with_solid(child, [&](const auto& solid) { return support(solid, local_direction); });
        const Vec3<S> point = transform(child.pose, local);
        const S h = dot(point, direction);
        if (!(h > height)) continue;
        height = h;
        best = point;
    }
    return best;
}

template <class S>
Aabb<S> bounds(const Compound<S>& compound, const Pose<S>& pose) {
    Aabb<S> box;
    for (const CompoundChild<S>& child : compound.children) {
        const Pose<S> placed = pose * child.pose;
        box =
            join(box, with_solid(child, [&](const auto& solid) { return bounds(solid, placed); }));
    }
    return box;
}

template <class S>
S bounding_radius(const Compound<S>& compound, const Vec3<S>& center) {
    S radius = S(0);
    for (const CompoundChild<S>& child : compound.children) {
        const Vec3<S> local = inverse_transform(child.pose, center);
        radius = std::max(radius, with_solid(child, [&](const auto& solid) {
                              return bounding_radius(solid, local);
                          }));
    }
    return radius;
}

template <class S>
std::optional<RayHit<S>> cast_ray(const Compound<S>& compound, const Ray<S>& ray) {
    std::optional<RayHit<S>> first;
    for (std::uint32_t i = 0; i < compound.children.size(); ++i) {
        const CompoundChild<S>& child = compound.children[i];
        const Ray<S> local{inverse_transform(child.pose, ray.origin),
                           inverse_rotate(child.pose.q, ray.direction),
                           first ? first->t : ray.max_t};
        std::optional<RayHit<S>> hit =
            with_solid(child, [&](const auto& solid) { return cast_ray(solid, local); });
        if (!hit || (first && !(hit->t < first->t) && !hit->inside)) continue;
        hit->normal = rotate(child.pose.q, hit->normal);
        hit->feature = i;
        if (hit->inside) return hit;
        first = hit;
    }
    return first;
}

template <class S>
SurfacePoint<S> closest_point(const Compound<S>& compound, const Vec3<S>& point) {
    SurfacePoint<S> best{{}, {S(0), S(0), S(1)}, std::numeric_limits<S>::infinity(), 0};
    for (std::uint32_t i = 0; i < compound.children.size(); ++i) {
        const CompoundChild<S>& child = compound.children[i];
        const Vec3<S> local = inverse_transform(child.pose, point);
        const SurfacePoint<S> near =
            with_solid(child, [&](const auto& solid) { return closest_point(solid, local); });
        if (!(near.distance < best.distance)) continue;
        best = {transform(child.pose, near.point), rotate(child.pose.q, near.normal), near.distance,
                i};
    }
    return best;
}

#define RIGOR_INSTANTIATE(S)                                                       \
    template Vec3<S> support(const Compound<S>&, const Vec3<S>&);                  \
    template Aabb<S> bounds(const Compound<S>&, const Pose<S>&);                   \
    template S bounding_radius(const Compound<S>&, const Vec3<S>&);                \
    template std::optional<RayHit<S>> cast_ray(const Compound<S>&, const Ray<S>&); \
    template SurfacePoint<S> closest_point(const Compound<S>&, const Vec3<S>&);
RIGOR_INSTANTIATE(float)
RIGOR_INSTANTIATE(double)
#undef RIGOR_INSTANTIATE

} // namespace rigor
