#include "collide/contacts.h"

#include <algorithm>
#include <limits>

#include "collide/face_clip.h"
#include "collide/mesh_over_plane.h"
#include "collide/pieces.h"
#include "collide/surface_contacts.h"
#include "collide/surface_distance.h"
#include "collide/surface_pair_contacts.h"

namespace rigor {
namespace {

/// Transforms to the frame in which A's own is placed.
template <class S>
void place(Manifold<S>& m, const Pose<S>& pose) {
    m.normal = rotate(pose.q, m.normal);
    for (std::size_t i = 0; i < static_cast<std::size_t>(m.count); ++i)
        m.points[i].point_a = transform(pose, m.points[i].point_a);
}

/// The query of two pieces, and its output.
template <class S>
struct Request {
    Pose<S> b_in_a;
    const ContactSettings<S>& wanted;
    PartContact<S>& last; ///< in and out, for two convex pieces
    std::vector<Manifold<S>>& more;
};

template <class S>
void mirror_from(std::vector<Manifold<S>>& list, std::size_t first, const Pose<S>& a_in_b) {
    for (std::size_t i = first; i < list.size(); ++i) mirror(list[i], a_in_b);
}

template <class S>
void touch(const Core<S>& a, const Core<S>& b, const Request<S>& r) {
    convex_contacts(a, b, r.b_in_a, r.wanted, r.last.memory, r.last.manifold);
}

template <class S>
void touch(const Plane<S>* a, const Core<S>& b, const Request<S>& r) {
    plane_contacts(*a, b, r.b_in_a, r.wanted, r.last.manifold);
}

template <class S>
void touch(const Core<S>& a, const Plane<S>* b, const Request<S>& r) {
    // The last manifold is only used for its features: they have to be swapped.
    for (ContactPoint<S>& p : r.last.manifold.points) std::swap(p.feature_a, p.feature_b);
    plane_contacts(*b, a, inverse(r.b_in_a), r.wanted, r.last.manifold);
    mirror(r.last.manifold, r.b_in_a);
}

template <class S, class Surface>
requires SurfaceOf<Surface, S>
void touch(const Surface* a, const Core<S>& b, const Request<S>& r) {
    surface_contacts(*a, b, r.b_in_a, r.wanted, r.more);
}

template <class S, class Surface>
requires SurfaceOf<Surface, S>
void touch(const Core<S>& a, const Surface* b, const Request<S>& r) {
    const std::size_t first = r.more.size();
    surface_contacts(*b, a, inverse(r.b_in_a), r.wanted, r.more);
    mirror_from(r.more, first, r.b_in_a);
}

/// How steeply an edge may lead down from a vertex that touches a plane: with long steps a body
/// turns by about 0.1 rad before contacts are found anew, with exact features not at all.
template <class S>
S steepness(const ContactSettings<S>& wanted) {
    constexpr S kTurn = S(0.1);
    if (!(wanted.flat_cosine < S(1))) return std::numeric_limits<S>::infinity();
    return kTurn + std::sqrt(S(1) - wanted.flat_cosine * wanted.flat_cosine);
}

/// The vertices of a surface below a plane, or within the margin.
template <class S, class Surface>
requires SurfaceOf<Surface, S>
void touch(const Plane<S>* a, const Surface* b, const Request<S>& r) {
    if constexpr (std::same_as<Surface, TriangleMesh<S>>) {
        const Vec3<S> u = perpendicular(a->normal), v = cross(a->normal, u);
        ClipPoints<S> points;
        thread_local std::vector<std::uint32_t> low; // reused to avoid allocation
        const Vec3<S> down = inverse_rotate(r.b_in_a.q, a->normal);
        const Plane<S> seen{down, a->offset - dot(a->normal, r.b_in_a.p)};
        const S rounding = S(1e-5) * (S(1) + std::abs(a->offset));
        find_low_vertices(*b, seen, r.wanted.margin + rounding, steepness(r.wanted), low);
        for (const std::uint32_t i : low) {
            const Vec3<S> p = transform(r.b_in_a, b->vertices[i]);
            const S height = height_over(*a, p);
            if (height > r.wanted.margin) continue;
            points.push_back({dot(u, p), dot(v, p), height, Feature(FeatureKind::face, 0),
                              Feature(FeatureKind::vertex, i)});
        }
        const Manifold<S> last = r.last.manifold;
        reduce_to_four(points, r.wanted.tolerance, [&](const ClipPoint<S>& p) {
            return std::any_of(last.points.begin(), last.points.begin() + last.count,
                               [&](const auto& q) { return q.feature_b == p.incident; });
        });
        Manifold<S>& m = r.last.manifold;
        m.normal = a->normal;
        m.count = 0;
        for (const ClipPoint<S>& p : points) {
            m.points[static_cast<std::size_t>(m.count++)] = {
                u * p.x + v * p.y + a->normal * a->offset, p.height, p.reference, p.incident};
        }
    }
}

template <class S, class Surface>
requires SurfaceOf<Surface, S>
void touch(const Surface* a, const Plane<S>* b, const Request<S>& r) {
    for (ContactPoint<S>& p : r.last.manifold.points) std::swap(p.feature_a, p.feature_b);
    touch(b, a, Request<S>{inverse(r.b_in_a), r.wanted, r.last, r.more});
    mirror(r.last.manifold, r.b_in_a);
}

template <class S>
void touch(const Plane<S>*, const Plane<S>*, const Request<S>&) {}

template <class S, class A, class B>
requires SurfaceOf<A, S> && SurfaceOf<B, S>
void touch(const A* a, const B* b, const Request<S>& r) {
    surface_pair_contacts(*a, *b, r.b_in_a, r.wanted, r.more);
}

template <class S>
Aabb<S> piece_bounds(const Piece<S>& piece, const Pose<S>& pose) {
    return std::visit(
        [&](const auto& p) -> Aabb<S> {
            if constexpr (std::same_as<std::decay_t<decltype(p)>, Core<S>>) {
                return bounds(p, pose);
            } else {
                return bounds(*p, pose);
            }
        },
        piece);
}

template <class S>
bool comes_before(const Manifold<S>& m, const ShapePart& a, const ShapePart& b) {
    const auto key = [](const ShapePart& x, const ShapePart& y) {
        return std::array{x.child, y.child, x.triangle, y.triangle};
    };
    return key(m.part_a, m.part_b) < key(a, b);
}

template <class S>
bool is_worth_keeping(const PartContact<S>& contact) {
    return contact.manifold.count > 0 || contact.memory.kind != AxisKind::none;
}

/// Fast path for the most frequent case.
template <class S>
void between_cores(const Core<S>& a, const Core<S>& b, const Pose<S>& b_in_a,
                   const ContactSettings<S>& wanted, std::vector<PartContact<S>>& contacts) {
    if (contacts.size() != 1) { // as it is when there is a cache
        contacts.clear();
        contacts.emplace_back();
    }
    PartContact<S>& contact = contacts[0];
    convex_contacts(a, b, b_in_a, wanted, contact.memory, contact.manifold);
    if (!is_worth_keeping(contact)) contacts.clear();
}

/// Visits all pairs of children, with the cache of each.
template <class S>
class ContactSearch {
  public:
    ContactSearch(const Shape<S>& a, const Shape<S>& b, const Pose<S>& b_in_a,
                  const ContactSettings<S>& wanted, std::vector<PartContact<S>>& contacts)
        : a_(a), b_(b), b_in_a_(b_in_a), wanted_(wanted), contacts_(contacts) {}

