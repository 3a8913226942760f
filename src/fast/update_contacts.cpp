#include "fast/update_contacts.h"

#include <algorithm>
#include <mutex>

#include "fast/ghost_contacts.h"
#include "fast/narrowphase.h"
#include "fast/pair_removal.h"
#include "fast/solver_bodies.h"
#include "rigor/periodic.h"

namespace rigor::fast {
namespace {

constexpr float kMargin = 0.02f;   // of the smaller shape: points are speculative within it
constexpr std::size_t kGrain = 32; // pairs per task

/// Upper bound of the approach of the shapes of a pair in a step: along the direction that
/// separated them last time, where there is one, else in any direction.
float max_approach(const ContactPair& pair, const CollisionShape& a, const CollisionShape& b,
                   float dt) {
    const Vec3f relative = b.velocity - a.velocity;
    const float closing = pair.axis == AxisKind::direction
                              ? std::max(0.0f, -dot(rotate(a.rotation, pair.direction), relative))
                              : length(relative);
    return closing * dt + a.angle * a.radius + b.angle * b.radius;
}

/// Manifolds that begin and end, found in any order, to be applied in the order of the pairs.
struct ManifoldChanges {
    struct Begun {
        std::size_t at; ///< in PairStore::order
        ContactManifold manifold;
    };
    std::mutex mutex;
    std::vector<Begun> begun;
    std::vector<std::size_t> ended; ///< likewise

    void begin(std::size_t at, const ContactManifold& manifold) {
        const std::lock_guard lock(mutex);
        begun.push_back({at, manifold});
    }
    void end(std::size_t at) {
        const std::lock_guard lock(mutex);
        ended.push_back(at);
    }
};

void update_convex(PairStore& store, std::size_t at, const PairQuery& query,
                   ManifoldChanges& changes) {
    ContactPair& pair = store.pairs[store.order[at].slot];
    ContactManifold* before =
        !pair.contacts.is_none() ? &store.manifolds[pair.contacts.manifold()] : nullptr;
    Manifold<float> local = before ? local_manifold(*before, query.placement) : Manifold<float>{};
    find_manifold(pair, query, local);
    if (local.count == 0) {
        if (before) changes.end(at);
        return;
    }
    ContactManifold now;
    build_manifold(local, query.placement, now);
    if (!before) return changes.begin(at, now);
    match_impulses(*before, query.settings.margin, now);
    now.surface = before->surface;
    *before = now;
}

/// Gives manifolds that began a slot, and frees those of manifolds that ended.
void apply_changes(const WorldState& state, PairStore& store, ManifoldChanges& changes) {
    using Begun = ManifoldChanges::Begun;
    std::sort(changes.begun.begin(), changes.begun.end(),
              [](const Begun& a, const Begun& b) { return a.at < b.at; });
    std::sort(changes.ended.begin(), changes.ended.end());
    for (const std::size_t at : changes.ended) {
        ContactPair& pair = store.pairs[store.order[at].slot];
        store.manifolds.remove(pair.contacts.manifold());
        pair.contacts = {};
        pair.recyclable = false;
    }
    for (Begun& item : changes.begun) {
        ContactPair& pair = store.pairs[store.order[item.at].slot];
        item.manifold.surface = surface_of(state, pair);
        pair.contacts = store.manifolds.add(item.manifold);
        pair.recyclable = true;
        store.order[item.at].active = true;
    }
}

/// One pass over a block of pairs.
class ContactUpdate {
  public:
    ContactUpdate(const CollisionShapeCache& shapes, PairStore& store, float dt,
                  ManifoldChanges& changes, const std::optional<PeriodicCell>& cell)
        : shapes_(shapes), store_(store), dt_(dt), changes_(changes), cell_(cell) {}

    void run(std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            prefetch_ahead(i + kAhead, end);
            update(i);
        }
    }

  private:
    static constexpr std::size_t kAhead = 6; // pairs

