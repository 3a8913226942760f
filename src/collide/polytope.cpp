#include "collide/polytope.h"

namespace rigor {
namespace {

template <class S>
constexpr S kFar = std::numeric_limits<S>::infinity();

/// The edge of `face` that leads to `neighbor` and starts at `from`: two faces may share more than
/// one edge.
template <class Face>
std::uint16_t edge_to(const Face& face, std::uint16_t neighbor, std::uint16_t from) {
    for (std::uint16_t e = 0; e < 2; ++e) {
        if (face.neighbor[e] == neighbor && face.vertex[e] == from) return e;
    }
    return 2;
}

} // namespace

template <class S>
Polytope<S>::Polytope(const std::array<DifferencePoint<S>, 4>& corners) {
    for (const DifferencePoint<S>& corner : corners) {
        vertices_[static_cast<std::size_t>(vertex_count_++)] = corner;
    }
    const Vec3<S> a = corners[0].w;
    const Vec3<S> n = cross(corners[1].w - a, corners[2].w - a);
    // Faces are listed for a fourth vertex below the first three.
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
        set_plane(static_cast<std::uint16_t>(i), {}, S(0));
    }
    face_end_ = 4;
}

template <class S>
std::uint16_t Polytope<S>::nearest_face() const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < static_cast<std::size_t>(face_end_); ++i) {
        best = key_[i] < key_[best] ? i : best;
    }
    return key_[best] < kFar<S> ? static_cast<std::uint16_t>(best) : kNone;
}

// A face with (nearly) zero area lies along an edge of its neighbor: any plane through the edge
// supports it, and the neighbor's is not sensitive to rounding.
template <class S>
void Polytope<S>::set_plane(std::uint16_t f, const Vec3<S>& fallback_normal, S fallback_distance) {
    Face& face = faces_[f];
    const Vec3<S>& a = vertices_[face.vertex[0]].w;
    const Vec3<S>& b = vertices_[face.vertex[1]].w;
    const Vec3<S>& c = vertices_[face.vertex[2]].w;
    const Vec3<S> ab = b - a, bc = c - b, ca = a - c;
    const S lab = length_squared(ab), lbc = length_squared(bc), lca = length_squared(ca);
    // From the two shorter edges: their cross product is most accurate.
    const Vec3<S> n = lab >= lbc && lab >= lca ? cross(bc, ca)
                      : lbc >= lca             ? cross(ca, ab)
                                               : cross(ab, bc);
    const S size = length(n), longest = std::max({lab, lbc, lca});
    // The height of the triangle is size / sqrt(longest); below a few rounding errors it is noise.
    face.thin = !(size > S(8) * kEpsilon<S> * std::sqrt(longest));
    face.normal = face.thin ? fallback_normal : n / size;
    face.distance = face.thin
                        ? fallback_distance
                        : (dot(face.normal, a) + dot(face.normal, b) + dot(face.normal, c)) / S(3);
    key_[f] = face.thin ? kFar<S> : face.distance;
}

/// Marks the faces that w is higher above than `least_height`, by flood fill from the seed.
template <class S>
void Polytope<S>::see_from(const Vec3<S>& w, std::uint16_t seed, S least_height) {
    seen_count_ = 0;
    const auto see = [&](std::uint16_t f) {
        faces_[f].seen = true;
        seen_[static_cast<std::size_t>(seen_count_++)] = f;
    };
    see(seed);
    for (int next = 0; next < seen_count_; ++next) {
        for (const std::uint16_t g : faces_[seen_[static_cast<std::size_t>(next)]].neighbor) {
            const Face& face = faces_[g];
            if (!face.seen && dot(face.normal, w) - face.distance > least_height) see(g);
        }
    }
}

template <class S>
bool Polytope<S>::list_horizon() {
    horizon_count_ = 0;
    for (int k = 0; k < seen_count_; ++k) {
        const std::uint16_t f = seen_[static_cast<std::size_t>(k)];
        const Face& face = faces_[f];
        for (std::size_t i = 0; i < 3; ++i) {
            const std::uint16_t g = face.neighbor[i];
            if (faces_[g].seen) continue;
            if (horizon_count_ == kMaxFaces) return false;
            const std::uint16_t from = face.vertex[i], to = face.vertex[(i + 1) % 3];
            horizon_[static_cast<std::size_t>(horizon_count_++)] = {
                from, to, g, edge_to(faces_[g], f, to), kNone};
        }
    }
    return true;
}

template <class S>
void Polytope<S>::unsee() {
    for (int k = 0; k < seen_count_; ++k) {
        faces_[seen_[static_cast<std::size_t>(k)]].seen = false;
    }
}

template <class S>
bool Polytope<S>::find_horizon(const Vec3<S>& w, std::uint16_t seed, S least_height) {
    see_from(w, seed, least_height);
    if (list_horizon() && chain_horizon()) return true;
    unsee();
    return false;
}

template <class S>
void Polytope<S>::remove_seen() {
    for (int k = 0; k < seen_count_; ++k) {
        const std::uint16_t f = seen_[static_cast<std::size_t>(k)];
        faces_[f].seen = faces_[f].used = false;
        key_[f] = kFar<S>;
        free_[static_cast<std::size_t>(free_count_++)] = f;
    }
}

/// Whether the horizon is one simple loop.
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
    if (free_count_ > 0) return free_[static_cast<std::size_t>(--free_count_)];
    return static_cast<std::uint16_t>(face_end_++);
}

/// One new face on each edge of the horizon, up to the apex.
template <class S>
void Polytope<S>::build_cone(std::uint16_t apex) {
    for (int i = 0; i < horizon_count_; ++i) {
        Horizon& edge = horizon_[static_cast<std::size_t>(i)];
        edge.face = free_face();
        Face& face = faces_[edge.face];
        Face& outer = faces_[edge.outer];
        face = {
            {edge.from, edge.to, apex}, {edge.outer, kNone, kNone}, {}, S(0), true, false, false};
        outer.neighbor[edge.outer_edge] = edge.face;
        set_plane(edge.face, outer.normal, outer.distance);
    }
    for (int i = 0; i < horizon_count_; ++i) {
        const Horizon& edge = horizon_[static_cast<std::size_t>(i)];
        const Horizon& next = horizon_[horizon_from_[edge.to]];
        faces_[edge.face].neighbor[1] = next.face;
        faces_[next.face].neighbor[2] = edge.face;
    }
}

// Faces coplanar with the point count as visible: they are replaced by ones that fan out from it,
// while keeping them would add slivers. If, by rounding, the visible region is then not a disk, a
// stricter test may succeed.
template <class S>
bool Polytope<S>::add(const DifferencePoint<S>& point, std::uint16_t seed) {
    if (!has_room()) return false;
    const S noise = S(4) * kEpsilon<S>;
    if (!find_horizon(point.w, seed, -noise) && !find_horizon(point.w, seed, S(0)) &&
        !find_horizon(point.w, seed, noise)) {
        return false;
    }
    if (horizon_count_ > kMaxFaces - face_end_ + free_count_ + seen_count_) {
        unsee();
        return false;
    }
    remove_seen();
    vertices_[static_cast<std::size_t>(vertex_count_)] = point;
    build_cone(static_cast<std::uint16_t>(vertex_count_++));
    return true;
}

template class Polytope<float>;
template class Polytope<double>;

} // namespace rigor
