#include "collide/polyhedron.h"

#include "collide/box_features.h"

namespace rigor {
namespace {

/// Edges run along an axis from the negative to the positive end. Seen from outside, the face on
/// the left is the one whose normal crossed with the other's gives the direction of the edge.
constexpr EdgeIndex box_edge_index(std::uint32_t e) {
    const std::uint32_t axis = e / 4, u = (axis + 1) % 3, v = (axis + 2) % 3;
    const bool pu = bit(e, 0) == 1, pv = bit(e, 1) == 1;
    const std::uint32_t low = (pu ? 1u << u : 0u) | (pv ? 1u << v : 0u);
    const std::uint32_t face_u = 2 * u + (pu ? 0 : 1), face_v = 2 * v + (pv ? 0 : 1);
    const bool u_left = pu == pv; // +u x +v = +axis
    return {low, low | 1u << axis, u_left ? face_u : face_v, u_left ? face_v : face_u, e};
}

constexpr std::array<EdgeIndex, 12> box_edges() {
    std::array<EdgeIndex, 12> edges;
    for (std::uint32_t e = 0; e < 12; ++e) edges[e] = box_edge_index(e);
    return edges;
}

/// Sides are faces 2 to 4. The first three edges are those of the front.
constexpr std::array<EdgeIndex, 6> kTriangleEdges{{{0, 1, 0, 2, 0},
                                                   {1, 2, 0, 3, 1},
                                                   {2, 0, 0, 4, 2},
                                                   {0, 1, 2, 1, 0},
                                                   {1, 2, 3, 1, 1},
                                                   {2, 0, 4, 1, 2}}};

constexpr std::array<EdgeIndex, 12> kBoxEdges = box_edges();

} // namespace

template <class S>
Polyhedron<S>::Polyhedron(const Core<S>& core) : core_(core) {
    if (core.kind == CoreKind::hull) {
        hull_ = core.hull;
        face_count_ = static_cast<std::uint32_t>(hull_->faces.size());
        edge_count_ = static_cast<std::uint32_t>(hull_->edges.size());
    } else if (core.kind == CoreKind::box) {
        fill_box();
    } else {
        fill_triangle();
    }
}

template <class S>
void Polyhedron<S>::fill_box() {
    const Vec3<S>& h = core_.size;
    face_count_ = 6;
    edge_count_ = 12;
    for (std::uint32_t v = 0; v < 8; ++v) vertices_[v] = box_vertex(h, v);
    planes_ = {{{{S(1), S(0), S(0)}, h.x},
                {{S(-1), S(0), S(0)}, h.x},
                {{S(0), S(1), S(0)}, h.y},
                {{S(0), S(-1), S(0)}, h.y},
                {{S(0), S(0), S(1)}, h.z},
                {{S(0), S(0), S(-1)}, h.z}}};
}

template <class S>
void Polyhedron<S>::fill_triangle() {
    const Triangle<S>& t = core_.triangle;
    face_count_ = 2;
    edge_count_ = 6;
    vertices_[0] = t.a;
    vertices_[1] = t.b;
    vertices_[2] = t.c;
    const Vec3<S> n = normal(t);
    planes_[0] = {n, dot(n, t.a)};
    planes_[1] = {-n, -dot(n, t.a)};
    for (std::uint32_t i = 0; i < 3; ++i) {
        const Vec3<S>& p = vertices_[i];
        const Vec3<S> side = normalize(cross(vertices_[(i + 1) % 3] - p, n));
        planes_[2 + i] = {side, dot(side, p)};
    }
}

template <class S>
EdgeIndex Polyhedron<S>::edge(std::uint32_t e) const {
    if (core_.kind == CoreKind::box) return kBoxEdges[e];
    if (core_.kind == CoreKind::triangle) return kTriangleEdges[e];
    const HullEdge& edge = hull_->edges[e];
    return {edge.v0, edge.v1, edge.left, edge.right, edge.half_edge};
}

template <class S>
Plane<S> face_plane(const Core<S>& core, std::uint32_t face) {
    if (core.kind == CoreKind::hull) return core.hull->faces[face].plane;
    if (core.kind == CoreKind::triangle) return Polyhedron<S>(core).plane(face);
    return {box_normal<S>(face), core.size[static_cast<int>(face / 2)]};
}

template Plane<float> face_plane(const Core<float>&, std::uint32_t);
template Plane<double> face_plane(const Core<double>&, std::uint32_t);
template class Polyhedron<float>;
template class Polyhedron<double>;

} // namespace rigor
