// Broadphase interface with several implementations, which must give the same pairs for the same
// boxes.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "base/thread_team.h"
#include "broadphase/proxy.h"

namespace rigor {

class Broadphase {
  public:
    virtual ~Broadphase() = default;

    virtual ProxyId add(ProxyKind kind, const Aabbf& box, const Filter& filter = {}) = 0;
    virtual void remove(ProxyId id) = 0;
    virtual void move(ProxyId id, const Aabbf& box) = 0;

    /// All pairs whose boxes overlap now and whose filters agree, at least one of them moving; each
    /// once, in ascending order.
    virtual void find_pairs(ThreadTeam& team, std::vector<ProxyPair>& pairs) = 0;
};

/// Dynamic AABB tree, with a margin about every box and the pairs kept from step to step.
std::unique_ptr<Broadphase> make_tree_broadphase(float margin);
/// Uniform grid, rebuilt each time: for many boxes of about the same size.
std::unique_ptr<Broadphase> make_grid_broadphase();
/// Sweep and prune along one axis: for few boxes, or for long rows.
std::unique_ptr<Broadphase> make_sweep_broadphase();

} // namespace rigor
