// Uniform hashed grid, rebuilt for each search [Teschner et al. 2003]. A box is stored only in the
// cell of its lower corner, and cells are at least as wide as boxes: every overlapping box is in
// its own cell or one of the 26 around it.
#include <algorithm>
#include <array>
#include <cmath>

#include "broadphase/broadphase.h"
#include "broadphase/flat_proxies.h"

namespace rigor {
namespace {

struct Cell {
    std::int32_t x, y, z;
    friend bool operator==(const Cell&, const Cell&) = default;
};

struct Entry {
    Aabbf box;
    Cell cell;
    std::uint32_t index;
};

// Half of the 26 neighbors: the other half find this cell.
constexpr std::array<Cell, 13> kNeighbors{{{1, 0, 0},
                                           {-1, 1, 0},
                                           {0, 1, 0},
                                           {1, 1, 0},
                                           {-1, -1, 1},
                                           {0, -1, 1},
                                           {1, -1, 1},
                                           {-1, 0, 1},
                                           {0, 0, 1},
                                           {1, 0, 1},
                                           {-1, 1, 1},
                                           {0, 1, 1},
                                           {1, 1, 1}}};

// One box in so many may be wider than a cell. Such boxes are tested against all others, which
// makes a grid a poor choice when sizes differ.
constexpr std::size_t kWideShare = 128;
constexpr std::size_t kBlock = 256;

float extent(const Aabbf& box) {
    return max_component(box.hi - box.lo);
}

class GridBroadphase final : public Broadphase {
  public:
    ProxyId add(ProxyKind kind, const Aabbf& box, const Filter& filter) override {
        return proxies_.add(kind, box, filter);
    }
    void remove(ProxyId id) override { proxies_.remove(id); }
    void move(ProxyId id, const Aabbf& box) override { proxies_[id].box = box; }

    void find_pairs(ThreadTeam& team, std::vector<ProxyPair>& pairs) override {
        choose_cell_size();
        fill_cells();
        const std::size_t blocks = (entries_.size() + kBlock - 1) / kBlock;
        found_.resize(blocks);
        team.parallel_for(entries_.size(), kBlock, [&](std::size_t begin, std::size_t end) {
            std::vector<ProxyPair>& found = found_[begin / kBlock];
            found.clear();
            for (std::size_t i = begin; i < end; ++i) search_around(i, found);
        });
        pairs.clear();
        for (const auto& found : found_) pairs.insert(pairs.end(), found.begin(), found.end());
        search_wide(pairs);
        sort_pairs(pairs);
    }

  private:
    void choose_cell_size() {
        std::vector<float> extents;
        for (std::uint32_t i = 0; i < proxies_.index_count(); ++i) {
            if (!proxies_[i].id.is_null()) extents.push_back(extent(proxies_[i].box));
        }
        if (extents.empty()) return;
        const auto nth =
            extents.end() - 1 - static_cast<std::ptrdiff_t>(extents.size() / kWideShare);
        std::nth_element(extents.begin(), nth, extents.end());
        // Boxes of about one size are all put into cells.
        const float largest = *std::max_element(nth, extents.end());
        widest_ = largest <= 2 * *nth ? largest : *nth;
        // A little wider than any box in it, which exceeds the rounding in cell_of().
        cell_size_ = std::max(static_cast<double>(widest_) * 1.000001, 1e-30);
    }

    // Far coordinates are clamped, which keeps neighbors adjacent; within the limit the quotient is
    // exact to 2^-22.
    std::int32_t coordinate(float x) const {
        constexpr double limit = 1 << 30;
        const double c = std::floor(static_cast<double>(x) / cell_size_);
        return static_cast<std::int32_t>(std::clamp(c, -limit, limit));
    }

    Cell cell_of(const Aabbf& box) const {
        return {coordinate(box.lo.x), coordinate(box.lo.y), coordinate(box.lo.z)};
    }

    std::size_t bucket_of(const Cell& c) const {
        const std::uint32_t h = static_cast<std::uint32_t>(c.x) * 73856093u ^
                                static_cast<std::uint32_t>(c.y) * 19349663u ^
                                static_cast<std::uint32_t>(c.z) * 83492791u;
        return (h ^ (h >> 15)) & (bucket_begin_.size() - 2);
    }

    // Entries in the order of their buckets, and within one in the order of indices.
    void fill_cells() {
        unsorted_.clear();
        wide_.clear();
        for (std::uint32_t i = 0; i < proxies_.index_count(); ++i) {
            const FlatProxy& p = proxies_[i];
            if (p.id.is_null()) continue;
            if (extent(p.box) > widest_) {
                wide_.push_back(i);
            } else {
                unsorted_.push_back({p.box, cell_of(p.box), i});
            }
        }
        std::size_t buckets = 16;
        while (buckets < 2 * unsorted_.size()) buckets *= 2;
        bucket_begin_.assign(buckets + 1, 0);
        for (const Entry& e : unsorted_) ++bucket_begin_[bucket_of(e.cell)];
        std::uint32_t sum = 0;
        for (std::uint32_t& b : bucket_begin_) b = sum += b;
        entries_.resize(unsorted_.size());
        for (std::size_t i = unsorted_.size(); i-- > 0;) {
            entries_[--bucket_begin_[bucket_of(unsorted_[i].cell)]] = unsorted_[i];
        }
    }

    void search_around(std::size_t i, std::vector<ProxyPair>& found) const {
        const Entry& e = entries_[i];
        const auto search = [&](const Cell& cell, std::size_t begin, std::size_t end) {
            for (std::size_t j = begin; j < end; ++j) {
                const Entry& other = entries_[j];
                if (other.cell != cell || !overlap(e.box, other.box)) continue;
                add_pair(proxies_[e.index], proxies_[other.index], found);
            }
        };
        search(e.cell, i + 1, bucket_begin_[bucket_of(e.cell) + 1]);
        for (const Cell& step : kNeighbors) {
            const Cell cell{e.cell.x + step.x, e.cell.y + step.y, e.cell.z + step.z};
            const std::size_t bucket = bucket_of(cell);
            search(cell, bucket_begin_[bucket], bucket_begin_[bucket + 1]);
        }
    }

    void search_wide(std::vector<ProxyPair>& found) const {
        for (std::size_t i = 0; i < wide_.size(); ++i) {
            const FlatProxy& p = proxies_[wide_[i]];
            for (const Entry& e : entries_) {
                if (overlap(p.box, e.box)) add_pair(p, proxies_[e.index], found);
            }
            for (std::size_t j = i + 1; j < wide_.size(); ++j) {
                const FlatProxy& other = proxies_[wide_[j]];
                if (overlap(p.box, other.box)) add_pair(p, other, found);
            }
        }
    }

    static void add_pair(const FlatProxy& a, const FlatProxy& b, std::vector<ProxyPair>& found) {
        if (is_pair(a, b)) found.push_back(ordered_pair(a.id, b.id));
    }

    FlatProxies proxies_;
    float widest_ = 0;
    double cell_size_ = 1;
    std::vector<Entry> unsorted_, entries_;
    std::vector<std::uint32_t> bucket_begin_; // a power of two and one more
    std::vector<std::uint32_t> wide_;
    std::vector<std::vector<ProxyPair>> found_;
};

} // namespace

std::unique_ptr<Broadphase> make_grid_broadphase() {
    return std::make_unique<GridBroadphase>();
}

} // namespace rigor
