#include "fast/narrowphase.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "collide/convex_contacts.h"
#include "collide/pieces.h"
#include "collide/seams.h"
#include "model/contact_material.h"

namespace rigor::fast {
namespace {

constexpr float kMargin = 0.02f;      // of solids of a meter: what may touch within the step
constexpr float kTolerance = 1e-3f;   // likewise: differences of depth that do not matter
constexpr float kKept = 0.02f;        // likewise: a manifold is kept while the motion is less
constexpr float kKeptCosine = 0.998f; // and no body has turned by more, as a squared half cosine
constexpr std::size_t kBlock = 32;

bool is_composite(const Shape<float>& shape) {
    return !is_convex(shape) && !std::holds_alternative<Plane<float>>(shape.solid);
}

float smallest_extent(const Shape<double>& shape) {
    const Aabb<double> box = bounds(shape, Posed{});
    const Vec3d size = box.hi - box.lo;
    const double least = std::min({size.x, size.y, size.z});
    return std::isfinite(least) && least > 0 ? static_cast<float>(std::min(least, 1.0)) : 1.0f;
}

void make_float(const WorldState& state, std::uint32_t slot, FloatShapes& shapes) {
    if (slot >= shapes.shapes.size()) {
        shapes.shapes.resize(slot + 1);
        shapes.made_for.resize(slot + 1);
        shapes.size.resize(slot + 1);
        shapes.radius.resize(slot + 1);
    }
    const ShapeId id = state.shapes.pool().id_at(slot);
    if (shapes.made_for[slot] == id) return;
    const Shape<double>& geometry = state.shapes.find(id)->geometry;
    shapes.shapes[slot] = to_float(geometry);
    shapes.made_for[slot] = id;
    shapes.size[slot] = smallest_extent(geometry);
    const double radius = bounding_radius(geometry, Vec3d{});
    shapes.radius[slot] = std::isfinite(radius) ? static_cast<float>(radius) : 0.0f;
}

ContactPair make_pair(const WorldState& state, const FloatShapes& shapes, std::uint32_t a,
                      std::uint32_t b) {
    const ShapeRecord& ra = *state.shapes.find(state.shapes.pool().id_at(a));
    const ShapeRecord& rb = *state.shapes.find(state.shapes.pool().id_at(b));
    ContactPair pair;
    pair.shape_a = a;
    pair.shape_b = b;
    pair.body_a = ra.body.index;
    pair.body_b = rb.body.index;
    const ContactMaterial material = combine(state, ra.material, rb.material);
    pair.friction = static_cast<float>(material.static_friction);
    pair.restitution = static_cast<float>(material.restitution);
    const float size = std::min(shapes.size[a], shapes.size[b]);
    pair.settings = {kMargin * size, kTolerance * size};
    pair.sensor = ra.sensor || rb.sensor;
    pair.composite = is_composite(shapes.shapes[a]) || is_composite(shapes.shapes[b]);
    return pair;
}

/// The impulses of the points that were there before, by name, or else by place.
Impulses carry_over(const Touch& before, const Manifold<float>& now, float reach) {
    Impulses out;
    if (before.manifold.count == 0 || now.count == 0) return out;
    std::array<bool, 4> taken{};
    const auto copy = [&](std::size_t from, std::size_t to) {
        out.normal[to] = before.impulses.normal[from];
        taken[from] = true;
    };
    std::array<bool, 4> named{};
    const auto old_count = static_cast<std::size_t>(before.manifold.count);
    for (std::size_t i = 0; i < static_cast<std::size_t>(now.count); ++i) {
        for (std::size_t j = 0; j < old_count && !named[i]; ++j) {
            if (taken[j] || !(now.points[i].feature_a == before.manifold.points[j].feature_a) ||
                !(now.points[i].feature_b == before.manifold.points[j].feature_b))
                continue;
            copy(j, i);
            named[i] = true;
        }
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(now.count); ++i) {
        for (std::size_t j = 0; j < old_count && !named[i]; ++j) {
            const Vec3f apart = now.points[i].point_a - before.manifold.points[j].point_a;
            if (taken[j] || !(length_squared(apart) < reach * reach)) continue;
            copy(j, i);
            named[i] = true;
        }
    }
    out.friction = before.impulses.friction;
    out.twist = before.impulses.twist;
    return out;
}

/// Where the two shapes and the centers of their bodies are now.
struct Places {
    Posef pose;               ///< of B in A
    Quatf turn_a, turn_b;     ///< of the shapes, to world
    Vec3f center_a, center_b; ///< of the bodies, seen from the origin of shape A, in world axes
    float way = 0;            ///< how far the two may approach each other in this step
};

Places places_of(const ContactPair& pair, const BodyStore& bodies, const ShapeProxies& proxies) {
    const ShapeProxies::Placed &a = proxies[pair.shape_a], &b = proxies[pair.shape_b];
    return {relative_pose<float>(a.pose, b.pose),
            cast<float>(a.pose.q),
            cast<float>(b.pose.q),
            cast<float>(bodies.motion[pair.body_a].x - a.pose.p),
            cast<float>(bodies.motion[pair.body_b].x - a.pose.p),
            0};
}

/// How fast a body moves, and how fast any of its points at most by turning.
struct Speed {
    Vec3d linear;
    double angular = 0;
};

Speed speed_of(const BodyStore& bodies, std::uint32_t body) {
    if (bodies.mobility[body] == Mobility::still) return {};
    const BodyMotion& motion = bodies.motion[body];
    const BodyInertia& inertia = bodies.inertia[body];
    const bool driven = bodies.traits[body].type == BodyType::kinematic_body;
    return {motion.p * (driven ? 1 : inertia.inv_mass),
            length(motion.l) * (driven ? 1 : max_component(inertia.inv_moments))};
}

/// How far the shapes of a pair may approach each other in a step: along the direction that
/// separated them last time, where there is one, else along any.
float way_of(const ContactPair& pair, const BodyStore& bodies, const FloatShapes& shapes,
             const Quatd& turn_a, double dt) {
    const Speed a = speed_of(bodies, pair.body_a), b = speed_of(bodies, pair.body_b);
    const Vec3d relative = b.linear - a.linear;
    const bool apart = pair.memory.kind == AxisKind::direction;
    const double closing =
        apart ? std::max(0.0, -dot(rotate(turn_a, cast<double>(pair.memory.direction)), relative))
              : length(relative);
    const double turning = a.angular * static_cast<double>(shapes.radius[pair.shape_a]) +
                           b.angular * static_cast<double>(shapes.radius[pair.shape_b]);
    return static_cast<float>((closing + turning) * dt);
}

/// Turns a manifold into rows of the world as it is now.
void freeze(Touch& touch, const Places& places) {
    const Manifold<float>& m = touch.manifold;
    touch.normal = rotate(places.turn_a, m.normal);
    for (std::size_t i = 0; i < static_cast<std::size_t>(m.count); ++i) {
        const ContactPoint<float>& p = m.points[i];
        // Half-way between the two surfaces, so that neither body is preferred.
        const Vec3f at = rotate(places.turn_a, p.point_a) + touch.normal * (0.5f * p.separation);
        touch.arm_a[i] = at - places.center_a;
        touch.arm_b[i] = at - places.center_b;
        touch.separation[i] = p.separation;
        touch.base[i] = p.separation - dot(touch.normal, touch.arm_b[i] - touch.arm_a[i] +
                                                             places.center_b - places.center_a);
    }
}

/// Separations of the same points, now that the bodies have moved a little.
void follow(Touch& touch, const Places& places, const Quatf& moved_a, const Quatf& moved_b) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(touch.manifold.count); ++i) {
        const Vec3f apart = places.center_b - places.center_a + rotate(moved_b, touch.arm_b[i]) -
                            rotate(moved_a, touch.arm_a[i]);
        touch.separation[i] = touch.base[i] + dot(touch.normal, apart);
    }
}

