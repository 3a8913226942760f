// Contacts between single features of two triangle surfaces: vertex and face, edge and edge.
#pragma once

#include <optional>
#include <vector>

#include "collide/manifold_groups.h"
#include "collide/prepared_triangles.h"
#include "collide/surface_distance.h"
#include "collide/surface_features.h"

namespace rigor {

/// What counts as a contact of features.
template <class S>
struct FeatureLimits {
    S margin{}; ///< the greatest separation
    S reach{};  ///< the greatest depth
    S slack{};  ///< how far outside its face a point may be
    S lean{};   ///< sine of the angle by which a neighbor may lie beyond the normal
    S turn{};   ///< by which it may lie farther beyond that of a vertex
    S ahead{};  ///< how far outside its face, beyond a valley, a point counts that may move there
    bool parallel_edges = false; ///< whether they touch along their length; else at their ends only
};

/// Two surfaces, seen from A.
template <class S, class A, class B>
class FeaturePair {
  public:
    FeaturePair(const A& a, const B& b, const Pose<S>& b_in_a)
        : a_(a), b_(b), turn_(to_matrix(b_in_a.q)), offset_(b_in_a.p) {
        middle_a_ = middle_of(a);
        middle_b_ = place(middle_of(b));
        list_a_.reset(count_of(a));
        list_b_.reset(count_of(b));
    }

    /// Triangle t of B in A's frame.
    Triangle<S> triangle_of_b(std::uint32_t t) const {
        const Triangle<S> local = triangle_at(b_, t);
        return {place(local.a), place(local.b), place(local.c)};
    }

    /// All contacts of the vertices and edges of two triangles that are the first to have them.
    /// Returns whether the triangles may cross.
    bool find(std::uint32_t ta, std::uint32_t tb, const FeatureLimits<S>& limits,
              std::vector<FeatureContact<S>>& out) {
        Prepared &a = list_a_[list_a_.place_of(ta, [&](auto t) { return triangle_at(a_, t); })],
                 &b = list_b_[list_b_.place_of(tb, [&](auto t) { return triangle_of_b(t); })];
        const PlaneSides b_over_a(a, b.triangle), a_over_b(b, a.triangle);
        if (b_over_a.are_beyond(limits) || a_over_b.are_beyond(limits)) return false;
        if (!a.is_complete) complete(a_, ta, middle_b_, a);
        if (!b.is_complete) complete(b_, tb, middle_a_, b);
        if (!a.is_degenerate && !b.is_degenerate) {
            find_vertices(ta, a, tb, b, limits, out);
            if (a.named_edges != 0 && b.named_edges != 0) find_edges(ta, a, tb, b, limits, out);
        }
        return b_over_a.are_both() && a_over_b.are_both();
    }

  private:
    using Prepared = PreparedTriangle<S>;

    template <class Surface>
    static void complete(const Surface& surface, std::uint32_t t, const Vec3<S>& other_middle,
                         Prepared& prepared) {
        const Triangle<S>& triangle = prepared.triangle;
        prepared.is_complete = true;
        prepared.is_degenerate = rigor::is_degenerate(triangle);
        if (prepared.is_degenerate) return;
        prepared.normal = outward(surface, triangle, other_middle);
        prepared.named_edges = static_cast<std::uint8_t>(edges_to_cross(surface, t));
        for (std::uint32_t k = 0; k < 3; ++k) {
            if (is_first_at_corner(surface, t, k)) prepared.named_corners |= 1u << k;
            prepared.out[k] =
                cross(corner(triangle, (k + 1) % 3) - corner(triangle, k), prepared.area);
            prepared.out_squared[k] = length_squared(prepared.out[k]);
        }
    }

    void find_vertices(std::uint32_t ta, const Prepared& a, std::uint32_t tb, const Prepared& b,
                       const FeatureLimits<S>& limits, std::vector<FeatureContact<S>>& out) const {
        const auto placed = [&](const Vec3<S>& q) { return place(q); };
        const auto in_valley_a = [&](std::uint32_t e, const Vec3<S>& p, bool is_deep) {
            return is_in_valley(a_, ta, e, p, is_deep, limits, kAsIs);
        };
        const auto in_valley_b = [&](std::uint32_t e, const Vec3<S>& p, bool is_deep) {
            return is_in_valley(b_, tb, e, p, is_deep, limits, placed);
        };
        for (std::uint32_t k = 0; k < 3; ++k) {
            if ((b.named_corners >> k & 1u) != 0) {
                const Vec3<S>& p = corner(b.triangle, k);
                if (const auto h = height_over(a, p, limits, in_valley_a))
                    add_vertex_of_b(ta, a.normal, tb, k, p, *h, limits, out);
            }
            if ((a.named_corners >> k & 1u) != 0) {
                const Vec3<S>& p = corner(a.triangle, k);
                if (const auto h = height_over(b, p, limits, in_valley_b))
                    add_vertex_of_a(tb, b.normal, ta, k, p, *h, limits, out);
            }
        }
    }

