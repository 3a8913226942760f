// Face clipping, and contact reduction: from a clipped polygon to four points.
#pragma once

#include "collide/core_faces.h"
#include "collide/polygon_clip.h"

namespace rigor {

/// The plane of a reference face: x and y in it, height over it.
template <class S>
struct ReferencePlane {
    Vec3<S> origin, u, v, normal;

    Vec3<S> at(S x, S y, S height) const { return origin + u * x + v * y + normal * height; }
};

/// Clips the incident polygon, edge or vertex against a reference face, keeping points not higher
/// than `margin`. All in one frame. A reference without vertices is a whole plane through `origin`.
///
/// Vertices outside the reference by less than `slack` stay: the vertices of two equal faces, one
/// on the other, do not alternate with crossings under small motions.
template <class S>
ReferencePlane<S> clip_to_face(const FacePolygon<S>& reference, const Vec3<S>& origin,
                               const FacePolygon<S>& incident, S margin, S slack,
                               ClipPoints<S>& out);

/// Reduction to four points.
template <class S>
class FourOfMany {
  public:
    FourOfMany(const ClipPoint<S>* points, std::size_t count) : p_(points), count_(count) {
        adds_ = array_for(count, adds_storage_);
        times_ = array_for(count, times_storage_);
    }

    /// A point of the last manifold is preferred to others that are deeper by less than
    /// `tolerance`, or wider by a few percent.
    void set_known(std::size_t i, bool known, S tolerance) {
        adds_[i] = known ? tolerance : S(0);
        times_[i] = known ? S(1.05) : S(1);
    }

    /// Writes the chosen points to `out`: their number.
    std::size_t choose(S tolerance, std::array<ClipPoint<S>, 4>& out) {
        ClipPoint<S>&a = out[0], &b = out[1], &c = out[2], &d = out[3];
        const std::size_t first = deepest(tolerance);
        for (std::size_t i = 0; i < count_; ++i) adds_[i] = S(0);
        a = take(first);
        b = take(widest([&](const ClipPoint<S>& p) { return squared(p.x - a.x, p.y - a.y); }));
        c = take(widest([&](const ClipPoint<S>& p) { return std::abs(left_of(a, b, p)); }));
        const S turn = left_of(a, b, c) < S(0) ? S(1) : S(-1);
        d = take(widest([&](const ClipPoint<S>& p) {
            const S beyond_ab = turn * left_of(a, b, p), beyond_bc = turn * left_of(b, c, p);
            return std::max(std::max(beyond_ab, beyond_bc), turn * left_of(c, a, p));
        }));
        return most_ > S(0) ? 4 : 3;
    }

  private:
    static S squared(S x, S y) { return x * x + y * y; }
    static S left_of(const ClipPoint<S>& p, const ClipPoint<S>& q, const ClipPoint<S>& r) {
        return (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
    }

    /// Marks it as chosen.
    const ClipPoint<S>& take(std::size_t i) {
        adds_[i] = -std::numeric_limits<S>::infinity();
        return p_[i];
    }

    /// Of equally deep ones the outermost, which is independent of the order of the faces.
    std::size_t deepest(S tolerance) {
        S x = S(0), y = S(0), radius_squared = S(0);
        const S share = S(1) / static_cast<S>(count_);
        for (std::size_t i = 0; i < count_; ++i) {
            x += p_[i].x * share;
            y += p_[i].y * share;
        }
        for (std::size_t i = 0; i < count_; ++i)
            radius_squared = std::max(radius_squared, squared(p_[i].x - x, p_[i].y - y));
        const S weight = radius_squared > S(0) ? tolerance / radius_squared : S(0);
        return best_of([&](std::size_t i) {
            return weight * squared(p_[i].x - x, p_[i].y - y) - p_[i].height + adds_[i];
        });
    }

    template <class Width>
    std::size_t widest(Width&& width) {
        return best_of([&](std::size_t i) { return width(p_[i]) * times_[i] + adds_[i]; });
    }

    template <class Score>
    std::size_t best_of(Score&& score) {
        std::size_t best = 0;
        S most = -std::numeric_limits<S>::infinity();
        for (std::size_t i = 0; i < count_; ++i) {
            const S s = score(i);
            best = s > most ? i : best;
            most = s > most ? s : most;
        }
        most_ = most;
        return best;
    }

    const ClipPoint<S>* p_;
    std::size_t count_;
    S *adds_ = nullptr, *times_ = nullptr;
    S most_{};
    InlineVector<S, 24> adds_storage_, times_storage_;
};

/// Contact reduction: keeps four points, the deepest, the farthest from it, and the widest to both
/// sides of these. `is_known` marks points of the last manifold, which are preferred.
template <class S, class IsKnown>
void reduce_to_four(ClipPoints<S>& points, S tolerance, IsKnown&& is_known) {
    const std::size_t count = points.size();
    if (count <= 4) return;
    FourOfMany<S> four(points.data(), count);
    for (std::size_t i = 0; i < count; ++i)
        four.set_known(i, is_known(points.data()[i]), tolerance);
    std::array<ClipPoint<S>, 4> kept;
    const std::size_t size = four.choose(tolerance, kept);
    points.clear();
    for (std::size_t i = 0; i < size; ++i) points.push_back(kept[i]);
}

} // namespace rigor
