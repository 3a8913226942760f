#include "faithful/nearby.h"

#include <algorithm>

#include "faithful/look.h"
#include "model/shape_proxies.h"

namespace rigor::faithful {
namespace {

Plane<double> placed(const Plane<double>& plane, const Posed& pose) {
    const Vec3d normal = rotate(pose.q, plane.normal);
    return {normal, plane.offset + dot(normal, pose.p)};
}

} // namespace

Nearby::Nearby(const WorldState& state) : state_(state) {
    const std::uint32_t slots = state.shapes.pool().slot_count();
    changes_ = slots;
    proxies_.resize(slots);
    reach_.resize(slots);
    shapes_.resize(state.bodies.slot_count());
    pairs_.resize(state.bodies.slot_count());
    for (std::uint32_t s = 0; s < slots; ++s) {
        const ShapeId id = state.shapes.pool().id_at(s);
        if (id.is_null()) continue;
        const ShapeRecord& record = *state.shapes.find(id);
        const std::uint32_t body = record.body.index;
        const BodyTraits& traits = state.bodies.traits[body];
        if (record.sensor || state.bodies.mobility[body] == Mobility::absent) continue;
        shapes_[body].push_back(s);
        const Posed place = in_body(state, s);
        reach_[s].body = body;
        reach_[s].radius = bounding_radius(record.geometry, inverse_transform(place, Vec3d{}));
        reach_[s].is_ball =
            std::holds_alternative<Sphere<double>>(record.geometry.solid) && place.p == Vec3d{};
        const BodyMotion& m = state.bodies.motion[body];
        const bool fixed = traits.type == BodyType::static_body;
        if (const auto* plane = std::get_if<Plane<double>>(&record.geometry.solid); fixed && plane)
            reach_[s].plane = placed(*plane, Posed{m.x, m.q} * place);
        const Aabb<double> box = solid_bounds(record.geometry, Posed{m.x, m.q} * place);
        proxies_[s] = finder_.add(fixed ? ProxyKind::fixed : ProxyKind::moving, round_outward(box),
                                  0, {traits.group, traits.mask}, s);
    }
}

void Nearby::set_way(std::uint32_t body, const Aabb<double>& centers) {
    for (const std::uint32_t s : shapes_[body]) {
        const float margin = static_cast<float>(0.1 * reach_[s].radius);
        if (finder_.move(proxies_[s], round_outward(expand(centers, reach_[s].radius)), margin))
            ++changes_;
    }
}

bool Nearby::may_meet(std::uint32_t a, std::uint32_t b) const {
    const std::uint32_t body_a = reach_[a].body, body_b = reach_[b].body;
    if (body_a == body_b) return false;
    if (!is_mover(state_, body_a) && !is_mover(state_, body_b)) return false;
    return !state_.joints.keeps_apart(body_a, body_b);
}

bool Nearby::is_known(const ShapePair& pair) const {
    const std::vector<ShapePair>& at_a = pairs_[reach_[pair.a].body];
    const std::vector<ShapePair>& at_b = pairs_[reach_[pair.b].body];
    const std::vector<ShapePair>& fewer = at_a.size() < at_b.size() ? at_a : at_b;
    return std::find(fewer.begin(), fewer.end(), pair) != fewer.end();
}

std::vector<ShapePair> Nearby::find_new(ThreadTeam& team) {
    constexpr std::size_t kFew = 4; // one in so many
    const bool few = changes_ * kFew < proxies_.size();
    if (!few) changes_ = 0;
    const auto keep = [&](const ProxyPair& pair) {
        return may_meet(finder_.payload(pair.a), finder_.payload(pair.b));
    };
    finder_.find_pairs(team, found_, keep, few ? TreeCare::leave : TreeCare::rebuild_moved);
    std::vector<ShapePair> fresh;
    for (const ProxyPair& pair : found_) {
        const std::uint32_t a = finder_.payload(pair.a), b = finder_.payload(pair.b);
        const ShapePair shapes{std::min(a, b), std::max(a, b)};
        if (!is_known(shapes)) fresh.push_back(shapes);
    }
    std::sort(fresh.begin(), fresh.end());
    for (const ShapePair& pair : fresh) {
        pairs_[reach_[pair.a].body].push_back(pair);
        pairs_[reach_[pair.b].body].push_back(pair);
    }
    return fresh;
}

} // namespace rigor::faithful
