// Dynamic AABB tree (surface area heuristic) with refit and partial rebuild, for pairs and queries.
//
// Insertion follows the surface area heuristic [Catto 2019]; the moved part is rebuilt afterwards,
// the rest stays. Everything depends on the order of the calls and never on addresses, so the same
// calls give the same tree.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "broadphase/overlap.h"
#include "broadphase/swept_box.h"
#include "broadphase/traversal_stack.h"

namespace rigor {

class DynamicTree {
  public:
    DynamicTree();

    /// The index identifies the proxy until it is removed; the last freed index is reused first.
    /// The box must not be empty. Logarithmic time.
    std::uint32_t add(const Aabbf& box, const Filter& filter, std::uint32_t payload);
    /// Bulk insertion in constant time: until the next rebuild queries do not find the proxy, and
    /// it must be neither moved nor removed.
    std::uint32_t add_unbuilt(const Aabbf& box, const Filter& filter, std::uint32_t payload);
    void remove(std::uint32_t proxy);

    /// Does nothing while `box` stays within the stored one, which costs a comparison of two boxes.
    /// When it leaves, or the stored box is much too large, the stored box becomes `box` enlarged
    /// by `margin` on all sides, and the result is true.
    ///
    /// All queries stay correct, but slow down when many have moved far: see rebuild_moved().
    bool move(std::uint32_t proxy, const Aabbf& box, float margin);

    /// Rebuilds the part of the tree above all proxies that moved since the last time. Subtrees
    /// that did not move stay. m log m for the m nodes concerned. The whole tree is rebuilt when
    /// half as many proxies were added as it contains.
    void rebuild_moved();
    /// Rebuilds the whole tree, in depth-first order: after adding many, or for a static tree.
    void rebuild();

    std::uint32_t size() const { return count_; }
    bool is_alive(std::uint32_t proxy) const {
        return proxy < proxies_.size() && proxies_[proxy].node() != kNone;
    }
    /// The stored box, including its margin.
    const BoxRows& rows(std::uint32_t proxy) const { return proxies_[proxy]; }
    Aabbf box(std::uint32_t proxy) const { return proxies_[proxy].box(); }
    std::uint32_t payload(std::uint32_t proxy) const { return proxies_[proxy].payload(); }
    const Filter& filter(std::uint32_t proxy) const { return filters_[proxy]; }
    void set_filter(std::uint32_t proxy, const Filter& filter) { filters_[proxy] = filter; }
    /// The position of the proxy in memory: this order mostly follows the positions in space, so
    /// queries made in this order have good cache locality.
    std::uint32_t place(std::uint32_t proxy) const { return proxies_[proxy].node(); }
    /// One past the largest index ever used.
    std::uint32_t index_count() const { return static_cast<std::uint32_t>(proxies_.size()); }

    // Queries. Thread-safe while the tree does not change. Only proxies of a group in `mask` are
    // visited, each at most once.

    /// Calls visit(proxy) for the proxies whose stored box overlaps the given one, until it returns
    /// false.
    template <class Visit>
    void overlap(const Aabbf& box, std::uint32_t mask, Visit&& visit) const;

    /// The same for every group: calls visit(proxy, its stored box), and reads only the visited
    /// nodes.
    template <class Visit>
    void visit_touching(const Aabbf& box, Visit&& visit) const;

    /// Calls visit(proxy, max_t) for proxies in the order in which the moving box touches theirs.
    /// visit returns the new max_t: its own t when something was hit, so that nodes behind it are
    /// culled; -1 to end.
    template <class Visit>
    void cast(const BoxCast& box, std::uint32_t mask, Visit&& visit) const;
    template <class Visit>
    void cast(const Ray<double>& ray, std::uint32_t mask, Visit&& visit) const {
        cast(box_cast(ray), mask, visit);
    }

    /// Calls visit(proxy, bound) for proxies near the point, nearest boxes first. visit returns the
    /// squared distance beyond which proxies are culled.
    template <class Visit>
    void nearest(const Vec3d& point, double bound, std::uint32_t mask, Visit&& visit) const;

