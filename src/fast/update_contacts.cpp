#include "fast/update_contacts.h"

#include <algorithm>
#include <mutex>

#include "dynamics/angular_velocity.h"
#include "fast/ghost_contacts.h"
#include "fast/narrowphase.h"
#include "fast/pair_removal.h"
#include "fast/solver_bodies.h"
#include "rigor/periodic.h"
#include "rigor/rotation.h"

namespace rigor::fast {
namespace {

constexpr float kMargin = 0.02f;   // of the smaller shape: points are speculative within it
constexpr float kMaxAhead = 0.2f;  // of the smaller shape: motion in a step that can be predicted
constexpr float kMaxTurn = 0.3f;   // sine: of vertices that are looked for ahead
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

/// Where a shape is after a time, if its velocities stay as they are.
CollisionShape moved(const CollisionShape& shape, const Vec3f& angular_velocity, float time) {
    const Quatf turn = normalize(from_rotation_vector(angular_velocity * time));
    CollisionShape then = shape;
    then.center = rotate(turn, shape.center);
    then.rotation = turn * shape.rotation;
    then.origin += cast<double>(shape.velocity * time + shape.center - then.center);
    return then;
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
    ContactUpdate(const WorldState& state, const CollisionShapeCache& shapes, PairStore& store,
                  float dt, ManifoldChanges& changes)
        : state_(state),
          shapes_(shapes),
          store_(store),
          dt_(dt),
          changes_(changes),
          cell_(state.cell),
          fall_(static_cast<float>(length(state.gravity)) * dt * dt) {}

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
        if (still_separated(pair, placement, a.radius, b.radius, margin)) return;
        if (recycle(store_, pair, placement, a.radius, b.radius, size)) return;
        pair.rebuilt = true;
        if (pair.touching && !pair.contacts.is_none() && rolls(pair) &&
            placement.max_approach + fall_ < kMaxAhead * size)
            return update_at_middle(i, a, b, placement, margin);
        const PairQuery query{shapes_.shapes[pair.shape_a], shapes_.shapes[pair.shape_b], placement,
                              settings_of(a, b, margin)};
        if (pair.composite) {
            update_composite(store_.composites[pair.contacts.composite()], query);
        } else {
            update_convex(store_, i, query, changes_);
        }
        store_placement(pair, placement, margin);
    }

    static ContactSettings<float> settings_of(const CollisionShape& a, const CollisionShape& b,
                                              float margin) {
        const float turn = std::min(a.angle + b.angle, kMaxTurn);
        return {margin, kDepthTolerance * std::min(a.size, b.size), kFlatCosine, true, turn};
    }

    bool rolls(const ContactPair& pair) const {
        return is_moving_mesh(pair.shape_a, pair.body_a) ||
               is_moving_mesh(pair.shape_b, pair.body_b);
    }
    bool is_moving_mesh(std::uint32_t shape, std::uint32_t body) const {
        return responds_to_impulses(state_.bodies, body) && has_surface(shapes_.shapes[shape]);
    }

    /// Contacts of a body that is a mesh move over its surface as it rolls. With those of the
    /// beginning of the step a ring that swings in another one, as a link of a chain, lags behind
    /// its own motion, and gains energy in each swing: an oscillation x'' = -k x whose force is
    /// that of the beginning grows by k dt / 2. With the force of the middle it does not.
    void update_at_middle(std::size_t i, const CollisionShape& a, const CollisionShape& b,
                          const PairPlacement& now, float margin) {
        ContactPair& pair = store_.pairs[store_.order[i].slot];
        const PairPlacement then = placement_of(moved(a, turning(pair.body_a), 0.5f * dt_),
                                                moved(b, turning(pair.body_b), 0.5f * dt_));
        const PairQuery query{shapes_.shapes[pair.shape_a], shapes_.shapes[pair.shape_b], then,
                              settings_of(a, b, margin)};
        if (pair.composite)
            update_composite(store_.composites[pair.contacts.composite()], query);
        else
            update_convex(store_, i, query, changes_);
        for_manifolds(store_, pair,
                      [&](ContactManifold& manifold) { set_separations(manifold, now); });
        store_placement(pair, then, margin);
    }
    Vec3f turning(std::uint32_t body) const {
        return cast<float>(angular_velocity(state_.bodies, body));
    }

    const WorldState& state_;
    const CollisionShapeCache& shapes_;
    PairStore& store_;
    float dt_;
    ManifoldChanges& changes_;
    const std::optional<PeriodicCell>& cell_;
    float fall_; ///< what gravity adds to the motion in a step
};

} // namespace

void update_contacts(const WorldState& state, const CollisionShapeCache& shapes, ThreadTeam& team,
                     double dt, PairStore& store) {
    thread_local ManifoldChanges reused; // to avoid allocation
    ManifoldChanges& changes = reused;
    changes.begun.clear();
    changes.ended.clear();
    team.parallel_for(store.order.size(), kGrain, [&](std::size_t begin, std::size_t end) {
        ContactUpdate(state, shapes, store, static_cast<float>(dt), changes).run(begin, end);
    });
    apply_changes(state, store, changes);
    drop_removed_pairs(state, store);
    remove_ghost_contacts(state, shapes, store);
}

} // namespace rigor::fast
