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

PairPredictor::PairPredictor(const WorldState& state) : state_(state) {
    const std::uint32_t slots = state.shapes.pool().slot_count();
    changes_ = slots;
    images_.resize(slots);
    if (state.cell) images_of_.resize(slots);
    bounds_.resize(slots);
    if (slots > kMaxCrowdPairs) balls_.resize(slots);
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
        bounds_[s].body = body;
        bounds_[s].radius = bounding_radius(record.geometry, inverse_transform(place, Vec3d{}));
        if (!balls_.empty() && traits.type == BodyType::dynamic_body) {
            const InscribedBall ball = inscribed_ball(record.geometry);
            balls_[s] = {transform(place, ball.center), ball.radius};
        }
        bounds_[s].is_ball =
            std::holds_alternative<Sphere<double>>(record.geometry.solid) && place.p == Vec3d{};
        const BodyMotion& m = state.bodies.motion[body];
        const bool fixed = traits.type == BodyType::static_body;
        if (const auto* plane = std::get_if<Plane<double>>(&record.geometry.solid); fixed && plane)
            bounds_[s].plane = placed(*plane, Posed{m.x, m.q} * place);
        bounds_[s].is_periodic = is_repeated(state, record);
        if (fixed) update_bounds(s, solid_bounds(record.geometry, Posed{m.x, m.q} * place), 0);
    }
}

void PairPredictor::update_bounds(std::uint32_t shape, const Aabb<double>& box, float margin) {
    if (bounds_[shape].is_periodic) return update_images(shape, box, margin);
    ShapeImage& image = images_[shape];
    if (image.proxy.is_null())
        add_image(shape, {{}, shape, {}}, box, margin);
    else if (finder_.move(image.proxy, round_outward(box), margin))
        ++changes_;
}

void PairPredictor::add_image(std::uint32_t place, const ShapeImage& image, const Aabb<double>& box,
                              float margin) {
    const BodyTraits& traits = state_.bodies.traits[bounds_[image.shape].body];
    const bool fixed = traits.type == BodyType::static_body;
    const ProxyKind kind = fixed ? ProxyKind::fixed : ProxyKind::moving;
    const Filter filter{traits.group, traits.mask};
    const Aabbf rounded = round_outward(box);
    images_[place] = image;
    images_[place].proxy = is_built_ ? finder_.add(kind, rounded, margin, filter, place)
                                     : finder_.add_unbuilt(kind, rounded, margin, filter, place);
}

void PairPredictor::add_image(const ShapeImage& image, const Aabb<double>& box, float margin) {
    if (free_images_.empty()) {
        free_images_.push_back(static_cast<std::uint32_t>(images_.size()));
        images_.emplace_back();
    }
    const std::uint32_t place = free_images_.back();
    free_images_.pop_back();
    images_of_[image.shape].push_back(place);
    add_image(place, image, box, margin);
}

void PairPredictor::update_images(std::uint32_t shape, const Aabb<double>& box, float margin) {
    std::vector<std::uint32_t>& images = images_of_[shape];
    const auto is_itself = [&](std::uint32_t place) { return images_[place].shift == CellShift{}; };
    if (images.size() == 1 && is_itself(images[0]) && state_.cell->holds(box)) {
        if (finder_.move(images_[images[0]].proxy, round_outward(box), margin)) ++changes_;
        return;
    }
    std::vector<std::uint32_t> before = std::move(images);
    images.clear();
    state_.cell->for_each_image(box, [&](const CellShift& shift) {
        const Vec3d offset = state_.cell->offset(shift);
        const Aabb<double> there{box.lo + offset, box.hi + offset};
        const auto known = std::find_if(before.begin(), before.end(), [&](std::uint32_t place) {
            return images_[place].shift == shift;
        });
        if (known == before.end()) return add_image({{}, shape, shift}, there, margin);
        if (finder_.move(images_[*known].proxy, round_outward(there), margin)) ++changes_;
        images.push_back(*known);
        before.erase(known);
    });
    for (const std::uint32_t place : before) {
        finder_.remove(images_[place].proxy);
        free_images_.push_back(place);
    }
}