float squared_half_cosine(const Quatf& p, const Quatf& q) {
    const float c = dot(p, q);
    return c * c;
}

/// Whether the last manifolds still do; then their separations are brought up to date.
bool keep(ContactPair& pair, const Places& places, float radius, float size) {
    if (!pair.frozen) return false;
    const Quatf turn = conjugate(pair.pose.q) * places.pose.q;
    const float moved =
        length(places.pose.p - pair.pose.p) + 2 * length(Vec3f{turn.x, turn.y, turn.z}) * radius;
    if (!(moved < kKept * size) || moved + places.way > pair.frozen_margin) return false;
    const float cosine = std::min(squared_half_cosine(pair.turn_a, places.turn_a),
                                  squared_half_cosine(pair.turn_b, places.turn_b));
    if (!(cosine > kKeptCosine)) return false;
    const Quatf moved_a = places.turn_a * conjugate(pair.turn_a);
    const Quatf moved_b = places.turn_b * conjugate(pair.turn_b);
    follow(pair.touch, places, moved_a, moved_b);
    for (Touch& touch : pair.touches) follow(touch, places, moved_a, moved_b);
    return true;
}

void freeze_all(ContactPair& pair, const Places& places) {
    freeze(pair.touch, places);
    for (Touch& touch : pair.touches) freeze(touch, places);
    pair.pose = places.pose;
    pair.turn_a = places.turn_a;
    pair.turn_b = places.turn_b;
    pair.frozen_margin = pair.settings.margin;
    pair.frozen = pair.touch.manifold.count > 0 || !pair.touches.empty();
}

