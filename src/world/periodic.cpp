// Periodic boundaries of a world: size limits of bodies, and wrapping into the cell.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "world/arguments.h"
#include "world/motion_edits.h"
#include "world/world_impl.h"

namespace rigor {
namespace {

double radius_of(const BodyTraits& traits, std::span<const ShapeRecord> shapes) {
    double radius = 0;
    for (const ShapeRecord& shape : shapes) {
        const Vec3d center = inverse_transform(shape.local, traits.center);
        radius = std::max(radius, bounding_radius(shape.geometry, center));
    }
    return radius;
}

} // namespace

std::optional<PeriodicCell> cell_of(const std::optional<PeriodicBox>& box) {
    if (!box) return std::nullopt;
    require_finite(box->lo, "periodic.lo");
    require_finite(box->hi, "periodic.hi");
    const Vec3d size = box->hi - box->lo;
    if (!(size.x > 0 && size.y > 0 && size.z > 0))
        throw UsageError("periodic must have lo < hi along every axis, got " + text(box->lo) +
                         " and " + text(box->hi));
    return PeriodicCell{box->lo, size};
}

bool fits(const PeriodicCell& cell, const BodyTraits& traits, std::span<const ShapeRecord> shapes) {
    if (traits.type == BodyType::static_body) return true;
    const double extent = 2 * radius_of(traits, shapes);
    return cell.has_room_for({extent, extent, extent});
}

bool World::Impl::fits_cell(std::uint32_t body, const PeriodicCell& cell) const {
    std::vector<ShapeRecord> shapes;
    for_each_shape(state, body,
                   [&](ShapeId, const ShapeRecord& shape) { shapes.push_back(shape); });
    return fits(cell, state.bodies.traits[body], shapes);
}

void World::Impl::require_all_fit(const PeriodicCell& cell) const {
    for (std::uint32_t body = 0; body < state.bodies.slot_count(); ++body) {
        if (state.bodies.ids.id_at(body).is_null()) continue;
        if (!fits_cell(body, cell))
            throw UsageError("body \"" + state.bodies.names[body] +
                             "\" is larger than half of the periodic cell");
    }
}

} // namespace rigor
