// Top-down construction of the tree or a part of it: cheaper per box than inserting, and better.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/assert.h"
#include "broadphase/surface_area.h"
#include "broadphase/tree.h"

namespace rigor {
namespace {

constexpr int kBins = 8;
// Ranges this small are split at the middle of their centers: binning them took a quarter of the
// time of a build, and made the surface of the tree 1.3 % smaller.
constexpr std::size_t kFew = 12;
// Deeper than this, ranges are halved by count, regardless of the cost for queries: recursion ends
// after 31 levels more.
constexpr int kMaxSahDepth = 48;

int widest_axis(const Aabbf& box) {
    const Vec3f d = box.hi - box.lo;
    return d.x >= d.y ? (d.x >= d.z ? 0 : 2) : (d.y >= d.z ? 1 : 2);
}

struct Bin {
    BoxRows box{Aabbf{}};
    std::uint32_t count = 0;

    void add(const BoxRows& other, std::uint32_t items) {
        grow(box, other);
        count += items;
    }
};

float cost(const Bin& side) {
    return half_surface_area(side.box.box()) * static_cast<float>(side.count);
}

// The number of bins on the left; 0 when no split has items on both sides. Each side costs its
// surface times its number of items [Wald 2007].
int cheapest_cut(const std::array<Bin, kBins>& bins) {
    std::array<float, kBins> left_cost;
    Bin side;
    for (std::size_t i = 0; i < kBins; ++i) {
        side.add(bins[i].box, bins[i].count);
        left_cost[i] = side.count > 0 ? cost(side) : Aabbf::kInfinity;
    }
    float least = Aabbf::kInfinity;
    std::size_t best = 0;
    side = Bin{};
    for (std::size_t i = kBins - 1; i > 0; --i) {
        side.add(bins[i].box, bins[i].count);
        if (side.count == 0) continue;
        const float total = left_cost[i - 1] + cost(side);
        if (total >= least) continue;
        least = total;
        best = i;
    }
    return static_cast<int>(best);
}

} // namespace

// Items are nodes: leaves, or roots of subtrees that stay as they are.
class DynamicTree::Builder {
  public:
    Builder(DynamicTree& tree, std::vector<Node>& items, const std::vector<std::uint32_t>& pairs)
        : tree_(tree), items_(items), pairs_(pairs) {}

    void build() {
        tree_.node(0) = Node({}, 0, kLeaf);
        make_node(0, 0, items_.size(), 0);
        RIGOR_ASSERT(used_ == pairs_.size());
    }

  private:
    void make_node(std::uint32_t at, std::size_t begin, std::size_t end, int depth) {
        if (end - begin == 1) {
            tree_.put(at, items_[begin]);
            tree_.node(at).set_moved(false);
            return;
        }
        const std::size_t middle = end - begin == 2 ? begin + 1 : split(begin, end, depth);
        const std::uint32_t pair = pairs_[used_++];
        tree_.node(at).set_children(pair);
        for (Node& child : tree_.pairs_[pair].node) child = Node({}, at, kLeaf);
        make_node(2 * pair, begin, middle, depth + 1);
        make_node(2 * pair + 1, middle, end, depth + 1);
        tree_.fit(at);
    }

    // Twice the center: these are only compared.
    static Vec3f center(const Node& item) { return item.lo + item.hi; }

    // Along the axis with the largest spread of centers.
    std::size_t split(std::size_t begin, std::size_t end, int depth) {
        Aabbf centers;
        for (std::size_t i = begin; i < end; ++i) centers = join(centers, center(items_[i]));
        const int axis = widest_axis(centers);
        const float origin = centers.lo[axis];
        const float scale = static_cast<float>(kBins) / (centers.hi[axis] - origin);
        if (depth >= kMaxSahDepth || !std::isfinite(scale)) return halve(begin, end, axis);
        if (end - begin <= kFew) return cut_at(begin, end, axis, middle_of(centers, axis));
        const auto bin_of = [=](const Node& item) {
            return std::min(static_cast<int>((center(item)[axis] - origin) * scale), kBins - 1);
        };
        std::array<Bin, kBins> bins;
        for (std::size_t i = begin; i < end; ++i) {
            bins[static_cast<std::size_t>(bin_of(items_[i]))].add(items_[i], 1);
        }
        const int cut = cheapest_cut(bins);
        if (cut == 0) return halve(begin, end, axis);
        const auto middle = std::partition(at(begin), at(end),
                                           [&](const Node& item) { return bin_of(item) < cut; });
        return static_cast<std::size_t>(middle - items_.begin());
    }

