// Penetration depths of all shapes of a world: the quality of a simulation, from poses alone.

#include <algorithm>

#include "base/deadline.h"
#include "collide/distance.h"
#include "world/world_impl.h"

namespace rigor {
namespace {

bool is_dynamic(const WorldState& state, const ShapeProxy& s) {
    return rigor::is_dynamic(state.bodies, s.body.index);
}

/// Whether this pair is to be looked at from `a`: each once, and at least one of them dynamic.
bool is_pair(const WorldState& state, const ShapeProxy& a, const ShapeProxy& b) {
    if (a.body == b.body || a.sensor || b.sensor || !should_collide(a.filter, b.filter))
        return false;
    if (state.joints.keeps_apart(a.body.index, b.body.index)) return false;
    if (state.passages.has(a.id.index, b.id.index)) return false;
    return !is_dynamic(state, b) || a.id.index < b.id.index;
}

/// Calls visit(a, b, depth) for every pair of shapes that overlap.
template <typename Visit>
void for_each_penetration(const WorldState& state, const ShapeProxies& shapes, Visit visit) {
    for (std::uint32_t slot = 0; slot < state.shapes.pool().slot_count(); ++slot) {
        if (state.shapes.pool().id_at(slot).is_null()) continue;
        const ShapeProxy& a = shapes[slot];
        if (!is_dynamic(state, a)) continue;
        if (deadline_has_passed()) break;
        const auto look = [&](const Vec3d& offset) {
            const Posed pose{a.pose.p + offset, a.pose.q};
            shapes.overlap(solid_bounds(a.geometry, pose), ~0u, [&](const ShapeProxy& b) {
                if (!is_pair(state, a, b)) return true;
                if (offset != Vec3d{} && !b.repeated) return true;
                const double depth =
                    penetration(a.geometry, b.geometry, relative_pose<double>(pose, b.pose));
                if (depth > 0) visit(a, b, depth);
                return true;
            });
        };
        if (!state.cell) {
            look({});
            continue;
        }
        // Others extend beyond the sides of the cell, but by at most half of it.
        const Vec3d half = state.cell->size * 0.5;
        const Aabb<double> box = solid_bounds(a.geometry, a.pose);
        state.cell->for_each_image({box.lo - half, box.hi + half}, [&](const CellShift& shift) {
            look(state.cell->offset(shift));
        });
    }
}

} // namespace

std::vector<double> World::penetrations() const {
    std::vector<double> depths;
    for_each_penetration(
        impl_->state, impl_->shape_proxies(),
        [&](const ShapeProxy&, const ShapeProxy&, double depth) { depths.push_back(depth); });
    std::sort(depths.begin(), depths.end());
    return depths;
}

std::vector<ShapePenetration> World::penetrating_shapes() const {
    std::vector<ShapePenetration> pairs;
    for_each_penetration(impl_->state, impl_->shape_proxies(),
                         [&](const ShapeProxy& a, const ShapeProxy& b, double depth) {
                             pairs.push_back({a.body, b.body, a.id, b.id, depth});
                         });
    std::stable_sort(pairs.begin(), pairs.end(),
                     [](const auto& a, const auto& b) { return a.depth > b.depth; });
    return pairs;
}

} // namespace rigor
