// Cache of meshes by triangle soup (triangles without connectivity): one mesh for all bodies of a
// soup.

#include <mutex>
#include <unordered_map>

#include "geometry/mesh.h"

#include "rigor/export.h"

namespace rigor {
namespace {

using Soup = std::shared_ptr<const TriangleSoup>;
using Mesh = std::shared_ptr<const TriangleMesh<double>>;

// A mesh stays during the lifetime of its soup, for bodies that are added and removed; that of a
// destroyed soup is removed when the next mesh is built. The address of a destroyed soup may be
// reused: the weak pointer detects this.
class SharedMeshes {
  public:
    Mesh find(const Soup& soup) {
        const std::lock_guard lock(mutex_);
        return find_locked(soup);
    }

    // Two threads may build the same mesh at once: the first to finish wins.
    Mesh add(const Soup& soup, const Mesh& mesh) {
        const std::lock_guard lock(mutex_);
        if (Mesh known = find_locked(soup)) return known;
        // The cleanup is cheaper than building the mesh; or it happens at twice the number that
        // remained the last time, so that its amortized cost is that of adding.
        if (entries_.size() <= mesh->triangles.size() || entries_.size() >= sweep_at_) sweep();
        entries_[soup.get()] = {soup, mesh};
        return mesh;
    }

  private:
    struct Entry {
        std::weak_ptr<const TriangleSoup> soup;
        Mesh mesh;
    };

    Mesh find_locked(const Soup& soup) const {
        const auto found = entries_.find(soup.get());
        if (found == entries_.end() || found->second.soup.lock() != soup) return {};
        return found->second.mesh;
    }

    void sweep() {
        std::erase_if(entries_, [](const auto& item) { return item.second.soup.expired(); });
        sweep_at_ = 2 * entries_.size() + 16;
    }

    std::mutex mutex_;
    std::unordered_map<const TriangleSoup*, Entry> entries_;
    std::size_t sweep_at_ = 16;
};

} // namespace

RIGOR_API Result<Mesh> shared_mesh(const Soup& soup) {
    static SharedMeshes meshes;
    if (Mesh known = meshes.find(soup)) return known;
    const Result<Mesh> built = make_mesh(*soup);
    if (!built) return built;
    return meshes.add(soup, *built);
}

} // namespace rigor
