// Edges of two triangle surfaces that pass through triangles of the other.
#pragma once

#include <algorithm>
#include <array>
#include <tuple>
#include <vector>

#include "collide/near_triangles.h"
#include "collide/surface_features.h"

namespace rigor {

/// An edge of a surface, and the outward normals of its faces, in A's frame.
template <class S>
struct SharpEdge {
    Vec3<S> along, face, other_face;
};

/// From a point of a line to the middle of the part of it that is behind both faces of an edge;
/// `apart` is where that point is seen from the edge. Where two sharp edges cross, the nearest
/// point of one need not be inside the other solid: that part of it is, if it is near.
template <class S>
S middle_between_faces(const Vec3<S>& along, const Vec3<S>& apart, const SharpEdge<S>& edge) {
    constexpr S kNear = S(16); // times the depth
    S highest = kNear * length(apart), lowest = -highest;
    for (const Vec3<S>& face : {edge.face, edge.other_face}) {
        const S rise = dot(face, along), height = dot(face, apart);
        if (rise > S(0)) highest = std::min(highest, -height / rise);
        if (rise < S(0)) lowest = std::max(lowest, -height / rise);
    }
    return S(0.5) * (lowest + highest);
}

/// Where an edge of A (else of B) passes through a triangle, or the middle between two such places.
template <class S>
struct EdgePoint {
    bool of_a = false;
    std::uint32_t edge = 0; ///< 3 t + e
    S at{};                 ///< from 0 to 1 along the edge

    friend bool operator<(const EdgePoint& x, const EdgePoint& y) {
        return std::tuple(x.of_a, x.edge, x.at) < std::tuple(y.of_a, y.edge, y.at);
    }
};

/// Calls visit(e, place on it) for the edges of the second triangle that pass through the first, by
/// more than the tolerance on both sides.
template <class S, class Visit>
void visit_piercings(const Triangle<S>& t, const Triangle<S>& other, S tolerance,
                     const Visit& visit) {
    const Vec3<S> area = area_vector(t);
    const std::array<S, 3> sides{dot(area, other.a - t.a), dot(area, other.b - t.a),
                                 dot(area, other.c - t.a)};
    const auto [lowest, highest] = std::minmax({sides[0], sides[1], sides[2]});
    if (!(lowest < S(0) && highest > S(0))) return; // nearly all pairs
    const S size = length(area);
    const Vec3<S> n = area / size;
    for (std::uint32_t k = 0; k < 3; ++k) {
        const Vec3<S>&p = corner(other, k), &q = corner(other, (k + 1) % 3);
        const S from = sides[k] / size, to = sides[(k + 1) % 3] / size;
        if (!(std::min(from, to) < -tolerance && std::max(from, to) > tolerance)) continue;
        const S at = from / (from - to);
        const Vec3<S> hit = p + (q - p) * at;
        bool is_inside = true;
        for (std::uint32_t e = 0; e < 3; ++e)
            is_inside &=
                dot(cross(corner(t, (e + 1) % 3) - corner(t, e), hit - corner(t, e)), n) > S(0);
        if (is_inside) visit(k, at);
    }
}

/// Calls visit(k) for corners of the second triangle that are behind the first and farther than
/// `depth` from where their edge enters it.
template <class S, class Visit>
void visit_ends_behind(const Triangle<S>& t, const Triangle<S>& other, S tolerance, const S& depth,
                       const Visit& visit) {
    visit_piercings(t, other, tolerance, [&](std::uint32_t e, S at) {
        const Vec3<S>&from = corner(other, e), &to = corner(other, (e + 1) % 3);
        const std::uint32_t end = dot(area_vector(t), from - t.a) < S(0) ? e : (e + 1) % 3;
        const Vec3<S> hit = from + (to - from) * at;
        if (length_squared(corner(other, end) - hit) > depth * depth) visit(end);
    });
}

/// A place on an edge, named by the first of the two triangles that have the edge.
template <class S>
EdgePoint<S> on_edge(const TriangleMesh<S>& mesh, bool of_a, std::uint32_t edge, S at) {
    const std::uint32_t mate = mesh.mates[edge];
    if (mate == kNone || mate > edge) return {of_a, edge, at};
    return {of_a, mate, S(1) - at};
}
template <class S>
EdgePoint<S> on_edge(const HeightField<S>&, bool of_a, std::uint32_t edge, S at) {
    return {of_a, edge, at};
}

/// All places where edges of near triangles pierce, in order. `triangle_of_b` gives a triangle of B
/// in A's frame.
template <class S, class A, class B, class TriangleOfB>
std::vector<EdgePoint<S>> find_piercings(const A& a, const B& b, const TriangleOfB& triangle_of_b,
                                         const std::vector<TrianglePair>& pairs, S tolerance) {
    std::vector<EdgePoint<S>> found;
    for (const TrianglePair& pair : pairs) {
        const Triangle<S> x = triangle_at(a, pair.a), y = triangle_of_b(pair.b);
        visit_piercings(x, y, tolerance, [&](std::uint32_t e, S at) {
            found.push_back(on_edge(b, false, 3 * pair.b + e, at));
        });
        visit_piercings(y, x, tolerance, [&](std::uint32_t e, S at) {
            found.push_back(on_edge(a, true, 3 * pair.a + e, at));
        });
    }
    std::sort(found.begin(), found.end());
    return found;
}

/// The middles between neighboring piercings of one edge: where it is inside the other solid, or
/// between two parts of it.
template <class S>
std::vector<EdgePoint<S>> middles_between(const std::vector<EdgePoint<S>>& piercings) {
    std::vector<EdgePoint<S>> middles;
    for (std::size_t i = 1; i < piercings.size(); ++i) {
        const EdgePoint<S>&x = piercings[i - 1], &y = piercings[i];
        if (x.of_a == y.of_a && x.edge == y.edge && x.at < y.at)
            middles.push_back({x.of_a, x.edge, S(0.5) * (x.at + y.at)});
    }
    return middles;
}

} // namespace rigor
