#include "collide/time_of_impact_surface.h"

#include <array>

#include "collide/near_triangles.h"

namespace rigor {
namespace {

template <class S>
bool may_hold(const TriangleMesh<S>& mesh, const Vec3<S>& p) {
    return mesh.closed && contains(mesh.box, Aabb<S>{p, p});
}
template <class S>
bool may_hold(const HeightField<S>& field, const Vec3<S>& p) {
    const Aabb<S> box = box_of(field);
    return p.x >= box.lo.x && p.x <= box.hi.x && p.y >= box.lo.y && p.y <= box.hi.y &&
           p.z < box.hi.z;
}

template <class S>
PairMotion<S> from_origin(PairMotion<S> motion, const Vec3<S>& origin_a) {
    motion.center_a -= origin_a;
    return motion;
}

template <class S>
void move_origin(Distance<S>& d, const Vec3<S>& origin_a, std::uint32_t triangle) {
    d.point_a += origin_a;
    d.point_b += origin_a;
    d.part_a.triangle = triangle;
}

} // namespace

template <class S, class Surface>
SurfaceSweep<S, Surface>::SurfaceSweep(const Surface& surface, const Core<S>& b,
                                       const PairMotion<S>& motion)
    : surface_(surface),
      b_(b),
      motion_(motion),
      surface_box_(box_of(surface)),
      reach_b_(axis_radius_of_b(b, motion)),
      bend_(relative_acceleration_bound(motion, reach_b_, radius_from_center(b, motion.center_b))) {
}

template <class S, class Surface>
Distance<S> SurfaceSweep<S, Surface>::nearest_at(S time, S max_distance) const {
    Distance<S> nearest;
    nearest.distance = std::numeric_limits<S>::infinity();
    const Pose<S> b_in_a = motion_.b_in_a(time);
    visit_triangles(surface_, expand(bounds(b_, b_in_a), max_distance),
                    [&](std::uint32_t t, const Triangle<S>& triangle) {
                        const LocalTriangle<S> local(triangle);
                        const Pose<S> pose{b_in_a.p - local.origin, b_in_a.q};
                        const S far = std::min(nearest.distance, max_distance);
                        Distance<S> d = convex_distance<S>(local.core, b_, pose, nullptr, far);
                        if (!(d.distance < nearest.distance)) return;
                        move_origin(d, local.origin, t);
                        nearest = d;
                    });
    return nearest;
}

template <class S, class Surface>
bool SurfaceSweep<S, Surface>::holds_at_start() const {
    std::uint32_t hint = 0;
    const Vec3<S> p = transform(motion_.b_in_a(S(0)), support(b_, Vec3<S>{S(0), S(0), S(1)}, hint));
    return may_hold(surface_, p) && closest_point(surface_, p).distance < S(0);
}

/// In the frame of the surface.
template <class S, class Surface>
Aabb<S> SurfaceSweep<S, Surface>::swept_box(const Interval<S>& interval, S margin) const {
    const S h = interval.end - interval.begin;
    const Aabb<S> ends =
        join(bounds(b_, motion_.b_in_a(interval.begin)), bounds(b_, motion_.b_in_a(interval.end)));
    const S size = max_component(max(abs(ends.lo), abs(ends.hi)));
    return expand(ends, bend_ * h * h / S(8) + margin + rounding_error(size));
}

/// More than twice as long as the solid, and more than a small part of the surface, which bounds
/// the number of parts: finer ones would contain fewer triangles, but mostly none.
template <class S, class Surface>
bool SurfaceSweep<S, Surface>::is_long(const Aabb<S>& swept, S begin) const {
    const Aabb<S> now = bounds(b_, motion_.b_in_a(begin));
    const S piece = max_component(surface_box_.hi - surface_box_.lo) / S(64);
    const S most = std::max(S(2) * max_component(now.hi - now.lo), piece);
    return max_component(swept.hi - swept.lo) > most;
}

template <class S, class Surface>
void SurfaceSweep<S, Surface>::test_triangle(std::uint32_t t, const Triangle<S>& triangle,
                                             const Interval<S>& interval,
                                             const ImpactGaps<S>& gaps) {
    const LocalTriangle<S> local(triangle);
    const PairMotion<S> motion = from_origin(motion_, local.origin);
    const S reach_a = axis_radius_of_a(local.core, motion);
    // Most triangles are culled by their plane or by B's center.
    const Vec3<S> middle = motion_.b_in_a(interval.begin).p;
    const Vec3<S> side = normal(triangle), near = middle - closest_point(triangle, middle).point;
    const Quat<S> qa = motion_.orientation_a(interval.begin);
    const std::array guesses{rotate(qa, dot(side, near) < S(0) ? -side : side),
                             rotate(qa, normalize(near))};
    const ConvexSweep<S> sweep(local.core, b_, motion, reach_a, reach_b_);
    const S away = length(motion_.offset + motion_.displacement * interval.end);
    TimeOfImpact<S> impact = sweep.first_impact(interval, raise_gaps(gaps, local.core, b_, away),
                                                max_iterations_, nullptr, nullptr, guesses);
    move_origin(impact.distance, local.origin, t);
    const int iterations = best_.iterations + impact.iterations;
    if (impact.state == ToiStatus::hit) best_ = impact; // the interval ends at the best so far
    best_.iterations = iterations;
}

template <class S, class Surface>
void SurfaceSweep<S, Surface>::sweep(const Interval<S>& interval, const ImpactGaps<S>& gaps,
                                     int depth) {
    constexpr int kMaxDepth = 12;
    const Aabb<S> box = swept_box(interval, S(2) * gaps.hit);
    if (!overlap(box, surface_box_)) return;
    if (depth < kMaxDepth && is_long(box, interval.begin)) {
        const S middle = S(0.5) * (interval.begin + interval.end);
        sweep({interval.begin, middle}, gaps, depth + 1);
        if (best_.state == ToiStatus::apart) sweep({middle, interval.end}, gaps, depth + 1);
        return;
    }
    visit_triangles(surface_, box, [&](std::uint32_t t, const Triangle<S>& triangle) {
        const bool none = best_.state == ToiStatus::apart;
        test_triangle(t, triangle, {interval.begin, none ? interval.end : best_.t}, gaps);
    });
}

template <class S, class Surface>
TimeOfImpact<S> SurfaceSweep<S, Surface>::first_impact(const Interval<S>& interval,
                                                       const ImpactGaps<S>& gaps,
                                                       int max_iterations) {
    best_ = {};
    best_.tolerance = gaps.hit;
    max_iterations_ = max_iterations;
    sweep(interval, gaps, 0);
    if (best_.state != ToiStatus::hit || gaps.to_rest) return best_;
    // The triangle hit first is within the tolerance; another one may be nearer by now.
    const Distance<S> nearest = nearest_at(best_.t, best_.tolerance);
    if (nearest.distance < best_.distance.distance && nearest.distance > S(0))
        best_.distance = nearest;
    return best_;
}

template class SurfaceSweep<float, TriangleMesh<float>>;
template class SurfaceSweep<double, TriangleMesh<double>>;
template class SurfaceSweep<float, HeightField<float>>;
template class SurfaceSweep<double, HeightField<double>>;

} // namespace rigor
