#include "geometry/hull_cache.h"

#include <cstring>
#include <mutex>
#include <unordered_map>

#include "base/hash.h"
#include "geometry/hull_builder.h"

namespace rigor {
namespace {

using SharedHull = std::shared_ptr<const Hull<double>>;

std::uint64_t hash_of(std::span<const Vec3d> points) {
    Hasher hasher;
    hasher.add_bytes(points.data(), points.size_bytes());
    return hasher.value();
}

class SharedHulls {
  public:
    SharedHull find(std::uint64_t hash, std::span<const Vec3d> points) {
        const std::lock_guard lock(mutex_);
        return find_locked(hash, points);
    }

    // Two threads may build the same hull at once: the first to finish wins.
    SharedHull add(std::uint64_t hash, std::span<const Vec3d> points, const SharedHull& hull) {
        const std::lock_guard lock(mutex_);
        if (SharedHull known = find_locked(hash, points)) return known;
        if (entries_.size() >= sweep_at_) sweep();
        entries_.emplace(hash, Entry{{points.begin(), points.end()}, hull});
        return hull;
    }

  private:
    struct Entry {
        std::vector<Vec3d> points;
        std::weak_ptr<const Hull<double>> hull;
    };

    SharedHull find_locked(std::uint64_t hash, std::span<const Vec3d> points) const {
        const auto [begin, end] = entries_.equal_range(hash);
        for (auto at = begin; at != end; ++at) {
            const std::vector<Vec3d>& known = at->second.points;
            if (known.size() != points.size() ||
                std::memcmp(known.data(), points.data(), points.size_bytes()) != 0)
                continue;
            if (SharedHull hull = at->second.hull.lock()) return hull;
        }
        return {};
    }

    // At twice the number that remained the last time: the amortized cost is that of adding.
    void sweep() {
        std::erase_if(entries_, [](const auto& item) { return item.second.hull.expired(); });
        sweep_at_ = 2 * entries_.size() + 64;
    }

    std::mutex mutex_;
    std::unordered_multimap<std::uint64_t, Entry> entries_;
    std::size_t sweep_at_ = 64;
};

} // namespace

Result<SharedHull> shared_hull(std::span<const Vec3d> points) {
    static SharedHulls hulls;
    const std::uint64_t hash = hash_of(points);
    if (SharedHull known = hulls.find(hash, points)) return known;
    Result<Hull<double>> built = make_hull(points);
    if (!built) return built.error();
    return hulls.add(hash, points, std::make_shared<const Hull<double>>(std::move(*built)));
}

} // namespace rigor
