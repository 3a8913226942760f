// Crowds: bodies of which each lies in many others, as when thousands are created at one position.
//
// Their pairs grow with the square of their number, and none of them has a physical meaning before
// they have separated. So of the pairs within a crowd only some are found: for each member those
// with the members that it lies in most deeply. The others follow as these separate.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "broadphase/proxy.h"

namespace rigor {

/// A ball within a solid, in the world. Solids that do not penetrate have balls that do not
/// overlap, so that a crowd is never mistaken: neither dense nor large scenes are one.
struct CoreBall {
    Vec3d center;
    double radius = 0; ///< 0: the proxy is in no crowd
};

/// Of a proxy. Called from several threads at once.
using CoreOf = std::function<CoreBall(ProxyId)>;

/// Whether one of two solids lies deep in the other one. Contacts that a load has pressed a little
/// into each other do not count.
inline bool cores_overlap(const CoreBall& a, const CoreBall& b) {
    constexpr double kDeep = 0.9; // of the distance at which the balls touch
    if (!(a.radius > 0) || !(b.radius > 0)) return false;
    const double reach = kDeep * (a.radius + b.radius);
    return length_squared(b.center - a.center) < reach * reach;
}

/// A proxy whose core overlaps more others than this is in a crowd, and has so many pairs with
/// other members of crowds, or those that have it among theirs.
inline constexpr std::size_t kMaxCrowdPairs = 16;

/// The members of all crowds, for the search of the deepest pairs. A k-d tree whose fourth
/// dimension follows from the order of the members, at a tiny scale: so members at one position are
/// told apart, and a search takes logarithmic time there as well.
class CrowdTree {
  public:
    struct Member {
        CoreBall core;
        ProxyId id;
    };

    /// In any order; the tree depends on positions, and on ids where these are equal.
    explicit CrowdTree(std::vector<Member> members);

    const std::vector<Member>& members() const { return members_; }

    using Accept = std::function<bool(ProxyId)>;
    /// The accepted members that lie deepest in the given one, at most kMaxCrowdPairs, in no
    /// particular order.
    void find_deepest(std::size_t member, const Accept& accept, std::vector<ProxyId>& found) const;

  private:
    struct Point {
        std::array<double, 4> x;
        double radius = 0;
        std::uint32_t member = 0;
    };
    /// Around points [begin, end); the children of node i are 2 i + 1 and 2 i + 2.
    struct Node {
        std::array<double, 4> lo, hi;
        double max_radius = 0;
        std::uint32_t begin = 0, end = 0;
    };
    struct Search;

    void build(std::uint32_t node, std::uint32_t begin, std::uint32_t end);
    bool is_leaf(std::uint32_t node) const { return 2 * node + 1 >= nodes_.size(); }

    std::vector<Member> members_; // in order
    std::vector<Point> points_;   // in the order of leaves
    std::vector<Node> nodes_;
    double apart_ = 0; // the extent of the fourth dimension
};

} // namespace rigor
