// Cache of convex pieces by triangle soup: one set for all bodies of a soup.

#include <bit>
#include <map>
#include <mutex>

#include "geometry/decompose.h"
#include "geometry/hull_builder.h"
#include "rigor/export.h"

namespace rigor {
namespace {

using Soup = std::shared_ptr<const TriangleSoup>;
using Pieces = std::shared_ptr<const ConvexPieces>;

// As in SharedMeshes: an address may be reused by another soup, which the weak pointer detects.
class SharedPieces {
  public:
    Pieces find(const Soup& soup, double concavity) {
        const std::lock_guard lock(mutex_);
        const auto found = entries_.find(key(soup, concavity));
        if (found == entries_.end() || found->second.soup.lock() != soup) return {};
        return found->second.pieces;
    }

    void set(const Soup& soup, double concavity, const Pieces& pieces) {
        const std::lock_guard lock(mutex_);
        std::erase_if(entries_, [](const auto& item) { return item.second.soup.expired(); });
        entries_[key(soup, concavity)] = {soup, pieces};
    }

  private:
    struct Entry {
        std::weak_ptr<const TriangleSoup> soup;
        Pieces pieces;
    };

    // Compared by bits, which are ordered even for NaN.
    using Key = std::pair<const TriangleSoup*, std::uint64_t>;
    static Key key(const Soup& soup, double concavity) {
        return {soup.get(), std::bit_cast<std::uint64_t>(concavity)};
    }

    std::mutex mutex_;
    std::map<Key, Entry> entries_; // used for lookup only: the order of addresses has no effect
};

SharedPieces& table() {
    static SharedPieces pieces;
    return pieces;
}

Result<Pieces> build(const std::vector<std::vector<Vec3d>>& corners) {
    auto pieces = std::make_shared<ConvexPieces>();
    for (const std::vector<Vec3d>& points : corners) {
        Result<Hull<double>> hull = make_hull(points);
        if (!hull) return hull.error();
        pieces->push_back(std::make_shared<const Hull<double>>(std::move(*hull)));
    }
    return Pieces(std::move(pieces));
}

} // namespace

RIGOR_API Pieces known_pieces(const Soup& soup, double concavity) {
    return table().find(soup, concavity);
}

Result<Pieces> shared_pieces(const Soup& soup, double concavity) {
    if (Pieces known = known_pieces(soup, concavity)) return known;
    const Result<std::shared_ptr<const TriangleMesh<double>>> mesh = shared_mesh(soup);
    if (!mesh) return mesh.error();
    const Result<Decomposition> decomposition = decompose(**mesh, {concavity});
    if (!decomposition) return decomposition.error();
    if (auto shared = share_pieces(soup, concavity, decomposition->pieces); !shared)
        return shared.error();
    return known_pieces(soup, concavity);
}

RIGOR_API Result<void> share_pieces(const Soup& soup, double concavity,
                                    const std::vector<std::vector<Vec3d>>& corners) {
    const Result<Pieces> pieces = build(corners);
    if (!pieces) return pieces.error();
    table().set(soup, concavity, *pieces);
    return {};
}

} // namespace rigor
