// Penetration depths of all shapes of a world: the quality of a simulation, from poses alone.

#include <algorithm>
#include <functional>

#include "base/deadline.h"
#include "collide/distance.h"
#include "world/world_impl.h"

namespace rigor {
namespace {

bool is_dynamic(const WorldState& state, const ShapeProxy& s) {
    return rigor::is_dynamic(state.bodies, s.body.index);
}

bool may_collide(const WorldState& state, const ShapeProxy& a, const ShapeProxy& b) {
    if (a.body == b.body || a.sensor || b.sensor || !should_collide(a.filter, b.filter))
        return false;
    if (!is_dynamic(state, a) && !is_dynamic(state, b)) return false;
    if (state.joints.keeps_apart(a.body.index, b.body.index)) return false;
    return !state.passages.has(a.id.index, b.id.index);
}

/// Whether this pair is to be looked at from `a`, which is dynamic: each once.
bool is_pair(const WorldState& state, const ShapeProxy& a, const ShapeProxy& b) {
    return may_collide(state, a, b) && (!is_dynamic(state, b) || a.id.index < b.id.index);
}

/// Calls visit(a, b, depth) for every pair of shapes that overlap; within crowds, for the deepest.
template <typename Visit>
void for_each_penetration(const WorldState& state, const ShapeProxies& shapes, Visit visit) {
    const PairFinder& finder = shapes.finder();
    const auto placed = [&](ProxyId id) -> const ShapeProxy& { return shapes[finder.payload(id)]; };
    const auto keep = [&](const ProxyPair& pair) {
        return may_collide(state, placed(pair.a), placed(pair.b));
    };
    const auto core = [&](ProxyId id) { return shapes.core(id); };
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs; // slots, the first is dynamic
    for (const ProxyPair& pair : finder.all_pairs(std::cref(keep), std::cref(core))) {
        std::uint32_t a = finder.payload(pair.a), b = finder.payload(pair.b);
        const bool a_moves = is_dynamic(state, shapes[a]), b_moves = is_dynamic(state, shapes[b]);
        if (!a_moves || (b_moves && b < a)) std::swap(a, b);
        pairs.emplace_back(a, b);
    }
    std::sort(pairs.begin(), pairs.end());
    Aabb<double> box; // of the first, tight
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (deadline_has_passed()) return;
        const ShapeProxy &first = shapes[pairs[i].first], &second = shapes[pairs[i].second];
        if (i == 0 || pairs[i].first != pairs[i - 1].first)
            box = solid_bounds(first.geometry, first.pose);
        if (!overlap(box, *shapes.stored_box(pairs[i].second))) continue;
        const double depth = penetration(first.geometry, second.geometry,
                                         relative_pose<double>(first.pose, second.pose));
        if (depth > 0) visit(first, second, depth);
    }
}

/// The same in a periodic world, where shapes meet the images of others.
template <typename Visit>
void for_each_periodic_penetration(const WorldState& state, const ShapeProxies& shapes,
                                   Visit visit) {
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
        // Others extend beyond the sides of the cell, but by at most half of it.
        const Vec3d half = state.cell->size * 0.5;
        const Aabb<double> box = solid_bounds(a.geometry, a.pose);
        state.cell->for_each_image({box.lo - half, box.hi + half}, [&](const CellShift& shift) {
            look(state.cell->offset(shift));
        });
    }
}

template <typename Visit>
void visit_penetrations(const WorldState& state, const ShapeProxies& shapes, Visit visit) {
    if (state.cell)
        for_each_periodic_penetration(state, shapes, visit);
    else
        for_each_penetration(state, shapes, visit);
}

} // namespace

std::vector<double> World::penetrations() const {
    std::vector<double> depths;
    visit_penetrations(
        impl_->state, impl_->shape_proxies(),
        [&](const ShapeProxy&, const ShapeProxy&, double depth) { depths.push_back(depth); });
    std::sort(depths.begin(), depths.end());
    return depths;
}

std::vector<ShapePenetration> World::penetrating_shapes() const {
    std::vector<ShapePenetration> pairs;
    visit_penetrations(impl_->state, impl_->shape_proxies(),
                       [&](const ShapeProxy& a, const ShapeProxy& b, double depth) {
                           pairs.push_back({a.body, b.body, a.id, b.id, depth});
                       });
    std::stable_sort(pairs.begin(), pairs.end(),
                     [](const auto& a, const auto& b) { return a.depth > b.depth; });
    return pairs;
}

} // namespace rigor
