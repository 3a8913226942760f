#include "geometry/decompose_fragment.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "rigor/mat.h"

namespace rigor {
namespace {

constexpr std::uint32_t kUnplaced = ~0u;

// One side of a cut during its construction.
class Side {
  public:
    Side(const Fragment& whole, const Plane<double>& solid_below) : whole_(whole) {
        part_.cell = whole.cell;
        part_.cell.push_back(solid_below);
        part_.box = whole.box;
        index_.assign(whole.points.size(), kUnplaced);
    }

    void add_corner(std::uint32_t point) { part_.corners.push_back(place(point)); }
    // The intersection of the plane with the edge between two points.
    void add_crossing(std::uint64_t edge, const Vec3d& point) {
        const auto [found, is_new] =
            crossings_.try_emplace(edge, static_cast<std::uint32_t>(part_.points.size()));
        if (is_new) part_.points.push_back(point);
        part_.corners.push_back(found->second);
    }
    void end_polygon() {
        const std::uint32_t begin = part_.ends.empty() ? 0 : part_.ends.back();
        if (part_.corners.size() - begin < 3) return part_.corners.resize(begin);
        part_.ends.push_back(static_cast<std::uint32_t>(part_.corners.size()));
    }
    void add_cell_corner(const Vec3d& point) { part_.points.push_back(point); }

    Fragment take() { return std::move(part_); }

  private:
    std::uint32_t place(std::uint32_t point) {
        if (index_[point] == kUnplaced) {
            index_[point] = static_cast<std::uint32_t>(part_.points.size());
            part_.points.push_back(whole_.points[point]);
        }
        return index_[point];
    }

    const Fragment& whole_;
    Fragment part_;
    std::vector<std::uint32_t> index_; // of points of the whole
    std::unordered_map<std::uint64_t, std::uint32_t> crossings_;
};

class Cut {
  public:
    Cut(const Fragment& whole, const Plane<double>& plane, double tolerance)
        : whole_(whole),
          plane_(plane),
          below_(whole, plane),
          above_(whole, {-plane.normal, -plane.offset}) {
        heights_.reserve(whole.points.size());
        for (const Vec3d& p : whole.points) {
            const double h = height_over(plane, p);
            heights_.push_back(std::abs(h) <= tolerance ? 0 : h);
        }
    }

    std::pair<Fragment, Fragment> run(const ExcessField& field, double tolerance) {
        std::uint32_t begin = 0;
        for (const std::uint32_t end : whole_.ends) {
            cut_polygon(begin, end);
            begin = end;
        }
        share_cell_corners();
        add_cell_corners(field, tolerance);
        return {below_.take(), above_.take()};
    }

  private:
    void cut_polygon(std::uint32_t begin, std::uint32_t end) {
        bool has_below = false, has_above = false;
        for (std::uint32_t i = begin; i < end; ++i) {
            has_below = has_below || heights_[whole_.corners[i]] < 0;
            has_above = has_above || heights_[whole_.corners[i]] > 0;
        }
        if (has_below && has_above) return divide(begin, end);
        if (!has_below && !has_above) has_below = faces_up(begin, end);
        Side& side = has_below ? below_ : above_;
        for (std::uint32_t i = begin; i < end; ++i) side.add_corner(whole_.corners[i]);
        side.end_polygon();
    }

    bool faces_up(std::uint32_t begin, std::uint32_t end) const {
        const Vec3d& origin = whole_.points[whole_.corners[begin]];
        Vec3d doubled_area;
        for (std::uint32_t i = begin + 1; i + 1 < end; ++i) {
            doubled_area += cross(whole_.points[whole_.corners[i]] - origin,
                                  whole_.points[whole_.corners[i + 1]] - origin);
        }
        return dot(doubled_area, plane_.normal) > 0;
    }

    // [Sutherland and Hodgman 1974]
    void divide(std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t i = begin; i < end; ++i) {
            const std::uint32_t a = whole_.corners[i];
            const std::uint32_t b = whole_.corners[i + 1 == end ? begin : i + 1];
            if (heights_[a] <= 0) below_.add_corner(a);
            if (heights_[a] >= 0) above_.add_corner(a);
            if (are_apart(a, b)) cross_edge(std::min(a, b), std::max(a, b));
        }
        below_.end_polygon();
        above_.end_polygon();
    }

    bool are_apart(std::uint32_t a, std::uint32_t b) const {
        return (heights_[a] < 0 && heights_[b] > 0) || (heights_[a] > 0 && heights_[b] < 0);
    }

