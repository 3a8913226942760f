// One interface for several broadphases, so that they can be compared: on the same boxes they
// must give the same pairs.
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

    /// All pairs whose boxes touch now and whose filters agree, at least one of them moving;
    /// each once, in ascending order.
    virtual void find_pairs(ThreadTeam& team, std::vector<ProxyPair>& pairs) = 0;
};

/// The tree, with a margin about every box and the pairs kept from step to step.
std::unique_ptr<Broadphase> make_tree_broadphase(float margin);
/// Cells of one size, made anew each time: for many boxes of about the same size.
std::unique_ptr<Broadphase> make_grid_broadphase();
/// Boxes kept in order along one axis: for few boxes, or such that stand in a long row.
std::unique_ptr<Broadphase> make_sweep_broadphase();

} // namespace rigor
