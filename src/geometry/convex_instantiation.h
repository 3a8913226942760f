// Explicit instantiations of the functions of every convex solid: one line at the end of the
// solid's .cpp file compiles them for float and double.
//
//     support          the farthest point of the solid along a direction of any length
//     core_support     the same for its core
//     radius_of        the radius of the ball around the core
//     bounds           the tight axis-aligned box of the posed solid
//     bounding_radius  the largest distance of a point of the solid from a given one
// cast_ray         the first hit of a ray
//     closest_point    the nearest surface point, with the signed distance
#pragma once

#define RIGOR_INSTANTIATE_CONVEX_FOR(Solid, S)                                  \
    template Vec3<S> support(const Solid<S>&, const Vec3<S>&);                  \
    template Vec3<S> core_support(const Solid<S>&, const Vec3<S>&);             \
    template Aabb<S> bounds(const Solid<S>&, const Pose<S>&);                   \
    template S bounding_radius(const Solid<S>&, const Vec3<S>&);                \
    template std::optional<RayHit<S>> cast_ray(const Solid<S>&, const Ray<S>&); \
    template SurfacePoint<S> closest_point(const Solid<S>&, const Vec3<S>&);

#define RIGOR_INSTANTIATE_CONVEX(Solid)        \
    RIGOR_INSTANTIATE_CONVEX_FOR(Solid, float) \
    RIGOR_INSTANTIATE_CONVEX_FOR(Solid, double)
