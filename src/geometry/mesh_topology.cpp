#include "geometry/mesh_topology.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "geometry/mesh_bvh.h"
#include "geometry/mesh_shells.h"
#include "geometry/triangle.h"
#include "math/number_text.h"
#include "math/trig.h"
#include "rigor/export.h"

namespace rigor {
namespace {

// Positions as bits, with -0 made 0: equal keys are equal positions.
struct PlaceKey {
    std::array<std::uint64_t, 3> bits;

    explicit PlaceKey(const Vec3d& v) {
        const std::array<double, 3> plus_zero{v.x + 0.0, v.y + 0.0, v.z + 0.0};
        std::memcpy(bits.data(), plus_zero.data(), sizeof bits);
    }
    std::uint64_t hash() const {
        std::uint64_t h = 0x9e3779b97f4a7c15u;
        for (const std::uint64_t word : bits) {
            h = (h ^ word) * 0xbf58476d1ce4e5b9u;
            h ^= h >> 32;
        }
        return h;
    }
};

// For each vertex, the first one at the same position. An open-addressing hash table of indices,
// half full.
std::vector<std::uint32_t> first_at_same_place(const std::vector<Vec3d>& vertices) {
    std::size_t slots = 16;
    while (slots < 2 * vertices.size()) slots *= 2;
    std::vector<std::uint32_t> table(slots, kNone);
    std::vector<std::uint32_t> first(vertices.size());
    for (std::uint32_t v = 0; v < vertices.size(); ++v) {
        std::size_t slot = PlaceKey(vertices[v]).hash() & (slots - 1);
        while (table[slot] != kNone && vertices[table[slot]] != vertices[v]) {
            slot = (slot + 1) & (slots - 1);
        }
        if (table[slot] == kNone) table[slot] = v;
        first[v] = table[slot];
    }
    return first;
}

std::optional<Error> find_bad_input(const TriangleSoup& soup) {
    if (soup.triangles.empty()) {
        return Error{ErrorCode::invalid_value, "triangles", "a mesh needs at least one triangle"};
    }
    // Half edge indices are 32 bits.
    constexpr std::size_t kMaxTriangles = (std::size_t(1) << 30);
    if (soup.triangles.size() > kMaxTriangles || soup.vertices.size() > kMaxTriangles) {
        return Error{ErrorCode::limit, "triangles",
                     "a mesh may have at most 2^30 triangles and vertices, got " +
                         std::to_string(soup.triangles.size()) + " and " +
                         std::to_string(soup.vertices.size())};
    }
    for (std::size_t v = 0; v < soup.vertices.size(); ++v) {
        if (is_finite(soup.vertices[v])) continue;
        const Vec3d& p = soup.vertices[v];
        const double bad = !std::isfinite(p.x) ? p.x : !std::isfinite(p.y) ? p.y : p.z;
        return Error{ErrorCode::invalid_value, "vertices[" + std::to_string(v) + "]",
                     "coordinates must be finite, got " + text(bad)};
    }
    for (std::size_t t = 0; t < soup.triangles.size(); ++t) {
        const auto& corner = soup.triangles[t];
        const std::uint32_t highest = std::max({corner[0], corner[1], corner[2]});
        if (highest < soup.vertices.size()) continue;
        return Error{ErrorCode::invalid_value, "triangles[" + std::to_string(t) + "]",
                     "refers to vertex " + std::to_string(highest) + ", but there are " +
                         std::to_string(soup.vertices.size()) + ", counted from 0"};
    }
    return {};
}

Triangle<double> triangle_at(const TriangleSoup& soup, std::size_t t) {
    const auto& [a, b, c] = soup.triangles[t];
    return {soup.vertices[a], soup.vertices[b], soup.vertices[c]};
}

bool share_vertex(const std::array<std::uint32_t, 3>& t, const std::array<std::uint32_t, 3>& u) {
    return std::any_of(t.begin(), t.end(),
                       [&](std::uint32_t v) { return v == u[0] || v == u[1] || v == u[2]; });
}

// The stages in the order they run; each fills its part of the topology and the report.
class Builder {
  public:
    explicit Builder(const TriangleSoup& soup) { topology_.soup.vertices = soup.vertices; }

    MeshTopology build(const TriangleSoup& soup) {
        weld_triangles(soup);
        match_edges();
        wind_shells();
        mate_around_crowded_edges();
        find_touching_vertices();
        conclude();
        return std::move(topology_);
    }

