#include "fast/narrowphase.h"

#include <limits>

#include "collide/convex_contacts.h"
#include "collide/core_pair.h"
#include "collide/pieces.h"
#include "model/contact_material.h"

namespace rigor::fast {
namespace {

/// A lower bound of the distance of two convex shapes: along the direction that was found to
/// separate them, or between their centers.
float gap_along(const Core<float>& a, const Core<float>& b, const ContactPair& pair) {
    CorePair<float> cores(a, b, pair.pose);
    const Vec3f d =
        normalize(pair.axis != AxisKind::none ? pair.direction : cores.between_middles());
    return -dot(d, cores.support(d).w) * cores.unit() - (a.radius + b.radius);
}

/// The axis of the last search. Its pose is not kept: a pair whose manifold was not recycled has
/// moved too far for it to help.
ContactMemory<float> memory_of(const ContactPair& pair) {
    constexpr float kFar = std::numeric_limits<float>::infinity();
    return {pair.axis, pair.feature_a, pair.feature_b, pair.direction, {{kFar, kFar, kFar}, {}}};
}

} // namespace

bool is_composite(const Shape<float>& a, const Shape<float>& b) {
    const auto is_plane = [](const Shape<float>& shape) {
        return std::holds_alternative<Plane<float>>(shape.solid);
    };
    const auto is_mesh = [](const Shape<float>& shape) {
        return std::holds_alternative<std::shared_ptr<const TriangleMesh<float>>>(shape.solid);
    };
    if ((is_plane(a) && is_mesh(b)) || (is_mesh(a) && is_plane(b))) return false;
    const auto may_have_several = [&](const Shape<float>& shape) {
        return !is_convex(shape) && !is_plane(shape);
    };
    return may_have_several(a) || may_have_several(b);
}

bool has_surface(const Shape<float>& shape) {
    const Children<float> children(shape);
    for (std::uint32_t i = 0; i < children.size(); ++i) {
        const Piece<float> piece = children.piece(i);
        if (!std::holds_alternative<Core<float>>(piece) &&
            !std::holds_alternative<const Plane<float>*>(piece))
            return true;
    }
    return false;
}

SurfacePair surface_of(const WorldState& state, const ContactPair& pair) {
    const auto material_of = [&](std::uint32_t shape) -> const Material& {
        return state.shapes[shape].material;
    };
    const ContactMaterial m = combine(state, material_of(pair.shape_a), material_of(pair.shape_b));
    return {static_cast<float>(m.static_friction), static_cast<float>(m.kinetic_friction),
            static_cast<float>(m.restitution), static_cast<float>(m.rolling_resistance),
            static_cast<float>(m.torsional_friction)};
}

void update_composite(CompositeContact& composite, const PairQuery& query) {
    find_contacts(query.a, query.b, query.placement.pose, query.settings, composite.parts);
    thread_local std::vector<ContactManifold> now; // reused to avoid allocation
    now.clear();
    for (const PartContact<float>& part : composite.parts) {
        if (part.manifold.count == 0) continue;
        ContactManifold manifold;
        manifold.surface = composite.surface;
        build_manifold(part.manifold, query.placement, manifold);
        for (const ContactManifold& old : composite.manifolds) {
            if (old.part_a == manifold.part_a && old.part_b == manifold.part_b)
                match_impulses(old, query.settings.margin, manifold);
        }
        now.push_back(manifold);
    }
    composite.manifolds.swap(now);
}

void find_manifold(ContactPair& pair, const PairQuery& query, Manifold<float>& manifold) {
    const Piece<float> piece_a = Children<float>::piece_of_shape(query.a);
    const Piece<float> piece_b = Children<float>::piece_of_shape(query.b);
    const auto* core_a = std::get_if<Core<float>>(&piece_a);
    const auto* core_b = std::get_if<Core<float>>(&piece_b);
    const Posef& pose = query.placement.pose;
    pair.gap = 0;
    pair.pose = pose;
    if (core_a && core_b) {
        ContactMemory<float> memory = memory_of(pair);
        convex_contacts(*core_a, *core_b, pose, query.settings, memory, manifold);
        pair.axis = memory.kind;
        pair.feature_a = memory.a;
        pair.feature_b = memory.b;
        pair.direction = memory.direction;
        if (manifold.count == 0) pair.gap = gap_along(*core_a, *core_b, pair);
    } else {
        thread_local std::vector<PartContact<float>> only; // reused to avoid allocation
        only.assign(1, {manifold, {}});
        find_contacts(query.a, query.b, pose, query.settings, only);
        manifold = only.empty() ? Manifold<float>{} : only.front().manifold;
    }
}

} // namespace rigor::fast
