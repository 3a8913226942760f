#include "collide/surface_distance.h"

#include <algorithm>

#include "collide/gjk.h"
#include "collide/nearest_triangles.h"

namespace rigor {
namespace {

template <class S>
std::uint32_t triangle_count(const TriangleMesh<S>& mesh) {
    return static_cast<std::uint32_t>(mesh.triangles.size());
}
template <class S>
std::uint32_t triangle_count(const HeightField<S>& field) {
    return static_cast<std::uint32_t>(2 * (field.columns - 1) * (field.rows - 1));
}

template <class S>
Aabb<S> surface_box(const TriangleMesh<S>& mesh) {
    return mesh.box;
}
template <class S>
Aabb<S> surface_box(const HeightField<S>& field) {
    return bounds(field, Pose<S>{});
}

/// Around the solid that a surface bounds: below a height field all is inside.
template <class S>
Aabb<S> solid_box(const TriangleMesh<S>& mesh) {
    return mesh.box;
}
template <class S>
Aabb<S> solid_box(const HeightField<S>& field) {
    Aabb<S> box = surface_box(field);
    box.lo.z = -Aabb<S>::kInfinity;
    return box;
}

/// Whether a point is inside the solid that a surface bounds.
template <class S>
bool is_inside(const TriangleMesh<S>& mesh, const Vec3<S>& p) {
    return mesh.closed && contains(mesh.box, Aabb<S>{p, p}) &&
           closest_point(mesh, p).distance < S(0);
}
template <class S>
bool is_inside(const HeightField<S>& field, const Vec3<S>& p) {
    const Aabb<S> box = surface_box(field);
    const bool over_grid = p.x >= box.lo.x && p.x <= box.hi.x && p.y >= box.lo.y && p.y <= box.hi.y;
    return over_grid && p.z < box.hi.z && closest_point(field, p).distance < S(0);
}

/// The distance between two boxes; 0 when they overlap.
template <class S>
S gap(const Aabb<S>& a, const Aabb<S>& b) {
    return length(max(max(a.lo - b.hi, b.lo - a.hi), Vec3<S>{}));
}

template <class S>
Vec3<S> farthest(const Core<S>& core, const Pose<S>& pose, const Vec3<S>& direction) {
    std::uint32_t hint = 0;
    return transform(pose, support(core, inverse_rotate(pose.q, direction), hint));
}

// Both traversals visit the nearest boxes first and skip those farther than the bound that `visit`
// returns. Once something overlaps, all other candidates for overlap are visited.

template <class S, class Visit>
void descend(const TriangleMesh<S>& mesh, const Aabb<S>& box, S bound, Visit&& visit) {
    struct Entry {
        std::uint32_t node;
        S gap;
    };
    const MeshBvh<S>& tree = mesh.tree;
    std::array<Entry, MeshBvh<S>::kMaxDepth> stack;
    int size = 0;
    stack[size++] = {0, gap(tree.nodes[0].box, box)};
    while (size > 0) {
        const Entry entry = stack[--size];
        if (entry.gap > std::max(bound, S(0))) continue;
        const typename MeshBvh<S>::Node& node = tree.nodes[entry.node];
        for (std::uint32_t i = 0; i < node.count; ++i) {
            const std::uint32_t t = tree.items[node.next + i];
            const Triangle<S> triangle = triangle_at(mesh, t);
            if (gap(rigor::bounds(triangle), box) <= std::max(bound, S(0)))
                bound = visit(t, triangle);
        }
        if (node.count > 0) continue;
        const Entry left{entry.node + 1, gap(tree.nodes[entry.node + 1].box, box)};
        const Entry right{node.next, gap(tree.nodes[node.next].box, box)};
        stack[size++] = left.gap <= right.gap ? right : left;
        stack[size++] = left.gap <= right.gap ? left : right;
    }
}

template <class S, class Visit>
void descend_block(const HeightField<S>& field, const HeightBlock& block, const Aabb<S>& box,
                   S& bound, Visit& visit) {
    if (block.level == 0) {
        const auto first =
            static_cast<std::uint32_t>(2 * (block.row * (field.columns - 1) + block.column));
        for (std::uint32_t t = first; t < first + 2; ++t) bound = visit(t, triangle_at(field, t));
        return;
    }
    std::array<std::pair<S, HeightBlock>, 4> children;
    std::size_t count = 0;
    visit_children(field, block, [&](const HeightBlock& child) {
        children[count++] = {gap(block_box(field, child), box), child};
    });
    std::stable_sort(children.begin(), children.begin() + static_cast<std::ptrdiff_t>(count),
                     [](const auto& x, const auto& y) { return x.first < y.first; });
    for (std::size_t i = 0; i < count; ++i) {
        if (children[i].first > std::max(bound, S(0))) break;
        descend_block(field, children[i].second, box, bound, visit);
    }
}

template <class S, class Visit>
void descend(const HeightField<S>& field, const Aabb<S>& box, S bound, Visit&& visit) {
    const HeightBlock root{static_cast<int>(field.levels.size()) - 1, 0, 0};
    descend_block(field, root, box, bound, visit);
}

/// The separation of B from A along a given direction.
template <class S>
Distance<S> separation_along(const Vec3<S>& n, const Core<S>& a, const Core<S>& b,
                             const Pose<S>& b_in_a) {
    Distance<S> d;
    d.normal = n;
    d.point_b = farthest(b, b_in_a, -n) - n * b.radius;
    d.distance = dot(n, d.point_b - farthest(a, Pose<S>{}, n)) - a.radius;
    d.point_a = d.point_b - n * d.distance;
    return d;
}

/// The convex hull of a few triangles, as a core for distance queries.
template <class S>
class TriangleCloud {
  public:
    explicit TriangleCloud(const std::vector<Triangle<S>>& triangles) {
        for (const Triangle<S>& t : triangles) {
            for (const Vec3<S>& corner : {t.a, t.b, t.c}) hull_.vertices.push_back(corner);
        }
        for (std::size_t k = 0; k < 6; ++k) hull_.extremes[k] = extreme(static_cast<int>(k));
        for (const Vec3<S>& v : hull_.vertices)
            hull_.center += v / static_cast<S>(hull_.vertices.size());
    }
    TriangleCloud(const TriangleCloud&) = delete;
    TriangleCloud& operator=(const TriangleCloud&) = delete;

