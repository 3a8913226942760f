#include "collide/polytope.h"

namespace rigor {

template <class S>
Polytope<S>::Polytope(const std::array<DifferencePoint<S>, 4>& corners) {
    for (const DifferencePoint<S>& corner : corners) {
        vertices_[static_cast<std::size_t>(vertex_count_++)] = corner;
    }
    const Vec3<S> a = corners[0].w;
    const Vec3<S> n = cross(corners[1].w - a, corners[2].w - a);
    // Faces are listed for a fourth corner below the first three.
    if (dot(n, corners[3].w - a) > S(0)) std::swap(vertices_[1], vertices_[2]);
    static constexpr std::array<std::array<std::uint16_t, 3>, 4> kCorners{
        {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}}};
    static constexpr std::array<std::array<std::uint16_t, 3>, 4> kNeighbors{
        {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}}};
    for (std::size_t i = 0; i < 4; ++i) {
        Face& face = faces_[i];
        face.vertex = kCorners[i];
        face.neighbor = kNeighbors[i];
        face.used = true;
        set_plane(face, {}, S(0));
    }
    face_end_ = 4;
}

template <class S>
std::uint16_t Polytope<S>::nearest_face() const {
    std::uint16_t best = kNone;
    S nearest = std::numeric_limits<S>::infinity();
    for (int i = 0; i < face_end_; ++i) {
        const Face& f = faces_[static_cast<std::size_t>(i)];
        if (!f.used || f.thin || !(f.distance < nearest)) continue;
        nearest = f.distance;
        best = static_cast<std::uint16_t>(i);
    }
    return best;
}

// A face without area, or nearly, lies along an edge of its neighbor: any plane through the edge
// supports it, and the neighbor's is one that does not turn with rounding.
template <class S>
void Polytope<S>::set_plane(Face& face, const Vec3<S>& fallback_normal, S fallback_distance) {
    const Vec3<S>& a = vertices_[face.vertex[0]].w;
    const Vec3<S>& b = vertices_[face.vertex[1]].w;
    const Vec3<S>& c = vertices_[face.vertex[2]].w;
    const Vec3<S> ab = b - a, bc = c - b, ca = a - c;
    const S lab = length_squared(ab), lbc = length_squared(bc), lca = length_squared(ca);
    // From the two shorter edges: their product loses least.
    const Vec3<S> n = lab >= lbc && lab >= lca ? cross(bc, ca)
                      : lbc >= lca             ? cross(ca, ab)
                                               : cross(ab, bc);
    const S size = length(n), longest = std::max({lab, lbc, lca});
    // The height of the triangle is size / sqrt(longest); below a few roundings it is noise.
    face.thin = !(size > S(8) * kEpsilon<S> * std::sqrt(longest));
    face.normal = face.thin ? fallback_normal : n / size;
    face.distance = face.thin ? fallback_distance
                              : (dot(face.normal, a) + dot(face.normal, b) + dot(face.normal, c)) / S(3);
}

template <class S>
std::array<S, 3> Polytope<S>::weights(std::uint16_t f) const {
    const Face& face = faces_[f];
    const Vec3<S>& a = vertices_[face.vertex[0]].w;
    const Vec3<S>& b = vertices_[face.vertex[1]].w;
    const Vec3<S>& c = vertices_[face.vertex[2]].w;
    const S wa = dot(face.normal, cross(b, c - b));
    const S wb = dot(face.normal, cross(c, a - c));
    const S wc = dot(face.normal, cross(a, b - a));
    const S sum = wa + wb + wc;
    return {wa / sum, wb / sum, wc / sum};
}

