// Distance and contact points of two bodies.

#include <algorithm>
#include <numeric>

#include "collide/contact_region.h"
#include "collide/distance.h"
#include "world/arguments.h"
#include "world/query_scope.h"
#include "world/world_impl.h"

namespace rigor {
namespace {

// Depths that differ by less than this are the same: all vertices of a face count that lies flat,
// or is tilted by no more than a solver leaves.
constexpr double kSameDepth = 1e-7; // m

/// The solid shapes of a body, by id.
std::vector<const PlacedShape*> solids_of(const WorldState& state, const ShapeProxies& shapes,
                                          std::uint32_t body) {
    std::vector<const PlacedShape*> solids;
    for_each_shape(state, body, [&](ShapeId id, const ShapeRecord& record) {
        if (!record.sensor) solids.push_back(&shapes[id.index]);
    });
    std::sort(solids.begin(), solids.end(),
              [](const auto* a, const auto* b) { return a->id < b->id; });
    return solids;
}

/// Where the second of two shapes is, seen from the first.
struct RelativePlace {
    Vec3d image; ///< displacement of the periodic image
    Posed b_in_a;
};

/// In a periodic world all neighbor images: the nearest by distance need not be that of the
/// nearest center.
std::vector<RelativePlace> places_of(const WorldState& state, const PlacedShape& a,
                                     const PlacedShape& b) {
    std::vector<RelativePlace> places;
    const auto add = [&](const Vec3d& image) {
        const Posed there{b.pose.p + image, b.pose.q};
        places.push_back({image, relative_pose<double>(a.pose, there)});
    };
    if (!state.cell || (!a.repeated && !b.repeated)) {
        add({});
        return places;
    }
    const Vec3d nearest = shift_to_nearest_image(b.pose.p - a.pose.p, state.cell->size);
    for (int i = 0; i < 27; ++i) {
        const CellShift shift{static_cast<std::int16_t>(i % 3 - 1),
                              static_cast<std::int16_t>(i / 3 % 3 - 1),
                              static_cast<std::int16_t>(i / 9 - 1)};
        add(nearest + state.cell->offset(shift));
    }
    return places;
}

/// Visits all pairs of solid shapes of two bodies, at all their places, in the order of the ids.
template <class Visit>
void visit_pairs(const WorldState& state, const ShapeProxies& shapes, std::uint32_t a,
                 std::uint32_t b, const Visit& visit) {
    const std::vector<const PlacedShape*> of_b = solids_of(state, shapes, b);
    for (const PlacedShape* x : solids_of(state, shapes, a))
        for (const PlacedShape* y : of_b)
            for (const RelativePlace& place : places_of(state, *x, *y)) visit(*x, *y, place);
}

bool is_same_point(const ContactRegionPoint& p, const ContactRegionPoint& q) {
    constexpr double kSame = 1e-9; // m, rad
    return p.shape_a == q.shape_a && p.shape_b == q.shape_b &&
           length(p.point_a - q.point_a) < kSame && length(p.normal - q.normal) < kSame &&
           std::abs(p.separation - q.separation) < kSame;
}

/// Keeps the first of equal points. By a sweep along x, so that large meshes take n log n.
void remove_duplicates(std::vector<ContactRegionPoint>& points) {
    constexpr double kNear = 1e-9;
    std::vector<std::size_t> order(points.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
        return points[i].point_a.x < points[j].point_a.x;
    });
    std::vector<bool> gone(points.size(), false);
    for (std::size_t i = 0; i < order.size(); ++i) {
        const double limit = points[order[i]].point_a.x + kNear;
        for (std::size_t j = i + 1; j < order.size() && points[order[j]].point_a.x <= limit; ++j)
            if (is_same_point(points[order[i]], points[order[j]]))
                gone[std::max(order[i], order[j])] = true;
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (!gone[i]) points[kept++] = points[i];
    points.resize(kept);
}

void require_different(BodyId a, BodyId b) {
    if (a == b) throw UsageError("a body has no distance to itself: name two bodies");
}

} // namespace

BodyDistance World::distance(BodyId a, BodyId b) const {
    const std::uint32_t slot_a = impl_->slot(a), slot_b = impl_->slot(b);
    require_different(a, b);
    BodyDistance least;
    visit_pairs(impl_->state, impl_->shape_proxies(), slot_a, slot_b,
                [&](const PlacedShape& x, const PlacedShape& y, const RelativePlace& place) {
                    const Distance<double> d =
                        rigor::distance(x.geometry, y.geometry, place.b_in_a);
                    if (!(d.distance < least.distance)) return;
                    least = {d.distance,
                             transform(x.pose, d.point_a),
                             transform(x.pose, d.point_b),
                             rotate(x.pose.q, d.normal),
                             x.id,
                             y.id};
                });
    return least;
}

std::vector<ContactRegionPoint> World::contact_points(BodyId a, BodyId b,
                                                      double max_separation) const {
    const std::uint32_t slot_a = impl_->slot(a), slot_b = impl_->slot(b);
    require_different(a, b);
    if (!(max_separation >= 0) || !std::isfinite(max_separation))
        throw UsageError("max_separation must be finite and not negative, got " +
                         text(max_separation));
    std::vector<ContactRegionPoint> points;
    const auto add_regions = [&](const PlacedShape& x, const PlacedShape& y,
                                 const RelativePlace& place) {
        const auto regions = contact_regions<double>(x.geometry, y.geometry, place.b_in_a,
                                                     {max_separation, kSameDepth});
        for (const ContactRegion<double>& region : regions) {
            const Vec3d normal = rotate(x.pose.q, region.normal);
            for (const ContactPoint<double>& p : region.points) {
                const Vec3d on_a = transform(x.pose, p.point_a);
                points.push_back(
                    {on_a, on_a + normal * p.separation, normal, p.separation, x.id, y.id});
            }
        }
    };
    visit_pairs(impl_->state, impl_->shape_proxies(), slot_a, slot_b, add_regions);
    remove_duplicates(points);
    return points;
}

} // namespace rigor
