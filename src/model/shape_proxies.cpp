#include "model/shape_proxies.h"

#include <algorithm>

namespace rigor {
namespace {

// Fraction of the largest extent of a box: how far a shape may move before its box is updated.
// Larger boxes are updated less often and give more false overlaps.
constexpr float kMarginShare = 0.05f;

// Of the extent: how much smaller than its mesh the hull of a convex mesh may be.
constexpr double kHullTolerance = 2e-6;

// The ground of a height field is unbounded below, but its bounds are those of its surface.
Aabb<double> without_floor(Aabb<double> box, const Quatd& q) {
    const Vec3d down = rotate(q, Vec3d{0, 0, -1});
    for (int i = 0; i < 3; ++i) {
        if (down[i] > 0) box.hi[i] = Aabb<double>::kInfinity;
        if (down[i] < 0) box.lo[i] = -Aabb<double>::kInfinity;
    }
    return box;
}

// The tight box of a mesh visits all of its vertices; a moving one uses the box around its rotated
// box.
Aabb<double> bounds_of_box(const Aabb<double>& box, const Pose<double>& pose) {
    const Vec3d center = 0.5 * (box.lo + box.hi);
    return bounds(Box<double>{box.hi - center, 0}, {transform(pose, center), pose.q});
}

// Tight, except for a moving mesh.
Aabb<double> quick_bounds(const Shape<double>& shape, const Posed& pose, ProxyKind kind) {
    using Mesh = std::shared_ptr<const TriangleMesh<double>>;
    const Mesh* mesh = std::get_if<Mesh>(&shape.solid);
    if (mesh != nullptr && kind == ProxyKind::moving) {
        // The hull may leave out vertices that stick out by less than it merges faces.
        if ((*mesh)->hull)
            return expand(bounds(*(*mesh)->hull, pose),
                          kHullTolerance * max_component((*mesh)->box.hi - (*mesh)->box.lo));
        return bounds_of_box((*mesh)->box, pose);
    }
    return solid_bounds(shape, pose);
}

// Enlarged by the rounding error of the coordinates, so that a query that grazes a shape finds its
// box.
Aabbf box_of(const Shape<double>& shape, const Posed& pose, ProxyKind kind) {
    constexpr double kRounding = 16 * std::numeric_limits<double>::epsilon();
    const Aabb<double> box = quick_bounds(shape, pose, kind);
    const double size = std::max(max_component(abs(box.lo)), max_component(abs(box.hi)));
    return round_outward(size < Aabb<double>::kInfinity ? expand(box, kRounding * size) : box);
}

/// The swept box of a shape: translation, and rotation by up to an angle.
Aabbf sweep(Aabbf box, const Vec3d& displacement, double angle) {
    const Vec3f translation = cast<float>(displacement);
    const float growth = static_cast<float>(std::min(angle, 1.0)) * max_component(box.hi - box.lo);
    box.lo += min(translation, Vec3f{});
    box.hi += max(translation, Vec3f{});
    return growth > 0 ? expand(box, growth) : box;
}

bool reaches_the_end(const Aabbf& box) {
    return max_component(max(-box.lo, box.hi)) >= kFarthest;
}

float margin_of(const Aabbf& box, ProxyKind kind, bool endless) {
    if (kind == ProxyKind::fixed || endless) return 0;
    return kMarginShare * max_component(box.hi - box.lo);
}

/// What no crowd consists of has none.
InscribedBall ball_of(const ShapeRecord& record, const BodyTraits& traits) {
    if (record.sensor || traits.type != BodyType::dynamic_body) return {};
    return inscribed_ball(record.geometry);
}

ProxyKind kind_of(const BodyTraits& traits) {
    return traits.type == BodyType::static_body ? ProxyKind::fixed : ProxyKind::moving;
}

} // namespace

Aabb<double> solid_bounds(const Shape<double>& shape, const Posed& pose) {
    const Aabb<double> box = bounds(shape, pose);
    using Field = std::shared_ptr<const HeightField<double>>;
    return std::holds_alternative<Field>(shape.solid) ? without_floor(box, pose.q) : box;
}

bool is_repeated(const WorldState& state, const ShapeRecord& shape) {
    if (!state.cell) return false;
    const std::uint32_t body = shape.body.index;
    const BodyTraits& traits = state.bodies.traits[body];
    if (traits.type != BodyType::static_body) return true;
    const Aabb<double> box =
        solid_bounds(shape.geometry, frame_pose(state.bodies.motion[body], traits) * shape.local);
    return state.cell->has_room_for(box.hi - box.lo);
}

void ShapeProxies::remove_body(const WorldState& state, std::uint32_t body) {
    for_each_shape(state, body, [&](ShapeId id, const ShapeRecord&) {
        if (id.index >= placed_.size() || placed_[id.index].proxy.is_null()) return;
        set_endless(id.index, false);
        remove_images(id.index);
        finder_.remove(placed_[id.index].proxy);
        placed_[id.index] = {};
    });
    changed_.clear(body);
}

void ShapeProxies::update_geometry(const WorldState& state, std::uint32_t body) {
    for_each_shape(state, body, [&](ShapeId id, const ShapeRecord& record) {
        if (id.index >= placed_.size() || placed_[id.index].proxy.is_null()) return;
        placed_[id.index].geometry = record.geometry;
        balls_[id.index] = ball_of(record, state.bodies.traits[body]);
        placed_[id.index].repeated = is_repeated(state, record);
        if (!placed_[id.index].repeated) remove_images(id.index);
    });
    note_changed(body);
}

void ShapeProxies::find_pairs_again(const WorldState& state, std::uint32_t body) {
    for_each_shape(state, body, [&](ShapeId id, const ShapeRecord&) {
        if (id.index >= placed_.size() || placed_[id.index].proxy.is_null()) return;
        finder_.set_filter(placed_[id.index].proxy, placed_[id.index].filter);
        if (id.index >= images_.size()) return;
        for (const ProxyId image : images_[id.index])
            finder_.set_filter(image, placed_[id.index].filter);
    });
}

void ShapeProxies::reset(const WorldState& state) {
    const bool periodic_pairs = periodic_pairs_;
    *this = {};
    periodic_pairs_ = periodic_pairs;
    for (std::uint32_t i = 0; i < state.bodies.ids.slot_count(); ++i) {
        if (!state.bodies.ids.id_at(i).is_null()) changed_.set(i);
    }
}

void ShapeProxies::refresh(const WorldState& state, double look_ahead) {
    if (stepped_) {
        const BodyStore& bodies = state.bodies;
        for (std::uint32_t i = 0; i < bodies.ids.slot_count(); ++i) {
            const bool moves = bodies.traits[i].type != BodyType::static_body;
            if (moves && !bodies.ids.id_at(i).is_null()) changed_.set(i);
        }
    }
    stepped_ = false;
    placed_last_.clear();
    changed_.for_each(
        [&](std::size_t i) { place_body(state, static_cast<std::uint32_t>(i), look_ahead); });
    changed_.clear_all();
    finder_.rebuild_moved();
}

void ShapeProxies::place_body(const WorldState& state, std::uint32_t body, double look_ahead) {
    const BodyTraits& traits = state.bodies.traits[body];
    const BodySpeed speed = look_ahead > 0 ? speed_of(state.bodies, body) : BodySpeed{};
    const Posed frame = frame_pose(state.bodies.motion[body], traits);
    if (placed_.size() < state.shapes.pool().slot_count()) {
        placed_.resize(state.shapes.pool().slot_count());
        balls_.resize(placed_.size());
    }
    for_each_shape(state, body, [&](ShapeId id, const ShapeRecord& record) {
        ShapeProxy& placed = placed_[id.index];
        if (placed.proxy.is_null()) {
            placed.geometry = record.geometry;
            placed.body = record.body;
            placed.id = id;
            placed.filter = {traits.group, traits.mask};
            placed.sensor = record.sensor;
            placed.repeated = is_repeated(state, record);
            balls_[id.index] = ball_of(record, traits);
        }
        placed.pose = frame * record.local;
        place(state, id.index, speed, look_ahead);
    });
}

void ShapeProxies::place(const WorldState& state, std::uint32_t shape, const BodySpeed& speed,
                         double look_ahead) {
    ShapeProxy& placed = placed_[shape];
    const ProxyKind kind = kind_of(state.bodies.traits[placed.body.index]);
    Vec3d displacement = speed.linear * look_ahead;
    if (state.cell)
        displacement =
            min(max(displacement, -state.cell->size), state.cell->size); // no image is farther
    const Aabbf box =
        sweep(box_of(placed.geometry, placed.pose, kind), displacement, speed.angular * look_ahead);
    const bool endless = reaches_the_end(box);
    const float margin = margin_of(box, kind, endless);
    bool moved = true;
    if (placed.proxy.is_null()) {
        placed.proxy = finder_.add(kind, box, margin, placed.filter, shape);
    } else {
        moved = finder_.move(placed.proxy, box, margin);
    }
    if (moved && periodic_pairs_ && placed.repeated) place_images(state, shape);
    set_endless(shape, endless);
    placed_last_.push_back(shape);
}

/// Adds images where its stored box reaches into the cell; with the very same box, so that pairs
/// end when the boxes of the shapes themselves separate.
void ShapeProxies::place_images(const WorldState& state, std::uint32_t shape) {
    remove_images(shape);
    if (images_.size() <= shape) images_.resize(placed_.size());
    const ShapeProxy& placed = placed_[shape];
    const Aabb<double> box = *stored_box(shape);
    state.cell->for_each_image(box, [&](const CellShift& shift) {
        if (shift == CellShift{}) return;
        const Vec3d offset = state.cell->offset(shift);
        images_[shape].push_back(finder_.add(placed.proxy.kind(),
                                             round_outward({box.lo + offset, box.hi + offset}), 0,
                                             placed.filter, shape));
    });
}

void ShapeProxies::remove_images(std::uint32_t shape) {
    if (shape >= images_.size()) return;
    for (const ProxyId image : images_[shape]) finder_.remove(image);
    images_[shape].clear();
}

void ShapeProxies::set_endless(std::uint32_t shape, bool endless) {
    if (placed_[shape].endless == endless) return;
    placed_[shape].endless = endless;
    const auto at = std::lower_bound(endless_.begin(), endless_.end(), shape);
    if (endless) {
        endless_.insert(at, shape);
    } else {
        endless_.erase(at);
    }
}

} // namespace rigor
