#include "geometry/mesh_bvh.h"

#include <algorithm>
#include <cstddef>

#include "base/assert.h"

namespace rigor {
namespace {

constexpr int kBins = 16;
constexpr std::uint32_t kLeafSize = 4;
// Deeper than this, ranges are halved by count, regardless of the cost for rays: 2^31 boxes then
// need 31 levels more, and the traversal stack of kMaxDepth always suffices.
constexpr int kMaxSahDepth = 48;

template <class S>
struct Item {
    Aabb<S> box;
    std::uint32_t index;

    // Twice the center: these are only compared.
    Vec3<S> middle() const { return box.lo + box.hi; }
    S middle(int axis) const { return box.lo[axis] + box.hi[axis]; }
};

template <class S>
S half_surface_area(const Aabb<S>& box) {
    const Vec3<S> d = box.hi - box.lo;
    return d.x * d.y + d.y * d.z + d.z * d.x;
}

template <class S>
struct Bin {
    Aabb<S> box;
    std::uint32_t count = 0;
};

template <class S>
class Builder {
  public:
    explicit Builder(const std::vector<Aabb<S>>& boxes) {
        items_.reserve(boxes.size());
        for (const Aabb<S>& box : boxes) {
            items_.push_back({box, static_cast<std::uint32_t>(items_.size())});
        }
        tree_.nodes.reserve(boxes.size());
    }

    MeshBvh<S> build() {
        if (!items_.empty()) add_node(0, static_cast<std::uint32_t>(items_.size()), 0);
        tree_.items.reserve(items_.size());
        for (const Item<S>& item : items_) tree_.items.push_back(item.index);
        return std::move(tree_);
    }

  private:
    void add_node(std::uint32_t begin, std::uint32_t end, int depth) {
        Aabb<S> box, middles;
        for (std::uint32_t i = begin; i < end; ++i) {
            box = join(box, items_[i].box);
            middles = join(middles, items_[i].middle());
        }
        const std::size_t node = tree_.nodes.size();
        tree_.nodes.push_back({box, begin, end - begin});
        if (end - begin <= kLeafSize) return;

        const std::uint32_t middle =
            depth < kMaxSahDepth ? split(begin, end, middles) : halve(begin, end, middles);
        tree_.nodes[node].count = 0;
        add_node(begin, middle, depth + 1);
        tree_.nodes[node].next = static_cast<std::uint32_t>(tree_.nodes.size());
        add_node(middle, end, depth + 1);
    }

    // Along the axis with the largest spread of centers: trying all three took nearly twice the
    // time on a ring of a million triangles, and rays were no faster.
    std::uint32_t split(std::uint32_t begin, std::uint32_t end, const Aabb<S>& middles) {
        const int axis = widest_axis(middles);
        const S origin = middles.lo[axis], scale = S(kBins) / (middles.hi[axis] - origin);
        if (!std::isfinite(scale)) return halve(begin, end, middles);
        const auto bin_at = [=](const Item<S>& item) {
            return static_cast<std::size_t>(
                std::min(static_cast<int>((item.middle(axis) - origin) * scale), kBins - 1));
        };
        std::array<Bin<S>, kBins> bins;
        for (std::uint32_t i = begin; i < end; ++i) {
            Bin<S>& bin = bins[bin_at(items_[i])];
            bin.box = join(bin.box, items_[i].box);
            ++bin.count;
        }
        const std::size_t cut = cheapest_cut(bins);
        if (cut == 0) return halve(begin, end, middles);
        const auto first = items_.begin();
        const auto middle = std::partition(first + begin, first + end,
                                           [&](const Item<S>& item) { return bin_at(item) < cut; });
        return static_cast<std::uint32_t>(middle - first);
    }

    static int widest_axis(const Aabb<S>& box) {
        const Vec3<S> d = box.hi - box.lo;
        return d.x >= d.y ? (d.x >= d.z ? 0 : 2) : (d.y >= d.z ? 1 : 2);
    }

    // The number of bins on the left; 0 when no split has items on both sides. Each side costs its
    // surface times its number of items.
    static std::size_t cheapest_cut(const std::array<Bin<S>, kBins>& bins) {
        std::array<S, kBins> left_cost;
        Bin<S> side;
        for (std::size_t i = 0; i < kBins; ++i) {
            side = {join(side.box, bins[i].box), side.count + bins[i].count};
            left_cost[i] = side.count > 0 ? half_surface_area(side.box) * static_cast<S>(side.count)
                                          : Aabb<S>::kInfinity;
        }
        S least = Aabb<S>::kInfinity;
        std::size_t best = 0;
        side = {};
        for (std::size_t i = kBins - 1; i > 0; --i) {
            side = {join(side.box, bins[i].box), side.count + bins[i].count};
            if (side.count == 0) continue;
            const S cost =
                left_cost[i - 1] + half_surface_area(side.box) * static_cast<S>(side.count);
            if (cost >= least) continue;
            least = cost;
            best = i;
        }
        return best;
    }

    std::uint32_t halve(std::uint32_t begin, std::uint32_t end, const Aabb<S>& middles) {
        const int axis = widest_axis(middles);
        const std::uint32_t middle = begin + (end - begin) / 2;
        const auto first = items_.begin();
        std::nth_element(first + begin, first + middle, first + end,
                         [axis](const Item<S>& a, const Item<S>& b) {
                             const S ma = a.middle(axis), mb = b.middle(axis);
                             return ma != mb ? ma < mb : a.index < b.index;
                         });
        return middle;
    }

    std::vector<Item<S>> items_;
    MeshBvh<S> tree_;
};

} // namespace

template <class S>
MeshBvh<S> build_bvh(const std::vector<Aabb<S>>& boxes) {
    RIGOR_ASSERT(boxes.size() < (std::size_t(1) << 31));
    return Builder<S>(boxes).build();
}

// Children follow their parents in the array: backward, they are done first.
template <class S>
void refit(MeshBvh<S>& tree, const std::vector<Aabb<S>>& boxes) {
    RIGOR_ASSERT(boxes.size() == tree.items.size());
    for (std::size_t i = tree.nodes.size(); i-- > 0;) {
        typename MeshBvh<S>::Node& node = tree.nodes[i];
        if (node.count == 0) {
            node.box = join(tree.nodes[i + 1].box, tree.nodes[node.next].box);
            continue;
        }
        node.box = {};
        for (std::uint32_t k = 0; k < node.count; ++k)
            node.box = join(node.box, boxes[tree.items[node.next + k]]);
    }
}

template void refit(MeshBvh<float>&, const std::vector<Aabb<float>>&);
template void refit(MeshBvh<double>&, const std::vector<Aabb<double>>&);
template MeshBvh<float> build_bvh(const std::vector<Aabb<float>>&);
template MeshBvh<double> build_bvh(const std::vector<Aabb<double>>&);

} // namespace rigor
