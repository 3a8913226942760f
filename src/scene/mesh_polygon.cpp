// Polygons of mesh files, cut into triangles.

#include <algorithm>

#include "scene/mesh_readers.h"

namespace rigor {
namespace {

using Corners = std::vector<std::uint32_t>;

// Twice the area along the normal, whatever the shape [Newell's method].
Vec3d area_of(const TriangleSoup& soup, const Corners& corners) {
    Vec3d sum;
    const Vec3d origin = soup.vertices[corners[0]];
    for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
        sum += cross(soup.vertices[corners[i]] - origin, soup.vertices[corners[i + 1]] - origin);
    }
    return sum;
}

class EarClipper {
  public:
    EarClipper(TriangleSoup& soup, const Corners& corners)
        : soup_(soup), left_(corners), up_(area_of(soup, corners)) {}

    bool is_convex() const {
        for (std::size_t i = 0; i < left_.size(); ++i) {
            if (turn(previous(i), i, next(i)) < 0) return false;
        }
        return true;
    }

    void add_fan() {
        for (std::size_t i = 1; i + 1 < left_.size(); ++i) add(0, i, i + 1);
    }

    // Where no corner is an ear, as in a face that crosses itself, the first is cut off all
    // the same: a strange face, but no endless search.
    void cut_ears() {
        std::size_t i = 0, tried = 0;
        while (left_.size() > 3) {
            if (!is_ear(i) && tried < left_.size()) {
                i = next(i);
                ++tried;
                continue;
            }
            add(previous(i), i, next(i));
            left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(i));
            i %= left_.size();
            tried = 0;
        }
        add(0, 1, 2);
    }

  private:
    std::size_t next(std::size_t i) const { return i + 1 == left_.size() ? 0 : i + 1; }
    std::size_t previous(std::size_t i) const { return i == 0 ? left_.size() - 1 : i - 1; }
    const Vec3d& at(std::size_t i) const { return soup_.vertices[left_[i]]; }

    // Positive when the way from a over b to c turns left, seen from above.
    double turn(std::size_t a, std::size_t b, std::size_t c) const {
        return dot(up_, cross(at(b) - at(a), at(c) - at(b)));
    }

    bool is_ear(std::size_t i) const {
        const std::size_t before = previous(i), after = next(i);
        if (turn(before, i, after) <= 0) return false;
        for (std::size_t p = 0; p < left_.size(); ++p) {
            if (p == before || p == i || p == after) continue;
            const bool inside =
                turn(before, i, p) >= 0 && turn(i, after, p) >= 0 && turn(after, before, p) >= 0;
            const bool same_place = at(p) == at(before) || at(p) == at(i) || at(p) == at(after);
            if (inside && !same_place) return false;
        }
        return true;
    }

    void add(std::size_t a, std::size_t b, std::size_t c) {
        soup_.triangles.push_back({left_[a], left_[b], left_[c]});
    }

    TriangleSoup& soup_;
    Corners left_;
    Vec3d up_;
};

} // namespace

Result<void> add_polygon(TriangleSoup& soup, const Corners& corners) {
    if (corners.size() == 3) {
        soup.triangles.push_back({corners[0], corners[1], corners[2]});
        return {};
    }
    EarClipper clipper(soup, corners);
    if (clipper.is_convex()) {
        clipper.add_fan();
        return {};
    }
    constexpr std::size_t kMostCorners = 1000;
    if (corners.size() > kMostCorners) {
        return Error{ErrorCode::limit, "",
                     "a face that is not convex may have at most 1000 corners, got " +
                         std::to_string(corners.size())};
    }
    clipper.cut_ears();
    return {};
}

} // namespace rigor