    void find_edges(std::uint32_t ta, const Prepared& a, std::uint32_t tb, const Prepared& b,
                    const FeatureLimits<S>& limits, std::vector<FeatureContact<S>>& out) const {
        // As far from each other as cross_edges() lets two edges be, in any direction.
        const S apart = std::max(limits.margin, limits.reach),
                reach = S(5) * apart + S(2) * std::max(limits.slack, limits.ahead);
        const auto edge_of = [](const Prepared& own, std::uint32_t t, std::uint32_t e) {
            return Edge{t, e, corner(own.triangle, e), corner(own.triangle, (e + 1) % 3),
                        own.normal};
        };
        for (std::uint32_t i = 0; i < 3; ++i) {
            if ((a.named_edges >> i & 1u) == 0) continue;
            const Edge edge_a = edge_of(a, ta, i);
            const Aabb<S> around = expand(box_of_edge(edge_a), reach);
            for (std::uint32_t j = 0; j < 3; ++j) {
                if ((b.named_edges >> j & 1u) == 0) continue;
                const Edge edge_b = edge_of(b, tb, j);
                if (overlap(around, box_of_edge(edge_b))) cross_edges(edge_a, edge_b, limits, out);
            }
        }
    }

    struct Edge {
        std::uint32_t t, e;
        Vec3<S> from, to;
        Vec3<S> face; ///< normal of the triangle
    };

    static Aabb<S> box_of_edge(const Edge& edge) {
        return {min(edge.from, edge.to), max(edge.from, edge.to)};
    }

    /// Where the corners of a triangle are to the plane of another one.
    struct PlaneSides {
        S lowest, highest, square; ///< heights times the area, and its square

        PlaneSides(const Prepared& own, const Triangle<S>& other) : square(own.squared_area) {
            const Triangle<S>& t = own.triangle;
            const Vec3<S>& n = own.area;
            const S a = dot(n, other.a - t.a), b = dot(n, other.b - t.a), c = dot(n, other.c - t.a);
            lowest = std::min({a, b, c});
            highest = std::max({a, b, c});
        }

        /// Out of reach, on either side.
        bool are_beyond(const FeatureLimits<S>& limits) const {
            const auto is_beyond = [&](S height, S limit) {
                return height > S(0) && height * height > limit * limit * square;
            };
            const S behind = std::max(limits.margin, limits.reach); // a sheet has two outer sides
            return is_beyond(lowest, behind) || is_beyond(-highest, behind);
        }
        bool are_both() const { return lowest <= S(0) && highest >= S(0); }
    };

    Vec3<S> place(const Vec3<S>& p) const { return turn_ * p + offset_; }

    static Vec3<S> middle_of(const TriangleMesh<S>& mesh) {
        return (mesh.box.lo + mesh.box.hi) * S(0.5);
    }
    static Vec3<S> middle_of(const HeightField<S>&) { return {}; }
    static std::size_t count_of(const TriangleMesh<S>& mesh) { return mesh.triangles.size(); }
    static std::size_t count_of(const HeightField<S>& field) {
        return 2 * static_cast<std::size_t>(field.columns - 1) *
               static_cast<std::size_t>(field.rows - 1);
    }

    /// The normal of a triangle; of a sheet that on the side of the other solid's middle.
    template <class Surface>
    static Vec3<S> outward(const Surface& surface, const Triangle<S>& t, const Vec3<S>& middle) {
        const Vec3<S> n = normal(t);
        return !is_solid(surface) && dot(n, middle - t.a) < S(0) ? -n : n;
    }