  private:
    using Corners = std::array<std::uint32_t, 3>;

    void weld_triangles(const TriangleSoup& soup) {
        const std::vector<std::uint32_t> first = first_at_same_place(soup.vertices);
        for (std::uint32_t v = 0; v < first.size(); ++v)
            report_.duplicate_vertices += first[v] != v;
        triangles_.reserve(soup.triangles.size());
        for (const Corners& given : soup.triangles) {
            const Corners t{first[given[0]], first[given[1]], first[given[2]]};
            // A triangle that repeats a vertex has each edge in both directions: leaving it out
            // keeps the surface closed. One with three collinear vertices may fill a gap: it stays.
            const bool repeats = t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
            if (!repeats) triangles_.push_back(t);
            report_.degenerate_triangles += repeats;
        }
        for (std::size_t t = 0; t < triangles_.size(); ++t) {
            report_.degenerate_triangles += is_degenerate(triangle_at(topology_.soup, t));
        }
    }

    std::uint32_t from(std::uint32_t h) const { return triangles_[h / 3][h % 3]; }
    std::uint32_t to(std::uint32_t h) const { return from(next_half_edge(h)); }

    // Sorts the half edges by lower, then higher vertex: those of one edge are adjacent.
    void match_edges() {
        const auto count = static_cast<std::uint32_t>(3 * triangles_.size());
        std::vector<std::uint32_t> start(topology_.soup.vertices.size() + 1, 0);
        for (std::uint32_t h = 0; h < count; ++h) ++start[std::min(from(h), to(h)) + 1];
        for (std::size_t v = 1; v < start.size(); ++v) start[v] += start[v - 1];
        std::vector<std::uint64_t> sorted(count); // higher vertex, half edge
        std::vector<std::uint32_t> fill(start.begin(), start.end() - 1);
        for (std::uint32_t h = 0; h < count; ++h) {
            const auto [low, high] = std::minmax({from(h), to(h)});
            sorted[fill[low]++] = std::uint64_t(high) << 32 | h;
        }
        mates_.assign(count, kNone);
        for (std::size_t v = 0; v + 1 < start.size(); ++v) {
            const auto begin = sorted.begin() + start[v], end = sorted.begin() + start[v + 1];
            std::sort(begin, end);
            for (auto first = begin; first != end;) {
                auto last = first;
                while (last != end && *last >> 32 == *first >> 32) ++last;
                add_edge(&*first, static_cast<std::size_t>(last - first));
                first = last;
            }
        }
    }

    void add_edge(const std::uint64_t* sorted, std::size_t size) {
        const auto half_edge = [&](std::size_t i) { return static_cast<std::uint32_t>(sorted[i]); };
        ++edges_;
        if (size == 1) {
            ++report_.open_edges;
            topology_.first_open_edge = std::min(topology_.first_open_edge, half_edge(0));
        } else if (size == 2) {
            mates_[half_edge(0)] = half_edge(1);
            mates_[half_edge(1)] = half_edge(0);
        } else {
            ++report_.non_manifold_edges;
            for (std::size_t i = 0; i < size; ++i) crowded_.half_edges.push_back(half_edge(i));
            crowded_.ends.push_back(crowded_.half_edges.size());
        }
    }

    void wind_shells() {
        const ShellWinding winding = decide_winding(topology_.soup, mates_, crowded_);
        report_.orientable = winding.orientable;
        report_.consistently_wound = winding.consistent;
        report_.shells = winding.shells;
        report_.cavities = winding.cavities;
        report_.flipped_triangles = winding.flipped;
        report_.inverted_shells = winding.inverted_shells;
        for (std::uint32_t t = 0; t < triangles_.size(); ++t) {
            if (winding.flip[t]) turn(t);
        }
        for (std::uint32_t& h : crowded_.half_edges) h = moved(winding, h);
        if (topology_.first_open_edge != kNone) {
            topology_.first_open_edge = moved(winding, topology_.first_open_edge);
        }
        for (std::uint32_t& h : mates_) {
            if (h != kNone) h = moved(winding, h);
        }
    }

    // (a, b, c) becomes (a, c, b): half edges 0 and 2 change places.
    void turn(std::uint32_t t) {
        std::swap(triangles_[t][1], triangles_[t][2]);
        std::swap(mates_[3 * t], mates_[3 * t + 2]);
    }
    static std::uint32_t moved(const ShellWinding& winding, std::uint32_t h) {
        return winding.flip[triangle_of(h)] ? 3 * triangle_of(h) + 2 - h % 3 : h;
    }

