// Broadphase proxies of all shapes of a world, updated on demand.
//
// Derived data: all of it follows from the WorldState, so it is neither hashed nor in a snapshot.
// It is updated lazily: changes are marked when they happen, at almost no cost, and applied by
// refresh(). A world without queries does no work.
#pragma once

#include <optional>
#include <vector>

#include "base/bit_set.h"
#include "broadphase/pair_finder.h"
#include "geometry/inscribed_ball.h"
#include "model/world_state.h"

namespace rigor {

/// The tight box of a whole solid; bounds() gives that of its surface, which for a height field is
/// smaller.
Aabb<double> solid_bounds(const Shape<double>& shape, const Posed& pose);

/// Whether a body has an image in every cell of a periodic world: not a static one that is too
/// large, as a plane is.
bool is_repeated(const WorldState& state, const ShapeRecord& shape);

/// A shape at its pose of the last refresh. All data that a query reads of a shape are here, in two
/// cache lines: gathered from the stores it would be seven.
struct ShapeProxy {
    Posed pose; ///< shape to world
    Shape<double> geometry;
    BodyId body;
    ShapeId id;
    Filter filter;
    ProxyId proxy; ///< null when there is no such shape
    bool sensor = false;
    /// Its box reaches kFarthest, the limit of boxes: it may be unbounded.
    bool endless = false;
    bool repeated = false; ///< has images, in a periodic world
};

class ShapeProxies {
  public:
    /// The body was added or moved.
    void note_changed(std::uint32_t body) { changed_.set(body); }
    /// All bodies that are not static may have moved.
    void note_step() { stepped_ = true; }
    /// The body is about to be removed.
    void remove_body(const WorldState& state, std::uint32_t body);
    /// The geometry of its shapes changed.
    void update_geometry(const WorldState& state, std::uint32_t body);
    /// All pairs of the body are found again, though it may not have moved.
    void find_pairs_again(const WorldState& state, std::uint32_t body);
    /// Everything may have changed.
    void reset(const WorldState& state);
    /// From the next reset on, pairs are found across the periodic boundaries. For pairs only:
    /// queries would visit a shape again for every image.
    void set_periodic_pairs(bool wanted) { periodic_pairs_ = wanted; }

    /// Updates all boxes. Linear in the bodies that changed since the last time, with a logarithm
    /// for those that left their margin. With a look-ahead time the boxes are swept by the
    /// velocities over that time.
    void refresh(const WorldState& state, double look_ahead = 0);

    /// Slots of the shapes that the last refresh updated.
    const std::vector<std::uint32_t>& placed_last() const { return placed_last_; }
    /// One past the largest slot ever used.
    std::size_t slot_count() const { return placed_.size(); }

    /// For pairs. Payloads are slots of shapes.
    PairFinder& finder() { return finder_; }
    const PairFinder& finder() const { return finder_; }
    /// The box by which pairs of a shape are found, including the margin; none before the first
    /// refresh.
    std::optional<Aabb<double>> stored_box(std::uint32_t shape) const {
        if (shape >= placed_.size() || placed_[shape].proxy.is_null()) return std::nullopt;
        const Aabbf box = finder_.box(placed_[shape].proxy);
        return Aabb<double>{rigor::cast<double>(box.lo), rigor::cast<double>(box.hi)};
    }
    /// By slot of a live shape.
    const ShapeProxy& operator[](std::uint32_t shape) const { return placed_[shape]; }
    /// For crowds: of solid shapes of dynamic bodies; none of periodic images.
    CoreBall core(ProxyId id) const {
        const std::uint32_t shape = finder_.payload(id);
        const ShapeProxy& placed = placed_[shape];
        if (placed.proxy != id) return {};
        return {transform(placed.pose, balls_[shape].center), balls_[shape].radius};
    }

    // Queries, of the state at the last refresh. Thread-safe. By boxes: more shapes are visited
    // than touch, never fewer. Only shapes of a group in `mask` are visited, each at most once,
    // unbounded ones first.

    /// As DynamicTree::overlap: visit(placed) returns false to end.
    template <class Visit>
    void overlap(const Aabb<double>& box, std::uint32_t mask, Visit&& visit) const;
    /// As DynamicTree::cast: visit(placed) returns the new max_t, negative to end.
    template <class Visit>
    void cast(const BoxCast& box, std::uint32_t mask, Visit&& visit) const;
    /// As DynamicTree::nearest: visit(placed) returns the new squared distance bound.
    template <class Visit>
    void nearest(const Vec3d& point, double bound, std::uint32_t mask, Visit&& visit) const;

    std::size_t memory_bytes() const {
        return placed_.capacity() * sizeof(ShapeProxy) + balls_.capacity() * sizeof(InscribedBall) +
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

    /// Calls visit for the unbounded shapes of a group, until it returns false.
    template <class Visit>
    bool visit_endless(std::uint32_t mask, Visit&& visit) const {
        for (const std::uint32_t shape : endless_) {
            const ShapeProxy& placed = placed_[shape];
            if ((placed.filter.group & mask) != 0 && !visit(placed)) return false;
        }
        return true;
    }

    PairFinder finder_;
    std::vector<ShapeProxy> placed_;   // by slot of the shape
    std::vector<InscribedBall> balls_; // likewise
    std::vector<std::uint32_t> placed_last_;
    std::vector<std::uint32_t> endless_; // slots of shapes, ascending
    BitSet changed_;                     // slots of bodies
    bool stepped_ = false;
    bool periodic_pairs_ = false;
    std::vector<std::vector<ProxyId>> images_; // by slot of the shape, in a periodic world
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