void update_composite(ContactPair& pair, const Shape<float>& a, const Shape<float>& b,
                      const Posef& pose) {
    find_contacts(a, b, pose, pair.settings, pair.parts);
    std::vector<Touch> now;
    for (const PartContact<float>& part : pair.parts) {
        if (part.manifold.count == 0) continue;
        Touch touch;
        touch.manifold = part.manifold;
        for (const Touch& old : pair.touches) {
            const bool same = old.manifold.part_a == part.manifold.part_a &&
                              old.manifold.part_b == part.manifold.part_b;
            if (same) touch.impulses = carry_over(old, part.manifold, pair.settings.margin);
        }
        now.push_back(touch);
    }
    pair.touches = std::move(now);
}

void update_convex(ContactPair& pair, const Shape<float>& a, const Shape<float>& b,
                   const Posef& pose) {
    const Touch before = pair.touch;
    const Piece<float> piece_a = Children<float>::piece_of_shape(a);
    const Piece<float> piece_b = Children<float>::piece_of_shape(b);
    const auto* core_a = std::get_if<Core<float>>(&piece_a);
    const auto* core_b = std::get_if<Core<float>>(&piece_b);
    if (core_a && core_b) {
        convex_contacts(*core_a, *core_b, pose, pair.settings, pair.memory, pair.touch.manifold);
    } else {
        std::vector<PartContact<float>> only{{pair.touch.manifold, {}}};
        find_contacts(a, b, pose, pair.settings, only);
        pair.touch.manifold = only.empty() ? Manifold<float>{} : only.front().manifold;
    }
    pair.touch.impulses = carry_over(before, pair.touch.manifold, pair.settings.margin);
}

/// The key of a pair that is to be removed.
constexpr std::uint64_t kEnded = ~std::uint64_t(0);

void drop_ended(PairStore& store) {
    std::size_t kept = 0;
    for (const PairStore::Entry& entry : store.order) {
        if (entry.key == kEnded) {
            store.free.push_back(entry.slot);
        } else {
            store.order[kept++] = entry;
        }
    }
    store.order.resize(kept);
}

bool is_dynamic(const WorldState& state, std::uint32_t body) {
    return state.bodies.traits[body].type == BodyType::dynamic_body &&
           state.bodies.mobility[body] != Mobility::still;
}

/// A moving shape on something that does not answer to it.
struct Lying {
    std::uint32_t mover = 0, ground = 0; ///< slots of shapes
    ContactPair* pair = nullptr;

