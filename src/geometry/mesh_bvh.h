// Static AABB tree (BVH) over the triangles of a mesh, or over any static boxes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "geometry/query_types.h"

namespace rigor {

/// Nodes are in depth-first order: the left child follows its parent, so that a descent mostly
/// reads forward. 32 bytes in float, 56 in double.
template <class S>
struct MeshBvh {
    struct Node {
        Aabb<S> box;
        std::uint32_t next = 0;  ///< of a leaf: its first item; else: the right child
        std::uint32_t count = 0; ///< of a leaf: how many items; else 0
    };

    std::vector<Node> nodes;
    std::vector<std::uint32_t> items; ///< indices of the boxes, leaf by leaf

    /// Maximum depth: see build_bvh.
    static constexpr int kMaxDepth = 96;
};

/// Splits by the surface area heuristic in bins along an axis [Wald 2007]. The same boxes give the
/// same tree. n log n; there must be fewer than 2^31 boxes, none of them empty or not finite.
template <class S>
MeshBvh<S> build_bvh(const std::vector<Aabb<S>>& boxes);

/// Fits the boxes of all nodes to items that moved: linear, and exact. The structure stays, so a
/// tree that is refitted after large deformations is slower than a new one, never wrong. There must
/// be as many boxes as the tree was built from.
template <class S>
void refit(MeshBvh<S>& tree, const std::vector<Aabb<S>>& boxes);

/// Calls visit(item) for the items of all leaves that touch the box: a superset of those whose own
/// boxes do.
template <class S, class Visit>
void visit_items(const MeshBvh<S>& tree, const Aabb<S>& box, Visit&& visit) {
    if (tree.nodes.empty()) return;
    std::array<std::uint32_t, MeshBvh<S>::kMaxDepth> stack;
    int size = 0;
    stack[size++] = 0;
    while (size > 0) {
        const std::uint32_t index = stack[--size];
        const typename MeshBvh<S>::Node& node = tree.nodes[index];
        if (!overlap(node.box, box)) continue;
        if (node.count == 0) {
            stack[size++] = node.next;
            stack[size++] = index + 1;
            continue;
        }
        for (std::uint32_t i = 0; i < node.count; ++i) visit(tree.items[node.next + i]);
    }
}

/// Ray-box test, conservative: never misses the content of a box.
template <class S>
struct RaySlabs {
    explicit RaySlabs(const Ray<S>& ray)
        : origin(ray.origin),
          direction(ray.direction),
          inverse{S(1) / ray.direction.x, S(1) / ray.direction.y, S(1) / ray.direction.z} {}

    /// The t at which the ray enters the box, or infinity when it does so after max_t.
    S enter(const Aabb<S>& box, S max_t) const {
        S near = S(0), far = max_t;
        for (int i = 0; i < 3; ++i) {
            if (direction[i] == S(0)) {
                if (origin[i] < box.lo[i] || origin[i] > box.hi[i]) return Aabb<S>::kInfinity;
                continue;
            }
            const S t0 = (box.lo[i] - origin[i]) * inverse[i];
            const S t1 = (box.hi[i] - origin[i]) * inverse[i];
            // Three roundings of half an ulp each, on either side [Ize 2013].
            near = std::max(near, std::min(t0, t1) * (S(1) - kSlack));
            far = std::min(far, std::max(t0, t1) * (S(1) + kSlack));
        }
        return near <= far ? near : Aabb<S>::kInfinity;
    }

    static constexpr S kSlack = S(4) * std::numeric_limits<S>::epsilon();

    Vec3<S> origin, direction, inverse;
};

/// Calls visit(item, max_t) for items in the order in which the ray enters their leaves. visit
/// returns the new max_t: its t when the item was hit, so that nodes behind it are culled.
template <class S, class Visit>
void visit_along(const MeshBvh<S>& tree, const Ray<S>& ray, Visit&& visit) {
    if (tree.nodes.empty()) return;
    struct Entry {
        std::uint32_t node;
        S t;
    };
    const RaySlabs<S> slabs(ray);
    S max_t = ray.max_t;
    std::array<Entry, MeshBvh<S>::kMaxDepth> stack;
    int size = 0;
    stack[size++] = {0, slabs.enter(tree.nodes[0].box, max_t)};
    while (size > 0) {
        const Entry entry = stack[--size];
        if (!(entry.t <= max_t) || entry.t == Aabb<S>::kInfinity) continue;
        const typename MeshBvh<S>::Node& node = tree.nodes[entry.node];
        for (std::uint32_t i = 0; i < node.count; ++i)
            max_t = visit(tree.items[node.next + i], max_t);
        if (node.count > 0) continue;
        const Entry left{entry.node + 1, slabs.enter(tree.nodes[entry.node + 1].box, max_t)};
        const Entry right{node.next, slabs.enter(tree.nodes[node.next].box, max_t)};
        const bool left_first = left.t <= right.t;
        stack[size++] = left_first ? right : left;
        stack[size++] = left_first ? left : right;
    }
}

/// The square of the distance from a point to a box; 0 inside.
template <class S>
constexpr S distance_squared(const Aabb<S>& box, const Vec3<S>& p) {
    return length_squared(max(max(box.lo - p, p - box.hi), Vec3<S>{}));
}

/// Calls visit(item, bound) for items near the point, nearest boxes first. visit returns the
/// squared distance beyond which items are culled.
template <class S, class Visit>
void visit_nearest(const MeshBvh<S>& tree, const Vec3<S>& point, S bound, Visit&& visit) {
    if (tree.nodes.empty()) return;
    struct Entry {
        std::uint32_t node;
        S distance;
    };
    std::array<Entry, MeshBvh<S>::kMaxDepth> stack;
    int size = 0;
    stack[size++] = {0, distance_squared(tree.nodes[0].box, point)};
    while (size > 0) {
        const Entry entry = stack[--size];
        if (entry.distance > bound) continue;
        const typename MeshBvh<S>::Node& node = tree.nodes[entry.node];
        for (std::uint32_t i = 0; i < node.count; ++i)
            bound = visit(tree.items[node.next + i], bound);
        if (node.count > 0) continue;
        const Entry left{entry.node + 1, distance_squared(tree.nodes[entry.node + 1].box, point)};
        const Entry right{node.next, distance_squared(tree.nodes[node.next].box, point)};
        const bool left_first = left.distance <= right.distance;
        stack[size++] = left_first ? right : left;
        stack[size++] = left_first ? left : right;
    }
}

} // namespace rigor
