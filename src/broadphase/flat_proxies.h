// Flat list of proxies, for broadphases without a tree.
#pragma once

#include <vector>

#include "broadphase/proxy.h"

namespace rigor {

struct FlatProxy {
    Aabbf box;
    Filter filter;
    ProxyId id; // null when free
};

/// One index space for both kinds. The last freed index is reused first.
class FlatProxies {
  public:
    ProxyId add(ProxyKind kind, const Aabbf& box, const Filter& filter) {
        std::uint32_t index = static_cast<std::uint32_t>(proxies_.size());
        if (free_.empty()) {
            proxies_.emplace_back();
        } else {
            index = free_.back();
            free_.pop_back();
        }
        const ProxyId id(kind, index);
        proxies_[index] = {box, filter, id};
        return id;
    }

    void remove(ProxyId id) {
        proxies_[id.index()].id = {};
        free_.push_back(id.index());
    }

    FlatProxy& operator[](ProxyId id) { return proxies_[id.index()]; }
    const FlatProxy& operator[](std::uint32_t index) const { return proxies_[index]; }
    std::uint32_t index_count() const { return static_cast<std::uint32_t>(proxies_.size()); }

  private:
    std::vector<FlatProxy> proxies_;
    std::vector<std::uint32_t> free_;
};

inline bool is_pair(const FlatProxy& a, const FlatProxy& b) {
    return should_collide(a.filter, b.filter) &&
           (a.id.kind() == ProxyKind::moving || b.id.kind() == ProxyKind::moving);
}

} // namespace rigor