    Core<S> core() const { return core_of(hull_); }

  private:
    std::uint32_t extreme(int k) const {
        Vec3<S> direction;
        direction[k / 2] = k % 2 == 0 ? S(1) : S(-1);
        return highest_vertex(hull_.vertices, direction, 0);
    }

    Hull<S> hull_;
};

/// Required sides: outward normals of solid triangles; zero where either side is allowed. In A's
/// frame.
template <class S>
struct Outward {
    Vec3<S> a, b;
};

/// Directions that point inward by less than this, as a sine, count as tangential.
template <class S>
constexpr S kAlong = S(1e-3);

template <class S>
bool leads_out(const Vec3<S>& n, const Outward<S>& out, S slack) {
    return dot(n, out.a) >= -slack && dot(n, out.b) <= slack;
}

/// The least distance so far between a surface and another shape.
///
/// Triangles that overlap B and whose minimum translation points inward are deferred to the end.
/// Then they are separated along their normal, or along a direction out of one of the others, or
/// out of the hull of all of them, whichever is shortest. So a solid that touches an edge or a
/// corner of the surface from outside is deep in none of the triangles around it, though for some
/// of them alone another direction may be as short.
template <class S, class Surface>
class Search {
  public:
    explicit Search(const Surface& surface) : surface_(surface) {
        best_.distance = std::numeric_limits<S>::infinity();
    }

    /// Called when all triangles have been measured.
    const Distance<S>& best() {
        for (const Blocked& blocked : blocked_) leave(blocked);
        blocked_.clear();
        return best_;
    }
    /// Farther triangles are culled.
    S bound() const { return blocked_.empty() ? best_.distance : std::min(best_.distance, S(0)); }

    /// Where triangles are still blocked, all that B overlaps are separated together; or all
    /// measured ones, in case the overlapped ones alone would be left through the inside.
    void try_common_ways(const Core<S>& b, const Pose<S>& b_in_a) {
        if (blocked_.empty()) return;
        try_common_direction(touched_, b, b_in_a);
        if (around_.size() > touched_.size()) try_common_direction(around_, b, b_in_a);
    }

    void measure(std::uint32_t t, const Triangle<S>& triangle, const Core<S>& b,
                 const Pose<S>& b_in_a, const Vec3<S>& outward_b, std::uint32_t part_b) {
        const Outward<S> out{is_solid(surface_) ? normal(triangle) : Vec3<S>{}, outward_b};
        const Core<S> core = core_of(triangle);
        // Overlapping or touching triangles are measured exactly: their direction is needed, too.
        const S near = touching(b, b_in_a);
        Distance<S> d = convex_distance<S>(core, b, b_in_a, nullptr, std::max(bound(), near));
        iterations_ += d.iterations;
        d.part_a.triangle = t;
        d.part_b.triangle = part_b;
        if (!(d.distance > near)) {
            exit_directions_.push_back(d.normal); // perhaps of others
            touched_.push_back(triangle);
        }
        if (is_solid(surface_) && around_.size() <= kMaxTogether) around_.push_back(triangle);
        if (d.distance > S(0) || leads_out(d.normal, out, S(0))) {
            record(d);
        } else {
            blocked_.push_back({core, b, b_in_a, out, d});
        }
    }