    void run() {
        if (!a_.is_compound() && !b_.is_compound()) {
            const Piece<S> x = a_.piece(0), y = b_.piece(0);
            const auto *core_a = std::get_if<Core<S>>(&x), *core_b = std::get_if<Core<S>>(&y);
            if (core_a && core_b)
                return between_cores(*core_a, *core_b, b_in_a_, wanted_, contacts_);
        }
        if (a_.size() == 1 && b_.size() == 1) {
            PartContact<S> only = known(0, 0);
            contacts_.clear();
            update_pair(0, 0, only);
            return;
        }
        const std::vector<PartContact<S>> last = contacts_;
        contacts_.clear();
        for (std::uint32_t i = 0; i < a_.size(); ++i) {
            const Aabb<S> box = expand(piece_bounds(a_.piece(i), a_.pose(i)), wanted_.margin);
            for (std::uint32_t j = 0; j < b_.size(); ++j) {
                if (!overlap(box, piece_bounds(b_.piece(j), b_in_a_ * b_.pose(j)))) continue;
                PartContact<S> contact = find(last, i, j);
                update_pair(i, j, contact);
            }
        }
    }

  private:
    PartContact<S> known(std::uint32_t i, std::uint32_t j) const { return find(contacts_, i, j); }

    static PartContact<S> find(const std::vector<PartContact<S>>& list, std::uint32_t i,
                               std::uint32_t j) {
        const ShapePart a{i, 0}, b{j, 0};
        const auto at = std::lower_bound(list.begin(), list.end(), 0, [&](const auto& c, int) {
            return comes_before(c.manifold, a, b);
        });
        const bool found = at != list.end() && at->manifold.part_a == a && at->manifold.part_b == b;
        return found ? *at : PartContact<S>{};
    }

