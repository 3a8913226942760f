#include "collide/surface_contacts.h"

#include <algorithm>

#include "base/inline_vector.h"
#include "collide/internal_edges.h"
#include "collide/manifold_builder.h"
#include "collide/manifold_groups.h"
#include "collide/oriented_box.h"
#include "collide/query_work.h"
#include "collide/separating_axis.h"
#include "collide/surface_distance.h"
#include "collide/surface_features.h"

namespace rigor {
namespace {

/// Leaning over an edge by less than this, as a sine, is rounding.
template <class S>
constexpr S kUpright = S(1e-3);

/// In the plane of a triangle, outward across its edge e: a unit.
template <class S>
Vec3<S> outward(const Triangle<S>& t, const Vec3<S>& n, std::uint32_t e) {
    const std::array<Vec3<S>, 3> p{t.a, t.b, t.c};
    return normalize(cross(p[(e + 1) % 3] - p[e], n));
}

/// The edges that the points of a manifold touch, as bits.
template <class S>
std::uint32_t touched_edges(const Manifold<S>& m) {
    std::uint32_t edges = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(m.count); ++i) {
        const Feature f = m.points[i].feature_a;
        if (f.kind() == FeatureKind::edge) edges |= 1u << f.index();
        if (f.kind() == FeatureKind::vertex) edges |= 1u << f.index() | 1u << (f.index() + 2) % 3;
    }
    return edges;
}

/// Calls visit(index, triangle) for the triangles that an oriented box may touch.
template <class S, class Visit>
void visit_near(const TriangleMesh<S>& mesh, const OrientedBox<S>& box, Visit&& visit) {
    const MeshBvh<S>& tree = mesh.tree;
    if (tree.nodes.empty()) return;
    std::array<std::uint32_t, MeshBvh<S>::kMaxDepth> stack;
    std::size_t size = 0;
    stack[size++] = 0;
    while (size > 0) {
        const std::uint32_t index = stack[--size];
        const typename MeshBvh<S>::Node& node = tree.nodes[index];
        if (box.misses(node.box)) continue;
        if (node.count == 0) {
            stack[size++] = node.next;
            stack[size++] = index + 1;
            continue;
        }
        for (std::uint32_t i = 0; i < node.count; ++i) {
            const std::uint32_t t = tree.items[node.next + i];
            const Triangle<S> triangle = triangle_at(mesh, t);
            if (!box.misses(triangle)) visit(t, triangle);
        }
    }
}

template <class S, class Visit>
void visit_near(const HeightField<S>& field, const OrientedBox<S>& box, Visit&& visit) {
    visit_triangles(field, box.bounds(), [&](std::uint32_t t, const Triangle<S>& triangle) {
        if (!box.misses(triangle)) visit(t, triangle);
    });
}

/// The tight oriented box of a solid in the solid's own frame, expanded by a margin.
template <class S>
OrientedBox<S> box_around(const Core<S>& core, const Transform<S>& place, S margin) {
    if (core.kind == CoreKind::box) {
        const Vec3<S> reach{core.radius, core.radius, core.radius};
        return {expand(Aabb<S>{-core.size - reach, core.size + reach}, margin), place};
    }
    return {expand(bounds(core, Pose<S>{}), margin), place};
}

enum class Verdict { right, along_own_normal, of_neighbor };

template <class S, class Surface>
class SurfaceContacts {
  public:
    SurfaceContacts(const Surface& a, const Core<S>& b, const Pose<S>& b_in_a,
                    const ContactSettings<S>& wanted, std::vector<Manifold<S>>& out)
        : a_(a), b_(b), pose_(b_in_a), wanted_(wanted), out_(out) {
        middle_ = b.kind == CoreKind::hull ? transform(b_in_a, b.hull->center) : b_in_a.p;
        place_ = {to_matrix(b_in_a.q), b_in_a.p};
    }