    void descend_to(const Core<S>& b, const Pose<S>& b_in_a, const Vec3<S>& outward_b = {},
                    std::uint32_t part_b = 0) {
        const S near = touching(b, b_in_a);
        descend(surface_, bounds(b, b_in_a), std::max(bound(), near),
                [&](std::uint32_t t, const Triangle<S>& triangle) {
                    measure(t, triangle, b, b_in_a, outward_b, part_b);
                    return std::max(bound(), near);
                });
    }

  private:
    static constexpr std::size_t kMaxTogether = 64; ///< more are no corner

    struct Blocked {
        Core<S> triangle, b;
        Pose<S> b_in_a;
        Outward<S> out;
        Distance<S> shortest; ///< which points inward
    };

    void try_common_direction(const std::vector<Triangle<S>>& triangles, const Core<S>& b,
                              const Pose<S>& b_in_a) {
        if (triangles.size() > kMaxTogether) return;
        const TriangleCloud<S> cloud(triangles);
        const Distance<S> d = iterated_distance(cloud.core(), b, b_in_a);
        iterations_ += d.iterations;
        exit_directions_.push_back(d.normal);
    }

    /// Below this, overlap is decided by rounding.
    static S touching(const Core<S>& b, const Pose<S>& b_in_a) {
        return S(4) * kConverged<S> * (extent(b) + max_component(abs(b_in_a.p)));
    }

    void record(const Distance<S>& d) {
        // Of equally near ones the first by index, so that the order of the traversal has no
        // effect.
        const bool earlier = d.distance == best_.distance &&
                             std::pair(d.part_a.triangle, d.part_b.triangle) <
                                 std::pair(best_.part_a.triangle, best_.part_b.triangle);
        if (d.distance < best_.distance || earlier) best_ = d;
        best_.iterations = iterations_;
    }

    void leave(const Blocked& blocked) {
        Distance<S> best;
        best.distance = -std::numeric_limits<S>::infinity();
        const auto consider = [&](const Vec3<S>& n) {
            if (n == Vec3<S>{} || !leads_out(n, blocked.out, kAlong<S>)) return;
            const Distance<S> along =
                separation_along(n, blocked.triangle, blocked.b, blocked.b_in_a);
            if (along.distance > best.distance) best = along;
        };
        consider(blocked.out.a);
        consider(-blocked.out.b);
        for (const Vec3<S>& n : exit_directions_) consider(n);
        best.part_a = blocked.shortest.part_a;
        best.part_b = blocked.shortest.part_b;
        record(best);
    }