    void update_pair(std::uint32_t i, std::uint32_t j, PartContact<S>& contact) {
        const Pose<S> pose_a = a_.pose(i);
        const Pose<S> relative = inverse(pose_a) * b_in_a_ * b_.pose(j);
        more_.clear();
        const Request<S> request{relative, wanted_, contact, more_};
        std::visit([&](const auto& x, const auto& y) { touch(x, y, request); }, a_.piece(i),
                   b_.piece(j));
        const auto keep = [&](Manifold<S> m, const ContactMemory<S>& memory) {
            place(m, pose_a);
            m.part_a.child = i;
            m.part_b.child = j;
            contacts_.push_back({m, memory});
        };
        if (is_worth_keeping(contact)) keep(contact.manifold, contact.memory);
        for (const Manifold<S>& m : more_) keep(m, {});
    }

    Children<S> a_, b_;
    Pose<S> b_in_a_;
    const ContactSettings<S>& wanted_;
    std::vector<PartContact<S>>& contacts_;
    std::vector<Manifold<S>>& more_ = scratch();

    /// Reused from query to query to avoid allocation.
    static std::vector<Manifold<S>>& scratch() {
        thread_local std::vector<Manifold<S>> manifolds;
        return manifolds;
    }
};

} // namespace

template <class S>
void find_contacts(const Shape<S>& a, const Shape<S>& b, const Pose<S>& b_in_a,
                   const ContactSettings<S>& wanted, std::vector<PartContact<S>>& contacts) {
    ContactSearch<S>(a, b, b_in_a, wanted, contacts).run();
}

namespace {

/// The triangle of a surface that a feature belongs to, and the number of the feature in it.
struct FeatureOfTriangle {
    std::uint32_t triangle = 0, index = 0;
};
FeatureOfTriangle feature_of_triangle(const ShapePart& part, Feature feature) {
    if ((part.triangle & kManyTriangles) == 0) return {part.triangle, feature.index()};
    return {feature.index() / 3, feature.index() % 3};
}

} // namespace

template <class S>
Vec3<S> edge_direction(const Shape<S>& shape, const ShapePart& part, Feature feature,
                       const Vec3<S>& point) {
    if (feature.kind() != FeatureKind::edge) return {};
    const Children<S> children(shape);
    const Pose<S> pose = children.pose(part.child);
    const Vec3<S> local = inverse_transform(pose, point);
    const Vec3<S> direction = std::visit(
        [&](const auto& piece) -> Vec3<S> {
            using P = std::decay_t<decltype(piece)>;
            if constexpr (std::same_as<P, Core<S>>) {
                return edge_direction(piece, feature.index(), local);
            } else if constexpr (std::same_as<P, const Plane<S>*>) {
                return {};
            } else {
                const FeatureOfTriangle own = feature_of_triangle(part, feature);
                return edge_direction(core_of(triangle_at(*piece, own.triangle)), own.index, local);
            }
        },
        children.piece(part.child));
    return rotate(pose.q, direction);
}

template <class S>
S reach(const Shape<S>& shape, const ShapePart& part, Feature feature, const Vec3<S>& direction) {
    const S unknown = -std::numeric_limits<S>::infinity();
    const Children<S> children(shape);
    const Pose<S> pose = children.pose(part.child);
    const Vec3<S> local = inverse_rotate(pose.q, direction);
    const auto reach_of = [&](const Core<S>& core) {
        std::uint32_t hint = 0;
        return dot(local, support(core, local, hint)) + core.radius;
    };
    const S own = std::visit(
        [&](const auto& piece) -> S {
            using P = std::decay_t<decltype(piece)>;
            if constexpr (std::same_as<P, Core<S>>) {
                return reach_of(piece);
            } else if constexpr (std::same_as<P, const Plane<S>*>) {
                return unknown;
            } else {
                // Which triangle a vertex of many is of is not known.
                const bool many = (part.triangle & kManyTriangles) != 0;
                if (many && feature.kind() != FeatureKind::edge) return unknown;
                const FeatureOfTriangle at = feature_of_triangle(part, feature);
                return reach_of(core_of(triangle_at(*piece, at.triangle)));
            }
        },
        children.piece(part.child));
    return own + dot(pose.p, direction);
}

template Vec3<float> edge_direction(const Shape<float>&, const ShapePart&, Feature,
                                    const Vec3<float>&);
template Vec3<double> edge_direction(const Shape<double>&, const ShapePart&, Feature,
                                     const Vec3<double>&);
template float reach(const Shape<float>&, const ShapePart&, Feature, const Vec3<float>&);
template double reach(const Shape<double>&, const ShapePart&, Feature, const Vec3<double>&);
template void find_contacts(const Shape<float>&, const Shape<float>&, const Pose<float>&,
                            const ContactSettings<float>&, std::vector<PartContact<float>>&);
template void find_contacts(const Shape<double>&, const Shape<double>&, const Pose<double>&,
                            const ContactSettings<double>&, std::vector<PartContact<double>>&);

} // namespace rigor