    /// The height of a point over a triangle, if it is over it and in reach. Below the bottom of a
    /// valley a point is over neither side, and both hold it; before it is over the far side of a
    /// valley, that side counts already, as the point may arrive there within the step.
    template <class InValley>
    static std::optional<S> height_over(const Prepared& own, const Vec3<S>& p,
                                        const FeatureLimits<S>& limits,
                                        const InValley& is_in_valley) {
        const S height = dot(own.normal, p - own.triangle.a);
        if (height > limits.margin || height < -limits.reach) return {};
        for (std::uint32_t k = 0; k < 3; ++k) {
            const S outside = dot(own.out[k], p - corner(own.triangle, k));
            const auto is_beyond = [&](S distance) {
                return outside > S(0) &&
                       outside * outside > distance * distance * own.out_squared[k];
            };
            if (!is_beyond(limits.slack)) continue;
            const bool is_deep = height < -limits.slack;
            if ((!is_deep && is_beyond(limits.ahead)) || !is_in_valley(k, p, is_deep)) return {};
        }
        return height;
    }

    static constexpr auto kAsIs = [](const Vec3<S>& q) { return q; };

    static bool is_concave(const TriangleMesh<S>& mesh, std::uint32_t t, std::uint32_t e) {
        return is_solid(mesh) && mesh.edge_kinds[3 * t + e] == EdgeKind::concave;
    }
    static bool is_concave(const HeightField<S>&, std::uint32_t, std::uint32_t) { return false; }

    /// Whether edge e of a triangle is concave, and a deep point beyond it is not over the triangle
    /// across it either.
    template <class Surface, class Place>
    static bool is_in_valley(const Surface& surface, std::uint32_t t, std::uint32_t e,
                             const Vec3<S>& p, bool is_deep, const FeatureLimits<S>& limits,
                             const Place& place) {
        if (!is_concave(surface, t, e)) return false;
        if (!is_deep) return true;
        const std::uint32_t mate = across(surface, t, e);
        if (mate == kNone) return false;
        const std::uint32_t end = corners_of(surface, t)[(e + 1) % 3];
        const std::uint32_t c = corner_with(surface, mate, end); // where the mate's edge begins
        const Triangle<S> other = triangle_at(surface, mate);
        const Vec3<S> begin = place(corner(other, c)),
                      along = place(corner(other, (c + 1) % 3)) - begin;
        const Vec3<S> apart = place(corner(other, (c + 2) % 3)) - begin;
        const Vec3<S> out = cross(along, cross(along, apart));
        return dot(out, p - begin) > -limits.slack * length(out);
    }

    /// The edges of a triangle, as bits, that may touch an edge and are first named by it.
    static std::uint32_t edges_to_cross(const TriangleMesh<S>& mesh, std::uint32_t t) {
        std::uint32_t edges = 0;
        for (std::uint32_t e = 0; e < 3; ++e) {
            const std::uint32_t mate = across(mesh, t, e);
            const EdgeKind kind = mesh.edge_kinds[3 * t + e];
            const bool may_touch = !is_solid(mesh) || kind == EdgeKind::convex;
            if (mate == kNone || (mate >= t && may_touch)) edges |= 1u << e;
        }
        return edges;
    }
    static std::uint32_t edges_to_cross(const HeightField<S>& field, std::uint32_t t) {
        std::uint32_t edges = 0;
        for (std::uint32_t e = 0; e < 3; ++e) {
            const std::uint32_t mate = across(field, t, e);
            if (mate == kNone || mate >= t) edges |= 1u << e;
        }
        return edges;
    }

    /// Whether all neighbors of a vertex are on the outer side of a plane through it.
    template <class Surface, class Place>
    static bool is_lowest(const Surface& surface, std::uint32_t t, std::uint32_t k,
                          const Vec3<S>& up, S lean, const Place& place) {
        bool lowest = true;
        visit_fan(surface, t, k, [&](std::uint32_t other, std::uint32_t c) {
            if (!lowest) return;
            const Triangle<S> triangle = triangle_at(surface, other);
            const Vec3<S> p = place(corner(triangle, c));
            for (const std::uint32_t i : {(c + 1) % 3, (c + 2) % 3}) {
                const Vec3<S> d = place(corner(triangle, i)) - p;
                const S rise = dot(up, d);
                if (rise < S(0) && rise * rise > lean * lean * length_squared(d)) lowest = false;
            }
        });
        return lowest;
    }

    void add_vertex_of_b(std::uint32_t ta, const Vec3<S>& n, std::uint32_t tb, std::uint32_t k,
                         const Vec3<S>& p, S height, const FeatureLimits<S>& limits,
                         std::vector<FeatureContact<S>>& out) const {
        const auto placed = [&](const Vec3<S>& q) { return place(q); };
        if (!is_lowest(b_, tb, k, n, limits.lean + limits.turn, placed)) return;
        out.push_back({p - n * height, n, height, Feature(FeatureKind::face, ta),
                       Feature(FeatureKind::vertex, corners_of(b_, tb)[k])});
    }

