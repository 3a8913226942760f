// Time of impact of two bodies that moved from given poses to their present ones.

#include "collide/time_of_impact.h"

#include "world/arguments.h"
#include "world/query_scope.h"
#include "world/world_impl.h"

namespace rigor {
namespace {

constexpr double kTouchGap = 1e-6; // m

/// How a body moved; `center` is the center of mass, about which it turns, in its frame.
struct BodyPath {
    Posed from;
    Vec3d center, displacement, rotation;

    Motion<double> of_shape(const Posed& local) const {
        return {from * local, inverse_transform(local, center), displacement, rotation};
    }
};

BodyPath path_of(const World& world, BodyId id, const Posed& from) {
    const Posed to = world.pose(id);
    const Vec3d center = inverse_transform(to, world.state(id).position);
    return {from, center, transform(to, center) - transform(from, center),
            to_rotation_vector(to.q * conjugate(from.q))};
}

/// In a periodic world the shorter way, and the image of b that is nearest to a at the start.
void choose_images(const PeriodicCell& cell, BodyPath& a, BodyPath& b) {
    for (BodyPath* path : {&a, &b})
        path->displacement += shift_to_nearest_image(path->displacement, cell.size);
    b.from.p += shift_to_nearest_image(b.from.p - a.from.p, cell.size);
}

} // namespace

std::optional<double> World::time_of_impact(BodyId a, const Posed& from_a, BodyId b,
                                            const Posed& from_b) const {
    const WorldState& state = impl_->state;
    const std::uint32_t slot_a = impl_->slot(a), slot_b = impl_->slot(b);
    if (a == b) throw UsageError("a body cannot hit itself: name two bodies");
    BodyPath path_a = path_of(*this, a, pose_or_throw(from_a));
    BodyPath path_b = path_of(*this, b, pose_or_throw(from_b));
    if (state.cell) choose_images(*state.cell, path_a, path_b);
    std::optional<double> first;
    const ShapeProxies& shapes = impl_->shape_proxies();
    for_each_shape(state, slot_a, [&](ShapeId id_a, const ShapeRecord& x) {
        for_each_shape(state, slot_b, [&](ShapeId id_b, const ShapeRecord& y) {
            if (!should_collide(shapes[id_a.index].filter, shapes[id_b.index].filter)) return;
            const TimeOfImpact<double> impact =
                rigor::time_of_impact(x.geometry, path_a.of_shape(x.local), y.geometry,
                                      path_b.of_shape(y.local), {.tolerance = kTouchGap});
            if (impact.state == ToiStatus::apart) return;
            first = std::min(first.value_or(1), impact.t);
        });
    });
    return first;
}

} // namespace rigor
