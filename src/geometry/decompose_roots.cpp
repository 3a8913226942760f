#include "geometry/decompose_roots.h"

#include <algorithm>
#include <unordered_map>

#include "geometry/query_types.h"

namespace rigor {
namespace {

// Union-find: each element points toward the first of its set.
class Sets {
  public:
    explicit Sets(std::size_t count) : parent_(count) {
        for (std::uint32_t i = 0; i < count; ++i) parent_[i] = i;
    }
    std::uint32_t find(std::uint32_t i) {
        while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
        return i;
    }
    void join(std::uint32_t a, std::uint32_t b) {
        const std::uint32_t ra = find(a), rb = find(b);
        parent_[std::max(ra, rb)] = std::min(ra, rb);
    }

  private:
    std::vector<std::uint32_t> parent_;
};

struct Group {
    Aabb<double> box;
    Triangles triangles;
};

std::vector<Group> shells(const TriangleMesh<double>& mesh) {
    Sets sets(mesh.triangles.size());
    for (std::uint32_t h = 0; h < mesh.mates.size(); ++h) {
        if (mesh.mates[h] != kNone) sets.join(triangle_of(h), triangle_of(mesh.mates[h]));
    }
    std::vector<std::uint32_t> index(mesh.triangles.size());
    std::vector<Group> out;
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        const std::uint32_t first = sets.find(t);
        if (first == t) {
            index[t] = static_cast<std::uint32_t>(out.size());
            out.emplace_back();
        }
        Group& group = out[index[first]];
        group.triangles.push_back(mesh.triangles[t]);
        group.box = join(group.box, bounds(triangle_at(mesh, t)));
    }
    return out;
}

void absorb(Group& group, Group& other) {
    group.box = join(group.box, other.box);
    group.triangles.insert(group.triangles.end(), other.triangles.begin(), other.triangles.end());
    other.triangles.clear();
}

// A merged box may overlap others that its parts did not: repeated until nothing changes.
bool absorb_overlapping(std::vector<Group>& groups) {
    bool changed = false;
    for (std::size_t a = 0; a < groups.size(); ++a) {
        for (std::size_t b = a + 1; b < groups.size(); ++b) {
            if (groups[a].triangles.empty() || groups[b].triangles.empty()) continue;
            if (!overlap(groups[a].box, groups[b].box)) continue;
            absorb(groups[a], groups[b]);
            changed = true;
        }
    }
    std::erase_if(groups, [](const Group& g) { return g.triangles.empty(); });
    return changed;
}

// The cell of a grid of 2^20 steps a side, as one number.
std::uint64_t cell_of(const Vec3d& p, const Aabb<double>& box, double step) {
    std::uint64_t key = 0;
    for (int i = 0; i < 3; ++i) {
        const double k = std::floor((p[i] - box.lo[i]) / step);
        key = (key << 21) | static_cast<std::uint64_t>(std::clamp(k, 0.0, 1048575.0));
    }
    return key;
}

Triangles coarsen_to_grid(const std::vector<Vec3d>& vertices, const Triangles& triangles,
                          const Aabb<double>& box, double step) {
    std::unordered_map<std::uint64_t, std::uint32_t> first_in_cell;
    std::vector<std::uint32_t> stand_in(vertices.size(), kNone);
    const auto place = [&](std::uint32_t v) {
        if (stand_in[v] == kNone) {
            stand_in[v] =
                first_in_cell.try_emplace(cell_of(vertices[v], box, step), v).first->second;
        }
        return stand_in[v];
    };
    Triangles out;
    for (const auto& t : triangles) {
        std::array<std::uint32_t, 3> moved{place(t[0]), place(t[1]), place(t[2])};
        if (moved[0] == moved[1] || moved[1] == moved[2] || moved[2] == moved[0]) continue;
        std::rotate(moved.begin(), std::min_element(moved.begin(), moved.end()), moved.end());
        out.push_back(moved);
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

} // namespace

std::vector<Triangles> separate_parts(const TriangleMesh<double>& mesh, std::size_t max_groups) {
    // Shells are compared pairwise: more than this would be slow and of little use.
    constexpr std::size_t kMaxShells = 1000;
    std::vector<Group> groups = shells(mesh);
    if (groups.size() > kMaxShells) return {mesh.triangles};
    while (absorb_overlapping(groups)) {}
    if (groups.size() > max_groups) return {mesh.triangles};
    std::vector<Triangles> out;
    out.reserve(groups.size());
    for (Group& group : groups) out.push_back(std::move(group.triangles));
    return out;
}

Triangles coarsen(const std::vector<Vec3d>& vertices, const Triangles& triangles,
                  std::size_t max_count) {
    if (triangles.size() <= max_count) return triangles;
    Aabb<double> box;
    for (const auto& t : triangles) {
        for (const std::uint32_t v : t) box = join(box, vertices[v]);
    }
    double step = max_component(box.hi - box.lo) / 128;
    for (;; step *= 1.4) {
        Triangles out = coarsen_to_grid(vertices, triangles, box, step);
        if (out.size() <= max_count) return out;
    }
}

} // namespace rigor
