#include "contact_dynamics/redundant_points.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace rigor::contact_dynamics {
namespace {

constexpr double kSameNormal = 1e-9; // rad
constexpr double kSamePlace = 1e-10; // of the size

/// A point in the plane of its region.
struct PlanePoint {
    double x = 0, y = 0;
    std::size_t index = 0;
};

double distance(const PlanePoint& p, const PlanePoint& q) {
    const double dx = q.x - p.x, dy = q.y - p.y;
    return std::sqrt(dx * dx + dy * dy);
}

/// How far q is to the right of the line from o to p.
double beyond(const PlanePoint& o, const PlanePoint& p, const PlanePoint& q) {
    const double way = distance(o, p);
    const double area = (p.y - o.y) * (q.x - o.x) - (p.x - o.x) * (q.y - o.y);
    return way > 0 ? area / way : distance(o, q);
}

/// Keeps the corners of one half of the hull [Andrew 1979]: of points sorted from end to end.
template <class Iterator>
void mark_chain(Iterator begin, Iterator end, double rounding, std::vector<bool>& is_corner) {
    std::vector<PlanePoint> chain;
    for (Iterator at = begin; at != end; ++at) {
        while (chain.size() > 1 && !(beyond(chain[chain.size() - 2], *at, chain.back()) > rounding))
            chain.pop_back();
        chain.push_back(*at);
    }
    for (const PlanePoint& p : chain) is_corner[p.index] = true;
}

bool is_same_plane(const RegionPoint& p, const RegionPoint& q, double size) {
    const Vec3d apart = q.point.point_a - p.point.point_a;
    return length(p.normal - q.normal) < kSameNormal &&
           std::abs(dot(p.normal, apart)) < kSamePlace * size &&
           std::abs(p.point.separation - q.point.separation) < kSamePlace * size;
}

/// The corners of the hull of points in one plane.
void mark_corners(const std::vector<RegionPoint>& points, const std::vector<std::size_t>& group,
                  double size, std::vector<bool>& is_corner) {
    const Vec3d n = points[group.front()].normal, u = perpendicular(n), v = cross(n, u);
    std::vector<PlanePoint> flat;
    for (const std::size_t i : group) {
        const Vec3d p = points[i].point.point_a;
        flat.push_back({dot(u, p), dot(v, p), i});
    }
    const double rounding = kSamePlace * size;
    // To whole multiples of the rounding: "nearly equal" is no order.
    const auto key = [&](const PlanePoint& p) {
        return std::tuple(std::round(p.x / rounding), std::round(p.y / rounding), p.index);
    };
    std::sort(flat.begin(), flat.end(),
              [&](const PlanePoint& p, const PlanePoint& q) { return key(p) < key(q); });
    const auto is_same = [&](const PlanePoint& p, const PlanePoint& q) {
        return distance(p, q) <= 2 * rounding;
    };
    flat.erase(std::unique(flat.begin(), flat.end(), is_same), flat.end());
    mark_chain(flat.begin(), flat.end(), rounding, is_corner);
    mark_chain(flat.rbegin(), flat.rend(), rounding, is_corner);
}

} // namespace

void drop_redundant_points(std::vector<RegionPoint>& points, double size) {
    std::vector<bool> is_corner(points.size(), false), is_grouped(points.size(), false);
    std::vector<std::size_t> group;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (is_grouped[i]) continue;
        group.clear();
        for (std::size_t j = i; j < points.size(); ++j) {
            if (is_grouped[j] || !is_same_plane(points[i], points[j], size)) continue;
            is_grouped[j] = true;
            group.push_back(j);
        }
        mark_corners(points, group, size, is_corner);
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (is_corner[i]) points[kept++] = points[i];
    points.resize(kept);
}

} // namespace rigor::contact_dynamics
