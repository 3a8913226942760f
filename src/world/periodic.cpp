// Worlds that repeat: what fits into their cell, and what is brought back into it.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "world/arguments.h"
#include "world/edits.h"
#include "world/world_impl.h"

namespace rigor {
namespace {

/// Bodies that joints hold together, each known by the first; what a joint holds to the world, or
/// to a static body, stays where it is.
class JoinedBodies {
  public:
    explicit JoinedBodies(const WorldState& state)
        : first_(state.bodies.slot_count()), held_(state.bodies.slot_count()) {
        std::iota(first_.begin(), first_.end(), 0);
        for (std::uint32_t slot = 0; slot < state.joints.slot_count(); ++slot) {
            if (!state.joints.is_alive(slot)) continue;
            const JointRecord& joint = state.joints[slot];
            if (joint.type != JointType::gear) join(state, joint.a.body, joint.b.body);
        }
    }
    std::uint32_t first_of(std::uint32_t body) const {
        while (first_[body] != body) body = first_[body];
        return body;
    }
    bool is_held(std::uint32_t body) const { return held_[first_of(body)]; }

  private:
    void join(const WorldState& state, BodyId a, BodyId b) {
        const auto moves = [&](BodyId id) {
            return !id.is_null() && state.bodies.traits[id.index].type != BodyType::static_body;
        };
        if (!moves(a) && !moves(b)) return;
        if (!moves(a) || !moves(b)) {
            held_[first_of(moves(a) ? a.index : b.index)] = true;
            return;
        }
        const std::uint32_t x = first_of(a.index), y = first_of(b.index);
        first_[std::max(x, y)] = std::min(x, y);
        held_[std::min(x, y)] = held_[x] || held_[y];
    }

    std::vector<std::uint32_t> first_;
    std::vector<bool> held_;
};

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
    require_finite(box->lo, "periodic");
    require_finite(box->hi, "periodic");
    const Vec3d size = box->hi - box->lo;
    if (!(size.x > 0 && size.y > 0 && size.z > 0))
        throw UsageError("periodic must have lo < hi along every axis");
    return PeriodicCell{box->lo, size};
}

bool fits(const PeriodicCell& cell, const BodyTraits& traits, std::span<const ShapeRecord> shapes) {
    if (traits.type == BodyType::static_body) return true;
    const double extent = 2 * radius_of(traits, shapes);
    return cell.has_room_for({extent, extent, extent});
}

void World::Impl::require_all_fit(const PeriodicCell& cell) const {
    for (std::uint32_t body = 0; body < state.bodies.slot_count(); ++body) {
        if (state.bodies.ids.id_at(body).is_null()) continue;
        const BodyTraits& traits = state.bodies.traits[body];
        std::vector<ShapeRecord> shapes;
        for (std::uint32_t s = traits.first_shape; s != UINT32_MAX; s = shapes.back().next)
            shapes.push_back(*state.shapes.find(state.shapes.pool().id_at(s)));
        if (!fits(cell, traits, shapes))
            throw UsageError("body \"" + state.bodies.names[body] +
                             "\" is larger than half of the periodic cell");
    }
}

void World::Impl::bring_into_cell() {
    if (!state.cell) return;
    const JoinedBodies joined(state);
    std::vector<Vec3d> away(state.bodies.slot_count());
    for (std::uint32_t body = 0; body < away.size(); ++body) {
        if (!is_movable(state.bodies, body) || joined.is_held(body)) continue;
        const std::uint32_t first = joined.first_of(body); // not after it
        if (first == body) away[body] = state.cell->outside(state.bodies.motion[body].x);
        if (is_finite(away[first])) state.bodies.motion[body].x -= away[first];
    }
}

} // namespace rigor
