#include "fast/narrowphase.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <mutex>

#include "collide/convex_contacts.h"
#include "collide/core_pair.h"
#include "collide/pieces.h"
#include "fast/ground_seams.h"
#include "fast/touch.h"
#include "model/contact_material.h"

namespace rigor::fast {
namespace {

constexpr float kMargin = 0.02f; // of solids of a meter: what may touch within the step
constexpr std::size_t kBlock = 32;

bool is_composite(const Shape<float>& shape) {
    return !is_convex(shape) && !std::holds_alternative<Plane<float>>(shape.solid);
}

SurfacePair surface_of(const WorldState& state, const ContactPair& pair) {
    const auto material_of = [&](std::uint32_t shape) -> const Material& {
        return state.shapes.find(state.shapes.pool().id_at(shape))->material;
    };
    const ContactMaterial m = combine(state, material_of(pair.shape_a), material_of(pair.shape_b));
    return {static_cast<float>(m.static_friction), static_cast<float>(m.kinetic_friction),
            static_cast<float>(m.restitution), static_cast<float>(m.rolling_resistance),
            static_cast<float>(m.torsional_friction)};
}

ContactPair make_pair(const WorldState& state, const NearShapes& shapes, std::uint32_t a,
                      std::uint32_t b) {
    const ShapeRecord& ra = *state.shapes.find(state.shapes.pool().id_at(a));
    const ShapeRecord& rb = *state.shapes.find(state.shapes.pool().id_at(b));
    ContactPair pair;
    pair.shape_a = a;
    pair.shape_b = b;
    pair.body_a = ra.body.index;
    pair.body_b = rb.body.index;
    pair.drags = ra.material.surface_velocity != Vec3d{} || rb.material.surface_velocity != Vec3d{};
    pair.sensor = ra.sensor || rb.sensor;
    pair.grounded = !answers(state.bodies, pair.body_a) || !answers(state.bodies, pair.body_b);
    pair.composite = is_composite(shapes.shapes[a]) || is_composite(shapes.shapes[b]);
    pair.repeated = is_repeated(state, ra) && is_repeated(state, rb);
    return pair;
}

/// How far the shapes of a pair may approach each other in a step: along the direction that
/// separated them last time, where there is one, else along any.
float way_of(const ContactPair& pair, const NearShape& a, const NearShape& b, float dt) {
    const Vec3f relative = b.velocity - a.velocity;
    const float closing = pair.axis == AxisKind::direction
                              ? std::max(0.0f, -dot(rotate(a.turn, pair.direction), relative))
                              : length(relative);
    return closing * dt + a.angle * a.radius + b.angle * b.radius;
}

/// One question about two shapes: where they are, and within what margin points count.
struct Question {
    const Shape<float>&a, &b;
    Places places;
    ContactSettings<float> settings;
};

/// All manifolds of a pair that may have several, with their impulses.
void update_composite(CompositeTouch& composite, const Question& q) {
    find_contacts(q.a, q.b, q.places.pose, q.settings, composite.parts);
    thread_local std::vector<Touch> now; // for its room
    now.clear();
    for (const PartContact<float>& part : composite.parts) {
        if (part.manifold.count == 0) continue;
        Touch touch;
        touch.surface = composite.surface;
        freeze(part.manifold, q.places, touch);
        for (const Touch& old : composite.touches) {
            if (old.part_a == touch.part_a && old.part_b == touch.part_b)
                carry_over(old, q.settings.margin, touch);
        }
        now.push_back(touch);
    }
    composite.touches.swap(now);
}

/// How far two convex shapes are apart at least: along the direction that was found to separate
/// them, or between their middles.
float gap_along(const Core<float>& a, const Core<float>& b, const ContactPair& pair) {
    CorePair<float> cores(a, b, pair.pose);
    const Vec3f d =
        normalize(pair.axis != AxisKind::none ? pair.direction : cores.between_middles());
    return -dot(d, cores.support(d).w) * cores.unit() - (a.radius + b.radius);
}

/// What the pair knows. The pose of the last search through all axes is not kept: who is asked
/// anew has moved farther than that would be good for.
ContactMemory<float> memory_of(const ContactPair& pair) {
    constexpr float kFar = std::numeric_limits<float>::infinity();
    return {pair.axis, pair.feature_a, pair.feature_b, pair.direction, {{kFar, kFar, kFar}, {}}};
}

/// The manifold of two convex shapes, or of one and a plane. Sets the gap where there is none.
void find_manifold(ContactPair& pair, const Question& q, Manifold<float>& manifold) {
    const Piece<float> piece_a = Children<float>::piece_of_shape(q.a);
    const Piece<float> piece_b = Children<float>::piece_of_shape(q.b);
    const auto* core_a = std::get_if<Core<float>>(&piece_a);
    const auto* core_b = std::get_if<Core<float>>(&piece_b);
    pair.gap = 0;
    pair.pose = q.places.pose;
    if (core_a && core_b) {
        ContactMemory<float> memory = memory_of(pair);
        convex_contacts(*core_a, *core_b, q.places.pose, q.settings, memory, manifold);
        pair.axis = memory.kind;
        pair.feature_a = memory.a;
        pair.feature_b = memory.b;
        pair.direction = memory.direction;
        if (manifold.count == 0) pair.gap = gap_along(*core_a, *core_b, pair);
    } else {
        thread_local std::vector<PartContact<float>> only; // for its room
        only.assign(1, {manifold, {}});
        find_contacts(q.a, q.b, q.places.pose, q.settings, only);
        manifold = only.empty() ? Manifold<float>{} : only.front().manifold;
    }
}

/// Touches that begin and end, found in any order, to be settled in the order of the pairs.
struct TouchList {
    struct Begun {
        std::size_t at; ///< in PairStore::order
        Touch touch;
    };
    std::mutex mutex;
    std::vector<Begun> begun;
    std::vector<std::size_t> ended;

