#include "contact_dynamics/pair_prediction.h"

#include <algorithm>

#include "contact_dynamics/contact_detection.h"
#include "model/shape_proxies.h"

namespace rigor::contact_dynamics {
namespace {

Plane<double> placed(const Plane<double>& plane, const Posed& pose) {
    const Vec3d normal = rotate(pose.q, plane.normal);
    return {normal, plane.offset + dot(normal, pose.p)};
}

} // namespace

Nearby::Nearby(const WorldState& state) : state_(state) {
    const std::uint32_t slots = state.shapes.pool().slot_count();
    changes_ = slots;
    copies_.resize(slots);
    if (state.cell) copies_of_.resize(slots);
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
        reach_[s].repeated = is_repeated(state, record);
        if (fixed) put(s, solid_bounds(record.geometry, Posed{m.x, m.q} * place), 0);
    }
}

void Nearby::put(std::uint32_t shape, const Aabb<double>& box, float margin) {
    if (reach_[shape].repeated) return place_copies(shape, box, margin);
    Copy& copy = copies_[shape];
    if (copy.proxy.is_null())
        add_copy(shape, {{}, shape, {}}, box, margin);
    else if (finder_.move(copy.proxy, round_outward(box), margin))
        ++changes_;
}

void Nearby::add_copy(std::uint32_t place, const Copy& copy, const Aabb<double>& box,
                      float margin) {
    const BodyTraits& traits = state_.bodies.traits[reach_[copy.shape].body];
    const bool fixed = traits.type == BodyType::static_body;
    const ProxyKind kind = fixed ? ProxyKind::fixed : ProxyKind::moving;
    const Filter filter{traits.group, traits.mask};
    const Aabbf rounded = round_outward(box);
    copies_[place] = copy;
    copies_[place].proxy = is_built_ ? finder_.add(kind, rounded, margin, filter, place)
                                     : finder_.add_unbuilt(kind, rounded, margin, filter, place);
}

void Nearby::add_copy(const Copy& copy, const Aabb<double>& box, float margin) {
    if (free_copies_.empty()) {
        free_copies_.push_back(static_cast<std::uint32_t>(copies_.size()));
        copies_.emplace_back();
    }
    const std::uint32_t place = free_copies_.back();
    free_copies_.pop_back();
    copies_of_[copy.shape].push_back(place);
    add_copy(place, copy, box, margin);
}

void Nearby::place_copies(std::uint32_t shape, const Aabb<double>& box, float margin) {
    std::vector<std::uint32_t>& copies = copies_of_[shape];
    const auto is_itself = [&](std::uint32_t place) { return copies_[place].shift == CellShift{}; };
    if (copies.size() == 1 && is_itself(copies[0]) && state_.cell->holds(box)) {
        if (finder_.move(copies_[copies[0]].proxy, round_outward(box), margin)) ++changes_;
        return;
    }
    std::vector<std::uint32_t> before = std::move(copies);
    copies.clear();
    state_.cell->for_each_copy(box, [&](const CellShift& shift) {
        const Vec3d offset = state_.cell->offset(shift);
        const Aabb<double> there{box.lo + offset, box.hi + offset};
        const auto known = std::find_if(before.begin(), before.end(), [&](std::uint32_t place) {
            return copies_[place].shift == shift;
        });
        if (known == before.end()) return add_copy({{}, shape, shift}, there, margin);
        if (finder_.move(copies_[*known].proxy, round_outward(there), margin)) ++changes_;
        copies.push_back(*known);
        before.erase(known);
    });
    for (const std::uint32_t place : before) {
        finder_.remove(copies_[place].proxy);
        free_copies_.push_back(place);
    }
}

void Nearby::set_way(std::uint32_t body, const Aabb<double>& centers) {
    for (const std::uint32_t s : shapes_[body]) {
        const float margin = static_cast<float>(0.1 * reach_[s].radius);
        put(s, expand(centers, reach_[s].radius), margin);
    }
}

bool Nearby::may_meet(std::uint32_t a, std::uint32_t b) const {
    const std::uint32_t body_a = reach_[a].body, body_b = reach_[b].body;
    if (body_a == body_b) return false;
    if (!is_mover(state_, body_a) && !is_mover(state_, body_b)) return false;
    return !state_.joints.keeps_apart(body_a, body_b);
}

ShapePair Nearby::pair_of(const Copy& a, const Copy& b) const {
    if (a.shape > b.shape) return pair_of(b, a);
    return {a.shape, b.shape, b.shift - a.shift};
}

/// What is not repeated is met by the others as they are, not by their copies.
bool Nearby::are_there(const ShapePair& pair) const {
    return pair.shift == CellShift{} || (reach_[pair.a].repeated && reach_[pair.b].repeated);
}

bool Nearby::is_known(const ShapePair& pair) const {
    const std::vector<ShapePair>& at_a = pairs_[reach_[pair.a].body];
    const std::vector<ShapePair>& at_b = pairs_[reach_[pair.b].body];
    const std::vector<ShapePair>& fewer = at_a.size() < at_b.size() ? at_a : at_b;
    return std::find(fewer.begin(), fewer.end(), pair) != fewer.end();
}

std::vector<ShapePair> Nearby::find_new(ThreadTeam& team) {
    constexpr std::size_t kFew = 4; // one in so many
    const bool few = changes_ * kFew < copies_.size();
    if (!few) changes_ = 0;
    const auto keep = [&](const ProxyPair& pair) {
        return may_meet(copies_[finder_.payload(pair.a)].shape,
                        copies_[finder_.payload(pair.b)].shape);
    };
    const bool leave = few && is_built_;
    finder_.find_pairs(team, found_, keep, leave ? TreeCare::leave : TreeCare::rebuild_moved);
    is_built_ = true;
    std::vector<ShapePair> fresh;
    for (const ProxyPair& pair : found_) {
        const ShapePair shapes =
            pair_of(copies_[finder_.payload(pair.a)], copies_[finder_.payload(pair.b)]);
        if (!is_known(shapes) && are_there(shapes)) fresh.push_back(shapes);
    }
    std::sort(fresh.begin(), fresh.end());
    fresh.erase(std::unique(fresh.begin(), fresh.end()), fresh.end()); // at several borders
    for (const ShapePair& pair : fresh) {
        pairs_[reach_[pair.a].body].push_back(pair);
        pairs_[reach_[pair.b].body].push_back(pair);
    }
    return fresh;
}

} // namespace rigor::contact_dynamics