    bool mover_is_a() const { return mover == pair->shape_a; }
    Vec3f up() const { return mover_is_a() ? -pair->touch.normal : pair->touch.normal; }
};

/// All of them, those of one mover together.
std::vector<Lying> find_lying(const WorldState& state, PairStore& store) {
    std::vector<Lying> lying;
    for (const PairStore::Entry& entry : store.order) {
        ContactPair& pair = store.pairs[entry.slot];
        if (pair.composite || pair.sensor || pair.touch.manifold.count == 0) continue;
        const bool a_moves = is_dynamic(state, pair.body_a);
        if (a_moves == is_dynamic(state, pair.body_b)) continue;
        lying.push_back(
            {a_moves ? pair.shape_a : pair.shape_b, a_moves ? pair.shape_b : pair.shape_a, &pair});
    }
    std::stable_sort(lying.begin(), lying.end(),
                     [](const Lying& x, const Lying& y) { return x.mover < y.mover; });
    return lying;
}

/// Whether the grounds of one mover disagree, and one of them has just been found.
bool needs_mending(std::span<const Lying> group) {
    bool fresh = false, disagree = false;
    for (const Lying& l : group) {
        fresh |= l.pair->fresh;
        disagree |= dot(l.up(), group[0].up()) < 0.9999f;
    }
    return fresh && disagree;
}

void mend_group(const WorldState& state, const ShapeProxies& proxies, const FloatShapes& shapes,
                std::span<const Lying> group) {
    const Piece<float> mover = Children<float>::piece_of_shape(shapes.shapes[group[0].mover]);
    const auto* core = std::get_if<Core<float>>(&mover);
    if (core == nullptr) return;
    std::vector<Piece<float>> grounds;
    std::vector<Manifold<float>> manifolds;
    std::vector<Neighbor<float>> neighbors;
    grounds.reserve(group.size());
    manifolds.reserve(group.size());
    for (const Lying& l : group) {
        grounds.push_back(Children<float>::piece_of_shape(shapes.shapes[l.ground]));
        manifolds.push_back(l.pair->touch.manifold);
        const Posef pose = relative_pose<float>(proxies[l.mover].pose, proxies[l.ground].pose);
        if (!l.mover_is_a()) mirror(manifolds.back(), pose);
        if (const auto* ground = std::get_if<Core<float>>(&grounds.back()))
            neighbors.push_back({ground, pose, &manifolds.back()});
    }
    mend_seams<float>(*core, neighbors, group[0].pair->settings);
    for (std::size_t i = 0; i < group.size(); ++i) {
        const Lying& l = group[i];
        Manifold<float>& m = manifolds[i];
        const Posef pose = relative_pose<float>(proxies[l.mover].pose, proxies[l.ground].pose);
        if (!l.mover_is_a()) mirror(m, inverse(pose));
        const Manifold<float>& old = l.pair->touch.manifold;
        if (m.count == old.count && dot(m.normal, old.normal) > 0.9999f) continue;
        const Impulses impulses = carry_over(l.pair->touch, m, l.pair->settings.margin);
        l.pair->touch.manifold = m;
        l.pair->touch.impulses = impulses;
        freeze_all(*l.pair, places_of(*l.pair, state.bodies, proxies));
    }
}

/// Grounds that lie side by side are one surface, see collide/seams.h.
void mend(const WorldState& state, const ShapeProxies& proxies, const FloatShapes& shapes,
          PairStore& store) {
    const std::vector<Lying> lying = find_lying(state, store);
    for (std::size_t first = 0; first < lying.size();) {
        std::size_t last = first;
        while (last < lying.size() && lying[last].mover == lying[first].mover) ++last;
        const std::span<const Lying> group(lying.data() + first, last - first);
        if (group.size() > 1 && needs_mending(group)) mend_group(state, proxies, shapes, group);
        first = last;
    }
}

} // namespace

