// Contact pairs: shapes whose bounds overlap, with the data kept from step to step.
//
// The forms of a contact, from the broadphase to the user:
//
//   ContactPair        two shapes whose bounds overlap; small, as most pairs never touch.
//   Manifold<S>        the answer of `collide`: pure geometry, in the frame of shape A.
//   ContactManifold    the same in world axes with warm-start impulses; recycled while the bodies
//                      hardly move, which is why it is not the Manifold itself.
//   ContactConstraint  a manifold in this step: its solver bodies, the friction that acts, and
//                      what came of it; the unit that is colored.
//   ContactBlock       W constraints side by side in the layout of the lanes, points apart.
//   ContactView        what the user sees: ids, double precision, the impulses of the whole step.
//
// A ProxyPair of the broadphase becomes a ContactPair in the stage that finds it, and an index
// entry (PairStore::Entry) is the sorted key of a ContactPair. Both hold no contact data.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "fast/contact_manifold.h"
#include "fast/slot_pool.h"
#include "model/world_state.h"
#include "rigor/events.h"

namespace rigor::fast {

/// Whether impulses change the velocity of a body: it is dynamic and not quarantined.
inline bool responds_to_impulses(const BodyStore& bodies, std::uint32_t body) {
    return is_dynamic(bodies, body) && bodies.mobility[body] != Mobility::immobile;
}

/// The manifolds of a pair that may have several.
struct CompositeContact {
    std::vector<PartContact<float>> parts;
    std::vector<ContactManifold> manifolds;
    SurfacePair surface;
};

/// Where the manifolds of a pair are: in PairStore::manifolds, or in PairStore::composites when the
/// pair is composite.
class ContactSlot {
  public:
    constexpr ContactSlot() = default;
    constexpr ContactSlot(PoolSlot<ContactManifold> slot) : value_(slot.value()) {}
    constexpr ContactSlot(PoolSlot<CompositeContact> slot) : value_(slot.value()) {}

    constexpr bool is_none() const { return value_ == UINT32_MAX; }
    constexpr PoolSlot<ContactManifold> manifold() const {
        return PoolSlot<ContactManifold>(value_);
    }
    constexpr PoolSlot<CompositeContact> composite() const {
        return PoolSlot<CompositeContact>(value_);
    }

  private:
    std::uint32_t value_ = UINT32_MAX;
};

/// Two shapes whose bounds overlap.
struct ContactPair {
    std::uint32_t shape_a = 0, shape_b = 0; ///< slots, a < b
    std::uint32_t body_a = 0, body_b = 0;   ///< slots
    ContactSlot contacts;
    Posef pose;       ///< of shape B in shape A when its manifolds were last computed
    float margin = 0; ///< points with a smaller separation were looked for then
    float gap = 0;    ///< without manifolds: a lower bound of the distance then
    // Of two convex shapes: the best separating axis, where the next search starts.
    Feature feature_a, feature_b;
    Vec3f direction;
    AxisKind axis = AxisKind::none;

    bool sensor : 1 = false;
    bool composite : 1 = false; ///< several manifolds: a mesh, height field or compound is involved
    bool has_directions : 1 = false;    ///< a conveyor, or a grain
    bool against_immovable : 1 = false; ///< one of the two does not respond to impulses
    /// There was an impulse, and the shapes have not separated since; of a sensor: overlapping.
    bool touching : 1 = false;
    bool disabled : 1 = false;   ///< by a hook or a passage, in this step
    bool rebuilt : 1 = false;    ///< the manifolds were computed in this step
    bool recyclable : 1 = false; ///< there are manifolds, computed at the pose above
    bool periodic : 1 = false;   ///< meets at the nearest image across a periodic boundary
    bool parting : 1 = false; ///< far too deep: its bodies are moved apart (resolve_penetration.h)
};
static_assert(sizeof(ContactPair) == 80);

/// A contact or sensor overlap whose pair is gone.
struct EndedContact {
    ContactPairEvent who; ///< a sensor first
    bool sensor = false;
};

/// The two shapes of a pair, by their ids.
ContactPairEvent sides_of(const WorldState& state, const ContactPair& pair);

/// Values: copying them is a snapshot. Most pairs do not touch, so manifolds are stored apart.
/// Pairs are identified by their shapes, which survive a restore, and visited in that order.
struct PairStore {
    /// Sorted index of the pairs.
    struct Entry {
        std::uint64_t key = 0; ///< pair_key()
        PoolSlot<ContactPair> slot;
        /// False for most: there is no manifold, nor was there one, nor a sensor or an immovable
        /// body to watch for. So stages that look for manifolds skip the pair without reading it.
        bool active = true;
    };

    SlotPool<ContactPair> pairs;
    SlotPool<ContactManifold> manifolds;
    SlotPool<CompositeContact> composites;
    std::vector<Entry> order;        ///< ascending keys
    std::vector<EndedContact> ended; ///< since the last step

    void remove(PoolSlot<ContactPair> pair);
    std::size_t memory_bytes() const;
};

/// Calls visit(manifold) for every manifold of a pair that has points.
template <class Store, class Pair, class Visit>
void for_manifolds(Store& store, Pair& pair, const Visit& visit) {
    if (pair.contacts.is_none()) return;
    const auto visit_used = [&](auto& manifold) {
        if (manifold.count > 0) visit(manifold);
    };
    if (!pair.composite) return visit_used(store.manifolds[pair.contacts.manifold()]);
    for (auto& manifold : store.composites[pair.contacts.composite()].manifolds)
        visit_used(manifold);
}

/// Of all points of a pair; without points a very large one.
float min_separation(const PairStore& store, const ContactPair& pair);

/// Orders pairs by the slots of their shapes, a < b.
constexpr std::uint64_t pair_key(std::uint32_t a, std::uint32_t b) {
    return static_cast<std::uint64_t>(a) << 32 | b;
}

/// Inserts pairs that are stored already into the index, both ascending. A pair that has been found
/// again meanwhile is replaced.
void merge_pairs(const std::vector<PairStore::Entry>& pairs, PairStore& store);

/// Over all of it but `rebuilt` and `disabled`, which no step reads before it is written. One
/// flipped bit changes the hash, for certain.
void add_to_hash(Hasher& hasher, const PairStore& store);
void add_to_hash(Hasher& hasher, const PairStore& store, const PairStore::Entry& entry);

} // namespace rigor::fast
