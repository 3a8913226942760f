// Pair prediction: which pairs of shapes may collide during a step.
#pragma once

#include <optional>
#include <vector>

#include "broadphase/pair_finder.h"
#include "contact_dynamics/island.h"
#include "geometry/inscribed_ball.h"

namespace rigor::contact_dynamics {

/// Bounds the motion of every shape by a box and finds the pairs whose boxes overlap.
class PairPredictor {
  public:
    /// Bounding radius of a shape about the center of mass of its body. The surface of a ball
    /// centered there does not move when the body rotates.
    struct ShapeBound {
        std::uint32_t body = 0;
        double radius = 0;
        bool is_ball = false;
        std::optional<Plane<double>> plane; ///< a static plane, world coordinates
        bool is_periodic = false;           ///< see is_repeated()
    };

    /// Movable bodies take part once set_center_bounds() was called for them.
    explicit PairPredictor(const WorldState& state);

    /// Bounds the path of the center of mass of a body. Before the first search, once per body.
    void set_center_bounds(std::uint32_t body, const Aabb<double>& centers);
    /// Pairs that were not found before, sorted.
    std::vector<ShapePair> find_new_pairs(ThreadTeam& team);

    /// All pairs of a body found so far.
    const std::vector<ShapePair>& pairs(std::uint32_t body) const { return pairs_[body]; }

    /// Shapes in crowds, the most that a search found. Of the pairs within a crowd only the deepest
    /// are found (broadphase/crowd.h).
    int crowded_count() const { return crowded_count_; }

    const ShapeBound& bound(std::uint32_t shape) const { return bounds_[shape]; }
    /// Solid shapes of a body (no sensors).
    const std::vector<std::uint32_t>& shapes(std::uint32_t body) const { return shapes_[body]; }

  private:
    /// A periodic image of a shape. Without a periodic boundary there is one for each shape, at the
    /// shape's slot.
    struct ShapeImage {
        ProxyId proxy;
        std::uint32_t shape = 0;
        CellShift shift;
    };

    void add_image(std::uint32_t place, const ShapeImage& image, const Aabb<double>& box,
                   float margin);
    void add_image(const ShapeImage& image, const Aabb<double>& box, float margin);
    /// Sets the box that bounds a shape.
    void update_bounds(std::uint32_t shape, const Aabb<double>& box, float margin);
    /// Updates all images of a shape that reach into the cell.
    void update_images(std::uint32_t shape, const Aabb<double>& box, float margin);
    CoreBall core(ProxyId proxy) const;
    bool may_collide(std::uint32_t a, std::uint32_t b) const;
    bool images_may_collide(const ShapePair& pair) const;
    bool is_known(const ShapePair& pair) const;
    ShapePair pair_of(const ShapeImage& a, const ShapeImage& b) const;

    const WorldState& state_;
    PairFinder finder_;
    std::vector<ShapeImage> images_; // by payload
    std::vector<std::uint32_t> free_images_;
    std::vector<std::vector<std::uint32_t>> images_of_; // by slot of the shape, in a cell
    std::vector<ShapeBound> bounds_;                    // by slot of the shape
    std::vector<std::vector<std::uint32_t>> shapes_;    // by slot of the body
    std::vector<std::vector<ShapePair>> pairs_;         // likewise
    std::vector<ProxyPair> found_;
    std::size_t changes_; // of boxes, since the trees were built
    bool is_built_ = false;
    std::vector<InscribedBall> balls_; // by slot of the shape, from the center of mass
    int crowded_count_ = 0;
};

} // namespace rigor::contact_dynamics