    void run() {
        InlineVector<std::uint32_t, 64> near;
        visit_near(a_, box_around(b_, place_, wanted_.margin),
                   [&](std::uint32_t t, const Triangle<S>& triangle) {
                       if (!is_below(triangle)) near.push_back(t);
                   });
        std::sort(near.begin(), near.end());
        query_work() += kWorkOfConvex * static_cast<double>(near.size());
        const std::size_t before = out_.size();
        for (const std::uint32_t t : near) touch(t);
        if (rim_was_hit_) correct_boundary_edges(before);
        if (out_.size() == before && is_solid(a_) && is_near()) from_inside();
        // A round solid rolls from facet to facet, each with its own normal.
        if (is_solid(a_) && wanted_.flat_cosine < S(1) && b_.radius == S(0)) join(before);
    }

  private:
    /// Whether the plane of a triangle separates B: of a sheet on the side of its center, of a
    /// solid outside by more than the margin, or inside.
    bool is_below(const Triangle<S>& t) const {
        Vec3<S> n = area_vector(t);
        if (!is_solid(a_) && dot(n, middle_ - t.a) < S(0)) n = -n;
        const Vec3<S> down = -place_.local_direction(n);
        std::uint32_t hint = 0;
        const S height = dot(n, place_.point(support(b_, down, hint)) - t.a);
        const S margin = wanted_.margin + b_.radius;
        if (height > S(0)) return height * height > margin * margin * length_squared(n);
        if (!is_solid(a_)) return false;
        const S top = dot(n, place_.point(support(b_, -down, hint)) - t.a);
        return top < S(0) && top * top > b_.radius * b_.radius * length_squared(n);
    }

    /// Whether the box of a triangle overlaps that of B, in the surface's frame.
    bool is_near() const {
        bool any = false;
        visit_triangles(a_, expand(bounds(b_, pose_), wanted_.margin),
                        [&](std::uint32_t, const Triangle<S>&) { any = true; });
        return any;
    }

    void touch(std::uint32_t t) {
        Triangle<S> triangle = triangle_at(a_, t);
        if (is_degenerate(triangle)) return;
        const bool behind =
            !is_solid(a_) && dot(area_vector(triangle), middle_ - triangle.a) < S(0);
        const S side = behind ? S(-1) : S(1);
        const Vec3<S> n = normal(triangle) * side;
        const Core<S> core = core_of(triangle);
        ContactMemory<S> memory;
        Manifold<S> m;
        convex_contacts(core, b_, pose_, wanted_, memory, m);
        if (m.count == 0 || is_beneath(n, m)) return;
        if (m.count == 1 && is_solid(a_) && wanted_.flat_cosine < S(1)) widen(core, m);
        switch (judge(t, triangle, n, side, m)) {
            case Verdict::right:
                break;
            case Verdict::along_own_normal:
                contacts_along(core, b_, pose_, n, wanted_, m);
                if (!is_as_deep_as_claimed(m)) return;
                if (m.count == 0 && wanted_.sees_valleys) beyond_valley(triangle, n, m);
                break;
            case Verdict::of_neighbor:
                return;
        }
        if (m.count == 0) return;
        m.part_a.triangle = t;
        out_.push_back(m);
    }

    /// Whether B is behind a triangle of a solid, and does not touch it.
    bool is_beneath(const Vec3<S>& n, const Manifold<S>& m) const {
        if (!is_solid(a_) || !(dot(m.normal, n) < S(0))) return false;
        for (int i = 0; i < m.count; ++i)
            if (m.points[static_cast<std::size_t>(i)].separation < S(0)) return false;
        return true;
    }

    /// Where two edges cross and a face of B is nearly parallel to both, the edge of the triangle
    /// touches that face along its length: a plank tips over it without rocking from end to end.
    void widen(const Core<S>& core, Manifold<S>& m) const {
        if (m.points[0].feature_a.kind() != FeatureKind::edge) return;
        FacePolygon<S> face;
        face_along(b_, -place_.local_direction(m.normal), face);
        const Vec3<S> normal = -place_.direction(face.normal);
        if (!face.is_face() || !(dot(normal, m.normal) > wanted_.flat_cosine)) return;
        Manifold<S> wide;
        ManifoldBuilder<S> builder(core, b_, place_, wanted_, wide);
        if (!builder.over_polygon_of_b(face, normal)) return;
        const S difference = builder.least_separation() - b_.radius - m.points[0].separation;
        if (std::abs(difference) <= S(2) * wanted_.tolerance) m = wide;
    }

