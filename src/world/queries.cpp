// Overlap and closest-point queries.

#include <algorithm>

#include "collide/distance.h"
#include "math/number_text.h"
#include "world/arguments.h"
#include "world/query_scope.h"
#include "world/world_impl.h"

namespace rigor {
namespace {

/// All shapes near the box for which `touches` holds, in ascending order.
template <class Touches>
std::vector<ShapeHit> collect(const QueryScope& scope, const Aabb<double>& box, Touches&& touches) {
    std::vector<ShapeHit> hits;
    scope.shapes().overlap(add_tie_margin(box), scope.mask(), [&](const PlacedShape& s) {
        if (scope.admits(s) && touches(s) && scope.accepts(s)) hits.push_back(shape_hit(s));
        return true;
    });
    std::sort(hits.begin(), hits.end());
    return hits;
}

SurfacePoint<double> near_point(const PlacedShape& s, const Vec3d& point) {
    return closest_point(s.geometry, inverse_transform(s.pose, point));
}

} // namespace

const ShapeProxies& World::Impl::shape_proxies() {
    return query_broadphase.refreshed(state);
}

// The thread team serves one caller at a time. A caller that finds it in use, by another thread or
// by the very query that called an `accept`, runs the loop itself.
void World::Impl::parallel_query(std::size_t count, std::size_t grain,
                                 const std::function<void(std::size_t, std::size_t)>& task) {
    if (team_taken.test_and_set(std::memory_order_acquire)) {
        for (std::size_t begin = 0; begin < count; begin += grain) {
            task(begin, std::min(begin + grain, count));
        }
        return;
    }
    team->parallel_for(count, grain, task);
    team_taken.clear(std::memory_order_release);
}

Result<std::vector<ShapeHit>> World::overlap_shape(const ShapeDef& def, const Posed& pose,
                                                   const QueryFilter& filter) const {
    const Posed frame = pose_or_throw(pose);
    const Result<Shape<double>> shape = make_shape(def);
    if (!shape) return shape.error();
    const Posed placed = frame * Posed{def.position, normalize(def.orientation)};
    return collect({impl_->shape_proxies(), filter}, solid_bounds(*shape, placed),
                   [&](const PlacedShape& s) {
                       const Posed relative = relative_pose<double>(s.pose, placed);
                       return rigor::distance(s.geometry, *shape, relative).distance <= 0;
                   });
}

std::vector<ShapeHit> World::overlap_box(const Vec3d& lo, const Vec3d& hi,
                                         const QueryFilter& filter) const {
    if (!(lo.x <= hi.x && lo.y <= hi.y && lo.z <= hi.z)) {
        throw UsageError("the box must have lo <= hi along every axis, got " + text(lo) + " and " +
                         text(hi));
    }
    const Aabb<double> box{lo, hi};
    return collect({impl_->shape_proxies(), filter}, box, [&](const PlacedShape& s) {
        return overlap(solid_bounds(s.geometry, s.pose), box);
    });
}

std::vector<ShapeHit> World::overlap_point(const Vec3d& point, const QueryFilter& filter) const {
    require_finite(point, "point");
    return collect({impl_->shape_proxies(), filter}, {point, point},
                   [&](const PlacedShape& s) { return near_point(s, point).distance <= 0; });
}

std::optional<ClosestPointHit> World::closest_point(const Vec3d& point, double max_distance,
                                                    const QueryFilter& filter) const {
    require_finite(point, "point");
    if (!(max_distance >= 0)) {
        throw UsageError("max_distance must not be negative, got " + text(max_distance));
    }
    const auto square_of_searched = [&](double distance) {
        const double d = add_tie_margin(std::max(distance, 0.0), max_component(abs(point)));
        return d * d;
    };
    const QueryScope scope(impl_->shape_proxies(), filter);
    const PlacedShape* nearest = nullptr;
    SurfacePoint<double> best;
    double bound = square_of_searched(max_distance);
    scope.shapes().nearest(point, bound, scope.mask(), [&](const PlacedShape& s) {
        if (!scope.admits(s)) return bound;
        const SurfacePoint<double> p = near_point(s, point);
        const bool nearer = !nearest || p.distance < best.distance ||
                            (p.distance == best.distance && shape_hit(s) < shape_hit(*nearest));
        if (p.distance > max_distance || !nearer || !scope.accepts(s)) return bound;
        nearest = &s;
        best = p;
        return bound = square_of_searched(best.distance);
    });
    if (!nearest) return {};
    return ClosestPointHit{shape_hit(*nearest), transform(nearest->pose, best.point),
                           rotate(nearest->pose.q, best.normal), best.distance, best.feature};
}

Bounds World::bounds(BodyId id) const {
    const std::uint32_t i = impl_->slot(id);
    const BodyStore& bodies = impl_->state.bodies;
    const Posed frame = frame_pose(bodies.motion[i], bodies.traits[i]);
    Aabb<double> box;
    for (const ShapeId shape : shapes(id)) {
        const ShapeRecord& record = *impl_->state.shapes.find(shape);
        box = join(box, solid_bounds(record.geometry, frame * record.local));
    }
    if (bodies.traits[i].first_shape == UINT32_MAX) return {bodies.motion[i].x, bodies.motion[i].x};
    return {box.lo, box.hi};
}

std::vector<TreeBox> World::search_boxes() const {
    std::vector<TreeBox> boxes;
    const PairFinder& finder = impl_->shape_proxies().finder();
    for (const ProxyKind kind : {ProxyKind::moving, ProxyKind::fixed}) {
        finder.tree(kind).visit_nodes([&](const Aabbf& box, int depth, bool leaf) {
            boxes.push_back({{cast<double>(box.lo), cast<double>(box.hi)}, depth, leaf});
        });
    }
    return boxes;
}

} // namespace rigor
