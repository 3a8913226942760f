#include "collide/nearest_triangles.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "collide/near_triangles.h"
#include "collide/query_work.h"
#include "rigor/rotation.h"

namespace rigor {
namespace {

template <class S>
struct NearestPoints {
    Vec3<S> on_a, on_b;
    S squared = std::numeric_limits<S>::infinity(); ///< distance

    void consider(const Vec3<S>& a, const Vec3<S>& b) {
        const S d = length_squared(b - a);
        if (d < squared) *this = {a, b, d};
    }
};

template <class S>
struct Segment {
    Vec3<S> from, along;

    Vec3<S> at(S t) const { return from + along * t; }
};

template <class S>
Segment<S> edge_of(const Triangle<S>& t, int k) {
    const std::array<const Vec3<S>*, 3> p{&t.a, &t.b, &t.c};
    const auto i = static_cast<std::size_t>(k);
    return {*p[i], *p[(i + 1) % 3] - *p[i]};
}

template <class S>
S share(S part, S whole) {
    return whole > S(0) ? std::clamp(part / whole, S(0), S(1)) : S(0);
}

/// [Ericson 2005, 5.1.9].
template <class S>
void between_segments(const Segment<S>& a, const Segment<S>& b, NearestPoints<S>& best) {
    const Vec3<S> r = a.from - b.from;
    const S aa = length_squared(a.along), bb = length_squared(b.along), ab = dot(a.along, b.along);
    const S ar = dot(a.along, r), br = dot(b.along, r);
    const S area = aa * bb - ab * ab;
    S s = area > S(0) ? std::clamp((ab * br - ar * bb) / area, S(0), S(1)) : S(0);
    const S t = share(ab * s + br, bb);
    s = share(ab * t - ar, aa);
    best.consider(a.at(s), b.at(t));
}

/// Whether vertices of the second are on both sides of the plane of the first, or on it.
template <class S>
bool straddles(const Triangle<S>& t, const Triangle<S>& other) {
    const Vec3<S> n = area_vector(t);
    const S a = dot(n, other.a - t.a), b = dot(n, other.b - t.a), c = dot(n, other.c - t.a);
    return std::min({a, b, c}) <= S(0) && std::max({a, b, c}) >= S(0);
}

/// Where an edge of the second passes through the first.
template <class S>
void consider_crossings(const Triangle<S>& t, const Triangle<S>& other, NearestPoints<S>& best) {
    const Vec3<S> n = area_vector(t);
    for (int k = 0; k < 3; ++k) {
        const Segment<S> edge = edge_of(other, k);
        const S from = dot(n, edge.from - t.a), to = dot(n, edge.at(S(1)) - t.a);
        if (from == to || (from > S(0)) == (to > S(0))) continue;
        const Vec3<S> p = edge.at(from / (from - to));
        bool is_inside = true;
        for (int e = 0; e < 3; ++e) {
            const Segment<S> side = edge_of(t, e);
            is_inside &= dot(cross(side.along, p - side.from), n) >= S(0);
        }
        if (is_inside) best = {p, p, S(0)};
    }
}

template <class S>
NearestPoints<S> between_triangles(const Triangle<S>& a, const Triangle<S>& b) {
    NearestPoints<S> best;
    for (const Vec3<S>& p : {b.a, b.b, b.c}) best.consider(closest_point(a, p).point, p);
    for (const Vec3<S>& p : {a.a, a.b, a.c}) best.consider(p, closest_point(b, p).point);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) between_segments(edge_of(a, i), edge_of(b, j), best);
    if (straddles(a, b) && straddles(b, a)) {
        consider_crossings(a, b, best);
        consider_crossings(b, a, best);
    }
    return best;
}

template <class S>
class NearestSearch {
    using Node = typename MeshBvh<S>::Node;

  public:
    NearestSearch(const TriangleMesh<S>& a, const TriangleMesh<S>& b, const Pose<S>& b_in_a, S far)
        : a_(a), b_(b), place_{to_matrix(b_in_a.q), b_in_a.p}, boxes_(place_) {
        set_bound(far * far);
    }

