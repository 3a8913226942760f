// Voronoi cells by voro++ [Rycroft 2009]. The one file that knows voro++, and a library of its own,
// so that a program without fracture links nothing of it.
#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>
#include <voro++/voro++.hh>

#include "features/fracture/voronoi.h"

namespace rigor {
namespace {

// voro++ compares with absolute tolerances of 1e-11, so the solid is scaled to a size of about one.
struct Frame {
    Vec3d center;
    double scale = 1; ///< a power of two: scaling does not round
    Vec3d half;       ///< of the box, scaled

    Vec3d to_unit(const Vec3d& p) const { return (p - center) * scale; }
    Vec3d from_unit(const Vec3d& p) const { return p / scale + center; }
};

Frame frame_of(std::span<const ConvexPart> parts) {
    Vec3d lo = parts[0].points[0], hi = lo;
    for (const ConvexPart& part : parts)
        for (const Vec3d& p : part.points) lo = min(lo, p), hi = max(hi, p);
    Frame frame;
    frame.center = (lo + hi) * 0.5;
    int exponent = 0;
    std::frexp(max_component(hi - lo), &exponent);
    frame.scale = std::ldexp(1.0, -exponent);
    // Wider than the solid, so that the walls of the box never bound a cell.
    frame.half = (hi - lo) * (0.5 * frame.scale) + Vec3d{0.1, 0.1, 0.1};
    return frame;
}

// Removes what lies outside of a part, which may be made wider. False when nothing remains.
// voro++ keeps the half space 2 n·x <= d, x from the seed.
bool clip(voro::voronoicell_neighbor& cell, const ConvexPart& part, const Frame& frame,
          const Vec3d& seed, double margin) {
    for (const PlaneDef& plane : part.planes) {
        const double offset =
            (plane.offset - dot(plane.normal, frame.center)) * frame.scale + margin;
        const double distance = offset - dot(plane.normal, seed);
        const Vec3d& n = plane.normal;
        if (!cell.nplane(n.x, n.y, n.z, 2 * distance, -1)) return false;
    }
    return true;
}

VoronoiFragment fragment_of(voro::voronoicell_neighbor& cell, std::uint32_t part,
                            const Frame& frame, const Vec3d& seed) {
    VoronoiFragment fragment;
    fragment.part = part;
    std::vector<double> xyz;
    cell.vertices(seed.x, seed.y, seed.z, xyz);
    for (std::size_t i = 0; i + 2 < xyz.size(); i += 3)
        fragment.vertices.push_back(frame.from_unit({xyz[i], xyz[i + 1], xyz[i + 2]}));
    std::vector<int> faces, neighbors; // of each face the count of its vertices, then they
    cell.face_vertices(faces);
    for (std::size_t i = 0; i < faces.size();) {
        const auto first = faces.begin() + static_cast<std::ptrdiff_t>(i) + 1;
        fragment.faces.emplace_back(first, first + faces[i]);
        i += static_cast<std::size_t>(faces[i]) + 1;
    }
    cell.neighbors(neighbors);
    for (const int n : neighbors)
        if (n >= 0) fragment.neighbors.push_back(static_cast<std::uint32_t>(n));
    std::sort(fragment.neighbors.begin(), fragment.neighbors.end());
    return fragment;
}

// Fragments hang together when their parts, made wider by a hair, have points of the cell in
// common.
void group_fragments(VoronoiCell& out, std::deque<voro::voronoicell_neighbor>& clipped,
                     std::span<const ConvexPart> parts, const Frame& frame, const Vec3d& seed) {
    constexpr double kMargin = 1e-6;
    const std::size_t count = out.fragments.size();
    std::vector<std::uint32_t> group(count);
    std::iota(group.begin(), group.end(), 0u);
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = i + 1; j < count; ++j) {
            if (group[i] == group[j]) continue;
            voro::voronoicell_neighbor common;
            common = clipped[i];
            if (!clip(common, parts[out.fragments[j].part], frame, seed, kMargin)) continue;
            const std::uint32_t from = std::max(group[i], group[j]);
            std::replace(group.begin(), group.end(), from, std::min(group[i], group[j]));
        }
    }
    std::vector<std::uint32_t> names = group;
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    for (std::size_t i = 0; i < count; ++i) {
        const auto at = std::lower_bound(names.begin(), names.end(), group[i]);
        out.fragments[i].group = static_cast<std::uint32_t>(at - names.begin());
    }
}

VoronoiCell cell_of(voro::voronoicell_neighbor& whole, std::uint32_t id, const Vec3d& seed,
                    std::span<const ConvexPart> parts, const Frame& frame) {
    VoronoiCell out;
    out.seed = id;
    std::deque<voro::voronoicell_neighbor> clipped; // its elements can be assigned, not moved
    for (std::uint32_t p = 0; p < parts.size(); ++p) {
        voro::voronoicell_neighbor cell;
        cell = whole;
        if (!clip(cell, parts[p], frame, seed, 0)) continue;
        out.fragments.push_back(fragment_of(cell, p, frame, seed));
        if (parts.size() == 1) continue;
        clipped.emplace_back();
        clipped.back() = cell;
    }
    if (parts.size() > 1) group_fragments(out, clipped, parts, frame, seed);
    return out;
}

/// Of the grid by which voro++ searches: about five seeds to a block.
int blocks_per_side(std::size_t seeds) {
    std::size_t n = 1;
    while (5 * (n + 1) * (n + 1) * (n + 1) <= seeds) ++n;
    return static_cast<int>(n);
}

std::vector<VoronoiCell> solve(std::span<const Vec3d> seeds, std::span<const ConvexPart> parts) {
    const Frame frame = frame_of(parts);
    const Vec3d& h = frame.half;
    const int blocks = blocks_per_side(seeds.size());
    voro::container box(-h.x, h.x, -h.y, h.y, -h.z, h.z, blocks, blocks, blocks, false, false,
                        false, 8);
    std::vector<Vec3d> unit(seeds.size());
    for (std::size_t i = 0; i < seeds.size(); ++i) {
        unit[i] = frame.to_unit(seeds[i]);
        box.put(static_cast<int>(i), unit[i].x, unit[i].y, unit[i].z);
    }
    std::vector<VoronoiCell> cells;
    voro::c_loop_all loop(box);
    voro::voronoicell_neighbor cell;
    if (loop.start()) {
        do {
            if (!box.compute_cell(cell, loop)) continue;
            const auto id = static_cast<std::uint32_t>(loop.pid());
            VoronoiCell out = cell_of(cell, id, unit[id], parts, frame);
            if (!out.fragments.empty()) cells.push_back(std::move(out));
        } while (loop.inc());
    }
    std::sort(cells.begin(), cells.end(),
              [](const VoronoiCell& a, const VoronoiCell& b) { return a.seed < b.seed; });
    return cells;
}

[[maybe_unused]] const bool is_installed = (set_voronoi_solver(&solve), true);

} // namespace
} // namespace rigor

// Nothing calls into this file. The linker takes it for this name (-u, in cmake/rigor_library.cmake
// and rigor.pc), and with it the initialization above.
extern "C" RIGOR_API const int rigor_voro_is_linked;
const int rigor_voro_is_linked = 1;