    /// Whether the solid is about as deep as a manifold claims that was rebuilt along the normal of
    /// its triangle. A box that stands on a cliff is far behind the wall of the cliff, but the
    /// overlap there is thin: the middle of it is near another part of the surface.
    bool is_as_deep_as_claimed(const Manifold<S>& m) const {
        constexpr S kThin = S(0.1);
        S deepest = S(0), touching = S(0);
        Vec3<S> middle;
        for (int i = 0; i < m.count; ++i) {
            const ContactPoint<S>& point = m.points[static_cast<std::size_t>(i)];
            if (!(point.separation < S(0))) continue;
            deepest = std::max(deepest, -point.separation);
            middle += point.point_a + m.normal * (S(0.5) * point.separation);
            touching += S(1);
        }
        if (!(deepest > S(4) * wanted_.tolerance)) return true;
        const S distance = closest_point(a_, middle / touching).distance;
        return (is_solid(a_) ? -distance : std::abs(distance)) >= kThin * deepest;
    }

    /// Whether the surface has this normal there; n is the triangle's on the side of B.
    Verdict judge(std::uint32_t t, const Triangle<S>& triangle, const Vec3<S>& n, S side,
                  const Manifold<S>& m) {
        const bool is_behind = dot(m.normal, n) < S(0);
        const std::uint32_t edges = touched_edges(m);
        for (std::uint32_t e = 0; e < 3; ++e) {
            if ((edges >> e & 1u) == 0) continue;
            const Vec3<S> out = outward(triangle, n * side, e);
            if (!(dot(m.normal, out) > kUpright<S>)) continue;
            const std::uint32_t mate = across(a_, t, e);
            if (mate == kNone) { // may be hit from any side
                rim_was_hit_ |= !is_behind;
                continue;
            }
            const Triangle<S> other = triangle_at(a_, mate);
            const Vec3<S> other_normal = normal(other) * side;
            if (!(dot(other_normal, out) > kUpright<S>)) return Verdict::along_own_normal;
            const Vec3<S> into_neighbor = cross(cross(n, out), other_normal);
            if (dot(m.normal, into_neighbor) > kUpright<S>) {
                if (!is_behind) return Verdict::of_neighbor;
            } else if (is_behind && dot(m.normal, other_normal) > S(0)) {
                return Verdict::of_neighbor; // at a sharp edge, where the surface has this normal
            }
        }
        return is_behind ? Verdict::along_own_normal : Verdict::right;
    }

    /// The points of B over the plane of a triangle that are not farther from it than the margin.
    /// On this side of a valley B is above that plane, so they hold back nothing that may be there.
    void beyond_valley(const Triangle<S>& triangle, const Vec3<S>& n, Manifold<S>& m) const {
        plane_contacts(Plane<S>{n, dot(n, triangle.a)}, b_, pose_, wanted_, m);
        int kept = 0;
        for (int i = 0; i < m.count; ++i) {
            const ContactPoint<S>& point = m.points[static_cast<std::size_t>(i)];
            bool is_near = point.separation > -wanted_.tolerance;
            for (std::uint32_t e = 0; e < 3; ++e) {
                const Vec3<S> corner = e == 0 ? triangle.a : e == 1 ? triangle.b : triangle.c;
                is_near &= dot(outward(triangle, normal(triangle), e), point.point_a - corner) <
                           wanted_.margin;
            }
            if (is_near) m.points[static_cast<std::size_t>(kept++)] = point;
        }
        m.count = kept;
    }