void PairPredictor::set_center_bounds(std::uint32_t body, const Aabb<double>& centers) {
    for (const std::uint32_t s : shapes_[body]) {
        const float margin = static_cast<float>(0.1 * bounds_[s].radius);
        update_bounds(s, expand(centers, bounds_[s].radius), margin);
    }
}

bool PairPredictor::may_collide(std::uint32_t a, std::uint32_t b) const {
    const std::uint32_t body_a = bounds_[a].body, body_b = bounds_[b].body;
    if (body_a == body_b) return false;
    if (!responds_to_impulses(state_, body_a) && !responds_to_impulses(state_, body_b))
        return false;
    return !state_.joints.keeps_apart(body_a, body_b) && !state_.passages.has(a, b);
}

/// At the start of the step.
CoreBall PairPredictor::core(ProxyId proxy) const {
    const ShapeImage& image = images_[finder_.payload(proxy)];
    if (image.shift != CellShift{}) return {};
    const BodyMotion& m = state_.bodies.motion[bounds_[image.shape].body];
    const InscribedBall& ball = balls_[image.shape];
    return {transform(Posed{m.x, m.q}, ball.center), ball.radius};
}

ShapePair PairPredictor::pair_of(const ShapeImage& a, const ShapeImage& b) const {
    if (a.shape > b.shape) return pair_of(b, a);
    return {a.shape, b.shape, b.shift - a.shift};
}

/// What is not repeated is met by the others as they are, not by their copies.
bool PairPredictor::images_may_collide(const ShapePair& pair) const {
    return pair.shift == CellShift{} ||
           (bounds_[pair.a].is_periodic && bounds_[pair.b].is_periodic);
}

bool PairPredictor::is_known(const ShapePair& pair) const {
    const std::vector<ShapePair>& at_a = pairs_[bounds_[pair.a].body];
    const std::vector<ShapePair>& at_b = pairs_[bounds_[pair.b].body];
    const std::vector<ShapePair>& fewer = at_a.size() < at_b.size() ? at_a : at_b;
    return std::find(fewer.begin(), fewer.end(), pair) != fewer.end();
}

std::vector<ShapePair> PairPredictor::find_new_pairs(ThreadTeam& team) {
    constexpr std::size_t kRebuildFraction = 4; // one in so many
    const bool few_changes = changes_ * kRebuildFraction < images_.size();
    if (!few_changes) changes_ = 0;
    const auto keep = [&](const ProxyPair& pair) {
        return may_collide(images_[finder_.payload(pair.a)].shape,
                           images_[finder_.payload(pair.b)].shape);
    };
    const bool leave = few_changes && is_built_;
    for (const ProxyId id : finder_.crowded())
        if (finder_.is_alive(id)) finder_.search_again(id);
    const auto core_of = [&](ProxyId id) { return core(id); };
    finder_.find_pairs(team, found_, keep, leave ? TreeCare::leave : TreeCare::rebuild_moved,
                       balls_.empty() ? CoreOf{} : CoreOf(core_of));
    crowded_count_ = std::max(crowded_count_, static_cast<int>(finder_.crowded().size()));
    is_built_ = true;
    std::vector<ShapePair> new_pairs;
    for (const ProxyPair& pair : found_) {
        const ShapePair shapes =
            pair_of(images_[finder_.payload(pair.a)], images_[finder_.payload(pair.b)]);
        if (!is_known(shapes) && images_may_collide(shapes)) new_pairs.push_back(shapes);
    }
    std::sort(new_pairs.begin(), new_pairs.end());
    new_pairs.erase(std::unique(new_pairs.begin(), new_pairs.end()),
                    new_pairs.end()); // at several borders
    for (const ShapePair& pair : new_pairs) {
        pairs_[bounds_[pair.a].body].push_back(pair);
        pairs_[bounds_[pair.b].body].push_back(pair);
    }
    return new_pairs;
}

} // namespace rigor::contact_dynamics