    /// `first` is measured first: where it is nearest, hardly anything else is.
    Distance<S> run(const std::optional<TrianglePair>& first) {
        if (first && first->a < a_.triangles.size() && first->b < b_.triangles.size()) {
            const Triangle<S> placed = placed_triangle(triangle_at(b_, first->b), place_);
            record(between_triangles(triangle_at(a_, first->a), placed), first->a, first->b);
        }
        push(0, 0);
        while (!stack_.empty() && best_.distance > S(0)) {
            const Entry pair = stack_.back();
            stack_.pop_back();
            ++visited_;
            if (pair.squared > prune_beyond_) continue;
            const Node &x = a_.tree.nodes[pair.a], &y = b_.tree.nodes[pair.b];
            if (x.count > 0 && y.count > 0) {
                measure_leaves(x, y);
            } else if (y.count > 0 || (x.count == 0 && size_of(x.box) > size_of(y.box))) {
                if (y.count == 0 || !is_node_beyond_b(x, y))
                    push_both({x.next, pair.b}, {pair.a + 1, pair.b});
            } else {
                if (x.count == 0 || !is_node_beyond_a(x, y))
                    push_both({pair.a, y.next}, {pair.a, pair.b + 1});
            }
        }
        query_work() += kWorkOfBoxes * visited_ + kWorkOfTriangles * measured_;
        return best_;
    }

  private:
    struct Entry {
        std::uint32_t a, b; ///< nodes
        S squared;          ///< lower bound of their distance
    };

    static S size_of(const Aabb<S>& box) { return max_component(box.hi - box.lo); }

    Entry entry(const TrianglePair& nodes) const {
        return {nodes.a, nodes.b,
                boxes_.squared_distance(a_.tree.nodes[nodes.a].box, b_.tree.nodes[nodes.b].box)};
    }

    void push(std::uint32_t a, std::uint32_t b) { stack_.push_back(entry({a, b})); }

    void push_both(const TrianglePair& one, const TrianglePair& two) {
        Entry near = entry(one), far = entry(two);
        if (far.squared < near.squared) std::swap(near, far);
        if (!(far.squared > prune_beyond_)) stack_.push_back(far);
        if (!(near.squared > prune_beyond_)) stack_.push_back(near);
    }

    void measure_leaves(const Node& x, const Node& y) {
        for (std::uint32_t j = 0; j < y.count; ++j) {
            const std::uint32_t tb = b_.tree.items[y.next + j];
            const Triangle<S> placed = placed_triangle(triangle_at(b_, tb), place_);
            const Aabb<S> box = bounds(placed);
            for (std::uint32_t i = 0; i < x.count; ++i) {
                const std::uint32_t ta = a_.tree.items[x.next + i];
                const Triangle<S> own = triangle_at(a_, ta);
                const Aabb<S> around = bounds(own);
                const Vec3<S> gap = max(max(around.lo - box.hi, box.lo - around.hi), Vec3<S>{});
                if (length_squared(gap) > prune_beyond_ || is_beyond(own, placed) ||
                    is_beyond(placed, own))
                    continue;
                ++measured_;
                record(between_triangles(own, placed), ta, tb);
            }
        }
    }

    /// Whether a box is too far from the planes of all triangles of a leaf. Boxes around the long
    /// triangles of a cone are as large as the cone.
    bool is_node_beyond_a(const Node& leaf, const Node& node) const {
        const Vec3<S> middle = place_.point((node.box.lo + node.box.hi) * S(0.5)),
                      half = (node.box.hi - node.box.lo) * S(0.5);
        for (std::uint32_t i = 0; i < leaf.count; ++i)
            if (!is_box_beyond(triangle_at(a_, a_.tree.items[leaf.next + i]), middle, half,
                               [&](const Vec3<S>& n) { return place_.local_direction(n); }))
                return false;
        return true;
    }
    bool is_node_beyond_b(const Node& node, const Node& leaf) const {
        const Vec3<S> middle = place_.local_point((node.box.lo + node.box.hi) * S(0.5)),
                      half = (node.box.hi - node.box.lo) * S(0.5);
        for (std::uint32_t i = 0; i < leaf.count; ++i)
            if (!is_box_beyond(triangle_at(b_, b_.tree.items[leaf.next + i]), middle, half,
                               [&](const Vec3<S>& n) { return place_.direction(n); }))
                return false;
        return true;
    }
    template <class ToBox>
    bool is_box_beyond(const Triangle<S>& t, const Vec3<S>& middle, const Vec3<S>& half,
                       const ToBox& to_box) const {
        const Vec3<S> n = area_vector(t);
        const S least = std::abs(dot(n, middle - t.a)) - dot(abs(to_box(n)), half);
        return least > S(0) && least * least > prune_beyond_ * length_squared(n) && has_plane(t, n);
    }

