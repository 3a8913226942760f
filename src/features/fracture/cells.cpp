#include "features/fracture/cells.h"

#include <algorithm>
#include <map>

#include "features/fracture/moments.h"
#include "features/fracture/seeds.h"
#include "features/fracture/voronoi.h"

namespace rigor {
namespace {

// Cells are made smaller by this share about their centers. Neighbors then start apart, so that no
// method sees a penetration; the mass is that of the body all the same.
constexpr double kShrink = 1e-3;
// Smaller cells, by their share of the volume, are left out.
constexpr double kSmallest = 1e-9;

/// Fragments of one cell that hang together.
struct Group {
    std::uint32_t seed = 0;
    std::vector<const VoronoiFragment*> fragments;
};

std::vector<Group> groups_of(const std::vector<VoronoiCell>& cells) {
    std::vector<Group> groups;
    for (const VoronoiCell& cell : cells) {
        const std::size_t first = groups.size();
        for (const VoronoiFragment& fragment : cell.fragments) {
            if (groups.size() <= first + fragment.group) groups.resize(first + fragment.group + 1);
            groups[first + fragment.group].seed = cell.seed;
            groups[first + fragment.group].fragments.push_back(&fragment);
        }
    }
    return groups;
}

/// A fragment as a solid of the density of its part; nothing when it has no volume.
struct WeighedFragment {
    std::uint32_t part = 0;
    std::vector<Vec3d> vertices;
    double volume = 0;
    MassProperties mass;
};

std::optional<WeighedFragment> weigh(const VoronoiFragment& fragment, double density) {
    const MassProperties mass = polyhedron_mass(fragment.vertices, fragment.faces, density);
    if (!(mass.mass > 0)) return std::nullopt;
    return WeighedFragment{fragment.part, fragment.vertices, mass.mass / density, mass};
}

double longest_edge(const std::vector<WeighedFragment>& fragments) {
    Vec3d lo = fragments[0].vertices[0], hi = lo;
    for (const WeighedFragment& fragment : fragments)
        for (const Vec3d& p : fragment.vertices) lo = min(lo, p), hi = max(hi, p);
    return max_component(hi - lo);
}

std::optional<FractureCell> cell_of(const Group& group, const Fracture::Solid& solid,
                                    double smallest) {
    std::vector<WeighedFragment> fragments;
    std::vector<MassProperties> masses;
    FractureCell cell;
    double volume = 0;
    for (const VoronoiFragment* fragment : group.fragments) {
        auto weighed = weigh(*fragment, solid.densities[fragment->part]);
        if (!weighed) continue;
        cell.center += weighed->mass.center * weighed->volume;
        volume += weighed->volume;
        masses.push_back(weighed->mass);
        fragments.push_back(std::move(*weighed));
    }
    if (!(volume > smallest)) return std::nullopt;
    cell.center = cell.center / volume;
    cell.mass = combined(masses);
    cell.size = longest_edge(fragments);
    for (WeighedFragment& fragment : fragments) {
        for (Vec3d& p : fragment.vertices) p = (p - cell.center) * (1 - kShrink);
        Result<BuiltHull> hull = build_hull(std::move(fragment.vertices));
        if (hull) cell.hulls.push_back({solid.leaves[fragment.part], std::move(*hull)});
    }
    if (cell.hulls.empty()) return std::nullopt;
    return cell;
}

// Cells with a face of the same part in common.
void find_neighbors(const std::vector<Group>& groups, FractureCells& cells) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> by_seed_and_part;
    for (std::uint32_t i = 0; i < groups.size(); ++i)
        for (const VoronoiFragment* fragment : groups[i].fragments)
            by_seed_and_part[{groups[i].seed, fragment->part}] = i;
    for (std::uint32_t i = 0; i < groups.size(); ++i) {
        std::vector<std::uint32_t>& neighbors = cells[i].neighbors;
        for (const VoronoiFragment* fragment : groups[i].fragments)
            for (const std::uint32_t seed : fragment->neighbors)
                if (const auto at = by_seed_and_part.find({seed, fragment->part});
                    at != by_seed_and_part.end())
                    neighbors.push_back(at->second);
        std::sort(neighbors.begin(), neighbors.end());
        neighbors.erase(std::unique(neighbors.begin(), neighbors.end()), neighbors.end());
    }
}

} // namespace

Result<Fracture::Solid> make_solid(const BodyDef& def) {
    Fracture::Solid solid;
    std::uint32_t leaf = 0;
    for (const ShapeDef& shape : def.shapes) {
        for (const ShapeDef& part_of : leaf_shapes(shape)) {
            const std::uint32_t index = leaf++;
            if (part_of.sensor) continue;
            Result<std::vector<ConvexPart>> parts = convex_parts(part_of);
            if (!parts) return parts.error();
            const Result<MassProperties> mass = shape_mass(part_of);
            if (!mass) return mass.error();
            double volume = 0;
            for (const ConvexPart& part : *parts) volume += part.volume;
            for (ConvexPart& part : *parts) {
                solid.parts.push_back(std::move(part));
                solid.leaves.push_back(index);
                solid.densities.push_back(mass->mass / volume);
            }
        }
    }
    if (solid.parts.empty())
        return Error{ErrorCode::invalid_value, "shapes",
                     "a body that can break needs a shape that is not a sensor"};
    return solid;
}

Result<FractureCells> make_cells(const Fracture::Solid& solid, int pieces, std::uint64_t seed,
                                 const std::optional<Vec3d>& impact) {
    const std::vector<Vec3d> seeds = voronoi_seeds(solid.parts, pieces, seed, impact);
    const std::vector<VoronoiCell> voronoi = voronoi_solver()(seeds, solid.parts);
    double volume = 0;
    for (const ConvexPart& part : solid.parts) volume += part.volume;
    std::vector<Group> kept;
    FractureCells cells;
    for (Group& group : groups_of(voronoi)) {
        std::optional<FractureCell> cell = cell_of(group, solid, volume * kSmallest);
        if (!cell) continue;
        cells.push_back(std::move(*cell));
        kept.push_back(std::move(group));
    }
    if (cells.size() < 2)
        return Error{ErrorCode::invalid_value, "pieces",
                     "the body is too thin to be cut into two pieces"};
    find_neighbors(kept, cells);
    return cells;
}

} // namespace rigor