    void begin(std::size_t at, const Touch& touch) {
        const std::lock_guard lock(mutex);
        begun.push_back({at, touch});
    }
    void end(std::size_t at) {
        const std::lock_guard lock(mutex);
        ended.push_back(at);
    }
};

void update_convex(PairStore& store, std::size_t at, const Question& q, TouchList& list) {
    ContactPair& pair = store.pairs[store.order[at].slot];
    Touch* before = pair.touch != kNone ? &store.touches[pair.touch] : nullptr;
    Manifold<float> manifold = before ? manifold_of(*before, q.places) : Manifold<float>{};
    find_manifold(pair, q, manifold);
    if (manifold.count == 0) {
        if (before) list.end(at);
        return;
    }
    Touch now;
    freeze(manifold, q.places, now);
    if (!before) return list.begin(at, now);
    carry_over(*before, q.settings.margin, now);
    now.surface = before->surface;
    *before = now;
}

/// Gives touches that began their places, and takes those of touches that ended.
void settle_touches(const WorldState& state, PairStore& store, TouchList& list) {
    std::sort(list.begun.begin(), list.begun.end(),
              [](const TouchList::Begun& a, const TouchList::Begun& b) { return a.at < b.at; });
    std::sort(list.ended.begin(), list.ended.end());
    for (const std::size_t at : list.ended) {
        ContactPair& pair = store.pairs[store.order[at].slot];
        store.touches.remove(pair.touch);
        pair.touch = kNone;
        pair.frozen = false;
    }
    for (TouchList::Begun& item : list.begun) {
        ContactPair& pair = store.pairs[store.order[item.at].slot];
        item.touch.surface = surface_of(state, pair);
        pair.touch = store.touches.add(item.touch);
        pair.frozen = true;
        store.order[item.at].busy = true;
    }
}

/// Whether a pair matters: somebody answers, or a sensor or a visitor of one moves.
bool concerns(const WorldState& state, const ShapeProxies& proxies, const PairFinder& finder,
              const ProxyPair& pair) {
    const ShapeProxies::Placed &a = proxies[finder.payload(pair.a)],
                               &b = proxies[finder.payload(pair.b)];
    if (answers(state.bodies, a.body.index) || answers(state.bodies, b.body.index)) return true;
    return a.sensor != b.sensor;
}

/// The key of a pair that is to be removed.
constexpr std::uint64_t kEnded = ~std::uint64_t(0);

EndedTouch ended_touch(const WorldState& state, const ContactPair& pair) {
    EndedTouch ended{sides_of(state, pair), pair.sensor};
    if (pair.sensor && !state.shapes.find(ended.who.a.shape)->sensor)
        std::swap(ended.who.a, ended.who.b);
    return ended;
}

void drop_ended(const WorldState& state, PairStore& store) {
    std::size_t kept = 0;
    for (const PairStore::Entry& entry : store.order) {
        if (entry.key == kEnded) {
            const ContactPair& pair = store.pairs[entry.slot];
            if (pair.touching) store.ended.push_back(ended_touch(state, pair));
            store.remove(entry.slot);
        } else {
            store.order[kept++] = entry;
        }
    }
    store.order.resize(kept);
}

} // namespace

void find_new_pairs(const WorldState& state, ShapeProxies& proxies, ThreadTeam& team,
                    const ContactHooks& hooks, NearShapes& shapes, PairStore& store,
                    std::vector<ProxyPair>& found) {
    const PairFinder& finder = proxies.finder();
    found.clear();
    const auto keep_pair = [&](const ProxyPair& pair) {
        const std::uint32_t a = proxies[finder.payload(pair.a)].body.index;
        const std::uint32_t b = proxies[finder.payload(pair.b)].body.index;
        return a != b && concerns(state, proxies, finder, pair) && !state.joints.keeps_apart(a, b);
    };
    proxies.finder().find_pairs(team, found, std::cref(keep_pair));
    if (shapes.shapes
            .empty()) { // restored: pairs are known, also of sleepers; their shapes are not
        for (const ContactPair& pair : store.pairs.items) {
            if (pair.shape_a == pair.shape_b) continue; // a free place
            shapes.make(state, pair.shape_a);
            shapes.make(state, pair.shape_b);
        }
    }
    thread_local std::vector<PairStore::Entry> fresh; // for its room
    fresh.clear();
    for (const ProxyPair& pair : found) {
        const std::uint32_t x = finder.payload(pair.a), y = finder.payload(pair.b);
        fresh.push_back({pair_key(std::min(x, y), std::max(x, y))});
    }
    const auto by_key = [](const PairStore::Entry& a, const PairStore::Entry& b) {
        return a.key < b.key;
    };
    std::sort(fresh.begin(), fresh.end(), by_key);
    if (state.cell) { // at several sides
        const auto same = [](const auto& a, const auto& b) { return a.key == b.key; };
        fresh.erase(std::unique(fresh.begin(), fresh.end(), same), fresh.end());
    }
    const std::size_t known = store.order.size();
    for (PairStore::Entry& entry : fresh) {
        const auto end = store.order.begin() + static_cast<std::ptrdiff_t>(known);
        const auto at = std::lower_bound(store.order.begin(), end, entry, by_key);
        if (at != end && at->key == entry.key) continue;
        const auto a = static_cast<std::uint32_t>(entry.key >> 32);
        const auto b = static_cast<std::uint32_t>(entry.key);
        shapes.make(state, a);
        shapes.make(state, b);
        ContactPair pair = make_pair(state, shapes, a, b);
        if (hooks.filter) {
            const ContactPairEvent sides = sides_of(state, pair);
            if (!hooks.filter(sides.a, sides.b)) continue;
        }
        if (pair.composite) pair.touch = store.composites.add({{}, {}, surface_of(state, pair)});
        entry.slot = store.pairs.add(pair);
        make_room(store.order);
        store.order.push_back(entry);
    }
    if (store.order.size() == known) return;
    const auto middle = store.order.begin() + static_cast<std::ptrdiff_t>(known);
    thread_local std::vector<PairStore::Entry> merged; // for its room
    merged.resize(store.order.size());
    std::merge(store.order.begin(), middle, middle, store.order.end(), merged.begin(), by_key);
    store.order.assign(merged.begin(), merged.end());
}

namespace {

/// One pass over pairs: what each of them asks, and what comes of it.
class ContactUpdate {
  public:
    ContactUpdate(const NearShapes& shapes, PairStore& store, float dt, TouchList& list,
                  const std::optional<PeriodicCell>& cell)
        : shapes_(shapes), store_(store), dt_(dt), list_(list), cell_(cell) {}