    static float middle_of(const Aabbf& centers, int axis) {
        return 0.5f * (centers.lo[axis] + centers.hi[axis]);
    }

    std::size_t cut_at(std::size_t begin, std::size_t end, int axis, float place) {
        const auto middle = std::partition(
            at(begin), at(end), [=](const Node& item) { return center(item)[axis] < place; });
        if (middle == at(begin) || middle == at(end)) return halve(begin, end, axis);
        return static_cast<std::size_t>(middle - items_.begin());
    }

    std::size_t halve(std::size_t begin, std::size_t end, int axis) {
        const std::size_t middle = begin + (end - begin) / 2;
        std::nth_element(at(begin), at(middle), at(end), [axis](const Node& a, const Node& b) {
            const float ca = center(a)[axis], cb = center(b)[axis];
            return ca != cb ? ca < cb : a.second < b.second;
        });
        return middle;
    }

    std::vector<Node>::iterator at(std::size_t i) {
        return items_.begin() + static_cast<std::ptrdiff_t>(i);
    }

    DynamicTree& tree_;
    std::vector<Node>& items_;
    const std::vector<std::uint32_t>& pairs_; // to be filled, in this order
    std::size_t used_ = 0;
};

void DynamicTree::rebuild() {
    inserted_ = 0;
    has_unbuilt_ = false;
    if (count_ == 0) return;
    std::vector<Node> items;
    items.reserve(count_);
    for (std::uint32_t proxy = 0; proxy < proxies_.size(); ++proxy) {
        if (!is_alive(proxy)) continue;
        items.emplace_back(proxies_[proxy].box(), 0, kLeaf | proxy);
    }
    pairs_.resize(count_);
    heights_.resize(count_);
    free_pairs_.clear();
    std::vector<std::uint32_t> pairs(count_ - 1);
    std::iota(pairs.begin(), pairs.end(), 1u);
    Builder(*this, items, pairs).build();
}

void DynamicTree::rebuild_moved() {
    if (has_unbuilt_ || inserted_ > count_ / 2) return rebuild();
    if (count_ == 0 || node(0).is_leaf() || !node(0).has_moved()) return;
    // Reused to avoid allocation, as this is done in every step.
    thread_local std::vector<Node> items;
    thread_local std::vector<std::uint32_t> pairs;
    items.clear();
    pairs.clear();
    TraversalStack<std::uint32_t> stack;
    stack.push(0);
    while (!stack.is_empty()) {
        const Node& n = node(stack.pop());
        if (n.is_leaf() || !n.has_moved()) {
            items.push_back(n);
            continue;
        }
        pairs.push_back(n.children());
        stack.push(2 * n.children() + 1);
        stack.push(2 * n.children());
    }
    // Filled from the front, depth first: neighbors in space are neighbors in memory.
    std::sort(pairs.begin(), pairs.end());
    Builder(*this, items, pairs).build();
}

// Every child refers to its parent and lies within it, heights are correct, proxies and leaves
// refer to each other, and each pair is either in the tree or free.
bool DynamicTree::is_valid() const {
    if (pairs_[0].node[1].box() != Aabbf{}) return false;
    if (count_ == 0) return node(0).box() == Aabbf{};
    std::size_t leaves = 0, pairs = 1 + free_pairs_.size();
    TraversalStack<std::uint32_t> stack;
    stack.push(0);
    while (!stack.is_empty()) {
        const std::uint32_t n = stack.pop();
        if (!is_valid(n)) return false;
        if (node(n).is_leaf()) {
            ++leaves;
            continue;
        }
        ++pairs;
        stack.push(2 * node(n).children());
        stack.push(2 * node(n).children() + 1);
    }
    return leaves == count_ && count_ + free_proxies_.size() == proxies_.size() &&
           pairs == pairs_.size() && heights_.size() == pairs_.size();
}

bool DynamicTree::is_valid(std::uint32_t n) const {
    const Node& at = node(n);
    if (at.is_leaf()) {
        return is_alive(at.proxy()) && proxies_[at.proxy()].node() == n &&
               proxies_[at.proxy()].box() == at.box();
    }
    int highest = 0;
    for (const Node& child : pairs_[at.children()].node) {
        if (child.parent() != n || !contains(at.box(), child.box())) return false;
        if (!child.is_leaf() && child.has_moved() && !at.has_moved()) return false;
        highest = std::max(highest, height_of(child));
    }
    return height_of(at) == highest + 1;
}

} // namespace rigor
