// Which pairs of shapes may meet during a step.
#pragma once

#include <optional>
#include <vector>

#include "broadphase/pairs.h"
#include "contact_dynamics/island.h"

namespace rigor::contact_dynamics {

/// Boxes around all that a shape can reach on its way, and the pairs whose boxes overlap.
class Nearby {
  public:
    /// Radius of the smallest ball around the center of mass that holds a shape, by slot; of a ball
    /// around it, which may turn as it likes, nothing moves.
    struct Reach {
        std::uint32_t body = 0;
        double radius = 0;
        bool is_ball = false;
        std::optional<Plane<double>> plane; ///< a fixed one, in the world
        bool repeated = false;              ///< see is_repeated()
    };

    /// Of what may move only those are found of which a way was told.
    explicit Nearby(const WorldState& state);

    /// The center of a body goes through these points. Before the first search, once for each.
    void set_way(std::uint32_t body, const Aabb<double>& centers);
    /// Pairs that were not there before, in order.
    std::vector<ShapePair> find_new(ThreadTeam& team);

    /// Of a body, with all that it may meet.
    const std::vector<ShapePair>& pairs(std::uint32_t body) const { return pairs_[body]; }

    const Reach& reach(std::uint32_t shape) const { return reach_[shape]; }
    /// Of a body: its shapes that push.
    const std::vector<std::uint32_t>& shapes(std::uint32_t body) const { return shapes_[body]; }

  private:
    /// A shape in the cell of a world that repeats, as it comes in from another one. Else there is
    /// one of each shape, with the shape's slot.
    struct Copy {
        ProxyId proxy;
        std::uint32_t shape = 0;
        CellShift shift;
    };

    void add_copy(std::uint32_t place, const Copy& copy, const Aabb<double>& box, float margin);
    void add_copy(const Copy& copy, const Aabb<double>& box, float margin);
    /// A shape that is somewhere in this box.
    void put(std::uint32_t shape, const Aabb<double>& box, float margin);
    /// All copies of it that reach into the cell.
    void place_copies(std::uint32_t shape, const Aabb<double>& box, float margin);
    bool may_meet(std::uint32_t a, std::uint32_t b) const;
    bool are_there(const ShapePair& pair) const;
    bool is_known(const ShapePair& pair) const;
    ShapePair pair_of(const Copy& a, const Copy& b) const;

    const WorldState& state_;
    PairFinder finder_;
    std::vector<Copy> copies_; // by payload
    std::vector<std::uint32_t> free_copies_;
    std::vector<std::vector<std::uint32_t>> copies_of_; // by slot of the shape, in a cell
    std::vector<Reach> reach_;                          // by slot of the shape
    std::vector<std::vector<std::uint32_t>> shapes_;    // by slot of the body
    std::vector<std::vector<ShapePair>> pairs_;         // likewise
    std::vector<ProxyPair> found_;
    std::size_t changes_; // of boxes, since the trees were built
    bool is_built_ = false;
};

} // namespace rigor::contact_dynamics