    void run(std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            ask_for(i + kAhead, end);
            update(i);
        }
    }

  private:
    static constexpr std::size_t kAhead = 6; // pairs

    /// Pairs lie scattered, and so do their shapes and touches.
    void ask_for(std::size_t i, std::size_t end) const {
        if (i < end) {
            const PairStore::Entry& entry = store_.order[i];
            prefetch(store_.pairs[entry.slot]);
            prefetch(shapes_[static_cast<std::uint32_t>(entry.key)]);
        }
        const std::size_t sooner = i - kAhead / 2;
        if (sooner >= end) return;
        const ContactPair& pair = store_.pairs[store_.order[sooner].slot];
        if (pair.touch != kNone && !pair.composite) prefetch_touch(store_.touches[pair.touch]);
    }

    void update(std::size_t i) {
        PairStore::Entry& entry = store_.order[i];
        ContactPair& pair = store_.pairs[entry.slot];
        const NearShape &a = shapes_[pair.shape_a], &b = shapes_[pair.shape_b];
        if (pair.repeated)
            update(entry, i, pair, a, nearest_copy(a, b));
        else
            update(entry, i, pair, a, b);
    }

    NearShape nearest_copy(const NearShape& a, const NearShape& b) const {
        NearShape copy = b;
        const Vec3d apart =
            (b.origin + cast<double>(b.center)) - (a.origin + cast<double>(a.center));
        const Vec3d offset = cell_->to_nearest(apart);
        if (offset == Vec3d{}) return copy;
        copy.origin += offset;
        copy.box.set_box(
            round_outward({cast<double>(b.box.lo) + offset, cast<double>(b.box.hi) + offset}));
        return copy;
    }

