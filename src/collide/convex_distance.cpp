#include "collide/convex_distance.h"

#include "collide/epa.h"
#include "collide/gjk.h"

namespace rigor {
namespace {

template <class S>
Simplex<S> remembered(const CorePair<S>& pair, const DistanceCache<S>& cache) {
    Simplex<S> simplex;
    for (std::size_t i = 0; i < static_cast<std::size_t>(cache.count); ++i) {
        simplex.add(pair.difference(cache.points_a[i], cache.points_b[i]));
    }
    return simplex;
}

template <class S>
void remember(DistanceCache<S>& cache, const Simplex<S>& simplex, S unit) {
    cache.count = simplex.count;
    for (std::size_t i = 0; i < static_cast<std::size_t>(simplex.count); ++i) {
        cache.points_a[i] = simplex.points[i].a * unit;
        cache.points_b[i] = simplex.points[i].local_b * unit;
    }
}

template <class S>
void set_points(Distance<S>& d, const Vec3<S>& core_a, const Vec3<S>& core_b, S radius_a,
                S radius_b) {
    d.point_a = core_a + d.normal * radius_a;
    d.point_b = core_b - d.normal * radius_b;
}

} // namespace

template <class S>
Distance<S> iterated_distance(const Core<S>& a, const Core<S>& b, const Pose<S>& b_in_a,
                              DistanceCache<S>* cache, S far) {
    CorePair<S> pair(a, b, b_in_a);
    const S unit = pair.unit(), radii = a.radius + b.radius;
    const Simplex<S> start = cache ? remembered(pair, *cache) : Simplex<S>{};
    const Gjk<S> near = gjk(pair, start, (far + radii) / unit);
    if (cache) remember(*cache, near.simplex, unit);

    Distance<S> result;
    result.iterations = near.iterations;
    if (near.overlap) {
        const Epa<S> deep = epa(pair, near.simplex);
        result.iterations += deep.iterations;
        result.converged = deep.converged;
        result.normal = deep.normal;
        result.distance = -deep.depth * unit - radii;
        set_points(result, deep.point_a * unit, deep.point_b * unit, a.radius, b.radius);
        return result;
    }
    const bool stopped_early = near.lower_bound * unit > far + radii;
    result.converged = near.converged;
    result.normal = near.v / -near.distance;
    result.distance = (stopped_early ? near.lower_bound : near.distance) * unit - radii;
    set_points(result, point_on_a(near.simplex) * unit,
               pair.from_b(local_point_on_b(near.simplex)) * unit, a.radius, b.radius);
    return result;
}

template <class S>
Distance<S> convex_distance(const Core<S>& a, const Core<S>& b, const Pose<S>& b_in_a,
                            DistanceCache<S>* cache, S far) {
    if (const auto exact = closed_form_distance(a, b, b_in_a)) return *exact;
    return iterated_distance(a, b, b_in_a, cache, far);
}

#define RIGOR_INSTANTIATE(S)                                                               \
    template Distance<S> iterated_distance(const Core<S>&, const Core<S>&, const Pose<S>&, \
                                           DistanceCache<S>*, S);                          \
    template Distance<S> convex_distance(const Core<S>&, const Core<S>&, const Pose<S>&,   \
                                         DistanceCache<S>*, S);
RIGOR_INSTANTIATE(float)
RIGOR_INSTANTIATE(double)
#undef RIGOR_INSTANTIATE

} // namespace rigor
