#include "fast/collision_shape_cache.h"

#include <algorithm>
#include <cmath>

namespace rigor::fast {
namespace {

constexpr std::size_t kGrain = 256; // shapes per task

float smallest_extent(const Shape<double>& shape) {
    const Aabb<double> box = bounds(shape, Posed{});
    const Vec3d size = box.hi - box.lo;
    const double least = std::min({size.x, size.y, size.z});
    return std::isfinite(least) && least > 0 ? static_cast<float>(std::min(least, 1.0)) : 1.0f;
}

/// Contact points of cylinders and cones move along their rims.
float convex_radius(const Shape<float>& shape) {
    const bool curved = std::holds_alternative<Cylinder<float>>(shape.solid) ||
                        std::holds_alternative<Cone<float>>(shape.solid);
    return curved ? kCurved : radius_of(shape);
}

} // namespace

void CollisionShapeCache::ensure(const WorldState& state, std::uint32_t slot) {
    if (slot >= shapes.size()) {
        shapes.resize(slot + 1);
        cached_id.resize(slot + 1);
    }
    if (slot >= placed.size()) placed.resize(slot + 1);
    const ShapeId id = state.shapes.pool().id_at(slot);
    if (cached_id[slot] == id) return;
    const Shape<double> geometry = collision_shape(state.shapes.find(id)->geometry);
    shapes[slot] = to_float(geometry);
    cached_id[slot] = id;
    placed[slot].convex_radius = convex_radius(shapes[slot]);
    placed[slot].size = smallest_extent(geometry);
    const double reach = bounding_radius(geometry, Vec3d{});
    placed[slot].radius = std::isfinite(reach) ? static_cast<float>(reach) : 0.0f;
}

void CollisionShapeCache::reload(const WorldState& state, std::uint32_t slot) {
    if (slot >= cached_id.size() || cached_id[slot].is_null()) return;
    cached_id[slot] = {};
    ensure(state, slot);
}

void CollisionShapeCache::update(const WorldState& state, const ShapeProxies& proxies,
                                 ThreadTeam& team, double dt) {
    if (placed.size() < proxies.slot_count()) placed.resize(proxies.slot_count());
    const std::vector<std::uint32_t>& slots = proxies.placed_last();
    const std::size_t count = is_complete_ ? slots.size() : proxies.slot_count();
    team.parallel_for(count, kGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            update(state, proxies, is_complete_ ? slots[i] : static_cast<std::uint32_t>(i), dt);
    });
    is_complete_ = true;
}

void CollisionShapeCache::update(const WorldState& state, const ShapeProxies& proxies,
                                 std::uint32_t slot, double dt) {
    const ShapeProxy& proxy = proxies[slot];
    if (proxy.proxy.is_null()) return;
    const std::uint32_t body = proxy.body.index;
    const BodySpeed speed = speed_of(state.bodies, body);
    CollisionShape& shape = placed[slot];
    shape.box = proxies.finder().rows(proxy.proxy);
    shape.origin = proxy.pose.p;
    shape.rotation = cast<float>(proxy.pose.q);
    shape.center = cast<float>(state.bodies.motion[body].x - proxy.pose.p);
    shape.velocity = cast<float>(speed.linear);
    shape.angle = static_cast<float>(std::min(speed.angular * dt, 2.0));
}

} // namespace rigor::fast