    void add_vertex_of_a(std::uint32_t tb, const Vec3<S>& n, std::uint32_t ta, std::uint32_t k,
                         const Vec3<S>& p, S height, const FeatureLimits<S>& limits,
                         std::vector<FeatureContact<S>>& out) const {
        if (!is_lowest(a_, ta, k, n, limits.lean + limits.turn, kAsIs)) return;
        out.push_back({p, -n, height, Feature(FeatureKind::vertex, corners_of(a_, ta)[k]),
                       Feature(FeatureKind::face, tb)});
    }

    /// Whether both triangles at an edge lie behind a plane through it, up to the lean; the second
    /// one clearly behind the first, or the edge is internal.
    template <class Surface, class Place>
    static bool is_highest(const Surface& surface, const Edge& edge, const Vec3<S>& up, S lean,
                           const Place& place) {
        constexpr S kFlatBend = sizeof(S) == sizeof(double) ? S(1e-4) : S(1e-3);
        const auto is_behind = [&](const Vec3<S>& apex) {
            const Vec3<S> d = apex - edge.from;
            const S rise = dot(up, d);
            return rise <= S(0) || rise * rise <= lean * lean * length_squared(d);
        };
        const Triangle<S> own = triangle_at(surface, edge.t);
        if (!is_behind(place(corner(own, (edge.e + 2) % 3)))) return false;
        const std::uint32_t mate = across(surface, edge.t, edge.e);
        if (mate == kNone) return true;
        const std::uint32_t begin = corners_of(surface, edge.t)[edge.e];
        // The mate runs along the edge the other way, so its apex follows the edge's beginning.
        const std::uint32_t c = corner_with(surface, mate, begin);
        const Vec3<S> apex = place(corner(triangle_at(surface, mate), (c + 1) % 3));
        const Vec3<S> d = apex - edge.from;
        const S bend = dot(edge.face, d);
        if (!(bend < S(0)) || bend * bend < kFlatBend * kFlatBend * length_squared(d)) return false;
        return is_behind(apex);
    }

    /// Whether the triangle of an edge of a sheet, or at a boundary edge, is seen from behind along
    /// a normal. At a sharp edge of a solid a normal may well be more than 90 degrees from that of
    /// one of the two faces.
    template <class Surface>
    static bool faces_away(const Surface& surface, const Edge& edge, const Vec3<S>& up, S lean) {
        const bool has_two_faces = is_solid(surface) && across(surface, edge.t, edge.e) != kNone;
        return !has_two_faces && dot(up, edge.face) < -lean;
    }

    void cross_edges(const Edge& a, const Edge& b, const FeatureLimits<S>& limits,
                     std::vector<FeatureContact<S>>& out) const {
        constexpr S kParallel = S(0.01); // as a sine
        const Vec3<S> d = a.to - a.from, e = b.to - b.from, c = cross(d, e), gap = b.from - a.from;
        const S area = length_squared(c), length_a = length(d), length_b = length(e);
        if (!(area > kParallel * kParallel * length_squared(d) * length_squared(e))) {
            if (limits.parallel_edges) along_edges(a, b, limits, out);
            return;
        }
        const S s = dot(cross(gap, e), c) / area, t = dot(cross(gap, d), c) / area;
        Vec3<S> n = c / std::sqrt(area);
        S separation = dot(n, gap);
        // Edges may meet at their ends, where rounding decides, or beyond them in a valley.
        const S beyond = std::max(limits.slack, limits.ahead) + S(2) * std::abs(separation);
        const S over_a = beyond_ends(s) * length_a, over_b = beyond_ends(t) * length_b;
        if (over_a > beyond || over_b > beyond) return;
        if (std::abs(separation) > std::max(limits.margin, limits.reach)) return;
        const auto placed = [&](const Vec3<S>& q) { return place(q); };
        for (int side = 0; side < 2; ++side, n = -n, separation = -separation) {
            if (separation > limits.margin || separation < -limits.reach) continue;
            if (!are_highest(a, b, n, limits)) continue;
            const S over = separation < -limits.slack ? beyond : limits.ahead;
            if (over_a > limits.slack &&
                !(over_a <= over && rises_beyond(a_, a, s > S(0), n, limits.lean, kAsIs)))
                continue;
            if (over_b > limits.slack &&
                !(over_b <= over && rises_beyond(b_, b, t > S(0), -n, limits.lean, placed)))
                continue;
            out.push_back({a.from + d * s, n, separation, Feature(FeatureKind::edge, 3 * a.t + a.e),
                           Feature(FeatureKind::edge, 3 * b.t + b.e)});
            return;
        }
    }