void find_new_pairs(const WorldState& state, ShapeProxies& proxies, ThreadTeam& team,
                    FloatShapes& shapes, PairStore& store, std::vector<ProxyPair>& found) {
    const PairFinder& finder = proxies.finder();
    found.clear();
    proxies.finder().find_pairs(team, found, [&](const ProxyPair& pair) {
        const std::uint32_t a = proxies[finder.payload(pair.a)].body.index;
        const std::uint32_t b = proxies[finder.payload(pair.b)].body.index;
        return a != b && (is_dynamic(state, a) || is_dynamic(state, b));
    });
    if (shapes.shapes.empty()) { // restored: pairs are known, their shapes are not
        for (const PairStore::Entry& entry : store.order) {
            make_float(state, store.pairs[entry.slot].shape_a, shapes);
            make_float(state, store.pairs[entry.slot].shape_b, shapes);
        }
    }
    std::vector<PairStore::Entry> fresh;
    for (const ProxyPair& pair : found) {
        const std::uint32_t x = finder.payload(pair.a), y = finder.payload(pair.b);
        fresh.push_back({pair_key(std::min(x, y), std::max(x, y)), 0});
    }
    const auto by_key = [](const PairStore::Entry& a, const PairStore::Entry& b) {
        return a.key < b.key;
    };
    std::sort(fresh.begin(), fresh.end(), by_key);
    const std::size_t known = store.order.size();
    for (PairStore::Entry& entry : fresh) {
        const auto end = store.order.begin() + static_cast<std::ptrdiff_t>(known);
        const auto at = std::lower_bound(store.order.begin(), end, entry, by_key);
        if (at != end && at->key == entry.key) continue;
        const auto a = static_cast<std::uint32_t>(entry.key >> 32);
        const auto b = static_cast<std::uint32_t>(entry.key);
        make_float(state, a, shapes);
        make_float(state, b, shapes);
        if (store.free.empty()) {
            entry.slot = static_cast<std::uint32_t>(store.pairs.size());
            store.pairs.emplace_back();
        } else {
            entry.slot = store.free.back();
            store.free.pop_back();
        }
        store.pairs[entry.slot] = make_pair(state, shapes, a, b);
        store.order.push_back(entry);
    }
    std::inplace_merge(store.order.begin(),
                       store.order.begin() + static_cast<std::ptrdiff_t>(known), store.order.end(),
                       by_key);
}

void update_contacts(const WorldState& state, const ShapeProxies& proxies, ThreadTeam& team,
                     const FloatShapes& shapes, double dt, PairStore& store) {
    const PairFinder& finder = proxies.finder();
    team.parallel_for(store.order.size(), kBlock, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            ContactPair& pair = store.pairs[store.order[i].slot];
            const ShapeProxies::Placed &a = proxies[pair.shape_a], &b = proxies[pair.shape_b];
            if (!finder.overlap(a.proxy, b.proxy)) {
                store.order[i].key = kEnded;
                continue;
            }
            Places places = places_of(pair, state.bodies, proxies);
            const float radius = std::min(shapes.radius[pair.shape_a], shapes.radius[pair.shape_b]);
            const float size = std::min(shapes.size[pair.shape_a], shapes.size[pair.shape_b]);
            places.way = way_of(pair, state.bodies, shapes, a.pose.q, dt);
            pair.fresh = !keep(pair, places, radius, size);
            if (!pair.fresh) continue;
            pair.settings.margin = kMargin * size + places.way;
            const Shape<float>&shape_a = shapes.shapes[pair.shape_a],
                  &shape_b = shapes.shapes[pair.shape_b];
            if (pair.composite) {
                update_composite(pair, shape_a, shape_b, places.pose);
            } else {
                update_convex(pair, shape_a, shape_b, places.pose);
            }
            freeze_all(pair, places);
        }
    });
    drop_ended(store);
    mend(state, proxies, shapes, store);
}

void forget_pairs_of(std::uint32_t body, PairStore& store) {
    for (PairStore::Entry& entry : store.order) {
        const ContactPair& pair = store.pairs[entry.slot];
        if (pair.body_a == body || pair.body_b == body) entry.key = kEnded;
    }
    drop_ended(store);
}

} // namespace rigor::fast