    void update(PairStore::Entry& entry, std::size_t i, ContactPair& pair, const NearShape& a,
                const NearShape& b) {
        pair.fresh = false;
        if (!touch(a.box, b.box)) {
            entry.key = kEnded;
            return;
        }
        entry.busy = pair.touch != kNone || pair.touching || pair.sensor || pair.grounded;
        Places places = places_of(a, b);
        places.way = way_of(pair, a, b, dt_);
        const float size = std::min(a.size, b.size), margin = kMargin * size + places.way;
        if (still_apart(pair, places, b.radius, margin)) return;
        if (keep(store_, pair, places, std::min(a.radius, b.radius), size)) return;
        pair.fresh = true;
        const Question question{shapes_.shapes[pair.shape_a],
                                shapes_.shapes[pair.shape_b],
                                places,
                                {margin, kTolerance * size}};
        if (pair.composite) {
            update_composite(store_.composites[pair.touch], question);
        } else {
            update_convex(store_, i, question, list_);
        }
        note_places(pair, places, margin);
    }

    const NearShapes& shapes_;
    PairStore& store_;
    float dt_;
    TouchList& list_;
    const std::optional<PeriodicCell>& cell_;
};

} // namespace

void update_contacts(const WorldState& state, const NearShapes& shapes, ThreadTeam& team, double dt,
                     PairStore& store) {
    thread_local TouchList room; // kept from step to step
    TouchList& list = room;
    list.begun.clear();
    list.ended.clear();
    team.parallel_for(store.order.size(), kBlock, [&](std::size_t begin, std::size_t end) {
        ContactUpdate(shapes, store, static_cast<float>(dt), list, state.cell).run(begin, end);
    });
    settle_touches(state, store, list);
    drop_ended(state, store);
    mend_ground_seams(state, shapes, store);
}

namespace {

template <class Ended>
void forget_pairs(const WorldState& state, PairStore& store, const Ended& ended) {
    for (PairStore::Entry& entry : store.order) {
        if (ended(store.pairs[entry.slot])) entry.key = kEnded;
    }
    drop_ended(state, store);
}

} // namespace

void forget_pairs_of(const WorldState& state, std::uint32_t body, PairStore& store) {
    forget_pairs(state, store, [&](const ContactPair& pair) {
        return pair.body_a == body || pair.body_b == body;
    });
}

void forget_pairs_between(const WorldState& state, std::uint32_t body_a, std::uint32_t body_b,
                          PairStore& store) {
    forget_pairs(state, store, [&](const ContactPair& pair) {
        return (pair.body_a == body_a && pair.body_b == body_b) ||
               (pair.body_a == body_b && pair.body_b == body_a);
    });
}

} // namespace rigor::fast