    // Seen along an edge u v, a triangle with the half edge u v has the solid on the side of
    // smaller angles, one with v u on the side of larger angles: the solid lies between a backward
    // one and the next forward one.
    void mate_around_crowded_edges() {
        std::size_t begin = 0;
        for (const std::size_t end : crowded_.ends) {
            balanced_ = mate_around(begin, end) && balanced_;
            begin = end;
        }
    }

    bool mate_around(std::size_t begin, std::size_t end) {
        const std::uint32_t any = crowded_.half_edges[begin];
        const auto [low, high] = std::minmax({from(any), to(any)});
        const std::vector<Vec3d>& vertices = topology_.soup.vertices;
        const Vec3d axis = normalize(vertices[high] - vertices[low]);
        const Vec3d x = perpendicular(axis), y = cross(axis, x);
        std::vector<std::pair<double, std::uint32_t>> around;
        std::ptrdiff_t balance = 0;
        for (std::size_t i = begin; i < end; ++i) {
            const std::uint32_t h = crowded_.half_edges[i];
            const Vec3d arm = vertices[to(next_half_edge(h))] - vertices[low];
            around.emplace_back(atan2(dot(arm, y), dot(arm, x)), h);
            balance += from(h) == low ? 1 : -1;
        }
        if (balance != 0) return false;
        std::sort(around.begin(), around.end());
        for (std::size_t i = 0; i < around.size(); ++i) {
            const std::uint32_t h = around[i].second, next = around[(i + 1) % around.size()].second;
            if (from(h) == low || from(next) == high) continue;
            mates_[h] = next;
            mates_[next] = h;
        }
        return true;
    }

    // The corners at a vertex form one fan on a manifold; more when parts of the surface touch
    // there. A fan is traversed from neighbor to neighbor, in both directions.
    void find_touching_vertices() {
        if (!report_.orientable) return;
        std::vector<std::uint8_t> fans(topology_.soup.vertices.size(), 0);
        std::vector<bool> seen(mates_.size(), false);
        for (std::uint32_t start = 0; start < mates_.size(); ++start) {
            if (seen[start]) continue;
            const std::uint32_t v = from(start);
            fans[v] = static_cast<std::uint8_t>(std::min(fans[v] + 1, 2));
            std::uint32_t h = start;
            while (h != kNone && !seen[h]) {
                seen[h] = true;
                h = mates_[previous_half_edge(h)];
            }
            if (h != kNone) continue;
            h = start;
            while (mates_[h] != kNone && !seen[next_half_edge(mates_[h])]) {
                h = next_half_edge(mates_[h]);
                seen[h] = true;
            }
        }
        for (const std::uint8_t count : fans) {
            vertices_ += count > 0;
            report_.non_manifold_vertices += count > 1;
        }
    }

    void conclude() {
        report_.closed =
            report_.open_edges == 0 && balanced_ && report_.orientable && !triangles_.empty();
        report_.self_touching = report_.non_manifold_edges + report_.non_manifold_vertices > 0;
        if (!report_.orientable) count_vertices();
        report_.euler_characteristic = static_cast<std::ptrdiff_t>(vertices_ + triangles_.size()) -
                                       static_cast<std::ptrdiff_t>(edges_);
        if (report_.closed && !report_.self_touching) {
            // Each closed surface contributes 2 - 2 genus.
            const auto shells = static_cast<std::ptrdiff_t>(report_.shells);
            report_.genus = static_cast<std::size_t>(shells - report_.euler_characteristic / 2);
        }
        warn();
    }

    void count_vertices() {
        std::vector<bool> used(topology_.soup.vertices.size(), false);
        for (const Corners& t : triangles_) {
            for (const std::uint32_t v : t) used[v] = true;
        }
        vertices_ = static_cast<std::size_t>(std::count(used.begin(), used.end(), true));
    }

