#include "collide/contact_region.h"

#include <algorithm>

#include "collide/manifold_builder.h"
#include "collide/pieces.h"
#include "collide/surface_pair_contacts.h"
#include "math/trig.h"

namespace rigor {
namespace {

template <class S>
using Points = std::vector<ContactPoint<S>>;

/// Swaps the roles of A and B, as mirror() of a manifold.
template <class S>
void mirror(Points<S>& points, const Vec3<S>& normal, const Pose<S>& a_in_b) {
    for (ContactPoint<S>& p : points) {
        p.point_a = transform(a_in_b, p.point_a + normal * p.separation);
        std::swap(p.feature_a, p.feature_b);
    }
}

/// Whether all points of a manifold are among others, by their features.
template <class S>
bool has_all(const Points<S>& points, const Manifold<S>& m) {
    return std::all_of(m.points.begin(), m.points.begin() + m.count, [&](const auto& own) {
        return std::any_of(points.begin(), points.end(), [&](const auto& p) {
            return p.feature_a == own.feature_a && p.feature_b == own.feature_b;
        });
    });
}

/// One manifold of two pieces, in A's piece's frame.
template <class S>
struct Request {
    Pose<S> b_in_a;
    const ContactSettings<S>& wanted;
    const Manifold<S>& manifold;
};

template <class S>
Points<S> own_points(const Manifold<S>& m) {
    return {m.points.begin(), m.points.begin() + m.count};
}

/// Clips again over a face of A, or of B: empty when that is not where the manifold came from.
template <class S>
Points<S> clip_again(const Core<S>& a, const Core<S>& b, const Request<S>& r, bool over_a) {
    const Transform<S> place{to_matrix(r.b_in_a.q), r.b_in_a.p};
    const Vec3<S>& normal = r.manifold.normal;
    Points<S> points;
    Manifold<S> unused;
    ManifoldBuilder<S> builder(a, b, place, r.wanted, unused);
    builder.collect_all(points);
    FacePolygon<S> face;
    face_along(over_a ? a : b, over_a ? normal : -place.local_direction(normal), face);
    if (!face.is_face()) return {};
    if (over_a)
        builder.over_polygon_of_a(face, normal);
    else
        builder.over_polygon_of_b(face, normal);
    return has_all(points, r.manifold) ? points : Points<S>{};
}

/// How far the normal of a core's face is from a direction.
template <class S>
S deviation(const Core<S>& core, const Vec3<S>& direction) {
    FacePolygon<S> face;
    face_along(core, direction, face);
    return face.is_face() ? length(face.normal - direction) : S(4);
}

template <class S>
Points<S> complete(const Core<S>& a, const Core<S>& b, const Request<S>& r) {
    const Vec3<S>& normal = r.manifold.normal;
    const bool a_first = deviation(a, normal) <= deviation(b, -inverse_rotate(r.b_in_a.q, normal));
    const Points<S> points = clip_again(a, b, r, a_first);
    return points.empty() ? clip_again(a, b, r, !a_first) : points;
}

template <class S>
Points<S> complete(const Plane<S>* a, const Core<S>& b, const Request<S>& r) {
    const Transform<S> place{to_matrix(r.b_in_a.q), r.b_in_a.p};
    const Core<S> nothing{};
    Points<S> points;
    Manifold<S> unused;
    ManifoldBuilder<S> builder(nothing, b, place, r.wanted, unused);
    builder.collect_all(points);
    builder.over_plane(*a);
    return points;
}

/// All vertices below a plane, or within the margin.
template <class S>
Points<S> complete(const Plane<S>* a, const TriangleMesh<S>* b, const Request<S>& r) {
    Points<S> points;
    for (std::uint32_t i = 0; i < b->vertices.size(); ++i) {
        const Vec3<S> p = transform(r.b_in_a, b->vertices[i]);
        const S height = height_over(*a, p);
        if (height > r.wanted.margin) continue;
        points.push_back({p - a->normal * height, height, Feature(FeatureKind::face, 0),
                          Feature(FeatureKind::vertex, i)});
    }
    return points;
}

template <class S>
Points<S> complete(const Plane<S>*, const HeightField<S>*, const Request<S>&) {
    return {};
}
template <class S>
Points<S> complete(const Plane<S>*, const Plane<S>*, const Request<S>&) {
    return {};
}

template <class S, class Surface>
requires SurfaceOf<Surface, S> Points<S> complete(const Surface* a, const Core<S>& b,
                                                  const Request<S>& r) {
    return complete(core_of(triangle_at(*a, r.manifold.part_a.triangle)), b, r);
}
template <class S, class A, class B>
requires SurfaceOf<A, S> && SurfaceOf<B, S> Points<S> complete(const A* a, const B* b,
                                                               const Request<S>& r) {
    if (r.manifold.part_b.triangle & kManyTriangles) return {}; // its manifolds have all points
    return complete(a, core_of(triangle_at(*b, r.manifold.part_b.triangle)), r);
}

/// In the other order: that in which find_contacts() makes the manifold.
template <class S, class A, class B>
Points<S> complete_mirrored(const A& a, const B& b, const Request<S>& r) {
    const Pose<S> a_in_b = inverse(r.b_in_a);
    Manifold<S> mirrored = r.manifold;
    rigor::mirror(mirrored, a_in_b);
    Points<S> points = complete(b, a, Request<S>{a_in_b, r.wanted, mirrored});
    mirror(points, mirrored.normal, r.b_in_a);
    return points;
}
template <class S, class Surface>
requires SurfaceOf<Surface, S> Points<S> complete(const Core<S>& a, const Surface* b,
                                                  const Request<S>& r) {
    return complete_mirrored(a, b, r);
}
template <class S>
Points<S> complete(const Core<S>& a, const Plane<S>* b, const Request<S>& r) {
    return complete_mirrored(a, b, r);
}
template <class S, class Surface>
requires SurfaceOf<Surface, S> Points<S> complete(const Surface* a, const Plane<S>* b,
                                                  const Request<S>& r) {
    return complete_mirrored(a, b, r);
}

/// Sorts the points counterclockwise about the normal, around their middle.
template <class S>
void sort_around(ContactRegion<S>& region) {
    if (region.points.size() < 3) return;
    Vec3<S> middle;
    for (const ContactPoint<S>& p : region.points)
        middle += p.point_a / static_cast<S>(region.points.size());
    const Vec3<S> u = perpendicular(region.normal), v = cross(region.normal, u);
    const auto angle = [&](const ContactPoint<S>& p) {
        const Vec3<S> d = p.point_a - middle;
        return atan2(static_cast<double>(dot(d, v)), static_cast<double>(dot(d, u)));
    };
    std::stable_sort(region.points.begin(), region.points.end(),
                     [&](const auto& p, const auto& q) { return angle(p) < angle(q); });
}

} // namespace

template <class S>
ContactRegion<S> region_of(const Manifold<S>& manifold, const Shape<S>& a, const Shape<S>& b,
                           const Pose<S>& b_in_a, const ContactSettings<S>& wanted) {
    ContactRegion<S> region{manifold.normal, own_points(manifold), manifold.part_a,
                            manifold.part_b};
    if (manifold.count < 3) return region; // a reduction leaves three or four
    const Children<S> children_a(a), children_b(b);
    const Pose<S> pose_a = children_a.pose(manifold.part_a.child);
    const Pose<S> pose_b = children_b.pose(manifold.part_b.child);
    Manifold<S> local = manifold;
    local.normal = inverse_rotate(pose_a.q, manifold.normal);
    for (ContactPoint<S>& p : local.points) p.point_a = inverse_transform(pose_a, p.point_a);
    const Request<S> request{inverse(pose_a) * b_in_a * pose_b, wanted, local};
    Points<S> points = std::visit(
        [&](const auto& x, const auto& y) { return complete(x, y, request); },
        children_a.piece(manifold.part_a.child), children_b.piece(manifold.part_b.child));
    if (points.size() <= region.points.size()) return region;
    for (ContactPoint<S>& p : points) p.point_a = transform(pose_a, p.point_a);
    region.points = std::move(points);
    return region;
}

template <class S>
std::vector<ContactRegion<S>> contact_regions(const Shape<S>& a, const Shape<S>& b,
                                              const Pose<S>& b_in_a,
                                              const ContactSettings<S>& wanted) {
    std::vector<PartContact<S>> parts;
    find_contacts(a, b, b_in_a, wanted, parts);
    std::vector<ContactRegion<S>> regions;
    for (const PartContact<S>& part : parts)
        if (part.manifold.count > 0) {
            regions.push_back(region_of(part.manifold, a, b, b_in_a, wanted));
            sort_around(regions.back());
        }
    return regions;
}

#define RIGOR_INSTANTIATE(S)                                                                  \
    template ContactRegion<S> region_of(const Manifold<S>&, const Shape<S>&, const Shape<S>&, \
                                        const Pose<S>&, const ContactSettings<S>&);           \
    template std::vector<ContactRegion<S>> contact_regions(                                   \
        const Shape<S>&, const Shape<S>&, const Pose<S>&, const ContactSettings<S>&);
RIGOR_INSTANTIATE(float)
RIGOR_INSTANTIATE(double)
#undef RIGOR_INSTANTIATE

} // namespace rigor