    // From the lower index to the higher, so that both polygons of an edge get the same point.
    void cross_edge(std::uint32_t a, std::uint32_t b) {
        const double t = heights_[a] / (heights_[a] - heights_[b]);
        const Vec3d point = whole_.points[a] + (whole_.points[b] - whole_.points[a]) * t;
        const std::uint64_t edge = (std::uint64_t(a) << 32) | b;
        below_.add_crossing(edge, point);
        above_.add_crossing(edge, point);
    }

    // Points that no polygon uses are corners of the cell.
    void share_cell_corners() {
        std::vector<bool> is_used(whole_.points.size(), false);
        for (const std::uint32_t c : whole_.corners) is_used[c] = true;
        for (std::size_t i = 0; i < whole_.points.size(); ++i) {
            if (is_used[i]) continue;
            if (heights_[i] <= 0) below_.add_cell_corner(whole_.points[i]);
            if (heights_[i] >= 0) above_.add_cell_corner(whole_.points[i]);
        }
    }

    // The intersections of the new plane with two old ones, inside the cell and inside the solid.
    void add_cell_corners(const ExcessField& field, double tolerance) {
        const std::vector<Plane<double>>& cell = whole_.cell;
        for (std::size_t i = 0; i < cell.size(); ++i) {
            for (std::size_t j = i + 1; j < cell.size(); ++j) {
                const std::optional<Vec3d> corner = intersect_planes(plane_, cell[i], cell[j]);
                if (!corner || !is_in_cell(*corner, tolerance)) continue;
                const double distance = field.distance(*corner);
                if (distance > tolerance) continue;
                const bool is_inside = distance < -tolerance;
                const Plane<double> other{-plane_.normal, -plane_.offset};
                if (is_inside || is_filled({plane_, cell[i], cell[j]}, field, tolerance)) {
                    below_.add_cell_corner(*corner);
                }
                if (is_inside || is_filled({other, cell[i], cell[j]}, field, tolerance)) {
                    above_.add_cell_corner(*corner);
                }
            }
        }
    }

    // Whether the solid contains a corner of a cell that lies on its surface. The surface may then
    // touch the cell from outside only, and no polygon of the cell has the corner. Tested slightly
    // inside: when the corner is partly filled, polygons have it, and the result does not matter.
    bool is_filled(std::array<Plane<double>, 3> planes, const ExcessField& field,
                   double tolerance) const {
        for (Plane<double>& plane : planes) plane.offset -= 1000 * tolerance;
        const std::optional<Vec3d> inside = intersect_planes(planes[0], planes[1], planes[2]);
        return inside && is_in_cell(*inside, tolerance) && field.distance(*inside) < 0;
    }

    static std::optional<Vec3d> intersect_planes(const Plane<double>& a, const Plane<double>& b,
                                                 const Plane<double>& c) {
        const Vec3d bc = cross(b.normal, c.normal);
        const double volume = dot(a.normal, bc);
        if (std::abs(volume) < 1e-6) return {}; // nearly parallel planes have no usable corner
        const Vec3d sum = bc * a.offset + cross(c.normal, a.normal) * b.offset +
                          cross(a.normal, b.normal) * c.offset;
        return sum / volume;
    }

    bool is_in_cell(const Vec3d& point, double tolerance) const {
        const Aabb<double> box = expand(whole_.box, tolerance);
        if (!contains(box, Aabb<double>{point, point})) return false;
        return std::all_of(whole_.cell.begin(), whole_.cell.end(), [&](const Plane<double>& p) {
            return height_over(p, point) <= tolerance;
        });
    }

    const Fragment& whole_;
    const Plane<double>& plane_;
    std::vector<double> heights_; // of points; exactly 0 on the plane
    Side below_, above_;
};

} // namespace

Fragment make_fragment(const std::vector<Vec3d>& vertices,
                       const std::vector<std::array<std::uint32_t, 3>>& triangles) {
    Fragment out;
    std::vector<std::uint32_t> index(vertices.size(), kUnplaced);
    for (const auto& triangle : triangles) {
        for (const std::uint32_t v : triangle) {
            if (index[v] == kUnplaced) {
                index[v] = static_cast<std::uint32_t>(out.points.size());
                out.points.push_back(vertices[v]);
                out.box = join(out.box, vertices[v]);
            }
            out.corners.push_back(index[v]);
        }
        out.ends.push_back(static_cast<std::uint32_t>(out.corners.size()));
    }
    return out;
}

std::pair<Fragment, Fragment> cut(const Fragment& fragment, const Plane<double>& plane,
                                  double tolerance, const ExcessField& field) {
    return Cut(fragment, plane, tolerance).run(field, tolerance);
}

} // namespace rigor
