// Dynamic tree as a Broadphase.

#include "broadphase/broadphase.h"
#include "broadphase/pair_finder.h"

namespace rigor {
namespace {

class TreeBroadphase final : public Broadphase {
  public:
    explicit TreeBroadphase(float margin) : margin_(margin) {}

    ProxyId add(ProxyKind kind, const Aabbf& box, const Filter& filter) override {
        const ProxyId id = finder_.add(kind, box, margin_, filter, 0);
        if (id.value() >= boxes_.size()) boxes_.resize(id.value() + 1);
        boxes_[id.value()] = BoxRows(box);
        changed_.set(id.value());
        return id;
    }

    void remove(ProxyId id) override {
        finder_.remove(id);
        changed_.set(id.value());
    }

    void move(ProxyId id, const Aabbf& box) override {
        boxes_[id.value()].set_box(box);
        if (finder_.move(id, box, margin_)) changed_.set(id.value());
    }

    // All pairs of changed proxies are searched again: a known pair of which one has changed and
    // that is not found again has ended.
    void find_pairs(ThreadTeam& team, std::vector<ProxyPair>& pairs) override {
        finder_.find_pairs(team, new_);
        still_.resize(known_.size() + new_.size());
        pairs.resize(still_.size());
        Output output{still_.data(), pairs.data()};
        auto next = new_.begin();
        for (const ProxyPair& pair : known_) {
            if (changed_.test(pair.a.value()) || changed_.test(pair.b.value())) continue;
            for (; next != new_.end() && *next < pair; ++next) take(*next, output);
            take(pair, output);
        }
        for (; next != new_.end(); ++next) take(*next, output);
        pairs.resize(static_cast<std::size_t>(output.pairs - pairs.data()));
        still_.resize(static_cast<std::size_t>(output.still - still_.data()));
        known_.swap(still_);
        changed_.clear_all();
    }

  private:
    struct Output {
        ProxyPair *still, *pairs;
    };

    // Always written, and then kept or not: the branch would be unpredictable.
    void take(const ProxyPair& pair, Output& output) const {
        *output.still++ = *output.pairs = pair;
        output.pairs += boxes_overlap(boxes_[pair.a.value()], boxes_[pair.b.value()]) ? 1 : 0;
    }

    float margin_;
    PairFinder finder_;
    BitSet changed_; // by ProxyId::value(): added, removed or moved since the last find_pairs()
    std::vector<BoxRows> boxes_;                 // by ProxyId::value(), without margin
    std::vector<ProxyPair> known_, new_, still_; // known: their stored boxes overlap
};

} // namespace

std::unique_ptr<Broadphase> make_tree_broadphase(float margin) {
    return std::make_unique<TreeBroadphase>(margin);
}

} // namespace rigor
