// Pair search: the overlapping pairs of some proxies of a PairFinder, in parallel.
#pragma once

#include <span>
#include <vector>

#include "broadphase/pair_finder.h"

namespace rigor {

/// Passed through once, then done with; its memory is reused by the next one on this thread.
class PairSearch {
  public:
    /// For the proxies in `searched`, by value. `core` may be empty.
    PairSearch(const PairFinder& finder, const BitSet& searched, const PairFilter& keep,
               const CoreOf& core);

    /// Ascending pairs, and the proxies that are in a crowd.
    void run(ThreadTeam& team, std::vector<ProxyPair>& pairs, std::vector<ProxyId>& crowded);

  private:
    struct Queried {
        std::uint32_t place;
        ProxyId id;
        auto operator<=>(const Queried&) const = default;
    };
    struct Block {
        std::vector<ProxyPair> pairs;
        std::vector<ProxyId> crowded;
    };
    class Worker;

    void collect_queries();
    std::size_t end_of_group(std::size_t begin, std::size_t end) const;
    void gather(std::size_t blocks, std::vector<ProxyPair>& pairs) const;
    /// Adds the pairs of proxies in crowds.
    void search_crowd(ThreadTeam& team, const std::vector<ProxyId>& crowded,
                      std::vector<ProxyPair>& pairs);
    /// Whether a pair passes the filters.
    bool is_wanted(ProxyId id, ProxyId other) const;

    const PairFinder& finder_;
    const BitSet& searched_;
    const PairFilter& keep_;
    const CoreOf& core_;
    std::vector<Queried>& queries_;
    std::vector<Block>& blocks_;
};

} // namespace rigor
