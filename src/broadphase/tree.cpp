#include "broadphase/tree.h"

#include <algorithm>
#include <cstdlib>

#include "base/assert.h"
#include "broadphase/surface_area.h"

namespace rigor {
namespace {

// Maximum height difference of two siblings. With n(h) the size of the thinnest tree of height h,
// n(h) = n(h-1) + n(h-4) grows by 1.38 per level: no tree made by add() and remove() alone is
// higher than 2.15 log2 n, in any order. A stricter bound (AVL allows 1) would forbid many
// rotations that make queries cheaper.
constexpr int kMaxImbalance = 3;

// A stored box that exceeds the box by this many margins is fitted again.
constexpr float kMaxMargins = 4;

} // namespace

DynamicTree::DynamicTree() : pairs_(1), heights_(1, 0) {
    for (Node& n : pairs_[0].node) n = Node({}, 0, kLeaf);
}

std::uint32_t DynamicTree::add(const Aabbf& box, const Filter& filter, std::uint32_t payload) {
    RIGOR_ASSERT(!has_unbuilt_);
    const std::uint32_t proxy = take_proxy(box, filter, payload);
    insert_leaf(proxy);
    ++count_;
    ++inserted_;
    return proxy;
}

std::uint32_t DynamicTree::add_unbuilt(const Aabbf& box, const Filter& filter,
                                       std::uint32_t payload) {
    const std::uint32_t proxy = take_proxy(box, filter, payload);
    proxies_[proxy].set_node(0);
    ++count_;
    has_unbuilt_ = true;
    return proxy;
}

std::uint32_t DynamicTree::take_proxy(const Aabbf& box, const Filter& filter,
                                      std::uint32_t payload) {
    RIGOR_ASSERT(box.lo.x <= box.hi.x && box.lo.y <= box.hi.y && box.lo.z <= box.hi.z);
    std::uint32_t proxy;
    if (free_proxies_.empty()) {
        proxy = static_cast<std::uint32_t>(proxies_.size());
        proxies_.emplace_back();
        filters_.emplace_back();
    } else {
        proxy = free_proxies_.back();
        free_proxies_.pop_back();
    }
    proxies_[proxy] = Proxy(box, payload);
    filters_[proxy] = filter;
    return proxy;
}

void DynamicTree::remove(std::uint32_t proxy) {
    RIGOR_ASSERT(is_alive(proxy));
    remove_leaf(proxy);
    proxies_[proxy].set_node(kNone);
    free_proxies_.push_back(proxy);
    --count_;
}

bool DynamicTree::move(std::uint32_t proxy, const Aabbf& box, float margin) {
    RIGOR_ASSERT(is_alive(proxy));
    Proxy& p = proxies_[proxy];
    if (contains(p.box(), box) && contains(expand(box, kMaxMargins * margin), p.box())) {
        return false;
    }
    p.set_box(expand(box, margin));
    node(p.node()).set_box(p.box());
    mark_moved(proxy);
    return true;
}

// Ancestors grow at once, so that queries stay correct, and shrink when they are rebuilt.
void DynamicTree::mark_moved(std::uint32_t proxy) {
    const Aabbf box = proxies_[proxy].box();
    for (std::uint32_t n = proxies_[proxy].node(); n != 0;) {
        n = node(n).parent();
        Node& ancestor = node(n);
        if (ancestor.has_moved() && contains(ancestor.box(), box)) return;
        ancestor.set_moved(true);
        ancestor.set_box(join(ancestor.box(), box));
    }
}

std::uint32_t DynamicTree::take_pair() {
    if (free_pairs_.empty()) {
        pairs_.emplace_back();
        heights_.push_back(0);
        return static_cast<std::uint32_t>(pairs_.size() - 1);
    }
    const std::uint32_t pair = free_pairs_.back();
    free_pairs_.pop_back();
    return pair;
}

// Moves the node's content to another slot and updates its children. Its parent is the slot's.
void DynamicTree::put(std::uint32_t at, const Node& content) {
    Node& n = node(at);
    const std::uint32_t parent = n.parent();
    n = content;
    n.set_parent(parent);
    if (n.is_leaf()) {
        proxies_[n.proxy()].set_node(at);
    } else {
        for (Node& child : pairs_[n.children()].node) child.set_parent(at);
    }
}

// Best sibling for a new box: the one that adds the least surface area to the tree, by a greedy
// descent [Catto 2019]. Pairing the box with node n costs
//
//     S(n + box)  +  the growth of all ancestors of n
//
// and descending below n costs at least the growth so far and the growth of its child. Equal costs
// descend further, then to the nearer and then to the lower child, so that a thousand equal boxes
// make a tree and not a list.
std::uint32_t DynamicTree::best_sibling(const Aabbf& box) const {
    const float own = half_surface_area(box);
    const Vec3f middle = box.lo + box.hi;
    std::uint32_t best = 0, at = 0;
    float direct = half_surface_area(join(node(0).box(), box));
    float best_cost = direct, inherited = 0;
    while (!node(at).is_leaf()) {
        inherited += direct - half_surface_area(node(at).box());
        std::array<float, 2> lower, child_direct;
        const std::uint32_t pair = node(at).children();
        for (std::uint32_t i = 0; i < 2; ++i) {
            const Node& child = pairs_[pair].node[i];
            child_direct[i] = half_surface_area(join(child.box(), box));
            const float cost = inherited + child_direct[i];
            if (cost <= best_cost) {
                best_cost = cost;
                best = 2 * pair + i;
            }
            lower[i] = child.is_leaf()
                           ? Aabbf::kInfinity
                           : cost + std::min(own - half_surface_area(child.box()), 0.0f);
        }
        if (best_cost < lower[0] && best_cost < lower[1]) break;
        std::uint32_t side = lower[0] <= lower[1] ? 0 : 1;
        if (lower[0] == lower[1] && lower[0] != Aabbf::kInfinity) {
            const Node &a = pairs_[pair].node[0], &b = pairs_[pair].node[1];
            const float da = length_squared(a.lo + a.hi - middle);
            const float db = length_squared(b.lo + b.hi - middle);
            side = da != db ? (da < db ? 0 : 1) : (height_of(a) <= height_of(b) ? 0 : 1);
        }
        if (lower[side] == Aabbf::kInfinity) break;
        at = 2 * pair + side;
        direct = child_direct[side];
    }
    return best;
}

void DynamicTree::insert_leaf(std::uint32_t proxy) {
    const Aabbf box = proxies_[proxy].box();
    const Node leaf(box, 0, kLeaf | proxy);
    if (count_ == 0) {
        put(0, leaf);
        return;
    }
    const std::uint32_t at = best_sibling(box);
    const std::uint32_t pair = take_pair();
    for (Node& child : pairs_[pair].node) child = Node({}, at, kLeaf);
    put(2 * pair, node(at));
    put(2 * pair + 1, leaf);
    node(at).set_children(pair);
    heights_[pair] = static_cast<std::uint16_t>(height_of(node(2 * pair))); // as before
    refit_from(at);
}

void DynamicTree::remove_leaf(std::uint32_t proxy) {
    const std::uint32_t leaf = proxies_[proxy].node();
    if (leaf == 0) {
        node(0) = pairs_[0].node[1];
        return;
    }
    const std::uint32_t parent = node(leaf).parent();
    put(parent, node(leaf ^ 1));
    free_pairs_.push_back(leaf / 2);
    if (parent != 0) refit_from(node(parent).parent());
}

// Upward until nothing changes.
void DynamicTree::refit_from(std::uint32_t n) {
    while (refit(n) && n != 0) n = node(n).parent();
}

// True when the box or the height of the node changed. Its height changes by one level at most, so
// that a single exchange is enough at its ancestors.
bool DynamicTree::refit(std::uint32_t n) {
    const Node& at = node(n);
    const Aabbf old_box = at.box();
    const int old_height = height_of(at);
    if (!balance(n)) rotate(n, old_height);
    fit(n);
    return at.box() != old_box || height_of(at) != old_height;
}

// Box and height of a node from those of its children; the ancestors of a moved node are moved.
void DynamicTree::fit(std::uint32_t n) {
    Node& at = node(n);
    const Node &a = pairs_[at.children()].node[0], &b = pairs_[at.children()].node[1];
    at.set_box(join(a.box(), b.box()));
    if (a.has_moved() || b.has_moved()) at.set_moved(true);
    heights_[at.children()] = static_cast<std::uint16_t>(1 + std::max(height_of(a), height_of(b)));
}

// Exchanges two subtrees, neither within the other.
void DynamicTree::swap_nodes(std::uint32_t n, std::uint32_t m) {
    const Node content = node(n);
    put(n, node(m));
    put(m, content);
}

// A node's low child B, its high child C and the grandchildren F, G below C, G the higher one:
//
//         A               A
//        / \             / \            One exchange, of B and G, is always enough: there
//       B   C     ->    G   C           is no order of the leaves to keep, and so no double
//          / \             / \          rotation. Only a new leaf B paired with a high C
//         F   G           F   B         may have to sink further.
bool DynamicTree::balance(std::uint32_t n) {
    const std::uint32_t pair = node(n).children();
    const int h0 = height_of(pairs_[pair].node[0]), h1 = height_of(pairs_[pair].node[1]);
    if (std::abs(h0 - h1) <= kMaxImbalance) return false;
    const std::uint32_t low = 2 * pair + (h0 < h1 ? 0 : 1), high = low ^ 1;
    const std::uint32_t below = node(high).children();
    const bool first_higher = height_of(pairs_[below].node[0]) >= height_of(pairs_[below].node[1]);
    swap_nodes(low, 2 * below + (first_higher ? 0 : 1));
    balance(high);
    fit(high);
    return true;
}

// The same exchange for the surface area: of the four exchanges of a child with a child of its
// sibling, the one that makes the sibling smallest, if any does.
void DynamicTree::rotate(std::uint32_t n, int old_height) {
    const std::uint32_t pair = node(n).children();
    float best_gain = 0;
    std::uint32_t sunk = kNone, raised = kNone;
    for (std::uint32_t side = 0; side < 2; ++side) {
        const Node &b = pairs_[pair].node[side], &c = pairs_[pair].node[1 - side];
        if (c.is_leaf()) continue;
        const float surface = half_surface_area(c.box());
        for (std::uint32_t i = 0; i < 2; ++i) {
            const Node &g = pairs_[c.children()].node[i], &f = pairs_[c.children()].node[1 - i];
            const float gain = surface - half_surface_area(join(b.box(), f.box()));
            if (gain <= best_gain || !keeps_balance(b, f, g, old_height)) continue;
            best_gain = gain;
            sunk = 2 * pair + side;
            raised = 2 * c.children() + i;
        }
    }
    if (sunk == kNone) return;
    swap_nodes(sunk, raised);
    fit(sunk ^ 1);
}

bool DynamicTree::keeps_balance(const Node& sunk, const Node& kept, const Node& raised,
                                int height) const {
    const int hb = height_of(sunk), hf = height_of(kept), hg = height_of(raised);
    const int sibling = 1 + std::max(hb, hf);
    return std::abs(hb - hf) <= kMaxImbalance && std::abs(sibling - hg) <= kMaxImbalance &&
           std::abs(1 + std::max(sibling, hg) - height) <= 1;
}

int DynamicTree::height() const {
    return count_ == 0 ? 0 : height_of(node(0));
}

double DynamicTree::area_ratio() const {
    if (count_ < 2) return 0;
    double sum = 0;
    TraversalStack<std::uint32_t> stack;
    stack.push(0);
    while (!stack.is_empty()) {
        const Node& n = node(stack.pop());
        if (n.is_leaf()) continue;
        sum += static_cast<double>(half_surface_area(n.box()));
        stack.push(2 * n.children());
        stack.push(2 * n.children() + 1);
    }
    return sum / static_cast<double>(half_surface_area(node(0).box()));
}

std::size_t DynamicTree::memory_bytes() const {
    return pairs_.capacity() * sizeof(Siblings) + heights_.capacity() * sizeof(std::uint16_t) +
           proxies_.capacity() * sizeof(Proxy) + filters_.capacity() * sizeof(Filter) +
           (free_pairs_.capacity() + free_proxies_.capacity()) * sizeof(std::uint32_t);
}

} // namespace rigor