    const Surface& surface_;
    Distance<S> best_;
    std::vector<Blocked> blocked_;
    std::vector<Vec3<S>> exit_directions_;
    std::vector<Triangle<S>> touched_, around_; ///< overlapped, and all that were measured
    int iterations_ = 0;
};

/// Measured along the normal of the nearest surface point when B is inside: `nearest` is its
/// distance from the surface, `far_side` its farthest point from there.
template <class S>
Distance<S> from_inside(Distance<S> nearest, const Vec3<S>& far_side) {
    nearest.normal = -nearest.normal;
    nearest.distance = dot(nearest.normal, far_side - nearest.point_a);
    nearest.point_b = nearest.point_a + nearest.normal * nearest.distance;
    return nearest;
}

template <class S, class Surface>
Distance<S> distance_to_core(const Surface& a, const Core<S>& b, const Pose<S>& b_in_a,
                             std::uint32_t first) {
    Search<S, Surface> search(a);
    if (first < triangle_count(a)) search.measure(first, triangle_at(a, first), b, b_in_a, {}, 0);
    search.descend_to(b, b_in_a);
    search.try_common_ways(b, b_in_a);
    const Distance<S>& d = search.best();
    if (!(d.distance > S(0)) || !is_solid(a)) return d;
    // No triangle is touched, so one point decides for all of B: the deepest.
    const Vec3<S> far_side = farthest(b, b_in_a, d.normal);
    return is_inside(a, far_side) ? from_inside(d, far_side + d.normal * b.radius) : d;
}

} // namespace

template <class S>
Distance<S> surface_distance(const TriangleMesh<S>& a, const Core<S>& b, const Pose<S>& b_in_a,
                             std::uint32_t first) {
    return distance_to_core(a, b, b_in_a, first);
}

template <class S>
Distance<S> surface_distance(const HeightField<S>& a, const Core<S>& b, const Pose<S>& b_in_a,
                             std::uint32_t first) {
    return distance_to_core(a, b, b_in_a, first);
}

/// Whether some of a surface is outside the box of another one, so that it is not inside: cheaper
/// than whether a point is.
template <class S, class Surface, class Place>
bool leaves_box(const Surface& surface, const Aabb<S>& box, const Place& place) {
    constexpr std::uint32_t kMost = 16; // triangles, spread over all
    const std::uint32_t count = triangle_count(surface), stride = 1 + count / kMost;
    for (std::uint32_t t = 0; t < count; t += stride) {
        const Vec3<S> p = place(triangle_at(surface, t).a);
        if (!contains(box, Aabb<S>{p, p})) return true;
    }
    return false;
}

template <class S, class SurfaceA, class SurfaceB>
bool is_one_inside(const SurfaceA& a, const SurfaceB& b, const Pose<S>& b_in_a) {
    const auto from_b = [&](const Vec3<S>& p) { return transform(b_in_a, p); };
    const auto from_a = [&](const Vec3<S>& p) { return inverse_transform(b_in_a, p); };
    return (!leaves_box(b, solid_box(a), from_b) && is_inside(a, from_b(triangle_at(b, 0).a))) ||
           (!leaves_box(a, solid_box(b), from_a) && is_inside(b, from_a(triangle_at(a, 0).a)));
}

/// Two surfaces that nowhere touch: one may be inside the other.
template <class S, class SurfaceA, class SurfaceB>
Distance<S> distance_or_inside(const SurfaceA& a, const SurfaceB& b, const Pose<S>& b_in_a,
                               const Distance<S>& d) {
    if (!is_one_inside(a, b, b_in_a)) return d;
    if (is_inside(a, transform(b_in_a, triangle_at(b, 0).a)))
        return from_inside(d, transform(b_in_a, support(b, inverse_rotate(b_in_a.q, d.normal))));
    const Distance<S> seen_from_b = mirror(d, inverse(b_in_a));
    const Vec3<S> far_a = inverse_transform(b_in_a, support(a, -d.normal));
    return mirror(from_inside(seen_from_b, far_a), b_in_a);
}

template <class S, class SurfaceA, class SurfaceB>
Distance<S> surface_pair_distance(const SurfaceA& a, const SurfaceB& b, const Pose<S>& b_in_a) {
    if constexpr (std::same_as<SurfaceA, TriangleMesh<S>> &&
                  std::same_as<SurfaceB, TriangleMesh<S>>) {
        const Distance<S> d = nearest_triangles(a, b, b_in_a, std::numeric_limits<S>::infinity());
        if (d.distance > S(0)) return distance_or_inside(a, b, b_in_a, d);
    }
    Search<S, SurfaceA> search(a);
    const Aabb<S> box = rigor::bounds(a, inverse(b_in_a));
    descend(b, box, std::numeric_limits<S>::infinity(),
            [&](std::uint32_t t, const Triangle<S>& triangle) {
                const Vec3<S> out = is_solid(b) ? rotate(b_in_a.q, normal(triangle)) : Vec3<S>{};
                search.descend_to(core_of(triangle), b_in_a, out, t);
                return search.bound();
            });
    const Distance<S>& d = search.best();
    return d.distance > S(0) ? distance_or_inside(a, b, b_in_a, d) : d;
}

#define RIGOR_INSTANTIATE(S)                                                                      \
    template Distance<S> surface_distance(const TriangleMesh<S>&, const Core<S>&, const Pose<S>&, \
                                          std::uint32_t);                                         \
    template Distance<S> surface_distance(const HeightField<S>&, const Core<S>&, const Pose<S>&,  \
                                          std::uint32_t);                                         \
    template bool is_one_inside(const TriangleMesh<S>&, const TriangleMesh<S>&, const Pose<S>&);  \
    template Distance<S> surface_pair_distance(const TriangleMesh<S>&, const TriangleMesh<S>&,    \
                                               const Pose<S>&);                                   \
    template Distance<S> surface_pair_distance(const TriangleMesh<S>&, const HeightField<S>&,     \
                                               const Pose<S>&);                                   \
    template Distance<S> surface_pair_distance(const HeightField<S>&, const TriangleMesh<S>&,     \
                                               const Pose<S>&);                                   \
    template Distance<S> surface_pair_distance(const HeightField<S>&, const HeightField<S>&,      \
                                               const Pose<S>&);
RIGOR_INSTANTIATE(float)
RIGOR_INSTANTIATE(double)
#undef RIGOR_INSTANTIATE

} // namespace rigor
