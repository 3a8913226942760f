#include "geometry/decompose_hull.h"

#include <algorithm>
#include <array>

#include "geometry/hull_builder.h"
#include "math/eigen3.h"
#include "math/trig.h"
#include "rigor/math.h"

namespace rigor {
namespace {

constexpr std::size_t kExactCorners = 64;
constexpr int kMaxRounds = 32;

// More than the merging tolerance of make_hull, relative to the extent.
constexpr double kExact = 2e-6;

constexpr std::size_t kDirections = 38;

// The axes, then a spiral from pole to pole that covers all directions [Vogel 1979].
std::array<Vec3d, kDirections> make_directions() {
    std::array<Vec3d, kDirections> out{Vec3d{1, 0, 0}, {-1, 0, 0}, {0, 1, 0},
                                       {0, -1, 0},     {0, 0, 1},  {0, 0, -1}};
    const double golden_angle = kPi<double> * (3 - std::sqrt(5.0));
    for (std::size_t i = 6; i < kDirections; ++i) {
        const double k = static_cast<double>(i - 6);
        const double z = 1 - (2 * k + 1) / static_cast<double>(kDirections - 6);
        const SinCos<double> a = sin_cos(golden_angle * k);
        const double r = std::sqrt(1 - z * z);
        out[i] = {r * a.cos, r * a.sin, z};
    }
    return out;
}

// Normalizes the extent of the points along their principal axes: otherwise all extreme points of a
// thin flake are on its rim.
Sym3d even_out(std::span<const Vec3d> points) {
    Vec3d sum;
    for (const Vec3d& p : points) sum += p;
    const Vec3d mean = sum / static_cast<double>(points.size());
    Sym3d spread;
    for (const Vec3d& p : points) spread = spread + Sym3d::from(outer(p - mean, p - mean));
    const Eigen3<double> e = eigen(spread);
    if (!(e.values.z > 0)) return Sym3d::identity();
    Sym3d out;
    int i = 0;
    for (const Vec3d& axis : {e.vectors.cx, e.vectors.cy, e.vectors.cz}) {
        const double width = std::sqrt(std::max(e.values[i++] / e.values.z, 1e-12));
        out = out + Sym3d::from(outer(axis, axis)) * (1 / width);
    }
    return out;
}

// Indices of points, ascending, each once.
std::vector<std::uint32_t> farthest_points(std::span<const Vec3d> points) {
    static const std::array<Vec3d, kDirections> even = make_directions();
    if (points.empty()) return {};
    const Sym3d stretch = even_out(points);
    std::array<Vec3d, kDirections> directions;
    for (std::size_t k = 0; k < kDirections; ++k) directions[k] = stretch * even[k];
    std::array<double, kDirections> heights;
    heights.fill(-std::numeric_limits<double>::infinity());
    std::array<std::uint32_t, kDirections> best{};
    for (std::uint32_t i = 0; i < points.size(); ++i) {
        for (std::size_t k = 0; k < kDirections; ++k) {
            const double h = dot(points[i], directions[k]);
            if (h > heights[k]) heights[k] = h, best[k] = i;
        }
    }
    std::vector<std::uint32_t> out(best.begin(), best.end());
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

std::optional<Hull<double>> hull_of(std::span<const Vec3d> points,
                                    const std::vector<std::uint32_t>& chosen) {
    std::vector<Vec3d> corners;
    corners.reserve(chosen.size());
    for (const std::uint32_t i : chosen) corners.push_back(points[i]);
    Result<Hull<double>> hull = make_hull(corners);
    if (!hull) return {};
    return std::move(*hull);
}

struct Farthest {
    double height = 0;
    std::uint32_t point = 0;
};

// For each face the farthest of the candidates. The candidates are reduced to those outside the
// hull: it only grows, so points inside remain inside.
std::vector<Farthest> farthest_over_faces(const Hull<double>& hull, std::span<const Vec3d> points,
                                          std::vector<std::uint32_t>& candidates,
                                          double tolerance) {
    std::vector<Farthest> out(hull.faces.size());
    std::size_t outside = 0;
    for (const std::uint32_t i : candidates) {
        Farthest highest{tolerance, 0};
        for (std::uint32_t f = 0; f < hull.faces.size(); ++f) {
            const double h = height_over(hull.faces[f].plane, points[i]);
            if (h > highest.height) highest = {h, f};
        }
        if (!(highest.height > tolerance)) continue;
        candidates[outside++] = i;
        Farthest& over_face = out[highest.point];
        if (highest.height > over_face.height) over_face = {highest.height, i};
    }
    candidates.resize(outside);
    return out;
}

// The farthest first; the required distance depends on the number of vertices.
bool add_worthy(std::vector<Farthest> found, double tolerance, std::vector<std::uint32_t>& chosen) {
    std::sort(found.begin(), found.end(), [](const Farthest& a, const Farthest& b) {
        return a.height != b.height ? a.height > b.height : a.point < b.point;
    });
    const std::size_t before = chosen.size();
    for (const Farthest& far : found) {
        if (!(far.height > 0)) break;
        if (chosen.size() >= kExactCorners && far.height <= tolerance) break;
        chosen.push_back(far.point);
    }
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    return chosen.size() > before;
}

double extent(std::span<const Vec3d> points) {
    Aabb<double> box;
    for (const Vec3d& p : points) box = join(box, p);
    return points.empty() ? 0 : max_component(box.hi - box.lo);
}

std::vector<std::uint32_t> all_of(std::span<const Vec3d> points) {
    std::vector<std::uint32_t> out(points.size());
    for (std::uint32_t i = 0; i < out.size(); ++i) out[i] = i;
    return out;
}

} // namespace

std::optional<Hull<double>> thin_hull(std::span<const Vec3d> points, double tolerance) {
    if (points.size() <= kExactCorners) return hull_of(points, all_of(points));
    const double exact = kExact * extent(points);
    std::vector<std::uint32_t> candidates = all_of(points);
    std::vector<std::uint32_t> chosen = farthest_points(points);
    std::optional<Hull<double>> hull = hull_of(points, chosen);
    if (!hull) return hull_of(points, candidates); // flat at first: use all points
    for (int round = 0; round < kMaxRounds; ++round) {
        std::vector<Farthest> found = farthest_over_faces(*hull, points, candidates, exact);
        if (!add_worthy(std::move(found), std::max(tolerance, exact), chosen)) break;
        std::optional<Hull<double>> larger = hull_of(points, chosen);
        if (!larger) break;
        hull = std::move(larger);
    }
    return hull;
}

std::optional<Hull<double>> rough_hull(std::span<const Vec3d> points) {
    return hull_of(points,
                   points.size() <= kExactCorners ? all_of(points) : farthest_points(points));
}

} // namespace rigor
