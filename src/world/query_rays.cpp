// Ray casts: the closest hit, any, all, and many rays at once.

#include <algorithm>
#include <exception>

#include "math/number_text.h"
#include "world/arguments.h"
#include "world/query_scope.h"
#include "world/world_impl.h"

namespace rigor {
namespace {

// Rays per block of a batch: a few microseconds each, which outweighs the overhead.
constexpr std::size_t kBlock = 32;

/// A checked ray with a unit direction.
struct UnitQuery {
    Vec3d origin, direction;
    double max_distance;

    BoxCast cast() const { return {{origin, origin}, direction, searched(max_distance)}; }
    double searched(double distance) const {
        return add_tie_margin(distance, max_component(abs(origin)));
    }
};

UnitQuery unit_query(const RayQuery& ray) {
    require_finite(ray.origin, "the origin of a ray");
    require_finite(ray.direction, "the direction of a ray");
    const Vec3d direction = normalize(ray.direction);
    if (direction == Vec3d{}) throw UsageError("the direction of a ray must not be zero");
    if (!(ray.max_distance >= 0)) {
        throw UsageError("max_distance must not be negative, got " + text(ray.max_distance));
    }
    return {ray.origin, direction, ray.max_distance};
}

std::optional<RayHit<double>> hit_of(const PlacedShape& s, const UnitQuery& ray,
                                     double max_distance) {
    return cast_ray(s.geometry, {inverse_transform(s.pose, ray.origin),
                                 inverse_rotate(s.pose.q, ray.direction), max_distance});
}

RayCastHit ray_cast_hit(const PlacedShape& s, const UnitQuery& ray, const RayHit<double>& hit) {
    return {shape_hit(s),
            ray.origin + ray.direction * hit.t,
            rotate(s.pose.q, hit.normal),
            hit.t,
            hit.feature,
            hit.inside};
}

bool precedes(const PlacedShape& a, double ta, const PlacedShape& b, double tb) {
    return ta != tb ? ta < tb : shape_hit(a) < shape_hit(b);
}

std::optional<RayCastHit> closest_hit(const QueryScope& scope, const UnitQuery& ray) {
    const PlacedShape* nearest = nullptr;
    RayHit<double> best;
    double searched = ray.searched(ray.max_distance);
    scope.shapes().cast(ray.cast(), scope.mask(), [&](const PlacedShape& s) {
        if (!scope.admits(s)) return searched;
        const auto hit = hit_of(s, ray, std::min(ray.max_distance, searched));
        if (!hit || (nearest && !precedes(s, hit->t, *nearest, best.t))) return searched;
        if (!scope.accepts(s)) return searched;
        nearest = &s;
        best = *hit;
        return searched = ray.searched(best.t);
    });
    if (!nearest) return {};
    return ray_cast_hit(*nearest, ray, best);
}

} // namespace

std::optional<RayCastHit> World::cast_ray(const RayQuery& ray, const QueryFilter& filter) const {
    const UnitQuery query = unit_query(ray);
    return closest_hit({impl_->shape_proxies(), filter}, query);
}

bool World::cast_ray_any(const RayQuery& given, const QueryFilter& filter) const {
    const UnitQuery ray = unit_query(given);
    const QueryScope scope(impl_->shape_proxies(), filter);
    bool found = false;
    scope.shapes().cast(ray.cast(), scope.mask(), [&](const PlacedShape& s) {
        found = scope.admits(s) && hit_of(s, ray, ray.max_distance) && scope.accepts(s);
        return found ? -1 : ray.searched(ray.max_distance);
    });
    return found;
}

std::vector<RayCastHit> World::cast_ray_all(const RayQuery& given,
                                            const QueryFilter& filter) const {
    const UnitQuery ray = unit_query(given);
    const QueryScope scope(impl_->shape_proxies(), filter);
    std::vector<RayCastHit> hits;
    scope.shapes().cast(ray.cast(), scope.mask(), [&](const PlacedShape& s) {
        if (scope.admits(s)) {
            const auto hit = hit_of(s, ray, ray.max_distance);
            if (hit && scope.accepts(s)) hits.push_back(ray_cast_hit(s, ray, *hit));
        }
        return ray.searched(ray.max_distance);
    });
    std::sort(hits.begin(), hits.end(), [](const RayCastHit& a, const RayCastHit& b) {
        return a.distance != b.distance ? a.distance < b.distance
                                        : static_cast<const ShapeHit&>(a) < b;
    });
    return hits;
}

// Each ray has its own slot for its result, so blocks may run anywhere and in any order.
void World::cast_rays(std::span<const RayQuery> rays, std::span<std::optional<RayCastHit>> hits,
                      const QueryFilter& filter) const {
    if (rays.size() != hits.size()) {
        throw UsageError(
            "there must be a place for the hit of each ray: " + std::to_string(rays.size()) +
            " rays, " + std::to_string(hits.size()) + " places");
    }
    for (const RayQuery& ray : rays) unit_query(ray);
    const QueryScope scope(impl_->shape_proxies(), filter);
    std::vector<std::exception_ptr> thrown((rays.size() + kBlock - 1) / kBlock);
    impl_->parallel_query(rays.size(), kBlock, [&](std::size_t begin, std::size_t end) {
        try { // `accept` is the caller's
            for (std::size_t i = begin; i < end; ++i) {
                hits[i] = closest_hit(scope, unit_query(rays[i]));
            }
        } catch (...) {
            thrown[begin / kBlock] = std::current_exception();
        }
    });
    for (const std::exception_ptr& exception : thrown) {
        if (exception) std::rethrow_exception(exception);
    }
}

} // namespace rigor
