// One broadphase proxy per shape of a world: where to look for shapes near a place.
//
// Derived data: all of it follows from the WorldState, so it is neither hashed nor in a snapshot.
// It lags behind: changes are noted when they happen, which costs next to nothing, and worked off
// by refresh(). A world that nobody asks anything pays for nothing.
#pragma once

#include <optional>
#include <vector>

#include "base/bit_set.h"
#include "broadphase/pair_finder.h"
#include "model/world_state.h"

namespace rigor {

/// The tight box of all of a solid; bounds() gives that of its surface, which for a height field
/// is less.
Aabb<double> solid_bounds(const Shape<double>& shape, const Posed& pose);

/// Whether there is one in every cell of a world that repeats: of a static one that is too large
/// for that, a plane for one, there is not.
bool is_repeated(const WorldState& state, const ShapeRecord& shape);

/// A shape where it stood at the last refresh. What a query reads of a shape is here, in two
/// cache lines: gathered from the stores it would be seven.
struct ShapeProxy {
    Posed pose; ///< shape to world
    Shape<double> geometry;
    BodyId body;
    ShapeId id;
    Filter filter;
    ProxyId proxy; ///< null when there is no such shape
    bool sensor = false;
    /// Its box reaches kFarthest, where boxes end and some shapes do not.
    bool endless = false;
    bool repeated = false; ///< in every cell, of a world that has cells
};

class ShapeProxies {
  public:
    /// The body is new, or somewhere else than before.
    void note_changed(std::uint32_t body) { changed_.set(body); }
    /// Any body that is not static may be somewhere else than before.
    void note_step() { stepped_ = true; }
    /// The body is about to be removed.
    void remove_body(const WorldState& state, std::uint32_t body);
    /// All pairs of the body are found again, though it may not have moved.
    void find_pairs_again(const WorldState& state, std::uint32_t body);
    /// All may be different.
    void reset(const WorldState& state);
    /// From the next reset on shapes are found across the sides of the cell of a world that
    /// repeats. For pairs only: queries visit a shape again for every copy.
    void set_periodic_pairs(bool wanted) { periodic_pairs_ = wanted; }

    /// Brings all boxes up to date. Linear in the bodies that changed since the last time, with a
    /// logarithm for those that left their margin. With a time to look ahead the boxes also hold
    /// where the shapes will be then, if nothing stops them.
    void refresh(const WorldState& state, double look_ahead = 0);

    /// Slots of the shapes that the last refresh placed.
    const std::vector<std::uint32_t>& placed_last() const { return placed_last_; }
    /// One past the largest slot of a shape that was ever placed.
    std::size_t slot_count() const { return placed_.size(); }

    /// For pairs. Payloads are slots of shapes.
    PairFinder& finder() { return finder_; }
    const PairFinder& finder() const { return finder_; }
    /// The box by which pairs of a shape are found, margin and all; none before the first refresh.
    std::optional<Aabb<double>> stored_box(std::uint32_t shape) const {
        if (shape >= placed_.size() || placed_[shape].proxy.is_null()) return std::nullopt;
        const Aabbf box = finder_.box(placed_[shape].proxy);
        return Aabb<double>{rigor::cast<double>(box.lo), rigor::cast<double>(box.hi)};
    }
    /// By slot of a shape that is alive.
    const ShapeProxy& operator[](std::uint32_t shape) const { return placed_[shape]; }

    // Queries, of what was there at the last refresh. Any number of threads may ask at the same
    // time. Boxes serve to find: more shapes are visited than touch, never fewer. Only shapes of
    // a group in `mask` are visited, each at most once, endless ones first.

    /// As DynamicTree::overlap: visit(placed) returns false to end.
    template <class Visit>
    void overlap(const Aabb<double>& box, std::uint32_t mask, Visit&& visit) const;
    /// As DynamicTree::cast: visit(placed) returns the max_t from there on, negative to end.
    template <class Visit>
    void cast(const BoxCast& box, std::uint32_t mask, Visit&& visit) const;
    /// As DynamicTree::nearest: visit(placed) returns the square of the distance from there on.
    template <class Visit>
    void nearest(const Vec3d& point, double bound, std::uint32_t mask, Visit&& visit) const;

    std::size_t memory_bytes() const {
        return placed_.capacity() * sizeof(ShapeProxy) +
               endless_.capacity() * sizeof(std::uint32_t) + changed_.memory_bytes() +
               finder_.memory_bytes();
    }

  private:
    void place_body(const WorldState& state, std::uint32_t body, double look_ahead);
    void place(const WorldState& state, std::uint32_t shape, const BodySpeed& speed,
               double look_ahead);
    void set_endless(std::uint32_t shape, bool endless);
    void place_images(const WorldState& state, std::uint32_t shape);
    void remove_images(std::uint32_t shape);

    /// Calls visit for the endless shapes of a group, until it returns false.
    template <class Visit>
    bool visit_endless(std::uint32_t mask, Visit&& visit) const {
        for (const std::uint32_t shape : endless_) {
            const ShapeProxy& placed = placed_[shape];
            if ((placed.filter.group & mask) != 0 && !visit(placed)) return false;
        }
        return true;
    }

    PairFinder finder_;
    std::vector<ShapeProxy> placed_; // by slot of the shape
    std::vector<std::uint32_t> placed_last_;
    std::vector<std::uint32_t> endless_; // slots of shapes, ascending
    BitSet changed_;                     // slots of bodies
    bool stepped_ = false;
    bool periodic_pairs_ = false;
    std::vector<std::vector<ProxyId>> images_; // by slot of the shape, in a world that repeats
};

template <class Visit>
void ShapeProxies::overlap(const Aabb<double>& box, std::uint32_t mask, Visit&& visit) const {
    bool go_on = visit_endless(mask, visit);
    for (const ProxyKind kind : {ProxyKind::moving, ProxyKind::fixed}) {
        if (!go_on) return;
        const DynamicTree& tree = finder_.tree(kind);
        tree.overlap(round_outward(box), mask, [&](std::uint32_t proxy) {
            const ShapeProxy& placed = placed_[tree.payload(proxy)];
            return go_on = placed.endless || visit(placed);
        });
    }
}

template <class Visit>
void ShapeProxies::cast(const BoxCast& box, std::uint32_t mask, Visit&& visit) const {
    BoxCast rest = box;
    visit_endless(mask,
                  [&](const ShapeProxy& placed) { return (rest.max_t = visit(placed)) >= 0; });
    for (const ProxyKind kind : {ProxyKind::moving, ProxyKind::fixed}) {
        if (!(rest.max_t >= 0)) return;
        const DynamicTree& tree = finder_.tree(kind);
        tree.cast(rest, mask, [&](std::uint32_t proxy, double) {
            const ShapeProxy& placed = placed_[tree.payload(proxy)];
            if (!placed.endless) rest.max_t = visit(placed);
            return rest.max_t;
        });
    }
}

template <class Visit>
void ShapeProxies::nearest(const Vec3d& point, double bound, std::uint32_t mask,
                           Visit&& visit) const {
    visit_endless(mask, [&](const ShapeProxy& placed) { return (bound = visit(placed)) >= 0; });
    for (const ProxyKind kind : {ProxyKind::moving, ProxyKind::fixed}) {
        const DynamicTree& tree = finder_.tree(kind);
        tree.nearest(point, bound, mask, [&](std::uint32_t proxy, double) {
            const ShapeProxy& placed = placed_[tree.payload(proxy)];
            if (!placed.endless) bound = visit(placed);
            return bound;
        });
    }
}

} // namespace rigor
