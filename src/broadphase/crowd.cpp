#include "broadphase/crowd.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>

namespace rigor {
namespace {

constexpr std::uint32_t kLeafSize = 8;
constexpr double kOrderScale = 1e-6; // of the largest core: the extent of the fourth dimension

/// A place in [0, 1) for each member, neighbors far from each other. So the pairs of members at one
/// position join all of them, and they separate as a whole. As a chain of neighbors they would do
/// so from its ends only, for seconds.
double spread(std::uint32_t order) {
    return (order * 2654435769u) * 0x1p-32; // the golden ratio
}

bool before(const CrowdTree::Member& a, const CrowdTree::Member& b) {
    const auto key = [](const CrowdTree::Member& m) {
        return std::make_tuple(m.core.center.x, m.core.center.y, m.core.center.z, m.id.value());
    };
    return key(a) < key(b);
}

} // namespace

CrowdTree::CrowdTree(std::vector<Member> members) : members_(std::move(members)) {
    std::sort(members_.begin(), members_.end(), before);
    const auto count = static_cast<std::uint32_t>(members_.size());
    double largest = 0;
    for (const Member& m : members_) largest = std::max(largest, m.core.radius);
    apart_ = kOrderScale * largest;
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto& [center, radius] = members_[i].core;
        points_.push_back({{center.x, center.y, center.z, spread(i) * apart_}, radius, i});
    }
    const std::uint32_t leaves = std::bit_ceil((count + kLeafSize - 1) / kLeafSize);
    nodes_.resize(2 * std::max(leaves, 1u) - 1);
    if (count > 0) build(0, 0, count);
}

void CrowdTree::build(std::uint32_t node, std::uint32_t begin, std::uint32_t end) {
    Node& n = nodes_[node];
    n = {points_[begin].x, points_[begin].x, 0, begin, end};
    for (std::uint32_t i = begin; i < end; ++i) {
        for (std::size_t k = 0; k < 4; ++k) {
            n.lo[k] = std::min(n.lo[k], points_[i].x[k]);
            n.hi[k] = std::max(n.hi[k], points_[i].x[k]);
        }
        n.max_radius = std::max(n.max_radius, points_[i].radius);
    }
    if (is_leaf(node)) return;
    std::size_t widest = 0;
    for (std::size_t k = 1; k < 4; ++k)
        if (n.hi[k] - n.lo[k] > n.hi[widest] - n.lo[widest]) widest = k;
    const std::uint32_t middle = begin + (end - begin) / 2;
    std::nth_element(points_.begin() + begin, points_.begin() + middle, points_.begin() + end,
                     [&](const Point& a, const Point& b) {
                         return std::make_tuple(a.x[widest], a.member) <
                                std::make_tuple(b.x[widest], b.member);
                     });
    build(2 * node + 1, begin, middle);
    build(2 * node + 2, middle, end);
}

/// Branch and bound: the best so far are a heap, the worst of them on top.
struct CrowdTree::Search {
    const CrowdTree& tree;
    const Point& from;
    const Accept& accept;
    struct Candidate {
        double gap; ///< of the cores, less the radius of the one that searches: negative
        std::uint32_t member;
        auto operator<=>(const Candidate&) const = default;
    };
    std::vector<Candidate> best{};

    bool is_hopeless(double gap) const {
        return best.size() == kMaxCrowdPairs && gap > best.front().gap;
    }

    void visit(std::uint32_t node) {
        if (!tree.is_leaf(node)) {
            const std::uint32_t left = 2 * node + 1, right = 2 * node + 2;
            const double to_left = least_gap(tree.nodes_[left]),
                         to_right = least_gap(tree.nodes_[right]);
            const bool left_first = to_left <= to_right;
            if (!is_hopeless(std::min(to_left, to_right))) visit(left_first ? left : right);
            if (!is_hopeless(std::max(to_left, to_right))) visit(left_first ? right : left);
            return;
        }
        for (std::uint32_t i = tree.nodes_[node].begin; i < tree.nodes_[node].end; ++i)
            consider(tree.points_[i]);
    }

    /// A lower bound for all points of a node.
    double least_gap(const Node& node) const {
        double squared = 0;
        for (std::size_t k = 0; k < 4; ++k) {
            const double out = std::max({node.lo[k] - from.x[k], from.x[k] - node.hi[k], 0.0});
            squared += out * out;
        }
        return std::sqrt(squared) - node.max_radius;
    }

    void consider(const Point& point) {
        if (point.member == from.member) return;
        double squared = 0;
        for (std::size_t k = 0; k < 4; ++k) {
            const double out = point.x[k] - from.x[k];
            squared += out * out;
        }
        const Candidate candidate{std::sqrt(squared) - point.radius, point.member};
        const bool full = best.size() == kMaxCrowdPairs;
        if (full && !(candidate < best.front())) return;
        if (!accept(tree.members_[point.member].id)) return;
        if (full) {
            std::pop_heap(best.begin(), best.end());
            best.pop_back();
        }
        best.push_back(candidate);
        std::push_heap(best.begin(), best.end());
    }
};

void CrowdTree::find_deepest(std::size_t member, const Accept& accept,
                             std::vector<ProxyId>& found) const {
    const auto& [center, radius] = members_[member].core;
    const Point from{
        {center.x, center.y, center.z, spread(static_cast<std::uint32_t>(member)) * apart_},
        radius,
        static_cast<std::uint32_t>(member)};
    Search search{*this, from, accept};
    search.best.reserve(kMaxCrowdPairs + 1);
    search.visit(0);
    for (const Search::Candidate& c : search.best) found.push_back(members_[c.member].id);
}

} // namespace rigor
