// A face laid over another: the points of their overlap, and which four of them to keep.
#pragma once

#include "collide/core_faces.h"
#include "collide/polygon_cut.h"

namespace rigor {

/// The plane of a reference face: x and y in it, height over it.
template <class S>
struct ReferencePlane {
    Vec3<S> origin, u, v, normal;

    Vec3<S> at(S x, S y, S height) const { return origin + u * x + v * y + normal * height; }
};

/// What is left of the incident polygon, edge or vertex over a reference face, as far as it is no
/// higher than `margin`. All in one frame. A reference without corners is a
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
    const std::size_t count = points.size();
    if (count <= 4) return;
    ClipPoint<S>* const p = points.data();
    InlineVector<std::uint8_t, 24> known_room;
    std::uint8_t* const known = room_for(count, known_room);
    for (std::size_t i = 0; i < count; ++i) known[i] = is_known(p[i]) ? 1 : 0;
    const auto choose = [&](std::size_t from, auto&& score, S known_adds, S known_times) {
        std::size_t best = from;
        S most = -std::numeric_limits<S>::infinity();
        for (std::size_t i = from; i < count; ++i) {
            S s = score(p[i]);
            if (known[i] != 0) s = s > S(0) ? s * known_times + known_adds : s + known_adds;
            best = s > most ? i : best;
            most = s > most ? s : most;
        }
        std::swap(p[from], p[best]);
        std::swap(known[from], known[best]);
        return most;
    };
    constexpr S kWider = S(1.05);
    // Of equally deep ones the outermost: that does not depend on how the faces are taken.
    S middle_x = S(0), middle_y = S(0), reach = S(0);
    const S share = S(1) / static_cast<S>(count);
    for (std::size_t i = 0; i < count; ++i) {
        middle_x += p[i].x * share;
        middle_y += p[i].y * share;
    }
    const auto off_middle = [&](const ClipPoint<S>& q) {
        const S x = q.x - middle_x, y = q.y - middle_y;
        return x * x + y * y;
    };
    for (std::size_t i = 0; i < count; ++i) reach = std::max(reach, off_middle(p[i]));
    const S weight = reach > S(0) ? tolerance / reach : S(0);
    choose(
        0, [&](const ClipPoint<S>& q) { return weight * off_middle(q) - q.height; }, tolerance,
        S(1));
    const ClipPoint<S> a = p[0];
    choose(
        1,
        [&](const ClipPoint<S>& q) {
            const S x = q.x - a.x, y = q.y - a.y;
            return x * x + y * y;
        },
        S(0), kWider);
    const ClipPoint<S> b = p[1];
    const auto left_of = [](const ClipPoint<S>& q, const ClipPoint<S>& r, const ClipPoint<S>& s) {
        return (r.x - q.x) * (s.y - q.y) - (r.y - q.y) * (s.x - q.x);
    };
    choose(
        2, [&](const ClipPoint<S>& q) { return std::abs(left_of(a, b, q)); }, S(0), kWider);
    const ClipPoint<S> c = p[2];
    const S turn = left_of(a, b, c) < S(0) ? S(-1) : S(1);
    const S gain = choose(
        3,
        [&](const ClipPoint<S>& q) {
            return std::max(
                {-turn * left_of(a, b, q), -turn * left_of(b, c, q), -turn * left_of(c, a, q)});
        },
        S(0), kWider);
    while (points.size() > (gain > S(0) ? 4u : 3u)) points.pop_back();
}

} // namespace rigor
