// Pairs of shapes whose boxes overlap, and what is remembered of them from step to step.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/prefetch.h"
#include "collide/contacts.h"
#include "model/world_state.h"
#include "rigor/events.h"

namespace rigor::fast {

/// Whether a body answers to impulses: dynamic, and not quarantined.
inline bool answers(const BodyStore& bodies, std::uint32_t body) {
    return is_dynamic(bodies, body) && bodies.mobility[body] != Mobility::immobile;
}

/// What two surfaces do to each other, as the solver takes it.
struct SurfacePair {
    float static_friction = 0, kinetic_friction = 0;
    float restitution = 0;
    float rolling = 0, torsion = 0; ///< lengths
};

/// A point of a manifold, half-way between the two surfaces.
struct TouchPoint {
    Vec3f arm;                    ///< from the center of mass of A, world axes
    float made = 0;               ///< separation when the manifold was made
    float separation = 0;         ///< now
    Feature feature_a, feature_b; ///< what meets there: its name from step to step
    float impulse = 0;            ///< at the end of the last step: where the next solve starts
    float total = 0;              ///< of the whole of the last step: for those who ask
};

/// A manifold as the solver takes it: in world axes, frozen when it was made.
///
/// Its points are points of both bodies. While the bodies hardly move it is kept: directions stay,
/// only the separations follow [Catto 2025]. So a pile at rest is solved in the same rows step
/// after step, and a box that trembles does not push its neighbors about with a trembling normal.
///
/// 288 bytes; of the many with one point the first 180 are all that is read.
struct Touch {
    Vec3f normal; ///< from A to B
    int count = 0;
    Quatf turn_a, turn_b;           ///< of the shapes, to world, when it was made
    Vec3f across;                   ///< from the center of B to that of A, then
    float round_a = 0, round_b = 0; ///< NearShape::round
    Vec3f friction;                 ///< impulses at the end of the last step, in the world
    float twist = 0;                ///< likewise
    Vec3f rolling;                  ///< likewise: against turning about the tangents
    Vec3f total_friction;           ///< of the whole of the last step: for those who ask
    SurfacePair surface;
    ShapePart part_a, part_b;
    std::array<TouchPoint, 4> points;

    std::span<TouchPoint> used() { return {points.data(), static_cast<std::size_t>(count)}; }
    std::span<const TouchPoint> used() const {
        return {points.data(), static_cast<std::size_t>(count)};
    }
    Vec3f arm_b(const TouchPoint& point) const { return point.arm + across; }
};

/// What most touches are: with one point.
inline void prefetch_touch(const Touch& touch) {
    prefetch(touch, offsetof(Touch, points) + sizeof(TouchPoint));
}

inline constexpr std::uint32_t kNone = UINT32_MAX;

/// Two shapes whose boxes overlap. Most never touch, so all that only touches need is in these.
struct ContactPair {
    std::uint32_t shape_a = 0, shape_b = 0; ///< slots, a < b
    std::uint32_t body_a = 0, body_b = 0;   ///< slots
    std::uint32_t touch = kNone; ///< in PairStore::touches, or of a composite PairStore::composites
    Posef pose;                  ///< of shape B in shape A when the touches were looked for
    float margin = 0;            ///< within which points were looked for then
    float gap = 0;               ///< without touches: the shapes were at least so far apart then
    // Of two convex shapes: what separated them best.
    Feature feature_a, feature_b;
    Vec3f direction;
    AxisKind axis = AxisKind::none;

    bool sensor : 1 = false;
    bool composite : 1 = false; ///< several manifolds: a mesh, height field or compound is involved
    bool drags : 1 = false;     ///< a surface has a velocity of its own
    bool grounded : 1 = false;  ///< one of the two does not answer to impulses
    bool touching : 1 = false;  ///< they pushed each other, and have not parted since; of a sensor:
                                ///< in it
    bool disabled : 1 = false;  ///< by a hook, in this step
    bool fresh : 1 = false;     ///< whether the touches were made in this step
    bool frozen : 1 = false;    ///< whether there are touches, made at the pose above
    bool repeated : 1 = false;  ///< in a world that repeats: they meet across its sides
};
static_assert(sizeof(ContactPair) == 80);

/// The manifolds of a pair that may have several.
struct CompositeTouch {
    std::vector<PartContact<float>> parts;
    std::vector<Touch> touches;
    SurfacePair surface;
};

/// A touch whose pair is gone.
struct EndedTouch {
    ContactPairEvent who; ///< a sensor first
    bool sensor = false;
};

/// The two shapes of a pair, by their ids.
ContactPairEvent sides_of(const WorldState& state, const ContactPair& pair);

/// For one more item. Room grows by an eighth, not by a factor of two: there are many of these.
template <class T>
void make_room(std::vector<T>& items) {
    if (items.size() == items.capacity()) items.reserve(items.size() + items.size() / 8 + 64);
}

/// Things in numbered places, of which some are free.
template <class T>
struct Pool {
    std::vector<T> items;
    std::vector<std::uint32_t> free;

    std::uint32_t add(T item) {
        if (free.empty()) {
            make_room(items);
            items.push_back(std::move(item));
            return static_cast<std::uint32_t>(items.size() - 1);
        }
        const std::uint32_t place = free.back();
        free.pop_back();
        items[place] = std::move(item);
        return place;
    }
    void remove(std::uint32_t place) {
        items[place] = {};
        free.push_back(place);
    }
    T& operator[](std::uint32_t place) { return items[place]; }
    const T& operator[](std::uint32_t place) const { return items[place]; }
};

/// Values: copying them is a snapshot. Most pairs do not touch, so they are small, and touches are
/// kept apart. Pairs are named by their shapes, which survive a restore,
/// and gone through in the order of these.
struct PairStore {
    struct Entry {
        std::uint64_t key = 0;
        std::uint32_t slot = 0;
        /// False for most: there is no touch, nor was there one, nor a sensor or ground to watch
        /// for. So who looks for touches need not look at all pairs.
        bool busy = true;
    };

    Pool<ContactPair> pairs;
    Pool<Touch> touches;
    Pool<CompositeTouch> composites;
    std::vector<Entry> order;      ///< ascending keys
    std::vector<EndedTouch> ended; ///< since the last step

    void remove(std::uint32_t pair);
    std::size_t memory_bytes() const;
};

/// Calls visit(touch) for every manifold of a pair that has points.
template <class Store, class Pair, class Visit>
void for_touches(Store& store, Pair& pair, const Visit& visit) {
    if (pair.touch == kNone) return;
    const auto look_at = [&](auto& touch) {
        if (touch.count > 0) visit(touch);
    };
    if (!pair.composite) return look_at(store.touches[pair.touch]);
    for (auto& touch : store.composites[pair.touch].touches) look_at(touch);
}

/// The least separation of all their points; none: a very large one.
float least_separation(const PairStore& store, const ContactPair& pair);

constexpr std::uint64_t pair_key(std::uint32_t a, std::uint32_t b) {
    return static_cast<std::uint64_t>(a) << 32 | b;
}

/// Takes pairs back in, in the order of their keys. One that has been found again meanwhile gives
/// way.
void merge_pairs(const std::vector<PairStore::Entry>& pairs, PairStore& store);

/// Over all of it but `fresh` and `disabled`, which no step reads before it is written. One flipped
/// bit changes the hash, for certain.
void add_to_hash(Hasher& hasher, const PairStore& store);
void add_to_hash(Hasher& hasher, const PairStore& store, const PairStore::Entry& entry);

} // namespace rigor::fast
