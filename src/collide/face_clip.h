// A face laid over another: the points of their overlap, and which four of them to keep.
#pragma once

#include "collide/core_faces.h"

namespace rigor {

/// The plane of a reference face: x and y in it, height over it.
template <class S>
struct ReferencePlane {
    Vec3<S> origin, u, v, normal;

    Vec3<S> at(S x, S y, S height) const { return origin + u * x + v * y + normal * height; }
};

/// A point of the overlap, seen from the reference face.
template <class S>
struct ClipPoint {
    S x{}, y{};
    S height{}; ///< of the incident face there
    Feature reference, incident;
};

template <class S>
using ClipPoints = InlineVector<ClipPoint<S>, 24>;

/// What is left of the incident polygon, edge or vertex over a reference face, as far as it is no
/// higher than `margin` [Sutherland 1974b]. All in one frame. A reference without corners is a
/// whole plane through `origin`.
///
/// Corners that lie beside the reference by less than `slack` stay: those of two faces of the same
/// size, one on the other, do not turn into crossings and back when they tremble.
template <class S>
ReferencePlane<S> clip_to_face(const FacePolygon<S>& reference, const Vec3<S>& origin,
                               const FacePolygon<S>& incident, S margin, S slack,
                               ClipPoints<S>& out);

/// Keeps four points: the deepest, the farthest from it, and the widest to both sides of these.
/// `is_known` tells points that were there last time; they are preferred to others that are deeper
/// by less than `tolerance`, or wider by a few percent.
template <class S, class IsKnown>
void keep_four(ClipPoints<S>& points, S tolerance, IsKnown&& is_known) {
    if (points.size() <= 4) return;
    const auto choose = [&](std::size_t from, auto&& score, S known_adds, S known_times) {
        std::size_t best = from;
        S most = -std::numeric_limits<S>::infinity();
        for (std::size_t i = from; i < points.size(); ++i) {
            S s = score(points[i]);
            if (is_known(points[i])) s = s > S(0) ? s * known_times + known_adds : s + known_adds;
            if (s > most) {
                most = s;
                best = i;
            }
        }
        std::swap(points[from], points[best]);
        return most;
    };
    constexpr S kWider = S(1.05);
    // Of equally deep ones the outermost: that does not depend on how the faces are taken.
    S middle_x = S(0), middle_y = S(0), reach = S(0);
    const S share = S(1) / static_cast<S>(points.size());
    for (const ClipPoint<S>& p : points) {
        middle_x += p.x * share;
        middle_y += p.y * share;
    }
    const auto off_middle = [&](const ClipPoint<S>& p) {
        const S x = p.x - middle_x, y = p.y - middle_y;
        return x * x + y * y;
    };
    for (const ClipPoint<S>& p : points) reach = std::max(reach, off_middle(p));
    const S weight = reach > S(0) ? tolerance / reach : S(0);
    choose(
        0, [&](const ClipPoint<S>& p) { return weight * off_middle(p) - p.height; }, tolerance,
        S(1));
    const ClipPoint<S> a = points[0];
    choose(
        1,
        [&](const ClipPoint<S>& p) {
            const S x = p.x - a.x, y = p.y - a.y;
            return x * x + y * y;
        },
        S(0), kWider);
    const ClipPoint<S> b = points[1];
    const auto left_of = [](const ClipPoint<S>& p, const ClipPoint<S>& q, const ClipPoint<S>& r) {
        return (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
    };
    choose(
        2, [&](const ClipPoint<S>& p) { return std::abs(left_of(a, b, p)); }, S(0), kWider);
    const ClipPoint<S> c = points[2];
    const S turn = left_of(a, b, c) < S(0) ? S(-1) : S(1);
    const S gain = choose(
        3,
        [&](const ClipPoint<S>& p) {
            return std::max(
                {-turn * left_of(a, b, p), -turn * left_of(b, c, p), -turn * left_of(c, a, p)});
        },
        S(0), kWider);
    while (points.size() > (gain > S(0) ? 4u : 3u)) points.pop_back();
}

} // namespace rigor
