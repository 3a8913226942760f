#include "collide/simplex.h"

#include "math/tolerances.h"

namespace rigor {
namespace {

template <class S>
void take_nearer(NearestPart<S>& best, const NearestPart<S>& other) {
    if (other.distance_squared < best.distance_squared) best = other;
}

template <class S>
class Parts {
  public:
    explicit Parts(const Simplex<S>& simplex) : points_(simplex.points) {}

    NearestPart<S> corner(std::uint8_t i) const {
        return {w(i), length_squared(w(i)), {i}, {S(1)}, 1};
    }

    NearestPart<S> edge(std::uint8_t i, std::uint8_t j) const {
        const Vec3<S>& p = w(i);
        const Vec3<S> along = w(j) - p;
        const S t = -dot(p, along), whole = length_squared(along);
        if (!(t > S(0))) return corner(i);
        if (!(t < whole)) return corner(j);
        const S s = t / whole;
        const Vec3<S> v = p + along * s;
        return {v, length_squared(v), {i, j}, {S(1) - s, s}, 2};
    }

    // The weights are the areas of the three triangles that the origin's projection cuts the
    // face into, measured along its normal n; the nearest point lies along n, whose direction
    // is well known even where the point itself is mostly rounding.
    NearestPart<S> face(std::uint8_t i, std::uint8_t j, std::uint8_t k) const {
        const Vec3<S>&a = w(i), &b = w(j), &c = w(k);
        const Vec3<S> ab = b - a, bc = c - b, ca = a - c;
        const Vec3<S> n = cross(ab, -ca);
        const S nn = length_squared(n);
        const S longest = std::max({length_squared(ab), length_squared(bc), length_squared(ca)});
        const bool flat = !(nn > S(16) * kEpsilon<S> * kEpsilon<S> * longest * longest);
        const S wa = dot(n, cross(b, bc)), wb = dot(n, cross(c, ca)), wc = dot(n, cross(a, ab));
        if (!flat && wa > S(0) && wb > S(0) && wc > S(0)) {
            const S sum = wa + wb + wc;
            // From the corner nearest to the projection: an error of n's direction counts by the
            // distance between the two.
            const Vec3<S>& corner = wa >= wb ? (wa >= wc ? a : c) : (wb >= wc ? b : c);
            const Vec3<S> v = n * (dot(n, corner) / nn);
            return {v, length_squared(v), {i, j, k}, {wa / sum, wb / sum, wc / sum}, 3};
        }
        NearestPart<S> best;
        if (flat || !(wc > S(0))) take_nearer(best, edge(i, j));
        if (flat || !(wa > S(0))) take_nearer(best, edge(j, k));
        if (flat || !(wb > S(0))) take_nearer(best, edge(k, i));
        return best;
    }

    NearestPart<S> inside() const {
        NearestPart<S> all{{}, S(0), {0, 1, 2, 3}, {}, 4};
        S sum = S(0);
        for (std::size_t i = 0; i < 4; ++i) {
            const auto& f = kFaces[i];
            all.weight[f[3]] = std::abs(dot(w(f[0]), cross(w(f[1]) - w(f[0]), w(f[2]) - w(f[0]))));
            sum += all.weight[f[3]];
        }
        for (S& weight : all.weight) weight = sum > S(0) ? weight / sum : S(0.25);
        return all;
    }

    NearestPart<S> solid() const {
        NearestPart<S> best;
        bool outside = false;
        for (const auto& f : kFaces) {
            if (!is_beyond(f)) continue;
            outside = true;
            take_nearer(best, face(f[0], f[1], f[2]));
        }
        return outside ? best : inside();
    }

  private:
    static constexpr std::array<std::array<std::uint8_t, 4>, 4> kFaces{
        {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}}};

    const Vec3<S>& w(std::uint8_t i) const { return points_[i].w; }

    /// Whether the origin is on the far side of a face from the fourth point. A solid so flat
    /// that this is unsure counts as one whose every face may be nearest.
    bool is_beyond(const std::array<std::uint8_t, 4>& f) const {
        const Vec3<S>& a = w(f[0]);
        const Vec3<S> n = cross(w(f[1]) - a, w(f[2]) - a);
        const S height = dot(n, w(f[3]) - a), origin = -dot(n, a);
        const S noise = S(8) * kEpsilon<S> * length(n);
        if (!(std::abs(height) > noise)) return true;
        return height > S(0) ? !(origin > -noise) : !(origin < noise);
    }

    const std::array<DifferencePoint<S>, 4>& points_;
};

} // namespace

template <class S>
NearestPart<S> nearest_part(const Simplex<S>& simplex) {
    const Parts<S> parts(simplex);
    switch (simplex.count) {
        case 1:
            return parts.corner(0);
        case 2:
            return parts.edge(0, 1);
        case 3:
            return parts.face(0, 1, 2);
        default:
            return parts.solid();
    }
}

template <class S>
void keep(Simplex<S>& simplex, const NearestPart<S>& part) {
    const std::array<DifferencePoint<S>, 4> points = simplex.points;
    simplex.count = part.count;
    for (std::size_t i = 0; i < static_cast<std::size_t>(part.count); ++i) {
        simplex.points[i] = points[part.index[i]];
        simplex.weights[i] = part.weight[i];
    }
}

#define RIGOR_INSTANTIATE(S)                                 \
    template NearestPart<S> nearest_part(const Simplex<S>&); \
    template void keep(Simplex<S>&, const NearestPart<S>&);
RIGOR_INSTANTIATE(float)
RIGOR_INSTANTIATE(double)
#undef RIGOR_INSTANTIATE

} // namespace rigor