    void warn() {
        const MeshReport& r = report_;
        warn_if(r.degenerate_triangles, " without area", "triangle");
        warn_if(r.open_edges, " with a triangle on one side only: the mesh is not closed", "edge");
        warn_if(r.non_manifold_edges, " shared by more than two triangles", "edge");
        warn_if(r.non_manifold_vertices, " where parts of the surface touch", "vertex", "vertices");
        warn_if(r.flipped_triangles, " turned to agree with the neighbors", "triangle");
        if (r.inverted_shells > 0) {
            report_.warnings.push_back(r.shells == 1
                                           ? "the mesh was inside out and has been turned"
                                           : std::to_string(r.inverted_shells) + " of " +
                                                 std::to_string(r.shells) +
                                                 " shells were inside out and have been turned");
        }
        if (!r.orientable) {
            report_.warnings.push_back(
                "the surface has only one side: its triangles cannot agree "
                "on which way is out");
        }
    }

    void warn_if(std::size_t count, const char* what, const char* one, const char* many = nullptr) {
        if (count == 0) return;
        const std::string name = count == 1 ? one : many ? many : std::string(one) + "s";
        report_.warnings.push_back(std::to_string(count) + " " + name + what);
    }

    MeshTopology topology_;
    MeshReport& report_ = topology_.report;
    std::vector<Corners>& triangles_ = topology_.soup.triangles;
    std::vector<std::uint32_t>& mates_ = topology_.mates;
    CrowdedEdges crowded_;
    std::size_t edges_ = 0;
    std::size_t vertices_ = 0; // in use
    bool balanced_ = true;
};

} // namespace

Result<MeshTopology> build_topology(const TriangleSoup& soup) {
    if (const std::optional<Error> error = find_bad_input(soup)) return *error;
    return Builder(soup).build(soup);
}

Result<MeshReport> check_mesh(const TriangleSoup& soup) {
    Result<MeshTopology> topology = build_topology(soup);
    if (!topology) return topology.error();
    return std::move(topology->report);
}

RIGOR_API TriangleSoup weld(const TriangleSoup& soup) {
    std::vector<std::uint32_t> new_index;
    return weld(soup, new_index);
}

TriangleSoup weld(const TriangleSoup& soup, std::vector<std::uint32_t>& new_index) {
    const std::vector<std::uint32_t> first = first_at_same_place(soup.vertices);
    std::vector<std::uint32_t> number(soup.vertices.size(), kNone);
    for (const auto& t : soup.triangles) {
        for (const std::uint32_t v : t) number[first[v]] = 0;
    }
    TriangleSoup welded;
    for (std::uint32_t v = 0; v < number.size(); ++v) {
        if (number[v] == kNone) continue;
        number[v] = static_cast<std::uint32_t>(welded.vertices.size());
        welded.vertices.push_back(soup.vertices[v]);
    }
    welded.triangles.reserve(soup.triangles.size());
    for (const auto& t : soup.triangles) {
        welded.triangles.push_back({number[first[t[0]]], number[first[t[1]]], number[first[t[2]]]});
    }
    new_index.resize(first.size());
    for (std::size_t v = 0; v < first.size(); ++v) new_index[v] = number[first[v]];
    return welded;
}

SelfIntersections count_self_intersections(const TriangleSoup& soup, std::size_t cap) {
    std::vector<Aabb<double>> boxes;
    boxes.reserve(soup.triangles.size());
    for (std::size_t t = 0; t < soup.triangles.size(); ++t)
        boxes.push_back(bounds(triangle_at(soup, t)));
    const MeshBvh<double> tree = build_bvh(boxes);
    // In box tests. An ordinary mesh takes some 40 for each triangle; the constant lets small fans
    // be searched completely.
    constexpr std::size_t kExactTest = 8;
    std::size_t budget = 64 * boxes.size() + (std::size_t(1) << 21);
    const auto spend = [&](std::size_t cost) { budget -= std::min(cost, budget); };
    SelfIntersections result;
    std::uint32_t t = 0;
    for (; t < boxes.size() && result.pairs < cap && budget > 0; ++t) {
        const Triangle<double> triangle = triangle_at(soup, t);
        visit_items(tree, boxes[t], [&](std::uint32_t other) {
            if (budget == 0) return;
            spend(1);
            if (other <= t || !overlap(boxes[t], boxes[other])) return;
            if (share_vertex(soup.triangles[t], soup.triangles[other])) return;
            spend(kExactTest);
            result.pairs += cross_properly(triangle, triangle_at(soup, other));
        });
    }
    result.complete = t == boxes.size() && result.pairs < cap && budget > 0;
    result.pairs = std::min(result.pairs, cap);
    return result;
}

} // namespace rigor
