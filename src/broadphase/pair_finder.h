// Finds new overlapping pairs of proxies: one tree for moving and one for static proxies, and the
// list of those whose stored box changed.
#pragma once

#include <functional>
#include <vector>

#include "base/bit_set.h"
#include "base/thread_team.h"
#include "broadphase/crowd.h"
#include "broadphase/tree.h"

namespace rigor {

/// Pair filter: false for shapes of one body, jointed bodies, and pairs the caller already has.
/// Called from several threads at once.
using PairFilter = std::function<bool(const ProxyPair&)>;

/// Tree maintenance before a search. The trees give the same pairs without it, and fast enough
/// where few proxies have moved since they were built.
enum class TreeCare { rebuild_moved, leave };

class PairFinder {
  public:
    /// The stored box is the given one enlarged by `margin` on all sides.
    ProxyId add(ProxyKind kind, const Aabbf& box, float margin, const Filter& filter,
                std::uint32_t payload);
    /// The same for bulk insertion: the proxy is found from the next rebuild on, and must be
    /// neither moved nor removed before.
    ProxyId add_unbuilt(ProxyKind kind, const Aabbf& box, float margin, const Filter& filter,
                        std::uint32_t payload);
    void remove(ProxyId id);

    /// True when the stored box changed; see DynamicTree::move.
    bool move(ProxyId id, const Aabbf& box, float margin);

    /// Marks the proxy, so that its pairs are found again by the next find_pairs().
    void set_filter(ProxyId id, const Filter& filter);

    /// Rebuilds the moved part of the trees, for queries before the next find_pairs(), which does
    /// the same.
    void rebuild_moved();

    /// New pairs: stage of a step.
    ///
    /// Reads    the proxies that were added, or whose stored box changed, since the last call.
    /// Writes   all pairs of these whose stored boxes overlap and whose filters agree, each
    ///          once; and the trees, whose moved part is rebuilt first unless `care` says no.
    /// Order    ascending (a, b): it depends on the boxes alone, neither on the number of
    ///          threads nor on the history of the trees.
    ///
    /// A pair that overlapped before and of which one proxy moved is found again. Pairs that ended
    /// are not reported: the caller tests its own pairs with overlap().
    ///
    /// With `core`, pairs of which both proxies are in a crowd are found only where they are among
    /// the deepest of one of them (crowd.h).
    void find_pairs(ThreadTeam& team, std::vector<ProxyPair>& pairs, const PairFilter& keep = {},
                    TreeCare care = TreeCare::rebuild_moved, const CoreOf& core = {});
    /// The same for all moving proxies, whether they changed or not; the trees stay as they are.
    std::vector<ProxyPair> all_pairs(const PairFilter& keep, const CoreOf& core) const;

    /// Proxies that the last find_pairs() found in a crowd, ascending. They are to be searched
    /// again as long as they are in it: what it left out is not found otherwise.
    const std::vector<ProxyId>& crowded() const { return crowded_; }
    void search_again(ProxyId id) { changed_.set(id.value()); }

    /// Of the stored boxes.
    bool overlap(ProxyId a, ProxyId b) const { return boxes_overlap(rows(a), rows(b)); }
    const BoxRows& rows(ProxyId id) const { return tree(id.kind()).rows(id.index()); }
    Aabbf box(ProxyId id) const { return tree(id.kind()).box(id.index()); }
    const Filter& filter(ProxyId id) const { return tree(id.kind()).filter(id.index()); }
    std::uint32_t payload(ProxyId id) const { return tree(id.kind()).payload(id.index()); }
    bool is_alive(ProxyId id) const {
        return !id.is_null() && tree(id.kind()).is_alive(id.index());
    }

    /// For queries; its indices are ProxyId::index().
    const DynamicTree& tree(ProxyKind kind) const {
        return kind == ProxyKind::fixed ? fixed_ : moving_;
    }

    /// Without scratch memory.
    std::size_t memory_bytes() const;

  private:
    friend class PairSearch;

    DynamicTree& tree(ProxyKind kind) { return kind == ProxyKind::fixed ? fixed_ : moving_; }

    DynamicTree moving_, fixed_;
    BitSet changed_; // by ProxyId::value()
    std::vector<ProxyId> crowded_;
};

} // namespace rigor
