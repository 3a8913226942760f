#include "collide/simplex.h"

#include "math/tolerances.h"

namespace rigor {
namespace {

/// Tests features of a simplex and keeps the nearest. Indices are given in ascending order.
template <class S>
class Parts {
  public:
    Parts(const Simplex<S>& simplex, NearestPart<S>& best) : points_(simplex.points), best_(best) {}

    void corner(std::uint8_t i) {
        const S squared = length_squared(w(i));
        if (!(squared < best_.distance_squared)) return;
        best_ = {w(i), squared, {i}, {S(1)}, 1};
    }

    void edge(std::uint8_t i, std::uint8_t j) {
        // Two faces of a tetrahedron share it: once is enough.
        const std::uint32_t bit = 1u << (4 * i + j);
        if ((seen_ & bit) != 0) return;
        seen_ |= bit;
        const Vec3<S>& p = w(i);
        const Vec3<S> along = w(j) - p;
        const S t = -dot(p, along), whole = length_squared(along);
        if (!(t > S(0))) return corner(i);
        if (!(t < whole)) return corner(j);
        const S s = t / whole;
        const Vec3<S> v = p + along * s;
        const S squared = length_squared(v);
        if (squared < best_.distance_squared) best_ = {v, squared, {i, j}, {S(1) - s, s}, 2};
    }

    // The weights are the areas of the three triangles that the origin's projection cuts the face
    // into, measured along its normal n; the nearest point lies along n, whose direction is
    // accurate even where the point itself is mostly rounding.
    void face(std::uint8_t i, std::uint8_t j, std::uint8_t k) {
        const Vec3<S>& a = w(i);
        face(i, j, k, cross(w(j) - a, w(k) - a));
    }

    void inside() {
        best_ = {{}, S(0), {0, 1, 2, 3}, {}, 4};
        S sum = S(0);
        for (std::size_t i = 0; i < 4; ++i) {
            const auto& f = kFaces[i];
            best_.weight[f[3]] =
                std::abs(dot(w(f[0]), cross(w(f[1]) - w(f[0]), w(f[2]) - w(f[0]))));
            sum += best_.weight[f[3]];
        }
        for (S& weight : best_.weight) weight = sum > S(0) ? weight / sum : S(0.25);
    }

    /// Where the origin is beyond a face and projects into it, nothing else can be nearer.
    void solid() {
        bool outside = false;
        for (const auto& f : kFaces) {
            const Vec3<S>& a = w(f[0]);
            const Vec3<S> n = cross(w(f[1]) - a, w(f[2]) - a);
            if (!is_beyond(n, a, w(f[3]))) continue;
            outside = true;
            if (face(f[0], f[1], f[2], n)) return;
        }
        if (!outside) inside();
    }

  private:
    // Those with the newest point first: the others were tested before it was added.
    static constexpr std::array<std::array<std::uint8_t, 4>, 4> kFaces{
        {{0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}, {0, 1, 2, 3}}};

    const Vec3<S>& w(std::uint8_t i) const { return points_[i].w; }

    /// With its normal n, of any length. True when the origin projects into the face.
    bool face(std::uint8_t i, std::uint8_t j, std::uint8_t k, const Vec3<S>& n) {
        const Vec3<S>&a = w(i), &b = w(j), &c = w(k);
        const Vec3<S> ab = b - a, bc = c - b, ca = a - c;
        const S nn = length_squared(n);
        const S longest =
            std::max(std::max(length_squared(ab), length_squared(bc)), length_squared(ca));
        const bool flat = !(nn > S(16) * kEpsilon<S> * kEpsilon<S> * longest * longest);
        const S wa = dot(n, cross(b, bc)), wb = dot(n, cross(c, ca)), wc = dot(n, cross(a, ab));
        if (!flat && wa > S(0) && wb > S(0) && wc > S(0)) {
            // From the vertex nearest to the projection: an error of n's direction is multiplied by
            // the distance between the two.
            const Vec3<S>& corner = wa >= wb ? (wa >= wc ? a : c) : (wb >= wc ? b : c);
            const Vec3<S> v = n * (dot(n, corner) / nn);
            const S squared = length_squared(v), per_sum = S(1) / (wa + wb + wc);
            if (squared < best_.distance_squared)
                best_ = {v, squared, {i, j, k}, {wa * per_sum, wb * per_sum, wc * per_sum}, 3};
            return true;
        }
        if (flat || !(wc > S(0))) edge(i, j);
        if (flat || !(wa > S(0))) edge(j, k);
        if (flat || !(wb > S(0))) edge(i, k);
        return false;
    }

    /// Whether the origin is on the far side of a face from the fourth point. In a tetrahedron so
    /// flat that this is uncertain every face may be nearest.
    static bool is_beyond(const Vec3<S>& n, const Vec3<S>& a, const Vec3<S>& fourth) {
        const S height = dot(n, fourth - a), origin = -dot(n, a);
        const S noise_squared = S(64) * kEpsilon<S> * kEpsilon<S> * length_squared(n);
        if (!(height * height > noise_squared)) return true;
        const bool same_side = (height > S(0)) == (origin > S(0));
        return !same_side && !(origin * origin < noise_squared);
    }

    const std::array<DifferencePoint<S>, 4>& points_;
    NearestPart<S>& best_;
    std::uint32_t seen_ = 0; ///< tested edges, as bits
};

} // namespace

template <class S>
NearestPart<S> nearest_part(const Simplex<S>& simplex) {
    NearestPart<S> best;
    Parts<S> parts(simplex, best);
    switch (simplex.count) {
        case 1:
            parts.corner(0);
            break;
        case 2:
            parts.edge(0, 1);
            break;
        case 3:
            parts.face(0, 1, 2);
            break;
        default:
            parts.solid();
    }
    return best;
}

template <class S>
void keep(Simplex<S>& simplex, const NearestPart<S>& part) {
    simplex.count = part.count;
    for (std::size_t i = 0; i < static_cast<std::size_t>(part.count); ++i) {
        // Ascending: nothing still needed is overwritten.
        if (part.index[i] != i) simplex.points[i] = simplex.points[part.index[i]];
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
