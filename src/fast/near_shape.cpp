#include "fast/near_shape.h"

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

/// Cylinders and cones touch at points that run round their rims.
float rounding(const Shape<float>& shape) {
    const bool curved = std::holds_alternative<Cylinder<float>>(shape.solid) ||
                        std::holds_alternative<Cone<float>>(shape.solid);
    return curved ? kCurved : radius_of(shape);
}

} // namespace

void NearShapes::make(const WorldState& state, std::uint32_t slot) {
    if (slot >= shapes.size()) {
        shapes.resize(slot + 1);
        made_for.resize(slot + 1);
    }
    if (slot >= near.size()) near.resize(slot + 1);
    const ShapeId id = state.shapes.pool().id_at(slot);
    if (made_for[slot] == id) return;
    const Shape<double>& geometry = state.shapes.find(id)->geometry;
    shapes[slot] = to_float(geometry);
    made_for[slot] = id;
    near[slot].round = rounding(shapes[slot]);
    near[slot].size = smallest_extent(geometry);
    const double reach = bounding_radius(geometry, Vec3d{});
    near[slot].radius = std::isfinite(reach) ? static_cast<float>(reach) : 0.0f;
}

void NearShapes::place(const WorldState& state, const ShapeProxies& proxies, ThreadTeam& team,
                       double dt) {
    if (near.size() < proxies.slot_count()) near.resize(proxies.slot_count());
    const std::vector<std::uint32_t>& slots = proxies.placed_last();
    const std::size_t count = knows_all_ ? slots.size() : proxies.slot_count();
    team.parallel_for(count, kGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            place(state, proxies, knows_all_ ? slots[i] : static_cast<std::uint32_t>(i), dt);
    });
    knows_all_ = true;
}

void NearShapes::place(const WorldState& state, const ShapeProxies& proxies, std::uint32_t slot,
                       double dt) {
    const ShapeProxies::Placed& placed = proxies[slot];
    if (placed.proxy.is_null()) return;
    const std::uint32_t body = placed.body.index;
    const BodySpeed speed = speed_of(state.bodies, body);
    NearShape& shape = near[slot];
    shape.box = proxies.finder().rows(placed.proxy);
    shape.origin = placed.pose.p;
    shape.turn = cast<float>(placed.pose.q);
    shape.center = cast<float>(state.bodies.motion[body].x - placed.pose.p);
    shape.velocity = cast<float>(speed.linear);
    shape.angle = static_cast<float>(std::min(speed.angular * dt, 2.0));
}

} // namespace rigor::fast