    /// Of a triangle that is hardly more than a line the plane is not known well enough.
    static bool has_plane(const Triangle<S>& t, const Vec3<S>& area) {
        constexpr S kThin = sizeof(S) == sizeof(double) ? S(1e3) : S(16); // length by width
        const S square = length_squared(t.b - t.a) + length_squared(t.c - t.a);
        return square * square < kThin * kThin * length_squared(area);
    }

    /// Whether a triangle is too far from the plane of another one.
    bool is_beyond(const Triangle<S>& t, const Triangle<S>& other) const {
        const Vec3<S> n = area_vector(t);
        const S a = dot(n, other.a - t.a), b = dot(n, other.b - t.a), c = dot(n, other.c - t.a);
        const S least = std::max(std::min({a, b, c}), -std::max({a, b, c}));
        return least > S(0) && least * least > prune_beyond_ * length_squared(n) && has_plane(t, n);
    }

    /// Of equally near ones the first by index, so that the order of the traversal has no effect.
    void record(const NearestPoints<S>& found, std::uint32_t ta, std::uint32_t tb) {
        const TrianglePair pair{ta, tb}, known{best_.part_a.triangle, best_.part_b.triangle};
        const bool is_first = best_.distance == std::numeric_limits<S>::infinity();
        if (found.squared > bound_ || (found.squared == bound_ && !is_first && known < pair))
            return;
        set_bound(found.squared);
        best_.distance = std::sqrt(found.squared);
        best_.point_a = found.on_a;
        best_.point_b = found.on_b;
        best_.normal = normalize(found.on_b - found.on_a);
        best_.part_a.triangle = ta;
        best_.part_b.triangle = tb;
        best_.iterations = 1;
    }

    void set_bound(S squared) {
        const S limit = std::sqrt(squared) + rounding_;
        bound_ = squared;
        prune_beyond_ = limit * limit;
    }

    /// Of the distance of two boxes.
    S distance_rounding() const {
        const Aabb<S> box = placed_box(b_.box, place_);
        const Vec3<S> extent =
            max(max(abs(a_.box.lo), abs(a_.box.hi)), max(abs(box.lo), abs(box.hi)));
        return S(16) * std::numeric_limits<S>::epsilon() * max_component(extent);
    }

    const TriangleMesh<S>&a_, &b_;
    Transform<S> place_;
    BoxesInPlace<S> boxes_;
    S rounding_ = distance_rounding();
    S bound_;        ///< squared: nothing farther counts
    S prune_beyond_; ///< the same for boxes, whose distance is rounded: of triangles equally near
                     ///< the same one is found whichever is measured first
    Distance<S> best_ = infinitely_far();
    int visited_ = 0, measured_ = 0; ///< pairs of nodes, and of triangles
    std::vector<Entry>& stack_ = reused();

    static Distance<S> infinitely_far() {
        Distance<S> d;
        d.distance = std::numeric_limits<S>::infinity();
        return d;
    }

    /// From query to query, to avoid allocation.
    static std::vector<Entry>& reused() {
        thread_local std::vector<Entry> stack;
        stack.clear();
        return stack;
    }
};

} // namespace

template <class S>
Distance<S> nearest_triangles(const TriangleMesh<S>& a, const TriangleMesh<S>& b,
                              const Pose<S>& b_in_a, S far,
                              const std::optional<TrianglePair>& first) {
    return NearestSearch<S>(a, b, b_in_a, far).run(first);
}

template Distance<float> nearest_triangles(const TriangleMesh<float>&, const TriangleMesh<float>&,
                                           const Pose<float>&, float,
                                           const std::optional<TrianglePair>&);
template Distance<double> nearest_triangles(const TriangleMesh<double>&,
                                            const TriangleMesh<double>&, const Pose<double>&,
                                            double, const std::optional<TrianglePair>&);

} // namespace rigor
