// Discrete oriented polytope (k-DOP): a solid's extents along k/2 fixed directions [Klosowski
// 1998].
//
// The directions are those of a cube: 3 to its faces, 4 to its corners, 6 to its edges. k = 6 is an
// axis-aligned box, 14 cuts off its corners, 18 its edges, 26 both. Two overlap if their extents do
// along every direction: a superset of the solids that touch.
#pragma once

#include <array>

#include "geometry/swept_extent.h"

namespace rigor {

template <int K>
concept KdopSize = K == 6 || K == 14 || K == 18 || K == 26;

/// Faces first, then corners, then edges; units.
template <class S>
inline constexpr std::array<Vec3<S>, 13> kKdopDirections = [] {
    constexpr S c = S(0.57735026918962576451), e = S(0.70710678118654752440); // 1/√3, 1/√2
    return std::array<Vec3<S>, 13>{{{S(1), S(0), S(0)},
                                    {S(0), S(1), S(0)},
                                    {S(0), S(0), S(1)},
                                    {c, c, c},
                                    {c, c, -c},
                                    {c, -c, c},
                                    {c, -c, -c},
                                    {e, e, S(0)},
                                    {e, -e, S(0)},
                                    {e, S(0), e},
                                    {e, S(0), -e},
                                    {S(0), e, e},
                                    {S(0), e, -e}}};
}();

/// The direction i of the k/2 of a k-DOP.
template <class S, int K>
requires KdopSize<K>
constexpr const Vec3<S>& kdop_direction(std::size_t i) {
    return kKdopDirections<S>[K == 18 && i >= 3 ? i + 4 : i];
}

/// Empty by default.
template <class S, int K>
requires KdopSize<K>
struct Kdop {
    static constexpr std::size_t kCount = K / 2;
    std::array<Extent<S>, kCount> extents = [] {
        std::array<Extent<S>, kCount> none;
        none.fill({Aabb<S>::kInfinity, -Aabb<S>::kInfinity});
        return none;
    }();

    friend constexpr bool operator==(const Kdop&, const Kdop&) = default;
};

template <class S, int K>
constexpr Kdop<S, K> join(Kdop<S, K> a, const Kdop<S, K>& b) {
    for (std::size_t i = 0; i < a.kCount; ++i) {
        a.extents[i].lo = std::min(a.extents[i].lo, b.extents[i].lo);
        a.extents[i].hi = std::max(a.extents[i].hi, b.extents[i].hi);
    }
    return a;
}

template <class S, int K>
constexpr Kdop<S, K> join(Kdop<S, K> a, const Vec3<S>& p) {
    for (std::size_t i = 0; i < a.kCount; ++i) {
        const S d = dot(p, kdop_direction<S, K>(i));
        a.extents[i].lo = std::min(a.extents[i].lo, d);
        a.extents[i].hi = std::max(a.extents[i].hi, d);
    }
    return a;
}

/// Touching counts.
template <class S, int K>
constexpr bool overlap(const Kdop<S, K>& a, const Kdop<S, K>& b) {
    for (std::size_t i = 0; i < a.kCount; ++i)
        if (!overlap(a.extents[i], b.extents[i])) return false;
    return true;
}

template <class S, int K>
constexpr bool contains(const Kdop<S, K>& k, const Vec3<S>& p) {
    return overlap(k, join(Kdop<S, K>{}, p));
}

/// The k-DOP of a moving solid, translation and rotation: it holds all points of the solid at all
/// times of the motion. Without motion it is tight, but for rounding.
template <class S, int K>
Kdop<S, K> swept_kdop(const SweptSolid<S>& solid) {
    Kdop<S, K> k;
    for (std::size_t i = 0; i < k.kCount; ++i) k.extents[i] = solid.along(kdop_direction<S, K>(i));
    return k;
}
template <class S, int K>
Kdop<S, K> swept_kdop(const Shape<S>& shape, const Motion<S>& motion) {
    return swept_kdop<S, K>(SweptSolid<S>(shape, motion));
}

} // namespace rigor
