// Sweep and prune along one axis [Cohen et al. 1995]: boxes sorted by their lower ends, kept from
// step to step to exploit temporal coherence.
#include <algorithm>
#include <array>

#include "base/bit_set.h"
#include "broadphase/broadphase.h"
#include "broadphase/flat_proxies.h"

namespace rigor {
namespace {

constexpr std::size_t kBlock = 256;
// Exchanges per box above which a full sort is cheaper than insertion sort.
constexpr std::size_t kMaxShifts = 16;

struct Entry {
    float lo, hi;     // along the axis
    float lo_u, hi_u; // along the two others
    float lo_v, hi_v;
    std::uint32_t index;

    friend bool operator<(const Entry& a, const Entry& b) {
        return a.lo != b.lo ? a.lo < b.lo : a.index < b.index;
    }
};

class SweepBroadphase final : public Broadphase {
  public:
    ProxyId add(ProxyKind kind, const Aabbf& box, const Filter& filter) override {
        const ProxyId id = proxies_.add(kind, box, filter);
        // A reused index may still have its entry.
        if (!listed_.test(id.index())) entries_.push_back({0, 0, 0, 0, 0, 0, id.index()});
        listed_.set(id.index());
        return id;
    }

    void remove(ProxyId id) override { proxies_.remove(id); }

    void move(ProxyId id, const Aabbf& box) override { proxies_[id].box = box; }

    void find_pairs(ThreadTeam& team, std::vector<ProxyPair>& pairs) override {
        drop_removed();
        read_boxes();
        sort_entries();
        found_.resize((entries_.size() + kBlock - 1) / kBlock);
        team.parallel_for(entries_.size(), kBlock, [&](std::size_t begin, std::size_t end) {
            std::vector<ProxyPair>& found = found_[begin / kBlock];
            found.clear();
            for (std::size_t i = begin; i < end; ++i) sweep_from(i, found);
        });
        pairs.clear();
        for (const auto& found : found_) pairs.insert(pairs.end(), found.begin(), found.end());
        sort_pairs(pairs);
    }

  private:
    void drop_removed() {
        std::erase_if(entries_, [&](const Entry& e) {
            const bool gone = proxies_[e.index].id.is_null();
            if (gone) listed_.clear(e.index);
            return gone;
        });
    }

    // The axis with the largest variance of the boxes.
    int widest_spread() const {
        std::array<double, 3> sum{}, square{};
        for (const Entry& e : entries_) {
            const Vec3d corner = cast<double>(proxies_[e.index].box.lo);
            for (int i = 0; i < 3; ++i) {
                sum[static_cast<std::size_t>(i)] += corner[i];
                square[static_cast<std::size_t>(i)] += corner[i] * corner[i];
            }
        }
        const auto n = static_cast<double>(std::max<std::size_t>(entries_.size(), 1));
        for (std::size_t i = 0; i < 3; ++i) square[i] -= sum[i] * sum[i] / n;
        return static_cast<int>(std::max_element(square.begin(), square.end()) - square.begin());
    }

    void read_boxes() {
        const int axis = widest_spread(), u = (axis + 1) % 3, v = (axis + 2) % 3;
        for (Entry& e : entries_) {
            const Aabbf& box = proxies_[e.index].box;
            e = {box.lo[axis], box.hi[axis], box.lo[u], box.hi[u], box.lo[v], box.hi[v], e.index};
        }
    }

    void sort_entries() {
        std::size_t shifts = 0;
        for (std::size_t i = 1; i < entries_.size(); ++i) {
            const Entry e = entries_[i];
            std::size_t j = i;
            for (; j > 0 && e < entries_[j - 1]; --j) entries_[j] = entries_[j - 1];
            entries_[j] = e;
            shifts += i - j;
            if (shifts > kMaxShifts * entries_.size()) {
                std::sort(entries_.begin(), entries_.end());
                return;
            }
        }
    }

    void sweep_from(std::size_t i, std::vector<ProxyPair>& found) const {
        const Entry e = entries_[i];
        for (std::size_t j = i + 1; j < entries_.size() && entries_[j].lo <= e.hi; ++j) {
            const Entry& o = entries_[j];
            if (!((o.lo_u <= e.hi_u) & (e.lo_u <= o.hi_u) & (o.lo_v <= e.hi_v) &
                  (e.lo_v <= o.hi_v))) {
                continue;
            }
            const FlatProxy &a = proxies_[e.index], &b = proxies_[o.index];
            if (is_pair(a, b)) found.push_back(ordered_pair(a.id, b.id));
        }
    }

    FlatProxies proxies_;
    std::vector<Entry> entries_;
    BitSet listed_;                             // indices that have an entry
    std::vector<std::vector<ProxyPair>> found_; // by block of entries_
};

} // namespace

std::unique_ptr<Broadphase> make_sweep_broadphase() {
    return std::make_unique<SweepBroadphase>();
}

} // namespace rigor
