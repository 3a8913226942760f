// Boxes, hulls and triangles as one: corners, faces, and edges between two faces.
#pragma once

#include <span>

#include "collide/core_faces.h"

namespace rigor {

/// The two ends of an edge and the normals of the faces beside it.
struct EdgeIndex {
    std::uint32_t v0 = 0, v1 = 0;
    std::uint32_t left = 0, right = 0;
    std::uint32_t number = 0; ///< as a Feature
};

/// Refers to the core it was made from.
///
/// A triangle is the limit of thin prisms: its faces 0 and 1 are the front and the back, and each
/// edge is there twice, between the front or the back and a side across it.
template <class S>
class Polyhedron {
  public:
    explicit Polyhedron(const Core<S>& core);

    std::uint32_t face_count() const { return face_count_; }
    const Plane<S>& plane(std::uint32_t face) const {
        return hull_ ? hull_->faces[face].plane : planes_[face];
    }
    std::uint32_t edge_count() const { return edge_count_; }
    EdgeIndex edge(std::uint32_t e) const;
    const Vec3<S>& vertex(std::uint32_t v) const {
        return hull_ ? hull_->vertices[v] : vertices_[v];
    }
    const Vec3<S>& center() const { return center_; }
    /// Of a ball about the center, all within.
    S inner_radius() const { return inner_radius_; }
    Aabb<S> bounds() const;

    Vec3<S> support(const Vec3<S>& direction) { return rigor::support(core_, direction, hint_); }

  private:
    void fill_box();
    void fill_triangle();

    const Core<S>& core_;
    const Hull<S>* hull_ = nullptr;
    std::uint32_t face_count_ = 0, edge_count_ = 0, hint_ = 0;
    Vec3<S> center_;
    S inner_radius_{};
    std::array<Vec3<S>, 8> vertices_;
    std::array<Plane<S>, 6> planes_;
};

} // namespace rigor