/// Marks the faces seen from w, reaching out from the seed, and lists the edges where that ends.
/// Faces in one plane with w count as seen: they are replaced by ones that spread from w, while
/// keeping them would add slivers beside them.
template <class S>
bool Polytope<S>::find_horizon(const Vec3<S>& w, std::uint16_t seed) {
    const S coplanar = S(-4) * kEpsilon<S>;
    horizon_count_ = 0;
    int size = 0;
    const auto see = [&](std::uint16_t f) {
        faces_[f].seen = true;
        stack_[static_cast<std::size_t>(size++)] = f;
    };
    see(seed);
    for (int next = 0; next < size; ++next) {
        const std::uint16_t f = stack_[static_cast<std::size_t>(next)];
        for (std::size_t i = 0; i < 3; ++i) {
            const std::uint16_t g = faces_[f].neighbor[i];
            Face& outer = faces_[g];
            if (!outer.seen && dot(outer.normal, w) - outer.distance > coplanar) see(g);
        }
    }
    for (int k = 0; k < size; ++k) {
        const std::uint16_t f = stack_[static_cast<std::size_t>(k)];
        for (std::size_t i = 0; i < 3; ++i) {
            const std::uint16_t g = faces_[f].neighbor[i];
            if (faces_[g].seen) continue;
            std::size_t edge = 0;
            while (edge < 2 && faces_[g].neighbor[edge] != f) ++edge;
            // Two faces may share two edges when the third corner is common too: take the one
            // that runs the other way.
            const std::uint16_t from = faces_[f].vertex[i], to = faces_[f].vertex[(i + 1) % 3];
            for (std::size_t e = 0; e < 3; ++e) {
                if (faces_[g].neighbor[e] == f && faces_[g].vertex[e] == to) edge = e;
            }
            horizon_[static_cast<std::size_t>(horizon_count_++)] = {
                from, to, g, static_cast<std::uint16_t>(edge), kNone};
        }
    }
    for (int k = 0; k < size; ++k) {
        Face& face = faces_[stack_[static_cast<std::size_t>(k)]];
        face.seen = face.used = false;
    }
    return chain_horizon();
}

/// Whether the horizon is one loop that meets no vertex twice.
template <class S>
bool Polytope<S>::chain_horizon() {
    if (horizon_count_ < 3) return false;
    for (int i = 0; i < vertex_count_; ++i) horizon_from_[static_cast<std::size_t>(i)] = kNone;
    for (int i = 0; i < horizon_count_; ++i) {
        std::uint16_t& slot = horizon_from_[horizon_[static_cast<std::size_t>(i)].from];
        if (slot != kNone) return false;
        slot = static_cast<std::uint16_t>(i);
    }
    int steps = 0;
    std::uint16_t at = 0;
    do {
        at = horizon_from_[horizon_[at].to];
        ++steps;
    } while (at != kNone && at != 0 && steps <= horizon_count_);
    return at == 0 && steps == horizon_count_;
}

template <class S>
std::uint16_t Polytope<S>::free_face() {
    for (int i = 0; i < face_end_; ++i) {
        if (!faces_[static_cast<std::size_t>(i)].used) return static_cast<std::uint16_t>(i);
    }
    return face_end_ < kMaxFaces ? static_cast<std::uint16_t>(face_end_++) : kNone;
}

/// One new face on each edge of the horizon, up to the apex.
template <class S>
bool Polytope<S>::build_cone(std::uint16_t apex) {
    for (int i = 0; i < horizon_count_; ++i) {
        Horizon& edge = horizon_[static_cast<std::size_t>(i)];
        edge.face = free_face();
        if (edge.face == kNone) return false;
        Face& face = faces_[edge.face];
        Face& outer = faces_[edge.outer];
        face = {{edge.from, edge.to, apex}, {edge.outer, kNone, kNone}, {}, S(0), true, false, false};
        outer.neighbor[edge.outer_edge] = edge.face;
        set_plane(face, outer.normal, outer.distance);
    }
    for (int i = 0; i < horizon_count_; ++i) {
        const Horizon& edge = horizon_[static_cast<std::size_t>(i)];
        const Horizon& next = horizon_[horizon_from_[edge.to]];
        faces_[edge.face].neighbor[1] = next.face;
        faces_[next.face].neighbor[2] = edge.face;
    }
    return true;
}

template <class S>
bool Polytope<S>::add(const DifferencePoint<S>& point, std::uint16_t seed) {
    if (vertex_count_ == kMaxVertices || !find_horizon(point.w, seed)) return false;
    vertices_[static_cast<std::size_t>(vertex_count_)] = point;
    return build_cone(static_cast<std::uint16_t>(vertex_count_++));
}

template class Polytope<float>;
template class Polytope<double>;

} // namespace rigor