    /// Pairs are scattered in memory, and so are their shapes and manifolds.
    void prefetch_ahead(std::size_t i, std::size_t end) const {
        if (i < end) {
            const PairStore::Entry& entry = store_.order[i];
            prefetch(store_.pairs[entry.slot]);
            prefetch(shapes_[static_cast<std::uint32_t>(entry.key)]);
        }
        const std::size_t sooner = i - kAhead / 2;
        if (sooner >= end) return;
        const ContactPair& pair = store_.pairs[store_.order[sooner].slot];
        if (!pair.contacts.is_none() && !pair.composite)
            prefetch_manifold(store_.manifolds[pair.contacts.manifold()]);
    }

    void update(std::size_t i) {
        PairStore::Entry& entry = store_.order[i];
        ContactPair& pair = store_.pairs[entry.slot];
        const CollisionShape &a = shapes_[pair.shape_a], &b = shapes_[pair.shape_b];
        if (pair.periodic)
            update(entry, i, pair, a, nearest_image(a, b));
        else
            update(entry, i, pair, a, b);
    }

    /// Of B, by the minimum image convention.
    CollisionShape nearest_image(const CollisionShape& a, const CollisionShape& b) const {
        CollisionShape image = b;
        const Vec3d apart =
            (b.origin + cast<double>(b.center)) - (a.origin + cast<double>(a.center));
        const Vec3d offset = shift_to_nearest_image(apart, cell_->size);
        if (offset == Vec3d{}) return image;
        image.origin += offset;
        image.box.set_box(
            round_outward({cast<double>(b.box.lo) + offset, cast<double>(b.box.hi) + offset}));
        return image;
    }

    void update(PairStore::Entry& entry, std::size_t i, ContactPair& pair, const CollisionShape& a,
                const CollisionShape& b) {
        pair.rebuilt = false;
        if (!boxes_overlap(a.box, b.box)) {
            entry.key = kRemovedPair;
            return;
        }
        entry.active =
            !pair.contacts.is_none() || pair.touching || pair.sensor || pair.against_immovable;
        PairPlacement placement = placement_of(a, b);
        placement.max_approach = max_approach(pair, a, b, dt_);
        // What stands shall not follow the trembling of what it stands on.
        placement.least_turn = pair.against_immovable ? 1e-6f : 0.5f * dt_; // 1 rad/s
        const float size = std::min(a.size, b.size);
        const float margin = kMargin * size + placement.max_approach;
        if (still_separated(pair, placement, b.radius, margin)) return;
        if (recycle(store_, pair, placement, std::min(a.radius, b.radius), size)) return;
        pair.rebuilt = true;
        const PairQuery query{shapes_.shapes[pair.shape_a],
                              shapes_.shapes[pair.shape_b],
                              placement,
                              {margin, kDepthTolerance * size, kFlatCosine, true}};
        if (pair.composite) {
            update_composite(store_.composites[pair.contacts.composite()], query);
        } else {
            update_convex(store_, i, query, changes_);
        }
        store_placement(pair, placement, margin);
    }

    const CollisionShapeCache& shapes_;
    PairStore& store_;
    float dt_;
    ManifoldChanges& changes_;
    const std::optional<PeriodicCell>& cell_;
};

} // namespace

void update_contacts(const WorldState& state, const CollisionShapeCache& shapes, ThreadTeam& team,
                     double dt, PairStore& store) {
    thread_local ManifoldChanges reused; // to avoid allocation
    ManifoldChanges& changes = reused;
    changes.begun.clear();
    changes.ended.clear();
    team.parallel_for(store.order.size(), kGrain, [&](std::size_t begin, std::size_t end) {
        ContactUpdate(shapes, store, static_cast<float>(dt), changes, state.cell).run(begin, end);
    });
    apply_changes(state, store, changes);
    drop_removed_pairs(state, store);
    remove_ghost_contacts(state, shapes, store);
}

} // namespace rigor::fast