    /// The two ends of what two parallel edges have in common. Where they touch, the line from one
    /// to the other has no direction, so there the middle between all four faces is taken.
    void along_edges(const Edge& a, const Edge& b, const FeatureLimits<S>& limits,
                     std::vector<FeatureContact<S>>& out) const {
        const Vec3<S> d = a.to - a.from;
        const S square = length_squared(d);
        const S from = dot(b.from - a.from, d) / square, to = dot(b.to - a.from, d) / square;
        const S low = std::max(std::min(from, to), S(0)), high = std::min(std::max(from, to), S(1));
        if (!(low < high)) return;
        const auto on_a = [&](S s) { return a.from + d * s; };
        const auto on_b = [&](S s) {
            return b.from + (b.to - b.from) * ((s - from) / (to - from));
        };
        const auto across_line = [&](const Vec3<S>& v) { return v - d * (dot(v, d) / square); };
        const S middle = S(0.5) * (low + high);
        Vec3<S> n = across_line(on_b(middle) - on_a(middle));
        if (length_squared(n) < limits.slack * limits.slack)
            n = across_line(a.face + face_across(a_, a, kAsIs) - b.face -
                            face_across(b_, b, [&](const Vec3<S>& q) { return place(q); }));
        if (!(length_squared(n) > S(0))) return;
        n = normalize(n);
        for (int side = 0; side < 2; ++side, n = -n) {
            const S separation = dot(n, on_b(middle) - on_a(middle));
            if (separation > limits.margin || separation < -limits.reach) continue;
            if (!are_highest(a, b, n, limits)) continue;
            for (const S s : {low, high})
                out.push_back({on_a(s), n, dot(n, on_b(s) - on_a(s)),
                               Feature(FeatureKind::edge, 3 * a.t + a.e),
                               Feature(FeatureKind::edge, 3 * b.t + b.e)});
            return;
        }
    }

    /// The normal of the triangle across an edge.
    template <class Surface, class Place>
    static Vec3<S> face_across(const Surface& surface, const Edge& edge, const Place& place) {
        const std::uint32_t mate = across(surface, edge.t, edge.e);
        if (mate == kNone) return edge.face;
        const Triangle<S> t = triangle_at(surface, mate);
        return normal(Triangle<S>{place(t.a), place(t.b), place(t.c)});
    }

    /// Whether a normal is one that both surfaces have at their edges.
    bool are_highest(const Edge& a, const Edge& b, const Vec3<S>& n,
                     const FeatureLimits<S>& limits) const {
        if (faces_away(a_, a, n, limits.lean) || faces_away(b_, b, -n, limits.lean)) return false;
        return is_highest(a_, a, n, limits.lean, kAsIs) &&
               is_highest(b_, b, -n, limits.lean, [&](const Vec3<S>& q) { return place(q); });
    }

    /// How far a place on an edge, from 0 to 1, is beyond its ends.
    static S beyond_ends(S at) { return std::max({-at, at - S(1), S(0)}); }

    /// Whether the surface rises where an edge ends, on its far side.
    template <class Surface, class Place>
    static bool rises_beyond(const Surface& surface, const Edge& edge, bool at_end,
                             const Vec3<S>& up, S lean, const Place& place) {
        const Vec3<S> ahead = at_end ? edge.to - edge.from : edge.from - edge.to;
        bool rises = false;
        visit_fan(surface, edge.t, at_end ? (edge.e + 1) % 3 : edge.e,
                  [&](std::uint32_t other, std::uint32_t c) {
                      const Triangle<S> triangle = triangle_at(surface, other);
                      const Vec3<S> p = place(corner(triangle, c));
                      for (const std::uint32_t i : {(c + 1) % 3, (c + 2) % 3}) {
                          const Vec3<S> d = place(corner(triangle, i)) - p;
                          rises |= dot(d, ahead) > S(0) && dot(up, d) > lean * length(d);
                      }
                  });
        return rises;
    }

    const A& a_;
    const B& b_;
    Mat3<S> turn_;
    Vec3<S> offset_, middle_a_, middle_b_;
    PreparedTriangles<S>&list_a_ = reused<0>(), &list_b_ = reused<1>();

    /// From query to query, to avoid allocation.
    template <int Side>
    static PreparedTriangles<S>& reused() {
        thread_local PreparedTriangles<S> list;
        return list;
    }
};

} // namespace rigor
