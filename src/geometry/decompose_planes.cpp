#include "geometry/decompose_planes.h"

#include <algorithm>
#include <map>

#include "math/eigen3.h"

namespace rigor {
namespace {

constexpr std::size_t kMaxConcaveEdges = 20'000;
constexpr std::size_t kPlanesOfEdges = 16;
constexpr int kAcrossAxes = 5;
constexpr int kAcrossPrincipalAxes = 3;
constexpr int kCoarse = 2;

// Planes whose normals and offsets agree to these steps count as one.
constexpr double kNormalStep = 0.1;
constexpr double kOffsetStep = 0.02; // of the extent

constexpr std::array<Vec3d, 3> kAxes{Vec3d{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

Plane<double> through(const Vec3d& point, const Vec3d& normal) {
    return {normal, dot(normal, point)};
}

bool is_in_cell(const Fragment& fragment, const Vec3d& point) {
    if (!contains(fragment.box, Aabb<double>{point, point})) return false;
    return std::all_of(fragment.cell.begin(), fragment.cell.end(),
                       [&](const Plane<double>& p) { return height_over(p, point) < 0; });
}

class Planes {
  public:
    void add(const Vec3d& point, const Vec3d& normal) {
        const Vec3d n = normalize(normal);
        if (n == Vec3d{}) return;
        const Plane<double> plane = through(point, n);
        if (std::none_of(list_.begin(), list_.end(),
                         [&](const Plane<double>& p) { return is_same(p, plane); })) {
            list_.push_back(plane);
        }
    }

    /// `count` planes normal to a direction, evenly spaced over the hull.
    void add_across(const Hull<double>& hull, const Vec3d& axis, int count) {
        const double lo = dot(core_support(hull, -axis), axis);
        const double hi = dot(core_support(hull, axis), axis);
        for (int i = 1; i <= count; ++i) {
            add(axis * (lo + (hi - lo) * i / (count + 1)), axis);
        }
    }

    std::vector<Plane<double>> take() { return std::move(list_); }

  private:
    static bool is_same(const Plane<double>& a, const Plane<double>& b) {
        const double c = dot(a.normal, b.normal);
        if (std::abs(c) < 1 - 1e-9) return false;
        const double size = std::max(std::abs(a.offset), std::abs(b.offset));
        return std::abs(a.offset - std::copysign(b.offset, c * b.offset)) <= 1e-6 * size;
    }

    std::vector<Plane<double>> list_;
};

// The planes with the most votes of the concave edges in the cell. Each edge votes for the planes
// of its two faces, which separate blocks, and for the one between them, which cuts rings.
class EdgeVotes {
  public:
    EdgeVotes(const Vec3d& center, double extent)
        : center_(center), offset_step_(kOffsetStep * extent) {}

    void vote(const ConcaveEdge& edge) {
        add(edge, edge.left);
        add(edge, edge.right);
        add(edge, normalize(edge.left - edge.right));
    }

    std::vector<Plane<double>> winners() {
        std::vector<Entry> all;
        for (const auto& [key, entry] : votes_) all.push_back(entry);
        std::sort(all.begin(), all.end(), [](const Entry& a, const Entry& b) {
            return a.weight != b.weight ? a.weight > b.weight : a.order < b.order;
        });
        std::vector<Plane<double>> out;
        for (std::size_t i = 0; i < std::min(all.size(), kPlanesOfEdges); ++i) {
            out.push_back(all[i].plane);
        }
        return out;
    }

  private:
    using Key = std::array<long, 4>;
    struct Entry {
        Plane<double> plane;
        double weight = 0;
        std::size_t order = 0;
    };

    // n and -n are the same plane.
    static Vec3d upward(const Vec3d& n) {
        const double lead = std::abs(n.z) > 0.1 ? n.z : std::abs(n.y) > 0.1 ? n.y : n.x;
        return lead < 0 ? -n : n;
    }

    void add(const ConcaveEdge& edge, const Vec3d& normal) {
        if (normal == Vec3d{}) return;
        const Plane<double> plane = through(edge.middle, upward(normal));
        const auto step = [](double value, double size) { return std::lround(value / size); };
        const Key key{step(plane.normal.x, kNormalStep), step(plane.normal.y, kNormalStep),
                      step(plane.normal.z, kNormalStep),
                      step(height_over(plane, center_), offset_step_)};
        const auto [found, is_new] = votes_.try_emplace(key, Entry{plane, 0, votes_.size()});
        found->second.weight += edge.weight;
    }

    Vec3d center_;
    double offset_step_;
    std::map<Key, Entry> votes_;
};

Mat3d principal_axes(const Hull<double>& hull) {
    Sym3d spread;
    for (const Vec3d& v : hull.vertices) {
        spread = spread + Sym3d::from(outer(v - hull.center, v - hull.center));
    }
    return eigen(spread).vectors;
}

void add_planes_at_worst(Planes& planes, const Vec3d& farthest, const ExcessField& field) {
    const SurfacePoint<double> nearest = closest_point(field.mesh(), farthest);
    const Vec3d away = normalize(farthest - nearest.point);
    planes.add(nearest.point, normal(triangle_at(field.mesh(), nearest.feature)));
    planes.add(nearest.point, away);
    for (const Vec3d& axis : kAxes) planes.add(nearest.point, axis);
    for (const Vec3d& axis : kAxes) planes.add(nearest.point, cross(away, axis));
}

} // namespace

std::vector<ConcaveEdge> concave_edges(const TriangleMesh<double>& mesh) {
    std::vector<std::uint32_t> found;
    for (std::uint32_t h = 0; h < mesh.mates.size(); ++h) {
        if (mesh.edge_kinds[h] == EdgeKind::concave && h < mesh.mates[h]) found.push_back(h);
    }
    const std::size_t stride = found.size() / kMaxConcaveEdges + 1;
    std::vector<ConcaveEdge> out;
    for (std::size_t i = 0; i < found.size(); i += stride) {
        const std::uint32_t h = found[i];
        const auto& corner = mesh.triangles[triangle_of(h)];
        const Vec3d& a = mesh.vertices[corner[h % 3]];
        const Vec3d& b = mesh.vertices[corner[(h + 1) % 3]];
        const Vec3d left = normal(triangle_at(mesh, triangle_of(h)));
        const Vec3d right = normal(triangle_at(mesh, triangle_of(mesh.mates[h])));
        out.push_back({(a + b) * 0.5, left, right, length(b - a) * length(cross(left, right))});
    }
    return out;
}

std::vector<Plane<double>> candidate_planes(const Fragment& fragment, const Hull<double>& hull,
                                            const Vec3d& farthest,
                                            const std::vector<ConcaveEdge>& edges,
                                            const ExcessField& field) {
    Planes planes;
    add_planes_at_worst(planes, farthest, field);
    EdgeVotes votes(hull.center, 2 * bounding_radius(hull, hull.center));
    for (const ConcaveEdge& edge : edges) {
        if (is_in_cell(fragment, edge.middle)) votes.vote(edge);
    }
    for (const Plane<double>& plane : votes.winners()) {
        planes.add(plane.normal * plane.offset, plane.normal);
    }
    for (const Vec3d& axis : kAxes) planes.add_across(hull, axis, kAcrossAxes);
    const Mat3d principal = principal_axes(hull);
    for (const Vec3d& axis : {principal.cx, principal.cy, principal.cz}) {
        planes.add_across(hull, axis, kAcrossPrincipalAxes);
    }
    return planes.take();
}

std::vector<Plane<double>> coarse_planes(const Hull<double>& hull) {
    Planes planes;
    for (const Vec3d& axis : kAxes) planes.add_across(hull, axis, kCoarse);
    return planes.take();
}

} // namespace rigor