    /// Calls visit(box, depth, is_leaf) for every node, parents before children.
    template <class Visit>
    void visit_nodes(Visit&& visit) const;

    /// Longest path from the root to a leaf.
    int height() const;
    /// The surface area of all inner nodes over that of the root: the expected cost of a query,
    /// smaller is better.
    double area_ratio() const;
    /// Traverses the whole tree and checks its invariants. For tests.
    bool is_valid() const;

    std::size_t memory_bytes() const;

  private:
    // The first extra word of the rows is the parent, and kMoved when something below has moved;
    // the second is kLeaf and a proxy, or else the pair of the children.
    struct Node : BoxRows {
        Node() = default;
        Node(const Aabbf& box, std::uint32_t up, std::uint32_t down) : BoxRows(box) {
            first = up;
            second = down;
        }

        bool is_leaf() const { return (second & kLeaf) != 0; }
        std::uint32_t proxy() const { return second & ~kLeaf; }
        std::uint32_t children() const { return second; }
        void set_children(std::uint32_t pair) { second = pair; }
        std::uint32_t parent() const { return first & ~kMoved; }
        void set_parent(std::uint32_t node) { first = node | (first & kMoved); }
        bool has_moved() const { return (first & kMoved) != 0; }
        void set_moved(bool moved) { first = parent() | (moved ? kMoved : 0); }
    };
    // Siblings share a cache line: a traversal always reads both.
    struct alignas(64) Siblings {
        std::array<Node, 2> node;
    };
    // A copy of the stored box: proxies move in the order of their indices, not of the tree. The
    // extra words are the node, kNone when free, and the payload.
    struct Proxy : BoxRows {
        Proxy() = default;
        Proxy(const Aabbf& box, std::uint32_t payload) : BoxRows(box) { second = payload; }
        std::uint32_t node() const { return first; }
        void set_node(std::uint32_t n) { first = n; }
        std::uint32_t payload() const { return second; }
    };
    class Builder;

    static constexpr std::uint32_t kNone = UINT32_MAX;
    static constexpr std::uint32_t kLeaf = 1u << 31;
    static constexpr std::uint32_t kMoved = 1u << 31;

    Node& node(std::uint32_t n) { return pairs_[n / 2].node[n % 2]; }
    const Node& node(std::uint32_t n) const { return pairs_[n / 2].node[n % 2]; }
    int height_of(const Node& n) const { return n.is_leaf() ? 0 : heights_[n.children()]; }

    std::uint32_t take_proxy(const Aabbf& box, const Filter& filter, std::uint32_t payload);
    std::uint32_t take_pair();
    void put(std::uint32_t at, const Node& content);
    void insert_leaf(std::uint32_t proxy);
    void remove_leaf(std::uint32_t proxy);
    std::uint32_t best_sibling(const Aabbf& box) const;
    void refit_from(std::uint32_t n);
    bool refit(std::uint32_t n);
    void swap_nodes(std::uint32_t n, std::uint32_t m);
    bool balance(std::uint32_t n);
    void fit(std::uint32_t n);
    void rotate(std::uint32_t n, int old_height);
    bool keeps_balance(const Node& sunk, const Node& kept, const Node& raised, int height) const;
    void mark_moved(std::uint32_t proxy);
    bool is_valid(std::uint32_t n) const;

