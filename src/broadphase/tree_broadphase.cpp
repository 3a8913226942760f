#include <algorithm>

#include "broadphase/broadphase.h"
#include "broadphase/pairs.h"

namespace rigor {
namespace {

class TreeBroadphase final : public Broadphase {
  public:
    explicit TreeBroadphase(float margin) : margin_(margin) {}

    ProxyId add(ProxyKind kind, const Aabbf& box, const Filter& filter) override {
        const ProxyId id = finder_.add(kind, box, margin_, filter, 0);
        if (id.value() >= boxes_.size()) boxes_.resize(id.value() + 1);
        boxes_[id.value()] = box;
        return id;
    }

    void remove(ProxyId id) override {
        finder_.remove(id);
        removed_.set(id.value());
    }

    void move(ProxyId id, const Aabbf& box) override {
        boxes_[id.value()] = box;
        finder_.move(id, box, margin_);
    }

    void find_pairs(ThreadTeam& team, std::vector<ProxyPair>& pairs) override {
        finder_.find_pairs(team, new_);
        drop_ended();
        merged_.clear();
        std::set_union(known_.begin(), known_.end(), new_.begin(), new_.end(),
                       std::back_inserter(merged_));
        known_.swap(merged_);
        pairs.clear();
        for (const ProxyPair& pair : known_) {
            if (overlap(boxes_[pair.a.value()], boxes_[pair.b.value()])) pairs.push_back(pair);
        }
    }

  private:
    // An id given again after a removal is a new proxy: its pairs are found anew.
    void drop_ended() {
        std::erase_if(known_, [&](const ProxyPair& pair) {
            return removed_.test(pair.a.value()) || removed_.test(pair.b.value()) ||
                   !finder_.overlap(pair.a, pair.b);
        });
        removed_.clear_all();
    }

    float margin_;
    PairFinder finder_;
    BitSet removed_;           // since the last find_pairs()
    std::vector<Aabbf> boxes_; // by ProxyId::value(), without margin
    std::vector<ProxyPair> known_, new_, merged_;
};

} // namespace

std::unique_ptr<Broadphase> make_tree_broadphase(float margin) {
    return std::make_unique<TreeBroadphase>(margin);
}

} // namespace rigor
