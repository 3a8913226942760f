// Common view of boxes, hulls and triangles: vertices, faces, and edges between two faces.
#pragma once

#include <span>

#include "collide/core_faces.h"

namespace rigor {

/// The two ends of an edge and the normals of the adjacent faces.
struct EdgeIndex {
    std::uint32_t v0 = 0, v1 = 0;
    std::uint32_t left = 0, right = 0;
    std::uint32_t number = 0; ///< as a Feature
};

/// A single face, by number.
template <class S>
Plane<S> face_plane(const Core<S>& core, std::uint32_t face);

/// Refers to the core it was made from.
///
/// A triangle is the limit of thin prisms: its faces 0 and 1 are the front and the back, and each
/// edge occurs twice, between the front or the back and a side face.
template <class S>
class Polyhedron {
  public:
    explicit Polyhedron(const Core<S>& core);

    /// Nothing for boxes and triangles.
    const Hull<S>* hull() const { return hull_; }
    std::uint32_t face_count() const { return face_count_; }
    const Plane<S>& plane(std::uint32_t face) const {
        return hull_ ? hull_->faces[face].plane : planes_[face];
    }
    /// Includes the sides of a triangle, which are no faces but have planes.
    std::uint32_t plane_count() const { return core_.kind == CoreKind::triangle ? 5 : face_count_; }
    std::uint32_t edge_count() const { return edge_count_; }
    EdgeIndex edge(std::uint32_t e) const;
    /// Calls visit(edge) for each edge of a face that is_wanted(face); `faces` lists all of these,
    /// and perhaps others.
    template <class Faces, class IsWanted, class Visit>
    void visit_edges(const Faces& faces, IsWanted&& is_wanted, Visit&& visit) const;
    const Vec3<S>& vertex(std::uint32_t v) const {
        return hull_ ? hull_->vertices[v] : vertices_[v];
    }

  private:
    void fill_box();
    void fill_triangle();

    const Core<S>& core_;
    const Hull<S>* hull_ = nullptr;
    std::uint32_t face_count_ = 0, edge_count_ = 0;
    std::array<Vec3<S>, 8> vertices_;
    std::array<Plane<S>, 6> planes_;
};

template <class S>
template <class Faces, class IsWanted, class Visit>
void Polyhedron<S>::visit_edges(const Faces& faces, IsWanted&& is_wanted, Visit&& visit) const {
    if (!hull_) {
        for (std::uint32_t e = 0; e < edge_count_; ++e) {
            const EdgeIndex index = edge(e);
            if (is_wanted(index.left) || is_wanted(index.right)) visit(index);
        }
        return;
    }
    for (const std::uint32_t f : faces) {
        if (!is_wanted(f)) continue;
        const HullFace<S>& face = hull_->faces[f];
        for (std::uint32_t h = face.first; h < face.first + face.count; ++h) {
            const HalfEdge &half = hull_->half_edges[h], &twin = hull_->half_edges[half.twin];
            if (h < half.twin) {
                visit(EdgeIndex{half.origin, twin.origin, f, twin.face, h});
            } else if (!is_wanted(twin.face)) { // else it is visited from there
                visit(EdgeIndex{twin.origin, half.origin, twin.face, f, half.twin});
            }
        }
    }
}

} // namespace rigor