    // The root is the first node of pair 0, whose second stays empty: no query visits it, and a
    // traversal needs no special case for the root.
    std::vector<Siblings> pairs_;
    std::vector<std::uint16_t> heights_; // of the parent of each pair
    std::vector<std::uint32_t> free_pairs_;
    std::vector<Proxy> proxies_;
    std::vector<Filter> filters_;
    std::vector<std::uint32_t> free_proxies_;
    std::uint32_t count_ = 0;
    std::uint32_t inserted_ = 0; // since the whole tree was rebuilt
    bool has_unbuilt_ = false;
};

template <class Visit>
void DynamicTree::visit_touching(const Aabbf& box, Visit&& visit) const {
    const BoxRows probe(box);
    TraversalStack<std::uint32_t> stack;
    stack.push(0);
    while (!stack.is_empty()) {
        for (const Node& n : pairs_[stack.pop()].node) {
            const bool hit = boxes_overlap(n, probe), leaf = n.is_leaf();
            stack.push_if(hit & !leaf, n.children());
            if ((hit & leaf) && !visit(n.proxy(), n)) return;
        }
    }
}

template <class Visit>
void DynamicTree::visit_nodes(Visit&& visit) const {
    struct Entry {
        std::uint32_t node;
        int depth;
    };
    std::vector<Entry> stack;
    if (count_ > 0) stack.push_back({0, 0});
    while (!stack.empty()) {
        const Entry entry = stack.back();
        stack.pop_back();
        const Node& n = node(entry.node);
        visit(n.box(), entry.depth, n.is_leaf());
        if (n.is_leaf()) continue;
        for (const std::uint32_t child : {2 * n.children() + 1, 2 * n.children()})
            stack.push_back({child, entry.depth + 1});
    }
}

template <class Visit>
void DynamicTree::overlap(const Aabbf& box, std::uint32_t mask, Visit&& visit) const {
    visit_touching(box, [&](std::uint32_t proxy, const BoxRows&) {
        return (filters_[proxy].group & mask) == 0 || visit(proxy);
    });
}

template <class Visit>
void DynamicTree::cast(const BoxCast& box, std::uint32_t mask, Visit&& visit) const {
    struct Entry {
        std::uint32_t down;
        double t;
    };
    const SweptBox swept(box);
    double max_t = box.max_t;
    TraversalStack<Entry> stack;
    if (count_ > 0) stack.push({node(0).second, swept.enter(node(0).box(), max_t)});
    while (!stack.is_empty()) {
        Entry entry = stack.pop();
        if (!(entry.t <= max_t) || entry.t == Aabb<double>::kInfinity) continue;
        while ((entry.down & kLeaf) == 0) { // the nearer child now, the other one later
            const Siblings& pair = pairs_[entry.down];
            const auto [ta, tb] = swept.enter(pair.node[0], pair.node[1], max_t);
            const Entry a{pair.node[0].second, ta}, b{pair.node[1].second, tb};
            const bool a_first = ta <= tb;
            entry = a_first ? a : b;
            const Entry& later = a_first ? b : a;
            stack.push_if(later.t != Aabb<double>::kInfinity, later);
            if (entry.t == Aabb<double>::kInfinity) break;
        }
        if (entry.t == Aabb<double>::kInfinity) continue;
        const std::uint32_t proxy = entry.down & ~kLeaf;
        if ((filters_[proxy].group & mask) != 0) max_t = visit(proxy, max_t);
    }
}

template <class Visit>
void DynamicTree::nearest(const Vec3d& point, double bound, std::uint32_t mask,
                          Visit&& visit) const {
    struct Entry {
        std::uint32_t down;
        double distance;
    };
    TraversalStack<Entry> stack;
    if (count_ > 0) stack.push({node(0).second, distance_squared_below(node(0).box(), point)});
    while (!stack.is_empty()) {
        const Entry entry = stack.pop();
        if (entry.distance > bound) continue;
        if ((entry.down & kLeaf) != 0) {
            const std::uint32_t proxy = entry.down & ~kLeaf;
            if ((filters_[proxy].group & mask) != 0) bound = visit(proxy, bound);
            continue;
        }
        const Siblings& pair = pairs_[entry.down];
        const Entry a{pair.node[0].second, distance_squared_below(pair.node[0].box(), point)};
        const Entry b{pair.node[1].second, distance_squared_below(pair.node[1].box(), point)};
        const bool a_first = a.distance <= b.distance;
        stack.push(a_first ? b : a);
        stack.push(a_first ? a : b);
    }
}

} // namespace rigor