    /// Adjacent triangles need not share their vertices: such boundary edges are internal edges
    /// too.
    void correct_boundary_edges(std::size_t first) {
        for (std::size_t i = first; i < out_.size(); ++i) {
            const auto ground = ground_of(out_[i], Mover::b);
            for (std::size_t j = first; ground && j < out_.size(); ++j) {
                const Core<S> core = core_of(triangle_at(a_, out_[j].part_a.triangle));
                if (is_internal_edge(out_[j], Mover::b, core, Pose<S>{}, *ground,
                                     wanted_.tolerance))
                    contacts_along(core, b_, pose_, ground->up, wanted_, out_[j]);
            }
        }
        out_.erase(std::remove_if(out_.begin() + static_cast<std::ptrdiff_t>(first), out_.end(),
                                  [](const Manifold<S>& m) { return m.count == 0; }),
                   out_.end());
    }

    /// Completely inside and touching no triangle: separates along the nearest normal.
    void from_inside() {
        const Distance<S> d = surface_distance(a_, b_, pose_);
        if (d.distance > S(0)) return;
        Manifold<S> m;
        m.normal = d.normal;
        m.count = 1;
        m.points[0] = {d.point_a, d.distance, Feature(FeatureKind::face, 0), Feature()};
        m.part_a = d.part_a;
        out_.push_back(m);
    }

    /// Puts the manifolds of single triangles together by their normals.
    void join(std::size_t first) {
        if (out_.size() - first < 2) return;
        std::vector<FeatureContact<S>> contacts;
        for (std::size_t i = first; i < out_.size(); ++i) {
            const Manifold<S>& m = out_[i];
            for (int k = 0; k < m.count; ++k) {
                const ContactPoint<S>& p = m.points[static_cast<std::size_t>(k)];
                contacts.push_back({p.point_a, m.normal, p.separation,
                                    feature_of_surface(p.feature_a, m.part_a.triangle),
                                    p.feature_b});
            }
        }
        out_.resize(first);
        const S one_normal = std::min(kOneNormal<S>, wanted_.flat_cosine);
        group_by_normal<S>(contacts, {one_normal, wanted_.tolerance, wanted_.tolerance, false},
                           out_);
    }

    /// A feature of triangle t, numbered through the surface.
    Feature feature_of_surface(Feature feature, std::uint32_t t) const {
        if (feature.kind() == FeatureKind::vertex)
            return Feature(FeatureKind::vertex, corners_of(a_, t)[feature.index() % 3]);
        if (feature.kind() == FeatureKind::edge)
            return Feature(FeatureKind::edge, 3 * t + feature.index() % 3);
        return Feature(FeatureKind::face, t);
    }

    const Surface& a_;
    const Core<S>& b_;
    const Pose<S>& pose_;
    const ContactSettings<S>& wanted_;
    std::vector<Manifold<S>>& out_;
    Vec3<S> middle_;
    Transform<S> place_;
    bool rim_was_hit_ = false;
};

} // namespace

template <class S>
void surface_contacts(const TriangleMesh<S>& a, const Core<S>& b, const Pose<S>& b_in_a,
                      const ContactSettings<S>& wanted, std::vector<Manifold<S>>& out) {
    SurfaceContacts<S, TriangleMesh<S>>(a, b, b_in_a, wanted, out).run();
}

template <class S>
void surface_contacts(const HeightField<S>& a, const Core<S>& b, const Pose<S>& b_in_a,
                      const ContactSettings<S>& wanted, std::vector<Manifold<S>>& out) {
    SurfaceContacts<S, HeightField<S>>(a, b, b_in_a, wanted, out).run();
}

#define RIGOR_INSTANTIATE(S)                                                               \
    template void surface_contacts(const TriangleMesh<S>&, const Core<S>&, const Pose<S>&, \
                                   const ContactSettings<S>&, std::vector<Manifold<S>>&);  \
    template void surface_contacts(const HeightField<S>&, const Core<S>&, const Pose<S>&,  \
                                   const ContactSettings<S>&, std::vector<Manifold<S>>&);
RIGOR_INSTANTIATE(float)
RIGOR_INSTANTIATE(double)
#undef RIGOR_INSTANTIATE

} // namespace rigor
