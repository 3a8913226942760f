// Pairs of triangles of two surfaces that are near each other.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "collide/transform.h"
#include "geometry/box.h"
#include "geometry/height_field.h"
#include "geometry/mesh.h"

namespace rigor {

struct TrianglePair {
    std::uint32_t a, b;
    friend auto operator<=>(const TrianglePair&, const TrianglePair&) = default;
};

template <class S>
Aabb<S> box_of(const TriangleMesh<S>& mesh) {
    return mesh.box;
}
template <class S>
Aabb<S> box_of(const HeightField<S>& field) {
    return bounds(field, Pose<S>{});
}

/// Of a box, that of the placed box.
template <class S>
Aabb<S> placed_box(const Aabb<S>& box, const Transform<S>& place) {
    const Vec3<S> middle = place.point((box.lo + box.hi) * S(0.5)),
                  half = (box.hi - box.lo) * S(0.5);
    const Vec3<S> extent =
        abs(place.turn.cx) * half.x + abs(place.turn.cy) * half.y + abs(place.turn.cz) * half.z;
    return {middle - extent, middle + extent};
}

template <class S>
Triangle<S> placed_triangle(const Triangle<S>& t, const Transform<S>& place) {
    return {place.point(t.a), place.point(t.b), place.point(t.c)};
}

/// Boxes of A and boxes of B, each in its own frame, compared along the axes of both.
template <class S>
class BoxesInPlace {
  public:
    explicit BoxesInPlace(const Transform<S>& b_in_a)
        : place_(b_in_a), extents_{abs(b_in_a.turn.cx), abs(b_in_a.turn.cy), abs(b_in_a.turn.cz)} {}

    bool are_apart(const Aabb<S>& a, const Aabb<S>& b, S reach) const {
        const Gaps gaps = between(a, b);
        return max_component(gaps.along_a) > reach || max_component(gaps.along_b) > reach;
    }

    /// A lower bound of the square of the distance.
    S squared_distance(const Aabb<S>& a, const Aabb<S>& b) const {
        const Gaps gaps = between(a, b);
        return std::max(length_squared(max(gaps.along_a, Vec3<S>{})),
                        length_squared(max(gaps.along_b, Vec3<S>{})));
    }

  private:
    struct Gaps {
        Vec3<S> along_a, along_b; ///< along each axis; negative where they overlap
    };

    Gaps between(const Aabb<S>& a, const Aabb<S>& b) const {
        const Vec3<S> half_a = (a.hi - a.lo) * S(0.5), half_b = (b.hi - b.lo) * S(0.5);
        const Vec3<S> apart = place_.point((b.lo + b.hi) * S(0.5)) - (a.lo + a.hi) * S(0.5);
        return {abs(apart) - half_a - extents_ * half_b,
                abs(place_.local_direction(apart)) - half_b - transpose_multiply(extents_, half_a)};
    }

    Transform<S> place_;
    Mat3<S> extents_;
};

/// Two surfaces of which at least one has no tree of its own: each triangle of B near the box of A
/// by itself.
template <class S, class A, class B>
void find_near_triangles(const A& a, const B& b, const Transform<S>& b_in_a, S reach,
                         std::vector<TrianglePair>& out) {
    const Transform<S> a_in_b = inverse(b_in_a);
    const Aabb<S> around = expand(placed_box(bounds(a, Pose<S>{}), a_in_b), reach);
    visit_triangles(b, around, [&](std::uint32_t tb, const Triangle<S>& triangle) {
        visit_triangles(a, expand(bounds(placed_triangle(triangle, b_in_a)), reach),
                        [&](std::uint32_t ta, const Triangle<S>&) {
                            out.push_back({ta, tb});
                        });
    });
}

/// Two meshes: both trees at once, always down the larger box.
template <class S>
class NearTriangles {
    using Tree = MeshBvh<S>;

  public:
    NearTriangles(const TriangleMesh<S>& a, const TriangleMesh<S>& b, const Transform<S>& b_in_a,
                  S reach, std::vector<TrianglePair>& out)
        : a_(a), b_(b), b_in_a_(b_in_a), boxes_(b_in_a), reach_(reach), out_(out) {}

    void run() {
        std::vector<TrianglePair> stack{{0, 0}}; // of nodes
        while (!stack.empty()) {
            const TrianglePair pair = stack.back();
            stack.pop_back();
            const typename Tree::Node &x = a_.tree.nodes[pair.a], &y = b_.tree.nodes[pair.b];
            if (boxes_.are_apart(x.box, y.box, reach_)) continue;
            if (x.count > 0 && y.count > 0) {
                add_leaves(x, y);
            } else if (y.count > 0 || (x.count == 0 && size_of(x.box) > size_of(y.box))) {
                stack.push_back({x.next, pair.b});
                stack.push_back({pair.a + 1, pair.b});
            } else {
                stack.push_back({pair.a, y.next});
                stack.push_back({pair.a, pair.b + 1});
            }
        }
    }

  private:
    static S size_of(const Aabb<S>& box) { return max_component(box.hi - box.lo); }

    void add_leaves(const typename Tree::Node& x, const typename Tree::Node& y) {
        for (std::uint32_t j = 0; j < y.count; ++j) {
            const std::uint32_t tb = b_.tree.items[y.next + j];
            const Aabb<S> box =
                expand(bounds(placed_triangle(triangle_at(b_, tb), b_in_a_)), reach_);
            for (std::uint32_t i = 0; i < x.count; ++i) {
                const std::uint32_t ta = a_.tree.items[x.next + i];
                if (overlap(bounds(triangle_at(a_, ta)), box)) out_.push_back({ta, tb});
            }
        }
    }

    const TriangleMesh<S>&a_, &b_;
    const Transform<S>& b_in_a_;
    BoxesInPlace<S> boxes_;
    S reach_;
    std::vector<TrianglePair>& out_;
};

template <class S>
void find_near_triangles(const TriangleMesh<S>& a, const TriangleMesh<S>& b,
                         const Transform<S>& b_in_a, S reach, std::vector<TrianglePair>& out) {
    NearTriangles<S>(a, b, b_in_a, reach, out).run();
}

} // namespace rigor
